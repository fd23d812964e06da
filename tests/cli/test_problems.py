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


ONE_SIDE = "Staging is reset every Friday."
CONFLICTS = {
    "two sides": f"# Staging\n\n<<<<<<< HEAD\n{ONE_SIDE}\n=======\nStaging is reset every Tuesday.\n>>>>>>> a\n",
    "diff3": f"# Staging\n\n<<<<<<< HEAD\n{ONE_SIDE}\n||||||| base\nStaging is reset.\n=======\nStaging is reset every Tuesday.\n>>>>>>> a\n",
    "CRLF": f"# Staging\r\n\r\n<<<<<<< HEAD\r\n{ONE_SIDE}\r\n=======\r\nStaging is reset every Tuesday.\r\n>>>>>>> a\r\n",
}
MARK = "its file has both sides of a git conflict"


@pytest.fixture(params=[(name, is_adopted) for name in CONFLICTS for is_adopted in (False, True)], ids=str)
def unmerged(request, bank):
    """A bank in which a note, or an adopted document, has both sides of a conflict."""
    name, is_adopted = request.param
    text = CONFLICTS[name].encode()
    scratch = bank({"shared/well.md": "# Well\n\nThe well is deep.\n"} if is_adopted else {"shared/staging.md": "x"}, git=True)
    path = scratch.repository / "docs" / "staging.md" if is_adopted else scratch.active / "shared" / "staging.md"
    path.parent.mkdir(exist_ok=True)
    path.write_bytes(text)
    if is_adopted:
        scratch.configure("sources", '{"sources": [{"name": "docs", "kind": "docs", "path": "docs"}]}')
    return scratch


def test_a_hit_with_a_conflict_has_a_mark_for_people_and_no_passage_for_agents(unmerged, run):
    for form in ("summary", "table", "markdown"):
        found = " ".join(run(unmerged, "search", "staging", "--format", form).out.replace("**", "").split())
        assert ONE_SIDE in found and MARK in found
    assert json.loads(run(unmerged, "search", "staging", "--json").out)["hits"][0]["untrue"] == [MARK]
    told = Bank.open(str(unmerged.root)).seen_by("main")
    for answer in (told.search("staging"), told.search("reset every", "content"), told.search("", "recent", kinds=("note",))):
        found = [each for each in answer.memories if "staging" in each.id]
        assert found
        for memory in found:
            assert "has an unresolved git conflict" in memory.text and "reset" not in f"{memory.title}{memory.text}" and MARK in memory.stale
    assert MARK in told.read(found[0].id).stale


def test_doctor_and_the_server_name_a_conflict_as_status_does(unmerged, run):
    [problem] = json.loads(run(unmerged, "status", "--json").out)["problems"]
    assert problem["path"] in [each["path"] for each in json.loads(run(unmerged, "list", "--problems", "--json").out) if each["code"] == "git_conflict"]
    found = json.loads(run(unmerged, "doctor", "--json").out)["findings"]
    [named] = [each for each in found if "unresolved git conflict" in each["what"]]
    assert named["where"].rpartition("/")[2].startswith("staging.md") and named["level"] == "WARN"
    assert Bank.open(str(unmerged.root)).seen_by("main").state().problems == 1


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


def test_a_note_whose_name_ends_in_capitals_is_listed_and_checked(run, bank):
    scratch = bank({"planning/UPPER.MD": "# Upper\n"}, git=True)
    scratch.git("add", "-A")
    for arguments in (["list", "--problems"], ["status"], ["doctor"], ["check"]):
        assert "UPPER.MD" in run(scratch, *arguments).out, arguments
