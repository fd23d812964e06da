"""Links, near copies and dates of rows: what follows from other notes, from the log and from git."""

import pytest

from memorybank.clock import DAY, FixedClock, parse
from memorybank.index.rescore import evidence_of
from memorybank.log import access
from memorybank.log.access import AccessLine

NOW = 1_758_112_496_789
LONG = " ".join(f"The {name} database is reset every Monday morning." for name in ("staging", "review", "load", "demo", "test", "audit", "mirror", "billing"))
JAPANESE = "ステージング環境のデータベースは毎週月曜日の朝に初期化される。担当者は前日までに必要なデータを退避すること。" * 6


def counts(index, key):
    evidence = evidence_of(index, key)
    return evidence.internal, evidence.external, evidence.backlinks


def test_links_are_counted_by_distinct_target(bank, folded):
    scratch = bank(
        {
            "planning/a.md": "# A\n\n[b](../shared/b.md) [[b]] shared/b.md [src](../../../../src/x.py) [web](https://example.org) ![i](../shared/i.png)\n",
            "shared/b.md": "# B\n",
        }
    )
    with folded(scratch) as index:
        assert counts(index, "planning/a.md") == (2, 1, 0)
        assert counts(index, "shared/b.md") == (0, 0, 1)


def test_a_note_that_comes_later_is_linked_to_at_once(bank, folded):
    scratch = bank({"a.md": "詳細は用語集.mdを参照。 [[設計]]\n"})
    with folded(scratch) as index:
        assert counts(index, "a.md") == (0, 0, 0)
    scratch.write("shared/用語集.md", "# 用語集\n")
    scratch.write("planning/設計.md", "# 設計\n")
    with folded(scratch, NOW + 1000) as index:
        assert index.report.read == 2, "the linker is not read again"
        assert counts(index, "a.md") == (2, 0, 0)
    scratch.write("sync/設計.md", "# 別の設計\n")
    with folded(scratch, NOW + 2000) as index:
        assert counts(index, "a.md") == (1, 0, 0), "a name that two notes bear means neither"
    (scratch.active / "sync/設計.md").unlink()
    (scratch.active / "shared/用語集.md").unlink()
    with folded(scratch, NOW + 3000) as index:
        assert counts(index, "a.md") == (1, 0, 0)


@pytest.mark.parametrize(("key", "expected"), [("file_dependencies", 1), ("content_references", 1)])
def test_dependency_tracking_can_be_switched_off(bank, folded, key, expected):
    scratch = bank({"a.md": "# A\n\n[src](../../../src/x.py) [[b]]\n", "b.md": "# B\n"})
    with folded(scratch) as index:
        assert counts(index, "a.md")[0] == 2
    scratch.configure("scoring", f'{{"relationship_analysis": {{"dependency_tracking": {{"{key}": false}}}}}}')
    with folded(scratch, NOW + 1000) as index:
        assert counts(index, "a.md")[0] == expected


@pytest.mark.parametrize("text", [LONG, JAPANESE], ids=["English", "Japanese"])
def test_a_near_copy_names_the_older_note(bank, folded, text):
    scratch = bank()
    scratch.write("old.md", f"---\ncreated: 2025-01-01\n---\n{text}")
    scratch.write("new.md", f"---\ncreated: 2025-02-01\n---\n{text} One more thing。\n")
    scratch.write("other.md", "Nothing of the kind. まったく違う。\n" * 9)
    with folded(scratch) as index:
        assert [note.duplicate_of for note in index.notes()] == ["old.md", None, None]
        assert "duplicate" in index.note("new.md").breakdown.reasons
    scratch.write("older.md", f"---\ncreated: 2024-01-01\n---\n{text}")
    with folded(scratch, NOW + 1000) as index:
        assert index.note("old.md").duplicate_of == "older.md"
        assert index.note("new.md").duplicate_of == "older.md"
    (scratch.active / "older.md").unlink()
    (scratch.active / "old.md").unlink()
    with folded(scratch, NOW + 2000) as index:
        assert index.note("new.md").duplicate_of is None


def test_adding_an_unrelated_note_changes_no_other_score(bank, folded):
    scratch = bank({f"n{number}.md": f"# {number}\n\n{LONG[: 40 * number]}\n" for number in range(8)})
    with folded(scratch) as index:
        before = {note.key: note.breakdown for note in index.notes()}
    scratch.write("shared/新しい.md", "# 新しい\n\nどこにもつながらない。TODO\n")
    with folded(scratch, NOW + 1000) as index:
        assert {note.key: note.breakdown for note in index.notes() if note.key in before} == before


# ---- dates


def dated(index, key):
    note = index.note(key)
    return note.created, note.modified, note.date_source


def test_the_first_sight_of_a_note_is_no_edit_and_a_second_content_is_one(bank, folded):
    scratch = bank({"a.md": "one\n"}, days_old=20)
    with folded(scratch) as index:
        assert dated(index, "a.md") == (NOW - 20 * DAY, NOW - 20 * DAY, "recorded")
        assert evidence_of(index, "a.md").edits is None
    scratch.write("a.md", "two\n", days_old=5)
    with folded(scratch, NOW + 1000) as index:
        assert dated(index, "a.md") == (NOW - 20 * DAY, NOW - 5 * DAY, "edit")
        assert evidence_of(index, "a.md").edits == 1
    assert [entry.kind for _, entry in access.read(scratch.layout)] == ["seen", "edit"]


def test_a_rename_keeps_the_date(bank, folded):
    scratch = bank({"a.md": "one\n"}, days_old=20)
    with folded(scratch):
        pass
    scratch.write("b/ノート.md", "one\n", days_old=0)
    (scratch.active / "a.md").unlink()
    with folded(scratch, NOW + 1000) as index:
        assert dated(index, "b/ノート.md")[1:] == (NOW - 20 * DAY, "recorded")
    assert [entry.kind for _, entry in access.read(scratch.layout)] == ["seen", "seen", "removed"]


def test_front_matter_beats_the_file_and_an_edit_beats_older_front_matter(bank, folded):
    scratch = bank({"a.md": "---\ncreated: 2025-01-02\nupdated: 2025-03-04\n---\none\n"}, days_old=1)
    with folded(scratch) as index:
        assert dated(index, "a.md") == (parse("2025-01-02"), parse("2025-03-04"), "front_matter")
    scratch.write("a.md", "---\ncreated: 2025-01-02\nupdated: 2025-03-04\n---\ntwo\n", days_old=1)
    with folded(scratch, NOW + 1000) as index:
        assert dated(index, "a.md")[1:] == (NOW - DAY, "edit")


def test_git_says_when_a_cloned_note_was_written(bank, folded, monkeypatch):
    scratch = bank({"a.md": "one\n", "b.md": "uncommitted\n"}, git=True, days_old=0)
    monkeypatch.setenv("GIT_AUTHOR_DATE", "2025-01-02T03:04:05Z")
    scratch.git("add", ".claude/memory/active/a.md")
    scratch.git("commit", "-q", "-m", "one")
    with folded(scratch) as index:
        assert dated(index, "a.md") == (parse("2025-01-02T03:04:05Z"), parse("2025-01-02T03:04:05Z"), "git")
        assert evidence_of(index, "a.md").edits == 0
        assert dated(index, "b.md")[1] == NOW


def test_a_clock_in_the_future_counts_as_now(bank, folded):
    scratch = bank()
    scratch.write("a.md", "one\n", at=NOW + 50 * DAY)
    with folded(scratch) as index:
        assert index.note("a.md").modified == NOW + 50 * DAY
        assert index.note("a.md").breakdown.temporal > 5


def test_access_is_unknown_until_the_log_is_as_old_as_the_window(bank, folded):
    """By the specification's formulas; with calibration, the age of the log makes no difference."""
    scratch = bank({"a.md": "one\n", "b.md": "two\n"})
    scratch.configure("scoring", '{"calibration": {"enabled": false}}')
    layout = scratch.layout
    with folded(scratch) as index:
        assert index.note("a.md").breakdown.access == 5.0
    access.append(layout, [AccessLine("view", "a.md", NOW + 25 * DAY)] * 10, FixedClock(NOW))
    with folded(scratch, NOW + 31 * DAY) as index:
        assert (index.note("a.md").breakdown.access, index.note("b.md").breakdown.access) == (10.0, 1.0)
    with folded(scratch, NOW + 56 * DAY) as index:
        assert index.note("a.md").breakdown.access == 1.0, "the views left the window"


def test_a_log_line_later_than_now_does_not_count(bank, folded):
    scratch = bank({"a.md": "one\n"}, days_old=20)
    with folded(scratch):
        pass
    scratch.write("a.md", "two\n", days_old=-3)
    with folded(scratch, NOW + 4 * DAY) as index:
        assert index.note("a.md").date_source == "edit"
    with folded(scratch, NOW + 4 * DAY, as_of=NOW + DAY) as index:
        assert index.note("a.md").date_source != "edit"
