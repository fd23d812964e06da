"""`memorybank check`: its forms of output, its exit codes, and several banks of one repository."""

import json

import pytest

from memorybank.storage.create_bank import create_bank

NOTES = {"planning/設計.md": "# 設計\n\n[図](図.md) [[未定]]\n", "shared/ok.md": "# Fine\n"}


@pytest.fixture
def faulty(bank):
    return bank(NOTES, git=True)


def test_a_pipe_gets_one_line_for_each_problem(faulty, run):
    result = run(faulty, "check")
    assert result.code == 9
    assert result.out == (
        ".claude/memory/active/planning/設計.md:3: broken_link: links to planning/図.md, which does not exist\n"
        ".claude/memory/active/planning/設計.md:3: unknown_wiki_link: [[未定]] names no note, archived note or source\n"
    )
    assert result.err.startswith(
        "memorybank: check found 1 problem and 1 warning, listed above\n  next: .claude/memory/active/planning/設計.md:3: correct the link"
    )


def test_a_page_has_the_next_step_and_a_summary(faulty, run, monkeypatch):
    monkeypatch.setenv("COLUMNS", "60")
    result = run(faulty, "check")
    assert "next: correct the link" in result.out and result.out.endswith("checked 2 files: 1 error, 1 warning\n")
    assert all(len(line) <= 60 for line in result.out.splitlines())
    assert run(faulty, "check", "shared/").out == "checked 1 file: nothing to correct\n"


def test_warnings_alone_succeed_unless_strict(faulty, run):
    faulty.write("planning/設計.md", "[[未定]]\n")
    assert run(faulty, "check").code == 0
    assert run(faulty, "check", "--strict").code == 9
    assert run(faulty, "check", "shared/ok.md", "--strict") == (0, "", "")


def test_json(faulty, run):
    result = run(faulty, "check", "--json")
    answer = json.loads(result.out)
    assert result.code == 9
    assert answer["banks"] == [{"bank": ".claude/memory", "files": 2}]
    assert answer["findings"][0] == {
        "level": "error",
        "code": "broken_link",
        "path": ".claude/memory/active/planning/設計.md",
        "line": 3,
        "message": "links to planning/図.md, which does not exist",
        "next_step": answer["findings"][0]["next_step"],
    }


def test_annotations_of_github(faulty, run):
    """Workflow commands: what would end a property or the line is escaped."""
    faulty.write("a,b: 50%\nc.md", "[x](y.md)\n")
    first = run(faulty, "check", "--format", "github").out.splitlines()[0]
    assert first.startswith(
        "::error file=.claude/memory/active/a%2Cb%3A 50%25%0Ac.md,line=1,title=memorybank%3A broken_link::links to y.md, which does not exist. correct"
    )


def test_markdown(faulty, run):
    assert run(faulty, "check", "--format", "markdown").out.splitlines()[2].startswith("| error | broken_link | .claude/memory/active/planning/設計.md:3 |")
    assert run(faulty, "check", "shared", "--format", "markdown").out == "checked 1 file: nothing to correct\n"


def test_every_bank_of_a_repository(faulty, run):
    """Banks of projects in the repository are found; one that git ignores is not, and an untracked one is."""
    for folder, key in (("services/支払い", "shared/a.md"), ("services/ignored", "shared/a.md")):
        root = faulty.repository / folder / ".claude" / "memory"
        create_bank(str(root), "UTC")
        (root / "active" / key).write_text("[x](y.md)\n", encoding="utf-8")
    (faulty.repository / ".gitignore").write_text("ignored/\n", encoding="utf-8")
    places = [line.partition(": ")[0] for line in run(faulty, "check", "--all-banks").out.splitlines()]
    assert places == [*[".claude/memory/active/planning/設計.md:3"] * 2, "services/支払い/.claude/memory/active/shared/a.md:1"]
    path = "services/支払い/.claude/memory/active/shared/a.md"
    assert [line.partition(": ")[0] for line in run(faulty, "check", "--all-banks", path).out.splitlines()] == [f"{path}:1"]
    faulty.git("add", "-A")
    assert run(faulty, "check", "--all-banks", "--staged", path).out.count("services/") == 1


def test_all_banks_of_a_repository_without_one(tmp_path, run, bank):
    scratch = bank(git=True)
    for folder in (scratch.active, scratch.root, scratch.root.parent):
        folder.rmdir()
    assert run(scratch, "check", "--all-banks", "--staged") == (0, "", "")
    assert run(scratch, "check", "--staged").code == 3


@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        (("nothing.md",), 3, "no file of this bank to check: nothing.md"),
        (("--staged",), 3, "not in a git repository"),
        (("--all-banks",), 3, "not in a git repository"),
    ],
)
def test_wrong_calls_say_what_to_do(bank, run, arguments, code, said):
    scratch = bank({"a.md": "# A\n"})
    (scratch.repository / ".git").rmdir()
    result = run(scratch, "check", *arguments)
    assert result.code == code and said in result.err and "next:" in result.err


def test_one_bank_and_every_bank_exclude_each_other(faulty, run):
    result = run(faulty, "--bank", str(faulty.root), "check", "--all-banks")
    assert result.code == 2 and "--all-banks" in result.err


def test_nothing_is_changed(faulty, run):
    before = faulty.snapshot()
    run(faulty, "check")
    run(faulty, "check", "--staged")
    assert faulty.snapshot() == before
