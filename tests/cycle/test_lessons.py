"""Lessons are exactly these: a failure with its fix, what a person asked for or corrected, what a person said to remember."""

import json

import pytest

from memorybank.config.cycle import CycleSettings
from memorybank.cycle.base import Base
from memorybank.cycle.fold import logs


def texts(rows):
    return [row["text"] for row in rows]


def test_a_failure_and_the_first_later_success_are_one_lesson_with_the_edits_between(session, memories):
    work = session()
    work.edit("src/before.py", "x", "y")
    failure = work.run("pytest -q", error="E   AssertionError: assert 1 == 2")
    work.run("pytest -q", error="E   AssertionError: assert 1 == 3")
    work.edit("src/a.py", "return 1", "return 2")
    fix = work.run("pytest -q")
    work.run("pytest -q")
    (lesson,) = memories("lesson")
    assert lesson["memory"] == f"lesson:{fix}"
    assert lesson["text"] == "`pytest -q` failed 2 times: AssertionError: assert 1 == 3. It succeeded after src/a.py: `return 1` → `return 2`."
    assert (lesson["protected"], lesson["failures"], lesson["fingerprint"], lesson["outcome"]) == (1, 2, "pytest -q", 1.0)
    detail = json.loads(lesson["detail"])
    assert (detail["attempts"], detail["fix"], [edit["file"] for edit in detail["edits"]]) == (2, fix, ["src/a.py"])
    groups = {row["memory"]: row for row in memories("group")}
    assert (groups[f"group:{failure}"]["fixed_by"], groups[f"group:{failure}"]["protected"]) == (lesson["memory"], 1)


def test_a_lesson_speaks_the_persons_language(session, memories):
    work = session()
    work.prompt("検索の順位がおかしいので直してください")
    work.run("pytest tests/検索.py", error="AssertionError: 順位が違う")
    work.edit("src/順位.py", "return 1", "return 2")
    work.run("pytest tests/検索.py")
    assert texts(memories("lesson")) == [
        "`pytest tests/検索.py` が失敗: AssertionError: 順位が違う。 その後成功（直前の変更: src/順位.py: `return 1` → `return 2`）。"
    ]


def test_a_success_of_the_same_program_on_the_same_file_is_the_fix_too(session, memories):
    work = session()
    work.run("pytest tests/a.py", error="ImportError: no module named b")
    work.run("pytest tests/a.py -k one", fingerprint="pytest -k tests/a.py")
    assert texts(memories("lesson")) == ["`pytest tests/a.py` failed: ImportError: no module named b. `pytest tests/a.py -k one` succeeded."]


def test_an_unknown_outcome_teaches_nothing(session, memories):
    """It fixes no failure, and the group stays what is known of it: an open failure."""
    work = session()
    failure = work.run("pytest -q", error="AssertionError: cold")
    work.run("pytest -q", status="unknown")
    assert memories("lesson") == []
    (group,) = memories("group")
    assert (group["memory"], group["status"], group["failures"], group["successes"], group["fixed_by"]) == (f"group:{failure}", "failure", 1, 0, None)
    work.run("pytest -q")
    assert len(memories("lesson")) == 1


@pytest.mark.parametrize("other", ["make", "ruff check tests/a.py"])
def test_a_success_of_something_else_is_no_fix(session, memories, other):
    """Another program on the same file says nothing about this one."""
    work = session()
    work.run("pytest tests/a.py", error="ImportError: no module named b")
    work.run(other)
    work.edit("tests/a.py", "import b", "import c")
    assert memories("lesson") == []


def test_without_an_edit_the_commands_that_changed_something_are_told(session, memories):
    work = session()
    work.run("pytest", error="ModuleNotFoundError: No module named 'yaml'")
    work.run("ls -l")
    work.run("pip install pyyaml")
    work.run("pytest")
    assert texts(memories("lesson")) == ["`pytest` failed: ModuleNotFoundError: No module named 'yaml'. It succeeded after `pip install pyyaml`."]


def test_an_edit_that_failed_and_then_succeeded_in_that_file_is_a_lesson(session, memories):
    work = session()
    work.edit("src/a.py", "x", "y", status="failure", error="PermissionError: read-only file system")
    work.edit("src/b.py", "x", "y")
    work.edit("src/a.py", "x", "y", tool="Write")
    (lesson,) = memories("lesson")
    assert lesson["text"].startswith("Edit src/a.py failed: PermissionError: read-only file system.")


@pytest.mark.parametrize(
    "error",
    [
        "File content (85812 tokens) exceeds maximum allowed tokens (25000).",
        "<tool_use_error>File does not exist.</tool_use_error>",
        "<tool_use_error>String to replace not found in file.</tool_use_error>",
        "<tool_use_error>Sibling tool call errored</tool_use_error>",
        "EISDIR: illegal operation on a directory, read",
        "<tool_use_error>File has not been read yet. Read it first before writing to it.</tool_use_error>",
    ],
)
def test_what_a_hosts_tool_refuses_is_never_a_lesson(session, memories, error):
    """Size limits, files that are not there and calls that fell with a sibling (texts of real sessions)."""
    work = session()
    work.read("src/a.py", status="failure", error=error)
    work.read("src/a.py")
    work.edit("src/a.py", status="failure", error=error)
    work.edit("src/a.py")
    assert memories("lesson") == []
    assert sum(row["failures"] for row in memories("group")) == 2, "they are failures all the same"


def test_a_command_that_says_not_found_teaches(session, memories):
    work = session()
    work.run("cat conf/x", error="cat: conf/x: No such file or directory")
    work.run("cat conf/x")
    assert len(memories("lesson")) == 1


def test_a_rejected_call_is_no_failure(session, memories):
    work = session()
    work.run("make", status="partial", reason="interrupted")
    work.run("make")
    assert memories("lesson") == []


def test_what_a_person_says_is_a_lesson_of_its_own(session, memories):
    work = session()
    identifier = work.prompt("いつも uv を使って。npm ではなく pnpm を使って。", lessons=["いつも uv を使って。", "npm ではなく pnpm を使って。"], signal=1)
    rows = memories("lesson")
    assert [(row["memory"], row["text"], row["signal"], row["protected"], row["origin"]) for row in rows] == [
        (f"lesson:{identifier}", "いつも uv を使って。", 1, 1, "human"),
        (f"lesson:{identifier}:2", "npm ではなく pnpm を使って。", 1, 1, "human"),
    ]


def test_what_an_agent_says_is_no_lesson(session, memories):
    work = session()
    work.prompt("go")
    work.turn_end("Lesson learned: always run the linter first. Remember this!")
    assert memories("lesson") == []


def test_a_lesson_never_joins_two_scopes(session, memories):
    """A private success ends no public failure, and a private edit is told in no public lesson."""
    private = {"acl": "session", "privacy": "private", "hold": True}
    work = session()
    work.run("pytest", error="AssertionError: x")
    work.run("pytest", **private)
    assert memories("lesson") == []
    work.edit(".env", "KEY=old", "KEY=new", **private)
    work.run("pytest")
    assert [(row["privacy"], ".env" in row["text"] + row["detail"]) for row in memories("lesson")] == [("public", False)]


@pytest.mark.parametrize("privacy", ["public", "agent-only", "private"])
def test_what_a_sub_agent_learned_is_seen_as_the_settings_say(base, cache, session, privacy):
    settings = CycleSettings(subagent_lessons=privacy)
    work = session()
    for fields in ({}, {"acl": "session", "privacy": "private", "hold": True}, {"hold": True}):
        work.run("pytest", error="AssertionError: x", agent="a1", **fields)
        work.run("pytest", agent="a1", **fields)
    logs.fold(Base(base.layout, settings, base.clock), cache, wait=True)
    rows = cache.execute("SELECT acl, privacy, hold FROM memories WHERE kind = 'lesson'").fetchall()
    assert sorted(rows) == sorted([("user", privacy, 0), ("session", "private", 1), ("user", "agent-only", 1)]), "what a rule lowered stays low"
    assert {row[0] for row in cache.execute("SELECT privacy FROM memories WHERE kind = 'group' AND hold = 0")} == {"agent-only"}
