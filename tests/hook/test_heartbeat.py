"""The heartbeat: a person learns at the end of the next session's first turn what stopped working, once a day, only where it worked before."""

import json
import os
import shutil
import subprocess
import sys
import time
from pathlib import Path

import pytest

from memorybank.clock import FixedClock
from memorybank.errors import LockTimeout, ResourceExhausted
from memorybank.hosts import hook_entries, missing_script
from memorybank.hosts.heartbeat import CHECKS, Pulse, beat, forget, read_stamp, stamp_path, troubles
from memorybank.hosts.program import Program, command
from memorybank.hosts.registration import TABLE
from tests.conftest import DAY, NOW

from .conftest import HOOK, IN_PROCESSOR_TIME

pytestmark = pytest.mark.slow

SUMMARY = "---\nupdated_at: 2026-01-01T00:00:00Z\n---\n\nThe kettle is copper.\n"


@pytest.fixture(autouse=True)
def home(tmp_path, monkeypatch):
    """A person whose state folder is empty."""
    folder = tmp_path / "person"
    folder.mkdir()
    monkeypatch.setenv("HOME", str(folder))
    return folder


@pytest.fixture
def host(host):
    """A host in a git repository with a resident summary."""
    shutil.rmtree(host.project / ".git")
    host.bank.git("init", "-q", "-b", "main")
    (host.bank.root / "summary.md").write_text(SUMMARY, encoding="utf-8")
    return host


def turn(host, session, number=iter(range(1_000))):  # noqa: B008  # one counter for all calls, so that no two turns have the same id
    """Play one turn of a session. Return what the person is shown at its end, "" for nothing."""
    host.session = session
    host.said("UserPromptSubmit", prompt="How is the kettle descaled?", prompt_id=f"p{next(number)}")
    done = host.fire(host.payload("Stop", stop_hook_active=False, last_assistant_message=f"Done {next(number)}.", background_tasks=[]))
    assert (done.returncode, done.stderr) == (0, b"")
    if not done.stdout:
        return ""
    answer = json.loads(done.stdout)
    assert list(answer) == ["systemMessage"], "nothing else: a Stop with context would make the agent go on"
    assert "\n" not in answer["systemMessage"]
    return answer["systemMessage"]


def yesterday(host, home):
    """Let the day of the last line be yesterday."""
    for said in (home / ".local/state/memorybank/working").glob("*.said-*"):
        said.rename(f"{said}".rpartition(".said-")[0] + ".said-2001-01-01")


def ignore(host):
    (host.project / ".git/info/exclude").write_text("summary.md\n")


def close(host):
    """A log that cannot be written, whoever runs the tests."""
    events = host.bank.root / "log" / "events"
    events.rename(host.bank.root / "log" / "elsewhere")
    events.write_text("")


def fall_behind(host):
    """More notes than the turns of a test can index."""
    for number in range(3_000):
        host.bank.write(f"planning/n{number}.md", f"# {number}\n\n{'The kettle is copper, and the teapot of the office is blue. ' * 20}\n")
    shutil.rmtree(host.bank.root / "cache", ignore_errors=True)


BREAKS = {
    "git ignores the summary": (ignore, "git ignores .claude/memory/summary.md", "`git add --force .claude/memory/summary.md`"),
    "the log is closed": (close, "it cannot write into the memory of this project", "`memorybank doctor`"),
    "the index is far behind": (fall_behind, "notes, which are found by their titles only", "`memorybank index`"),
}


@pytest.mark.parametrize("broken", BREAKS.values(), ids=BREAKS)
def test_the_next_session_shows_one_line_once_a_day(host, home, broken):
    break_it, what, repair = broken
    assert turn(host, "first") == "", "it works"
    break_it(host)
    told = turn(host, "second")
    assert what in told and repair in told
    assert turn(host, "second") == "" and turn(host, "third") == "", "once a day"
    yesterday(host, home)
    assert what in turn(host, "fourth")


@pytest.mark.parametrize("elsewhere", [False, True])
@pytest.mark.parametrize("broken", BREAKS.values(), ids=BREAKS)
def test_where_it_never_worked_nobody_sees_anything(host, home, broken, elsewhere):
    """Another person's bank: it has a log, and this machine's state folder knows nothing of it. elsewhere: it works in other projects."""
    turn(host, "first")
    shutil.rmtree(home / ".local")
    broken[0](host)
    if elsewhere:
        (home / ".local/state/memorybank/working").mkdir(parents=True)
    assert turn(host, "second") == ""


def test_a_fresh_clone_has_no_news_until_its_index_was_ready(host):
    fall_behind(host)
    assert [turn(host, session) for session in ("first", "second")] == ["", ""]


def test_what_is_repaired_is_not_mentioned_again(host, home):
    turn(host, "first")
    ignore(host)
    assert "git ignores" in turn(host, "second")
    yesterday(host, home)
    host.bank.git("add", "--force", ".claude/memory/summary.md")
    assert turn(host, "third") == ""


def test_a_bank_that_git_ignores_as_a_whole_is_meant_so(host):
    turn(host, "first")
    (host.project / ".git/info/exclude").write_text(".claude/\n")
    assert turn(host, "second") == ""


def test_of_many_sessions_at_once_one_shows_the_line(host, home):
    turn(host, "first")
    ignore(host)
    payloads = [
        {**host.payload("Stop", last_assistant_message=f"Done {number}.", stop_hook_active=False), "session_id": f"many{number}"} for number in range(6)
    ]
    hook = [sys.executable, "-I", "-S", str(IN_PROCESSOR_TIME), str(HOOK), "--host", "claude-code"]
    running = [subprocess.Popen(hook, stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=host.environment(HOME=str(home))) for _ in payloads]
    printed = [process.communicate(json.dumps(payload).encode())[0] for process, payload in zip(running, payloads, strict=True)]
    assert sum(b"git ignores" in each for each in printed) == 1


def test_the_conditions_are_one_list_and_a_busy_log_is_none_of_them(host):
    layout = host.bank.layout
    assert [check.__name__ for check in CHECKS] == ["recording", "trust", "index", "summary"]
    assert troubles(Pulse(layout, LockTimeout("busy"), has_been_ready=False)) == []
    (full,) = troubles(Pulse(layout, ResourceExhausted("/x: no space left\nat all"), has_been_ready=False))
    assert "no space left at all" in full.line and full.repair == "memorybank doctor"


def test_a_state_folder_that_cannot_be_written_harms_nothing(host, home):
    (home / ".local").write_text("")
    ignore(host)
    assert turn(host, "first") == "" and turn(host, "second") == ""


@pytest.mark.parametrize("name", ["plain", "with blank and 'quote'", "日本語", "x" * 230, "a\tb"])
def test_the_script_and_the_package_agree_on_the_name_of_a_stamp(tmp_path, home, name):
    project = tmp_path / name
    project.mkdir()
    layout = type("Bank", (), {"repository": None, "root": str(project), "active": str(project), "log": "", "cache": "", "database": str(project / "none")})()
    assert beat(layout, FixedClock(NOW), os.environ, str(project), "s", None) == ""
    path = Path(stamp_path(str(project), os.environ))
    assert path.exists() and read_stamp(str(path), str(project)).session == "s"
    assert read_stamp(str(path), str(project) + "/") is None
    assert "so nothing is recorded or recalled" in missing(project, home)
    forget(str(project), os.environ)
    assert missing(project, home, at=DAY) == ""


def missing(project, home, at=0, program=None, **environment):
    """Run the command registered for the end of a turn, with a missing program. Return the line, "" for none. at: nothing, or other files of the day."""
    if at:
        for said in (home / ".local/state/memorybank/working").glob("*.said-*"):
            said.unlink()
    line = command(program, "claude-code", None, notifies=True) if program != "portable" else command(None, "claude-code", None, notifies=True)
    given = {"HOME": str(home), "PATH": "/usr/bin:/bin", "CLAUDE_PROJECT_DIR": str(project), **environment}
    done = subprocess.run(["sh", "-c", line], input=b"{}", cwd=project, env=given, capture_output=True, timeout=120)
    assert (done.returncode, done.stderr) == (0, b"")
    return json.loads(done.stdout)["systemMessage"] if done.stdout else ""


GONE = Program("/nowhere/bin/python", "/nowhere/it's/memorybank/hook.py")


@pytest.mark.parametrize("program", [GONE, "portable"], ids=["on one machine", "committed"])
def test_without_the_program_the_shell_shows_the_line_once_a_day(host, home, program):
    assert missing(host.project, home, program=program) == "", "nothing is known of a memorybank on this machine"
    turn(host, "first")
    stamp = Path(stamp_path(str(host.project), os.environ))
    fields = stamp.read_text().split("\n")
    stamp.write_text("\n".join((fields[0], "/nowhere/bin", *fields[2:])))
    told = missing(host.project, home, program=program)
    assert "its program is missing, so nothing is recorded or recalled" in told and "`pip install memorybank && memorybank hooks install`" in told
    assert f"delete {home}/.local/state/memorybank/missing.sh" in told
    assert missing(host.project, home, program=program) == ""
    assert missing(host.project, home, program=program, at=DAY) == told
    (home / ".local/state/memorybank/missing.sh").unlink()
    assert missing(host.project, home, program=program, at=DAY) == "", "removed on purpose"


def test_a_program_off_the_path_is_named_with_its_folder(host, home, tmp_path):
    turn(host, "first")
    programs = tmp_path / "programs"
    programs.mkdir()
    (programs / "memorybank").write_text("#!/bin/sh\nexit 0\n")
    (programs / "memorybank").chmod(0o755)
    stamp = Path(stamp_path(str(host.project), os.environ))
    fields = stamp.read_text().split("\n")
    stamp.write_text("\n".join((fields[0], str(programs), *fields[2:])))
    told = missing(host.project, home, program="portable")
    assert f"does not find the program memorybank, which is in {programs}," in told and f"`{programs}/memorybank hooks install`" in told


def test_another_project_and_a_relative_state_folder_are_silent(host, home, tmp_path):
    turn(host, "first")
    other = tmp_path / "other"
    (other / "state/memorybank").mkdir(parents=True)
    (other / "state/memorybank/missing.sh").write_text("echo planted")
    assert missing(other, home, program=GONE) == ""
    assert missing(other, home, program=GONE, XDG_STATE_HOME="state") == ""


def test_only_events_whose_message_is_shown_have_the_fallback():
    for registration in TABLE.values():
        for registered in registration.events:
            if registration.host != "opencode":
                line = json.dumps(hook_entries.entry(registration, registered, None))
                assert ("missing.sh" in line) == (registration.host == "claude-code" and registered.event == "Stop")
    assert time.gmtime(0).tm_year == 1970 and missing_script.TEXT.isascii()
