"""`story`: a bank in git whose notes people, agents' sessions and commands change, one minute apart."""

import os
import subprocess
from pathlib import Path
from typing import Any

import pytest

from memorybank.bank import Bank
from memorybank.clock import MINUTE
from memorybank.storage.create_bank import create_bank

FOLDER = ".claude/memory/active"


class NoteStory:
    """A repository with a bank and a clock that every step moves by a minute."""

    def __init__(self, scratch: Any, clock: Any) -> None:
        self.scratch = scratch
        self.clock = clock

    @property
    def bank(self) -> Bank:
        return Bank.open(str(self.scratch.root), clock=self.clock)

    def write(self, key: str, text: str) -> None:
        """Write a note by hand."""
        path = self.scratch.active / key
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")

    def git(self, *arguments: str, **environment: str) -> str:
        done = subprocess.run(
            ["git", *arguments], cwd=self.scratch.repository, check=True, capture_output=True, encoding="utf-8", env={**os.environ, **environment}
        )
        return done.stdout.strip()

    def commit(self, author: str, subject: str = "notes") -> str:
        """Commit everything; returns the commit's id."""
        self.clock.instant += MINUTE
        date = f"{self.clock.instant // 1000} +0000"
        self.git("add", "-A")
        self.git("commit", "-qm", subject, GIT_AUTHOR_NAME=author, GIT_AUTHOR_DATE=date, GIT_COMMITTER_DATE=date)
        return self.git("rev-parse", "HEAD")

    def call(self, session: str, tool: str, inputs: dict[str, str], **fields: str) -> None:
        """A call of Claude Code that succeeded, as its hook reports it."""
        from memorybank.cycle.base import describe
        from memorybank.cycle.router import HookRouter
        from memorybank.hosts.detect import detect

        self.clock.instant += MINUTE
        payload = {
            "session_id": session,
            "cwd": str(self.scratch.repository),
            "transcript_path": "/nowhere.jsonl",
            "hook_event_name": "PostToolUse",
            "tool_name": tool,
            "tool_input": inputs,
            "tool_use_id": f"t{self.clock.instant}",
            "tool_response": {"stdout": "ok"},
            **fields,
        }
        dialect = detect(payload, {"CLAUDECODE": "1"}, None)
        event = dialect.to_event(payload, {"CLAUDECODE": "1"}, None)
        router = HookRouter(describe(self.scratch.layout, self.clock), dialect.delivers)
        router.answer(event)
        router.finish(event)

    def session_writes(self, session: str, key: str, text: str, old: str | None = None, **fields: str) -> None:
        """An agent writes a note, or replaces a part of it."""
        path = Path(self.scratch.active / key)
        if old is None:
            self.write(key, text)
            self.call(session, "Write", {"file_path": str(path), "content": text}, **fields)
        else:
            self.write(key, path.read_text(encoding="utf-8").replace(old, text))
            self.call(session, "Edit", {"file_path": str(path), "old_string": old, "new_string": text}, **fields)

    def told(self, name: str, **options: Any) -> list[tuple[str, str, str, str, str]]:
        """(first line, author, session, command, evidence) of every statement, by its latest origin."""
        found = self.bank.blame(name, **options)
        latest = [(statement.text.split("\n")[0], statement.origins[0]) for statement in found.statements]
        return [(text, origin.author, origin.session, origin.command, origin.evidence) for text, origin in latest]


@pytest.fixture
def story(bank, fixed_clock) -> NoteStory:
    scratch = bank(git=True)
    create_bank(str(scratch.root), "UTC")
    return NoteStory(scratch, fixed_clock)
