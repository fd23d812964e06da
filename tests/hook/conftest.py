"""Firing the hook in a process of its own, with its payload on stdin and the environment a host gives it."""

import json
import os
import subprocess
from collections.abc import Sequence
from pathlib import Path

import pytest

from . import forked

HOOK = Path(__file__).resolve().parents[2] / "memorybank" / "hook.py"
IN_PROCESSOR_TIME = Path(__file__).with_name("in_processor_time.py")
SESSION = "0aa9f6a5-1111-4222-8333-444455556666"


class Host:
    """Claude Code, as far as a hook can tell."""

    def __init__(self, project: Path) -> None:
        self.project = project
        self.session = SESSION

    def environment(self, **more: str) -> dict[str, str]:
        kept = {name: os.environ[name] for name in ("HOME", "MEMORYBANK_TRUST", "PATH", "TZ") if name in os.environ}
        return {**kept, "CLAUDECODE": "1", "CLAUDE_PROJECT_DIR": str(self.project), "CLAUDE_CODE_SESSION_ID": self.session, **more}

    def fire(self, payload: object, *, host: str = "claude-code", options: Sequence[str] = (), **environment: str) -> subprocess.CompletedProcess[bytes]:
        """Run the hook in a process of its own, with deadlines in processor time, so that it answers on a busy machine too.

        payload: bytes as they are, anything else as JSON
        options: more of its command line
        """
        data = payload if isinstance(payload, bytes) else json.dumps(payload).encode()
        return forked.fire(["--host", host, *options], data, self.project, self.environment(**environment))

    def payload(self, event: str, **fields: object) -> dict[str, object]:
        common = {"session_id": self.session, "transcript_path": "/nowhere.jsonl", "cwd": str(self.project), "hook_event_name": event}
        return {**common, "permission_mode": "default", **fields}

    def said(self, event: str, **fields: object) -> str:
        """Fire, and the text that the model gets: "" when the hook is silent."""
        done = self.fire(self.payload(event, **fields))
        assert (done.returncode, done.stderr) == (0, b"")
        if not done.stdout:
            return ""
        answer = json.loads(done.stdout)["hookSpecificOutput"]
        assert answer["hookEventName"] == event
        return str(answer["additionalContext"])

    def command(self, *arguments: str) -> str:
        """Return what a command of memorybank prints in the project."""
        done = forked.command(arguments, self.project, os.environ)
        assert done.returncode == 0, done.stderr
        return done.stdout

    def tool(self, number: int, tool: str = "Bash", *, failed: str = "", output: str = "ok", **inputs: object) -> dict[str, object]:
        """The payload of a finished call."""
        common = {"tool_name": tool, "tool_input": inputs, "tool_use_id": f"toolu_{number}", "duration_ms": 10 + number, "prompt_id": "p1"}
        if failed:
            return self.payload("PostToolUseFailure", error=failed, is_interrupt=False, **common)
        return self.payload("PostToolUse", tool_response={"stdout": output, "stderr": "", "interrupted": False}, **common)


@pytest.fixture
def host(bank):
    """A host in a project whose bank holds a few notes; `host.bank` writes more."""
    scratch = bank({"shared/staging.md": "# Staging database\n\nThe staging database is reset every Monday at 09:00 JST by `scripts/reset_staging.sh`.\n"})
    found = Host(scratch.repository)
    found.bank = scratch
    return found


@pytest.fixture
def lines(host):
    """() → the valid lines of the session's log."""
    from memorybank.log import events

    def read(session: str = SESSION) -> list[dict[str, object]]:
        return [line.fields for line in events.read(host.bank.layout, events.name_of(session))]

    return read


@pytest.fixture
def host_with_a_plan(bank):
    """A host in a repository whose bank is committed, with one note that says nothing."""
    scratch = bank({"planning/plan.md": "# Plan\n\nNothing yet.\n"}, git=True)
    (scratch.root / ".gitignore").write_text("log/\ncache/\nindexes/\nmetadata/\nbackups/\n", encoding="utf-8")
    scratch.git("add", "-A")
    scratch.git("commit", "-qm", "begin")
    found = Host(scratch.repository)
    found.bank = scratch
    return found
