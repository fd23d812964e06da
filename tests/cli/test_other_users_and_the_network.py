"""What docs/security.md promises about other users of the machine and about the network, for commands and hooks alike."""

import json
import os
import stat
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
WATCHED = """
import sys
def watch(event, given):
    if event in ("socket.connect", "socket.bind", "socket.getaddrinfo", "socket.gethostbyname", "socket.sendto", "socket.sendmsg"):
        sys.stderr.write(f"NETWORK {event} {given!r}\\n")
sys.addaudithook(watch)
sys.argv = sys.argv[1:]
import os, runpy, traceback
if sys.argv[0].endswith(".py"):
    runpy.run_path(sys.argv[0], run_name="__main__")
else:
    from memorybank.__main__ import main
    for command in sys.argv[1].split("\\n"):
        sys.argv = ["memorybank", *command.split("\\t")]
        child = os.fork()  # each command in a process of its own, which has loaded the program already
        if child == 0:
            try:
                main()
            except SystemExit as ended:
                sys.stdout.flush()
                sys.stderr.flush()
                os._exit(ended.code or 0)
            except BaseException:
                traceback.print_exc()
            os._exit(70)
        code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
        if code and command != "doctor":
            sys.exit(f"{command} ended with {code}")
"""
PROMPT = {"hook_event_name": "UserPromptSubmit", "prompt": "when is the staging database reset?"}
EVENTS = ({"hook_event_name": "SessionStart", "source": "startup"}, PROMPT, {"hook_event_name": "Stop"}, {"hook_event_name": "SessionEnd", "reason": "other"})
FIRST = (
    ("init",),
    ("add", "Staging", "--body", "The staging database is reset every Monday."),
)
LATER = (
    ("search", "staging"),
    ("list",),
    ("status",),
    ("doctor",),
    ("metrics",),
    ("recall", "when is the staging database reset?"),
    ("know", "list"),
    ("rate", "staging", "1"),
    ("rotate", "--dry-run"),
    ("forget", "staging", "--yes"),
)
LAST = (
    ("episodes", "update"),
    ("verify",),
    ("hooks", "install", "--scope", "project", "--host", "claude-code"),
    ("trust", "--yes"),
)


@pytest.fixture
def machine(tmp_path):
    """run(arguments) on a machine on which every new file would be open to everybody, and the project in which it runs."""
    home, project = tmp_path / "home", tmp_path / "project"
    home.mkdir()
    project.mkdir()
    subprocess.run(["git", "init", "-q", str(project)], check=True)
    kept = {name: value for name, value in os.environ.items() if name.startswith(("GIT_", "PATH", "TZ", "LANG"))}
    environment = {**kept, "HOME": str(home), "PYTHONPATH": str(ROOT), "CLAUDE_PROJECT_DIR": str(project), "CLAUDECODE": "1"}

    def run(*arguments: str, text: str = "") -> subprocess.CompletedProcess[str]:
        command = [sys.executable, "-c", WATCHED, *arguments]
        return subprocess.run(command, cwd=project, env=environment, input=text, capture_output=True, text=True, umask=0, check=False)

    return run, home, project


@pytest.mark.slow
def test_nothing_is_sent_and_nothing_is_readable_by_other_users(machine):
    """Notes are ordinary files of the project; whatever the tool records beside them is for its own user alone, whatever the umask."""
    run, home, project = machine
    for number, commands in enumerate((FIRST, LATER, LAST)):
        done = run("memorybank", "\n".join(map("\t".join, commands)))
        assert done.returncode == 0 and "NETWORK" not in done.stderr, done.stderr
        for event in EVENTS if commands != LAST else ():
            payload = {"session_id": f"s{number}", "cwd": str(project), "transcript_path": "/nowhere.jsonl", **event}
            hook = run(str(ROOT / "memorybank/hook.py"), "--host", "claude-code", text=json.dumps(payload))
            assert (hook.returncode, hook.stderr) == (0, "")
    bank = project / ".claude/memory"
    folders = [bank / "log", bank / "cache", bank / "backups", home / ".local/state/memorybank"]
    inside = [path for folder in folders for path in folder.rglob("*")]
    assert {".key", "bank.sqlite3", "cycle.sqlite3", "trust", "access.jsonl", "events"} <= {path.name for path in inside}
    # A backup has the mode of its note; nobody else gets below the folder.
    private = [*folders, *(path for path in inside if path.is_file() and "backups" not in path.parts)]
    assert [path for path in private if stat.S_IMODE(path.stat().st_mode) & 0o077] == []


def test_the_watch_would_see_a_connection(machine):
    run, _, project = machine
    (project / "talk.py").write_text("import socket\nsocket.create_server(('127.0.0.1', 0))\n")
    assert "NETWORK socket.bind" in run(str(project / "talk.py")).stderr
