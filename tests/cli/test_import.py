"""`memorybank import`: what it says, what it refuses, and that it can be interrupted."""

import json
import os
import pty
import signal
import subprocess
import sys
import threading
from contextlib import suppress
from pathlib import Path

import pytest

from tests.imports.written import Transcript, working_day

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture
def home(tmp_path, monkeypatch):
    """The person's home, with Claude Code's folder in it."""
    folder = tmp_path / "home"
    (folder / ".claude" / "projects").mkdir(parents=True)
    monkeypatch.setenv("HOME", str(folder))
    return folder


def folder_of(home: Path, project: Path) -> Path:
    return home / ".claude" / "projects" / "".join(sign if sign.isalnum() else "-" for sign in str(project))


def test_without_a_path_the_projects_own_transcripts_are_imported(bank, run, home):
    scratch, other = bank(), bank()
    working_day(cwd=str(scratch.repository)).write(folder_of(home, scratch.repository))
    working_day("other-session", cwd=str(other.repository)).write(folder_of(home, other.repository))
    code, out, err = run(scratch, "import", "claude-code")
    assert code == 0
    assert out.splitlines()[0].split() == ["event", "in", "transcripts", "recorded"]
    assert [line.split() for line in out.splitlines() if line.startswith("all")] == [["all", "14", "14"]]
    assert "1 transcript" in out and "1 session summarised, 0 session notes written" in out
    assert "cleanupPeriodDays" in err and "30 days" in err
    listed = json.loads(run(scratch, "log", "list", "--format", "json").out)
    assert [session["lines"] for session in listed] == [14]


def test_a_dry_run_says_what_would_be_and_does_nothing(bank, run, home):
    scratch = bank()
    working_day(cwd=str(scratch.repository)).write(folder_of(home, scratch.repository))
    before = scratch.snapshot()
    planned = json.loads(run(scratch, "import", "claude-code", "--dry-run", "--format", "json").out)
    assert scratch.snapshot() == before
    done = json.loads(run(scratch, "import", "claude-code", "--format", "json").out)
    assert planned["added"] == done["added"] and (planned["dry_run"], done["dry_run"]) == (True, False)
    again = run(scratch, "import", "claude-code", "--dry-run").out
    assert "14 recorded before" in again and "nothing was written" in again


def test_json_has_every_count_and_problem(bank, run, tmp_path):
    path = Transcript().prompt("work").raw("{half").add("hologram").say("done").write(tmp_path)
    report = json.loads(run(bank(), "import", "claude-code", str(path), "--format", "json").out)
    assert report["problems"] == [{"path": str(path), "line": 2, "kind": "not_json"}, {"path": str(path), "line": 3, "kind": "unknown:hologram"}]
    assert report["left_out"] == {"not_json": 1, "unknown:hologram": 1}
    assert (report["transcripts"], report["lines"], report["sessions"], report["changed_sessions"]) == (1, 4, 1, 1)


def test_problems_are_shown_by_file_and_line(bank, run, tmp_path):
    transcript = Transcript().prompt("work")
    for _ in range(25):
        transcript.raw("{half")
    path = transcript.write(tmp_path)
    code, out, _ = run(bank(), "import", "claude-code", str(path))
    assert code == 0 and f"{path}:2: not_json" in out and "and 5 further problems: --format json lists all of them" in out


def test_transcripts_from_elsewhere_are_taken_when_named_and_said_to_be(bank, run, tmp_path):
    scratch = bank()
    working_day().write(tmp_path / "given")
    code, _, err = run(scratch, "import", "claude-code", str(tmp_path / "given"))
    assert code == 0 and "/home/somebody/tea" in err and "--project" in err


def test_project_says_whose_transcripts(bank, run, home, tmp_path):
    scratch = bank()
    working_day().write(tmp_path / "given")
    working_day("other-session", cwd="/home/somebody/coffee").write(tmp_path / "given")
    report = json.loads(run(scratch, "import", "claude-code", str(tmp_path / "given"), "--project", "/home/somebody/coffee", "--format", "json").out)
    assert report["sessions"] == 1
    working_day(cwd="/home/somebody/coffee").write(folder_of(home, Path("/home/somebody/coffee")))
    assert json.loads(run(scratch, "import", "claude-code", "--project", "/home/somebody/coffee", "--format", "json").out)["sessions"] == 1


def test_since_leaves_old_sessions_out(bank, run, tmp_path):
    working_day().write(tmp_path / "given")
    scratch = bank()
    assert "1 session ended before --since" in run(scratch, "import", "claude-code", str(tmp_path / "given"), "--since", "-1d").out
    report = json.loads(run(scratch, "import", "claude-code", str(tmp_path / "given"), "--since", "2025-09-01", "--format", "json").out)
    assert report["changed_sessions"] == 1


@pytest.mark.parametrize("host", ["claude-code", "codex", "gemini"])
def test_nothing_found_is_said_with_what_to_do(bank, run, home, host):
    code, out, err = run(bank(), "import", host)
    assert (code, out) == (3, "") and "name the transcripts" in err


def test_a_host_that_keeps_none_is_refused(bank, run):
    code, _, err = run(bank(), "import", "cursor")
    assert code == 2 and "claude-code" in err


def test_what_was_imported_is_recalled(bank, run, tmp_path):
    scratch = bank()
    working_day().write(tmp_path / "given")
    run(scratch, "import", "claude-code", str(tmp_path / "given"))
    assert "nothing would be injected" in run(scratch, "recall", "the gutter of the roof leaks").out
    said = run(scratch, "recall", "the kettle test fails again").out
    assert "いつも pytest は -q を付けて実行して" in said and "2025-09-04" in said
    assert "The kettle heats" in run(scratch, "recall", "--as-of", "2025-09-05").out


@pytest.mark.slow
def test_ctrl_c_leaves_what_is_recorded_and_the_next_run_finishes(bank, tmp_path, process):
    """Real processes with real signals; a bar is drawn on stderr, which is a terminal here."""
    for number in range(6):
        day = working_day(f"5e1f0c2a-0000-4000-8000-0000000003{number:02d}")
        for step in range(25):
            day.bash(f"echo {step} {'y' * 3_000}", f"{step}\n" * 300)
        day.write(tmp_path / "given")
    scratch = bank()
    code, said = interrupted(scratch, tmp_path / "given", tmp_path / "halfway")
    assert code == 130 and b"Traceback" not in said
    done = json.loads(process(scratch, "import", "claude-code", str(tmp_path / "given"), "--format", "json").out)
    again = json.loads(process(scratch, "import", "claude-code", str(tmp_path / "given"), "--format", "json").out)
    assert again["added"] == {} and again["known"] == sum(again["found"].values()) == sum(done["found"].values())
    assert process(scratch, "log", "verify").code == 0


WAITING = """
import signal, sys, threading
from pathlib import Path
from memorybank.hosts import import_run

halfway = Path(sys.argv.pop(1))
signal.signal(signal.SIGINT, signal.default_int_handler)  # whoever started the tests may ignore it

def waiting(*arguments):
    halfway.touch()
    while True:  # whichever thread the signal reaches
        threading.Event().wait(0.05)

import_run._fold = waiting
from memorybank.__main__ import main
main()
"""
"""An import that waits when the first of its sessions is recorded: how far it is then depends on no machine."""


def interrupted(scratch, given: Path, halfway: Path) -> tuple[int, bytes]:
    """(exit code, what stood on the terminal) of an import that got Ctrl-C when it had recorded something and its workers were at it."""
    command = [sys.executable, "-c", WAITING, str(halfway), "import", "claude-code", str(given)]
    main, terminal = pty.openpty()
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "TERM": "xterm"}
    running = subprocess.Popen(command, cwd=scratch.repository, stdout=subprocess.PIPE, stderr=terminal, env=environment, start_new_session=True)
    os.close(terminal)
    seen = bytearray()
    reader = threading.Thread(target=drain, args=(main, seen))
    reader.start()
    while running.poll() is None and not halfway.exists():
        threading.Event().wait(0.01)
    with suppress(ProcessLookupError):
        os.killpg(running.pid, signal.SIGINT)
    try:
        running.communicate(timeout=60)
    finally:
        with suppress(ProcessLookupError):
            os.killpg(running.pid, signal.SIGKILL)
        running.communicate()
        reader.join(10)
        os.close(main)
    return running.returncode, bytes(seen)


def drain(descriptor: int, seen: bytearray) -> None:
    try:
        while data := os.read(descriptor, 65536):
            seen += data
    except OSError:
        pass  # the other side of a terminal ends with an error
