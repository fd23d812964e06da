"""What macOS does differently, forced on this system: other system calls, a drive that caches, file names that ignore case."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from memorybank.storage import system

ROOT = Path(__file__).resolve().parents[2]
ONLY_LINUX = ("O_TMPFILE", "O_PATH", "fdatasync", "copy_file_range", "memfd_create", "sched_getaffinity", "posix_fallocate", "getrandom", "eventfd")
_SESSION = '{"session_id":"s-1","hook_event_name":"%s","cwd":%r,"source":"startup","prompt":"How is staging reset?"}'


@pytest.fixture
def calls(monkeypatch):
    """The calls of a system whose file control knows command 51; `refused` lists descriptors on which it fails, as on a network drive."""
    import fcntl

    made: list[tuple[str, int]] = []
    refused: list[int] = []

    def control(descriptor, command):
        made.append(("full", descriptor))
        assert command == 51
        if descriptor in refused:
            raise OSError(45, "Operation not supported")

    class Posix:
        @staticmethod
        def fsync(descriptor):
            made.append(("fsync", descriptor))

    monkeypatch.setattr(system, "FULL_SYNC", 51)
    monkeypatch.setattr(system, "posix", Posix)
    monkeypatch.setattr(fcntl, "fcntl", control)
    return made, refused


def test_a_sync_reaches_the_medium(calls):
    made, refused = calls
    system.fsync(3)
    system.fdatasync(4)
    assert made == [("full", 3), ("full", 4)]
    refused.append(5)
    system.fsync(5)
    assert made[2:] == [("full", 5), ("fsync", 5)], "a file system without it is synced as far as it can be"


def test_a_system_without_fdatasync_syncs_the_file(monkeypatch):
    made = []
    monkeypatch.setattr(system, "FULL_SYNC", None)
    monkeypatch.setattr(system, "posix", type("Posix", (), {"fsync": staticmethod(made.append)}))
    system.fdatasync(7)
    assert made == [7]


def test_this_system_uses_its_own_calls(tmp_path):
    descriptor = os.open(tmp_path / "x", os.O_CREAT | os.O_WRONLY)
    try:
        system.fsync(descriptor)
        system.fdatasync(descriptor)
    finally:
        os.close(descriptor)
    assert (system.FULL_SYNC is not None) == (sys.platform == "darwin")


@pytest.mark.slow
def test_commands_and_hooks_work_without_what_only_linux_has(bank):
    """A process in which these names are missing before memorybank is imported creates a bank, writes, rotates, records and recalls."""
    scratch = bank({"planning/old.md": "# Old\n" + "text\n" * 50}, git=True, days_old=900)
    program = f"""
import os, posix, sys
for name in {ONLY_LINUX!r}:
    for module in (posix, os):
        if hasattr(module, name):
            delattr(module, name)
sys.path.insert(0, {str(ROOT)!r})
sys.argv[0] = "memorybank"
from memorybank.__main__ import main
main()
"""

    def run(*arguments: str, stdin: str = "") -> str:
        done = subprocess.run([sys.executable, "-c", program, *arguments], cwd=scratch.repository, input=stdin, capture_output=True, text=True, timeout=120)
        assert done.returncode == 0, done.stderr
        return done.stdout

    run("init")
    run("remember", "The staging database is reset every Monday.")
    assert "staging" in run("search", "staging")
    assert "1 note" in run("rotate", "-y")
    run("verify")
    run("maintain")
    for event in ("SessionStart", "UserPromptSubmit", "Stop", "SessionEnd"):
        run("hook", "--host", "claude-code", stdin=_SESSION.replace("%r", '"%s"') % (event, scratch.repository))
    assert "whole" in run("log", "verify")


def test_a_rename_that_changes_only_case_says_why_it_is_refused(bank):
    """On a disk that ignores case both names are one file, as a second hard link shows here."""
    from memorybank.bank import Bank
    from memorybank.errors import Conflict

    scratch = bank({"shared/fact.md": "# Fact\n"})
    os.link(scratch.active / "shared" / "fact.md", scratch.active / "shared" / "Fact.md")
    with pytest.raises(Conflict, match="are one file on this disk"):
        Bank.open(scratch.root).notes.rename("shared/fact.md", "shared/Fact.md")
    assert sorted(os.listdir(scratch.active / "shared")) == ["Fact.md", "fact.md"]


def test_two_notes_whose_names_differ_only_in_case_are_created_as_two_files_or_refused(bank):
    """`add` never replaces: on a disk that ignores case, creating the second one finds the name taken."""
    from memorybank.bank import Bank

    notes = Bank.open(bank({}).root).notes
    first, second = notes.add("Fact", body="one"), notes.add("fact", body="two")
    keys = [getattr(each, "key", each) for each in (first, second)]
    assert len({str(key).casefold() for key in keys}) == 2, "also without a disk that ignores case, so that a clone on macOS has both"


def test_nothing_else_in_the_package_uses_what_only_linux_has():
    """Each use has another way: `storage/system.py` and `storage/beneath.py` say which."""
    found = {
        f"{path.relative_to(ROOT)}: {name}"
        for path in (ROOT / "memorybank").rglob("*.py")
        for name in (*ONLY_LINUX, "/proc/")
        if name in path.read_text(encoding="utf-8")
    }
    allowed = {
        "memorybank/storage/system.py: fdatasync",
        "memorybank/storage/beneath.py: fdatasync",
        "memorybank/storage/beneath.py: O_PATH",
        "memorybank/storage/appending.py: fdatasync",
        "memorybank/storage/abandoned.py: /proc/",
        "memorybank/index/apply.py: sched_getaffinity",
    }
    assert found == allowed
