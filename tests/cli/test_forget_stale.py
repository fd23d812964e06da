"""`memorybank forget --stale`: what is proposed and what is not, and that nothing changes without an answer."""

import json

import pytest

from tests.claims.conftest import PlantedRepository
from tests.cli.terminal import on_terminal

GONE = "# Parser\n\nThe parser in `src/parser.py` reads records line by line.\n\nIt is started by `src/main.py`.\n"
NOTHING = "no note is about something that is gone; 'memorybank claims' lists outdated claims\n"


@pytest.fixture
def repository(tmp_path):
    made = PlantedRepository(tmp_path)
    made.commit(0, add=["src/upload.py", "src/parser.py", "src/main.py", "src/lexer.py"])
    made.commit(10, rename={"src/upload.py": "src/transfer.py"}, delete=["src/parser.py"])
    return made


def proposed(repository, run):
    """Return {key: reason} of the proposals."""
    return {each["path"]: each["reason"] for each in json.loads(run(repository, "forget", "--stale", "--json").out)["decisions"]}


@pytest.mark.parametrize(
    ("text", "is_proposed"),
    [
        (GONE, True),
        ("# Parser\n\nThe parser in `src/parser.py` reads line by line.\n", True),
        ("# 構文解析\n\n構文解析は `src/parser.py` で行う。\n", True),
        ("# Why parser.py reads lines\n\nIt is started by `src/main.py`.\n\nSee `src/parser.py`.\n", True),
        # one of two central claims holds
        ("# Parser\n\nThe parser in `src/parser.py` is started by `src/main.py`.\n", False),
        # it mentions what is gone, and is about something else
        ("# Start\n\nThe start is `src/main.py`.\n\nIt calls `src/parser.py`.\n", False),
        # most of what it names holds
        ("# Parser\n\nSee `src/parser.py`.\n\nAnd `src/main.py`.\n\nAnd `src/lexer.py`.\n", False),
        # renamed, not gone
        ("# Upload\n\nThe upload is `src/upload.py`.\n", False),
        # nothing is known about the central claim
        ("# Other\n\nThe other project has `lib/other.rs`.\n\nOurs was `src/parser.py`.\n", False),
        ("---\nbookmarked: true\n---\n" + GONE, False),
        ("---\nrating: 8\n---\n" + GONE, False),
        ("---\nrating: 7\n---\n" + GONE, True),
        ("# Nothing\n\nA plain text.\n", False),
    ],
)
def test_what_is_proposed(repository, run, text, is_proposed):
    repository.note("a.md", text, 5)
    assert ("a.md" in proposed(repository, run)) == is_proposed


def test_a_learned_note_needs_less_and_comes_first(repository, run):
    text = "# Before calling it\n\nStart `src/main.py` before `src/parser.py`.\n"
    repository.note("a.md", text, 5)
    repository.note("b.md", GONE, 5)
    repository.note("learned/rule-start-01234567.md", text, 5)
    assert list(proposed(repository, run)) == ["learned/rule-start-01234567.md", "b.md"]


def test_the_table_says_why_and_nothing_changes(repository, run):
    repository.note("planning/構文.md", GONE, 5)
    repository.note("b.md", "# B\n\nSee [[planning/構文]].\n", 5)
    commit = repository.git("rev-parse", "HEAD")[:7]
    before = {path: path.read_bytes() for path in repository.active.rglob("*.md")}
    said = run(repository, "forget", "--stale")
    assert said.code == 0
    assert f"deleted: 1 of 2 files that it names; src/parser.py was deleted in {commit}" in said.out and "b.md" in said.out
    assert "nothing was archived; --yes archives these notes" in said.out
    assert run(repository, "forget", "--stale", "--dry-run").code == 0
    assert run(repository, "forget", "--stale", "--dry-run", "--yes", "--json").code == 0
    assert {path: path.read_bytes() for path in repository.active.rglob("*.md")} == before


def test_yes_archives_them_and_undo_brings_them_back(repository, run):
    repository.note("a.md", GONE, 5)
    repository.note("b.md", "# B\n", 5)
    done = run(repository, "forget", "--stale", "--yes")
    assert done.code == 0 and "archived: a.md" in done.out
    assert sorted(path.name for path in repository.active.rglob("*.md")) == ["b.md"]
    assert run(repository, "undo", done.out.split()[-1]).code == 0
    assert (repository.active / "a.md").read_text(encoding="utf-8") == GONE
    again = json.loads(run(repository, "forget", "--stale", "--yes", "--json").out)
    assert [each["path"] for each in again["rotated"]] == ["a.md"]


def test_more_notes_than_the_brake_allows_need_one_answer(repository, run):
    for number in range(15):
        repository.note(f"{number}.md", GONE.replace("# Parser", f"# Parser {number}"), 5)
    assert run(repository, "forget", "--stale", "--yes").code == 0
    assert not list(repository.active.rglob("*.md"))


def test_nothing_to_propose(repository, run):
    assert run(repository, "forget", "--stale").out == NOTHING
    repository.note("a.md", "# A\n\nSee `src/main.py`.\n", 5)
    assert run(repository, "forget", "--stale", "--yes").out == NOTHING
    assert json.loads(run(repository, "forget", "--stale", "--yes", "--json").out)["decisions"] == []


def test_notes_or_stale_and_not_both(repository, run):
    repository.note("a.md", GONE, 5)
    assert run(repository, "forget").code == 2
    assert run(repository, "forget", "a", "--stale").code == 2


@pytest.mark.slow
@pytest.mark.parametrize(("answer", "is_archived"), [("y", True), ("n", False), ("", False)])
def test_a_person_answers_the_question(repository, answer, is_archived):
    repository.note("a.md", GONE, 5)
    code, shown = on_terminal(repository.root, "forget", "--stale", said=answer + "\n")
    assert "Archive 1 note? [y/N]" in shown and "src/parser.py was deleted in" in " ".join(shown.split())
    assert (code, (repository.active / "a.md").exists()) == (0, not is_archived)
    assert ("nothing was archived" in shown) == (not is_archived)
