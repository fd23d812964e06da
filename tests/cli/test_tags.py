"""`memorybank tags`: the tags of the notes with their counts."""

import json

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
