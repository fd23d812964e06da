"""`memorybank tags`: the tags of the notes with their counts."""

import json

import pytest

NOTES = {
    "a.md": "---\ntags: [db/postgres, 設計]\n---\n# A\n",
    "b.md": "---\ntags: [db, DB/Postgres/index, 設計]\n---\n# B\n",
    "c.md": "---\ntags: [Db/postgres]\n---\n# C\n",
    "d.md": "# D\n",
}


def test_tags_are_counted_with_those_below_them(bank, run):
    scratch = bank(NOTES)
    before = scratch.snapshot("active")
    listed = json.loads(run(scratch, "tags", "--format", "json").out)
    assert [tuple(each.values()) for each in listed] == [("db", 3, 2), ("db/postgres", 3, 1), ("設計", 2, 0), ("DB/Postgres/index", 1, 0)]
    assert "設計" in run(scratch, "tags").out and run(scratch, "tags", "--format", "markdown").out.startswith("|")
    assert scratch.snapshot("active") == before


def test_an_empty_bank_says_so(bank, run):
    assert "no note has a tag" in (lambda done: done.out + done.err)(run(bank(), "tags"))
    assert run(bank(), "tags", "extra").code == 2


TAGGED = {
    "a.md": "\ufeff---\r\ntitle: A\r\ntags:\r\n  - DB   # the database\r\n  - 'x, y'\r\n  - db/Postgres\r\n---\r\n# A #db\r\n",
    "b.md": b"---\ntags: [database, db]   # both\n---\n\xff db\n",
    "c.md": "---\ntags: db/postgres, 決定\n---\n# C\n",
    "d.md": "---\ntags: [dbx, database]\n---\n# D\n",
    "e.md": "# E\n",
}


def bytes_of(scratch):
    return {path.name: path.read_bytes() for path in scratch.active.rglob("*.md")}


def test_a_tag_is_renamed_in_all_notes_with_those_below_it(bank, run, fixed_clock):
    scratch = bank(TAGGED)
    before = bytes_of(scratch)
    dated = [note["modified_at"] for note in json.loads(run(scratch, "list", "--json").out)]
    fixed_clock.instant += 86_400_000
    told = run(scratch, "tags", "rename", "db", "database", "--dry-run")
    assert bytes_of(scratch) == before
    assert told.out == (
        "db -> database: 3 notes would change\n1 other note with database already\n"
        "  a.md: DB -> database, db/Postgres -> database/Postgres\n  b.md: db -> database\n  c.md: db/postgres -> database/postgres\n"
    )
    done = run(scratch, "tags", "rename", "db", "database")
    assert (done.code, done.err) == (0, "") and "db -> database: 3 notes changed\n" in done.out
    assert bytes_of(scratch) == {
        **before,
        "a.md": before["a.md"].replace(b"- DB ", b"- database ").replace(b"db/Postgres", b"database/Postgres"),
        "b.md": b"---\ntags: [database]   # both\n---\n\xff db\n",
        "c.md": "---\ntags: [database/postgres, 決定]\n---\n# C\n".encode(),
    }
    assert [note["modified_at"] for note in json.loads(run(scratch, "list", "--json").out)] == dated
    assert next(each["tag"] for each in json.loads(run(scratch, "tags", "--json").out)) == "database"
    assert run(scratch, "undo").code == 0 and bytes_of(scratch) == before


def test_renaming_reports_json_and_only_case_may_change(bank, run):
    scratch = bank({"a.md": "---\ntags: [Decision, 決定/旧]\n---\n# A\n"})
    done = json.loads(run(scratch, "tags", "rename", "decision", "decision", "--json").err or "{}")
    assert done["error"]["code"] == "usage"
    done = json.loads(run(scratch, "tags", "rename", "DECISION", "decision", "--json").out)
    assert done["notes"] == [{"key": "a.md", "tags": {"Decision": "decision"}}] and done["version"] == 1 and done["change"]
    assert run(scratch, "tags", "rename", "決定/旧", "決定/新", "-q") == (0, "", "")
    assert (scratch.active / "a.md").read_text(encoding="utf-8") == "---\ntags: [decision, 決定/新]\n---\n# A\n"


def test_a_refused_renaming_changes_nothing(bank, run):
    scratch = bank(TAGGED)
    before = scratch.snapshot("active")
    for arguments, code, said in (
        (("nowhere", "x"), 3, "'memorybank tags' lists the tags"),
        (("db", ""), 2, "is not the name of a tag"),
        (("db", "a,b"), 2, "is not the name of a tag"),
        (("db", "a//b"), 2, "is not the name of a tag"),
        (("db", "a、b"), 2, "is not the name of a tag"),
        (("db", "a\tb\x1b"), 2, "is not the name of a tag"),
        (("db",), 2, "Missing argument 'NEW'"),
        (("db", "x", "y"), 2, "unexpected extra argument"),
    ):
        refused = run(scratch, "tags", "rename", *arguments)
        assert refused.code == code and said in refused.err, arguments
        assert "\n  next: " in refused.err
    assert scratch.snapshot("active") == before
    assert run(scratch, "tags", "renam", "db", "x").code == 2


@pytest.mark.slow
def test_thousands_of_notes_are_one_change(bank, run, free_syncs, request):
    count = 3_000 if request.config.getoption("--all") else 500
    scratch = bank({f"n/{number}.md": f"---\ntags: [db, n{number}]\n---\n# {number}\n" for number in range(count)})
    before = bytes_of(scratch)
    done = run(scratch, "tags", "rename", "db", "データ")
    assert f"db -> データ: {count:,} notes changed" in done.out and f"and {count - 20:,} more notes; --all lists every note" in done.out
    assert all("データ".encode() in text for text in bytes_of(scratch).values())
    assert run(scratch, "undo", "-q").code == 0 and bytes_of(scratch) == before
