"""An edit writes only the rows that differ; afterwards every table has the rows that an index of everything has."""

import pytest

from memorybank.config.settings import load
from memorybank.index.fold import fold
from memorybank.index.working import open_index

FIRST = """# キャッシュ

Sessions are always stored in Redis. We moved from npm to pnpm.

検索の順位は必ず日付で決める。The staging query runs on Monday.
"""
EDITS = {
    "appended": FIRST + "\nNever deploy on Friday. 検索語は小文字にする。\n",
    "cut": FIRST.partition("検索")[0],
    "replaced": "# Other\n\nThe printer is on the second floor. It never prints on Tuesday.\n",
    "moved down": FIRST.replace("# キャッシュ\n", "# キャッシュ\n\nTests must always run with pytest.\n"),
    "emptied": "",
}
ROWS = {
    "keywords": "SELECT n.key, word, occurrences, snippets FROM keywords k JOIN notes n ON n.id = k.note",
    "decision_keys": "SELECT n.key, d.key, is_left, position FROM decision_keys d JOIN notes n ON n.id = d.note",
    "fingerprints": "SELECT n.key, value, f.created, f.key FROM fingerprints f JOIN notes n ON n.id = f.note",
    "note_entries": "SELECT n.key, keywords, bins FROM note_entries e JOIN notes n USING (id)",
    "decisions": "SELECT n.key, position, keys FROM decisions d JOIN notes n ON n.id = d.note",
    "all of them": "SELECT (SELECT count(*) FROM keywords), (SELECT count(*) FROM decision_keys), (SELECT count(*) FROM fingerprints)",
}


def rows(index):
    return {name: sorted(index.connection.execute(query)) for name, query in ROWS.items()}


@pytest.mark.parametrize("text", [*EDITS.values(), None], ids=[*EDITS, "removed"])
def test_an_edit_leaves_the_rows_of_an_index_of_everything(bank, fixed_clock, text):
    scratch = bank({"a.md": FIRST, "b.md": FIRST.replace("Monday", "Friday"), "c.md": "# C\n\nSessions are never stored in Redis.\n"})
    with open_index(scratch.layout, load(scratch.layout), fixed_clock) as index:
        fold(index)
        before = rows(index)
        if text is None:
            (scratch.active / "a.md").unlink()
        else:
            scratch.write("a.md", text, days_old=2)
        fold(index)
        edited = rows(index)
        assert edited != before
        fold(index, anew=True)
        assert rows(index) == edited


def test_an_edit_does_not_write_again_what_stayed_the_same(bank, fixed_clock):
    scratch = bank({"a.md": FIRST})
    with open_index(scratch.layout, load(scratch.layout), fixed_clock) as index:
        fold(index)
        written = []
        index.connection.create_function("written", 1, written.append)
        for table in ("keywords", "decision_keys", "fingerprints"):
            for event in ("INSERT", "DELETE"):
                index.connection.execute(f"CREATE TEMP TRIGGER {table}_{event} AFTER {event} ON {table} BEGIN SELECT written('{table}'); END")
        scratch.write("a.md", FIRST + "\nDoes the printer hum?\n", days_old=10)
        fold(index)
        assert "decision_keys" not in written and len(written) < 4, written
