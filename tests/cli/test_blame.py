"""`memorybank blame`: its forms of output."""

import json

import pytest

NOTE = "---\nrating: 3\n---\n# 設計\n\nThe index is built\nat night.\n\n```\na\nb\nc\nd\ne\n```\n"


@pytest.fixture
def blamed(bank, run):
    """A committed note with a rating that a command changed, and a line of an uncommitted edit."""
    scratch = bank({"planning/設計.md": NOTE}, git=True)
    scratch.git("add", "-A")
    scratch.git("commit", "-qm", "Begin \x1b[31mthe design", "--date=2025-09-01T00:00:00Z")
    assert run(scratch, "rate", "planning/設計.md", "8").code == 0
    return scratch


def test_a_pipe_gets_a_row_for_each_statement(blamed, run):
    result = run(blamed, "blame", "設計")
    commit = blamed.git("rev-parse", "HEAD").strip()[:10]
    lines = [line.split(maxsplit=6) for line in result.out.splitlines()]
    assert lines[0] == ["lines", "date", "author", "commit", "session", "by", "statement"]
    assert lines[1] == ["2", "2025-09-17", "-", "-", "-", "memorybank", "rate  rating: 8"]
    assert lines[3] == ["6-7", "2025-09-01", "Test", commit, "-", "-", "The index is built  [and 1 more line]"]
    assert (result.code, result.err) == (0, "")


def test_a_page_joins_statements_of_one_origin(blamed, run, monkeypatch):
    monkeypatch.setenv("COLUMNS", "70")
    out = run(blamed, "blame", "設計").out
    assert "\x1b" not in out and all(len(line) <= 70 for line in out.splitlines())
    assert out.count("commit ") == 1 and "not committed, memorybank rate" in out and "and 3 more lines" in out


def test_lines_and_json(blamed, run):
    answer = json.loads(run(blamed, "blame", "設計", "--lines", "--json").out)
    assert [each["first"] for each in answer["statements"]] == [1, 2, 3, 4, 6, 7, *range(9, 16)]
    assert answer["statements"][1]["origins"][0] | {"at": ""} == {
        "at": "", "author": "", "commit": "", "summary": "", "session": "", "host": "", "command": "memorybank rate", "evidence": "text", "is_boundary": False,
    }  # fmt: skip
    assert (answer["key"], answer["archive_id"], answer["sources"]) == ("planning/設計.md", None, [])


def test_an_archived_note(blamed, run):
    run(blamed, "bookmark", "remove", "planning/設計.md")
    assert run(blamed, "forget", "設計").code == 0
    assert run(blamed, "blame", "設計").out.startswith("archived  planning/設計.md, as ")


def test_no_note_and_an_empty_one(blamed, run):
    assert run(blamed, "blame", "nothing").code == 3
    blamed.write("planning/empty.md", "")
    assert run(blamed, "blame", "empty").out == "this note is empty\n"


def test_a_row_names_everybody_who_wrote_a_statement(blamed, run):
    blamed.write("planning/設計.md", NOTE.replace("at night", "every night"))
    blamed.git("commit", "-q", "-a", "-m", "more", "--author=Ben <ben@example.org>", "--date=2025-09-02T00:00:00Z")
    row = next(line for line in run(blamed, "blame", "設計").out.splitlines() if "The index" in line)
    assert "Ben, Test" in row and "2025-09-02" in row
