"""How a session summary describes failures: the failure with its error, and the few changes that made it succeed."""

import sys

import pytest

from memorybank.cycle.finish import sessions
from memorybank.cycle.fold.recorded import LogEvent
from memorybank.log import events


@pytest.fixture
def fixes(base):
    """fixes(work) → the texts of the fixes in the public summary."""

    def of(work):
        lines = [LogEvent(line) for line in events.read(base.layout, events.name_of(work.session))]
        summary = sessions.summarise([line for line in lines if line.cell.is_public])
        return [item.text for item in summary.sections["fixes"]] if summary else []

    return of


def test_a_failure_and_its_first_success_are_told_with_the_edits_between(session, fixes):
    work = session()
    work.edit("src/before.py", "x", "y")
    work.run("pytest -q", error="E   AssertionError: assert 1 == 2")
    work.run("pytest -q", error="E   AssertionError: assert 1 == 3")
    work.edit("src/a.py", "return 1", "return 2")
    work.run("pytest -q")
    work.run("pytest -q")
    assert fixes(work) == ["`pytest -q` failed 2 times: AssertionError: assert 1 == 3. It succeeded after src/a.py: `return 1` → `return 2`."]


def test_it_speaks_the_persons_language(session, fixes):
    work = session()
    work.prompt("検索の順位がおかしいので直してください")
    work.run("pytest tests/検索.py", error="AssertionError: 順位が違う")
    work.edit("src/順位.py", "return 1", "return 2")
    work.run("pytest tests/検索.py")
    assert fixes(work) == ["`pytest tests/検索.py` が失敗: AssertionError: 順位が違う。 その後成功（直前の変更: src/順位.py: `return 1` → `return 2`）。"]


def test_edits_of_files_that_the_error_names_come_before_later_ones(session, fixes):
    work = session()
    work.run("pytest", error="AssertionError in named.py")
    for name in ("named", "one", "two", "three"):
        work.edit(f"src/{name}.py", "x", "y")
    work.run("pytest")
    assert fixes(work) == [
        "`pytest` failed: AssertionError in named.py. It succeeded after " + "; ".join(f"src/{n}.py: `x` → `y`" for n in ("named", "two", "three")) + "."
    ]


def test_a_command_that_was_put_otherwise_is_its_own_fix(session, fixes):
    work = session()
    work.run("pytest tests/a.py", error="ImportError: no module named b")
    work.edit("src/unrelated.py", "x", "y")
    work.run("pytest tests/a.py -k one", fingerprint="pytest -k tests/a.py")
    assert fixes(work) == ["`pytest tests/a.py` failed: ImportError: no module named b. `pytest tests/a.py -k one` succeeded."]


def test_without_an_edit_the_last_commands_that_changed_something_are_told(session, fixes):
    work = session()
    work.run("pytest", error="ModuleNotFoundError: No module named 'yaml'")
    for command in ("make clean", "pip install wheel", "ls -l", "pip install pyyaml"):
        work.run(command)
    work.run("pytest")
    assert fixes(work) == ["`pytest` failed: ModuleNotFoundError: No module named 'yaml'. It succeeded after `pip install wheel`; `pip install pyyaml`."]


def test_a_success_without_a_change_says_so(session, fixes):
    work = session()
    work.run("pytest", error="TimeoutError: slow disk")
    work.run("pytest")
    assert fixes(work) == ["`pytest` failed: TimeoutError: slow disk. It succeeded later without a change between."]


def test_an_edit_that_failed_and_then_succeeded_in_that_file_is_a_fix(session, fixes):
    work = session()
    work.edit("src/a.py", "x", "y", status="failure", error="PermissionError: read-only file system")
    work.edit("src/b.py", "x", "y")
    work.edit("src/a.py", "x", "z", tool="Write", fingerprint="write src/a.py")
    (text,) = fixes(work)
    assert text.startswith("Edit src/a.py failed: PermissionError: read-only file system.")
    assert "src/a.py: `x` → `z`" in text, "the edit that succeeded is the change"


@pytest.mark.parametrize("other", ["make", "ruff check tests/a.py"])
def test_a_success_of_something_else_is_no_fix(session, fixes, other):
    work = session()
    work.run("pytest tests/a.py", error="ImportError: no module named b")
    work.run(other)
    work.run("pytest tests/a.py", status="unknown")
    assert fixes(work) == []


@pytest.mark.parametrize(
    "error",
    [
        "File content (85812 tokens) exceeds maximum allowed tokens (25000).",
        "<tool_use_error>String to replace not found in file.</tool_use_error>",
        "EISDIR: illegal operation on a directory, read",
    ],
)
def test_what_a_hosts_tool_refuses_is_never_told_as_fixed(session, fixes, error):
    work = session()
    work.edit("src/a.py", "x", "y", status="failure", error=error)
    work.edit("src/a.py", "x", "y")
    assert fixes(work) == []


def test_a_command_may_say_not_found_but_does_not_fall_with_a_sibling(session, fixes):
    work = session()
    work.run("cat conf/x", error="cat: conf/x: No such file or directory")
    work.run("cat conf/x")
    work.run("make", error="<tool_use_error>Sibling tool call errored</tool_use_error>")
    work.run("make")
    assert [text.partition(" failed")[0] for text in fixes(work)] == ["`cat conf/x`"]


def test_what_only_one_session_may_see_fixes_and_is_told_nowhere(session, fixes):
    private = {"acl": "session", "privacy": "private", "hold": True}
    work = session()
    work.run("pytest", error="AssertionError: x")
    work.edit(".env", "KEY=old", "KEY=new", **private)
    work.run("pytest", **private)
    assert fixes(work) == []
    work.run("pytest")
    assert fixes(work) == ["`pytest` failed: AssertionError: x. It succeeded later without a change between."]


def test_files_outside_the_repository_are_not_named_and_a_persons_own_are_not_quoted(session, fixes):
    work = session()
    work.run("pytest", error="AssertionError: x")
    work.edit("outside:bc65aad472193adb", "a", "b")
    work.edit("~/.settings", "secret", "other")
    work.run("pytest")
    assert fixes(work) == ["`pytest` failed: AssertionError: x. It succeeded after files outside the repository: 1; ~/.settings."]


def test_a_session_of_many_failures_takes_work_in_proportion(session, base):
    """Counted in instructions of Python, because every pair of a failure with a later success, or with an edit, would be compared otherwise."""

    def instructions(failures):
        work = session(f"of-{failures}")
        for number in range(failures):
            work.run(f"make check-{number}", error=f"check {number} failed in part{number}.py")
            work.edit(f"src/part{number}.py", "x", "y")
            work.run(f"make other-{number}")
            if number % 3 == 0:
                work.run(f"make check-{number}")
        lines = [LogEvent(line) for line in events.read(base.layout, events.name_of(work.session))]
        count = 0

        def trace(frame, event, argument):
            nonlocal count
            frame.f_trace_opcodes = True
            count += event == "opcode"
            return trace

        before = sys.gettrace()
        sys.settrace(trace)
        try:
            assert sessions.summarise(lines) is not None
        finally:
            sys.settrace(before)
        return count

    instructions(4)  # the first one also compiles patterns
    assert instructions(160) < 5 * instructions(40)
