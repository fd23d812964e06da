"""`Machine`: one machine with its own home folder and clones, on which the real hook is fired; and a stranger's repository with a bank."""

import json
import os
import subprocess
from collections.abc import Sequence
from pathlib import Path

from memorybank import Bank
from memorybank.clock import FixedClock
from memorybank.storage.layout import describe
from memorybank.trust import gate
from tests.hook import forked

HOOK = Path(gate.__file__).resolve().parents[1] / "hook.py"
NOW = 1_758_112_496_789
SUMMARY = "---\nupdated_at: 2025-09-17T09:30:00Z\n---\nThe summary: deploys go through heron.\n"
NOTE = "# Staging wombat\n\nThe staging database is reset every Monday by `scripts/reset_staging.sh`.\n"
LEARNED = "# Flamingo rule\n\nRun the flamingo migration before every deploy to staging.\n"
JAPANESE = "# 検証環境のカナリア\n\n検証環境のデータベースは毎週月曜日に初期化される。\n"
CANARIES = ("wombat", "flamingo", "heron", "カナリア", "quail")
EPISODES = {"version": 1, "entries": []}


class Machine:
    """One machine with its own home folder and clones."""

    def __init__(self, home: Path) -> None:
        self.home = home
        self.messages: list[str] = []
        """What the person was shown in the last session."""
        home.mkdir(parents=True)
        self.environment = {
            **{name: value for name, value in os.environ.items() if name.startswith(("GIT_", "PATH", "TZ", "LANG", "PYTHONPATH"))},
            "HOME": str(home),
        }

    def git(self, folder: Path, *arguments: str) -> str:
        done = subprocess.run(["git", *arguments], cwd=folder, env=self.environment, capture_output=True, text=True, check=True)
        return done.stdout

    def clone(self, origin: Path, name: str = "clone") -> Path:
        target = self.home / name
        self.git(self.home, "clone", "-q", str(origin), str(target))
        return target

    def memorybank(self, folder: Path, *arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
        return forked.command(arguments, folder, {**self.environment, **environment})

    def shown(self, folder: Path, session: str = "s1", **environment: str) -> str:
        """Everything that one session is shown at its start, at prompts, at a call and after a failure."""
        common = {"session_id": session, "cwd": str(folder), "transcript_path": "/nowhere.jsonl"}
        call = {"tool_name": "Bash", "tool_input": {"command": "scripts/reset_staging.sh"}, "tool_use_id": "t1"}
        payloads = (
            {"hook_event_name": "SessionStart", "source": "startup"},
            {"hook_event_name": "UserPromptSubmit", "prompt": "when is the staging database reset, and by which script?"},
            {"hook_event_name": "UserPromptSubmit", "prompt": "検証環境のデータベースはいつ初期化される？"},
            {"hook_event_name": "UserPromptSubmit", "prompt": "which migration runs before every deploy to staging?"},
            {"hook_event_name": "PreToolUse", **call},
            {"hook_event_name": "PostToolUseFailure", "error": "reset_staging.sh: staging database is locked", **call},
            {"hook_event_name": "Stop"},
        )
        texts = []
        for payload in payloads:
            given = {**self.environment, "CLAUDECODE": "1", "CLAUDE_PROJECT_DIR": str(folder), **environment}
            done = forked.fire(["--host", "claude-code"], json.dumps({**common, **payload}).encode(), folder, given)
            assert (done.returncode, done.stderr) == (0, b"")
            texts.append(done.stdout.decode())
        replies = [json.loads(text) for text in texts if text]
        self.messages = [reply["systemMessage"] for reply in replies if "systemMessage" in reply]
        return "\n".join(reply["hookSpecificOutput"]["additionalContext"] for reply in replies if "hookSpecificOutput" in reply)

    def record_of(self, folder: Path) -> dict[str, object]:
        records = [json.loads(path.read_text()) for path in (self.home / ".local/state/memorybank/trust").glob("*.json")]
        return next(each for each in records if each["bank"] == str(folder / ".claude/memory"))


def publish(machine: Machine, folder: Path) -> Path:
    write(folder, **{"summary.md": SUMMARY, "active/shared/staging.md": NOTE, "active/learned/flamingo.md": LEARNED, "active/shared/検証.md": JAPANESE})
    (folder / ".claude/memory/.gitignore").write_text("log/\ncache/\nindexes/\nmetadata/\nbackups/\n")
    machine.git(folder, "init", "-q", "-b", "main")
    commit(machine, folder, "a bank")
    return folder


def write(folder: Path, **files: str) -> None:
    for name, text in files.items():
        path = folder / ".claude/memory" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")


def commit(machine: Machine, folder: Path, message: str) -> str:
    machine.git(folder, "add", "-A")
    machine.git(folder, "commit", "-q", "-m", message)
    return machine.git(folder, "rev-parse", "HEAD").strip()


def canaries(text: str, names: Sequence[str] = CANARIES) -> list[str]:
    return [name for name in names if name in text]


def indexed(machine: Machine, folder: Path) -> Path:
    assert machine.memorybank(folder, "search", "staging").returncode == 0
    return folder


QUAIL = "# Quail\n\nThe quail job runs `scripts/reset_staging.sh` for the staging database.\n"
NEW, CHANGED = "active/shared/quail.md", "summary.md"


def publish_branch(other: Machine, stranger, branch: str, **files: str) -> None:
    other.git(stranger, "checkout", "-q", "-b", branch)
    write(stranger, **files)
    commit(other, stranger, branch)
    other.git(stranger, "checkout", "-q", "main")


def opened(clone) -> Bank:
    return Bank.open(clone / ".claude/memory", clock=FixedClock(NOW))


def admitted(clone, *paths: str) -> list[bool]:
    """Whether agents may be shown each of these files, as a hook decides it."""
    layout = describe(str(clone / ".claude/memory"))
    found = gate.gate_of(layout, os.environ, FixedClock(NOW))
    return [found.admits(layout, path) for path in paths]


def waiting(clone) -> list[str]:
    return list(opened(clone).trust.status().waiting)
