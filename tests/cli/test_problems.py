"""What is wrong with a note is said alike by `list --problems`, `status`, `doctor`, `check`, the MCP server and the page."""

import json

import pytest

from memorybank import Bank
from memorybank.doctor import problems
from memorybank.errors import Problem

CONFLICT = "# Reset\n\n<<<<<<< HEAD\nEvery Monday.\n=======\nEvery Friday.\n>>>>>>> topic\n"
NOTES = {"shared/reset.md": CONFLICT, "shared/odd.md": "---\ntags: [unclosed\n---\n\nText.\n", "shared/well.md": "# Well\n\nText.\n"}
BROKEN = ["shared/odd.md", "shared/reset.md"]


def listed(run, bank):
    return sorted(each["path"] for each in json.loads(run(bank, "list", "--problems", "--json").out))


def test_every_command_names_the_same_notes(bank, run):
    scratch = bank(NOTES)
    assert listed(run, scratch) == BROKEN
    status = json.loads(run(scratch, "status", "--json").out)
    assert sorted(each["path"] for each in status["problems"]) == BROKEN
    assert status["level"] == "WARN"
    found = json.loads(run(scratch, "doctor", "--json").out)["findings"]
    named = sorted(each["where"].partition(":")[0] for each in found if each["id"] in ("notes.readable", "notes.conflicts"))
    assert named == [f"active/{key}" for key in BROKEN]
    checked = run(scratch, "check").out
    assert all(f"active/{key}:" in checked for key in BROKEN)
    assert Bank.open(scratch.layout.root).seen_by("main").state().problems == len(BROKEN)


def test_status_names_the_first_problem_and_the_command(bank, run):
    out = run(bank(NOTES), "status").out
    assert out.startswith("healthy, with warnings\n")
    assert "active/shared/odd.md:" in out and "2 notes have problems, first: front matter" in out
    assert "memorybank list --problems" in out


def test_a_bank_without_problems_is_healthy(bank, run):
    scratch = bank({"shared/well.md": NOTES["shared/well.md"], "shared/example.md": f"# Git\n\n```\n{CONFLICT}```\n"})
    assert listed(run, scratch) == []
    assert json.loads(run(scratch, "status", "--json").out)["problems"] == []


@pytest.mark.parametrize(
    ("problem", "where"),
    [
        (Problem("git_conflict", "a.md", "x", 3), "active/a.md:3"),
        (Problem("symlink", "a.md", "x"), "active/a.md"),
        (Problem("bookmarks_malformed", "bookmarks.json", "x"), "bookmarks.json"),
    ],
)
def test_a_problem_has_a_place_in_the_bank(problem, where):
    assert problems.where(problem) == where
    assert [each.where for each in problems.summary([problem])] == [where]
