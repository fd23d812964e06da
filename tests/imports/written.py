"""Small transcripts of Claude Code in the shape that the real client writes (2.1.330), and banks to import them into."""

import gzip
import json
from pathlib import Path
from typing import Any

from memorybank.clock import isoformat

START = 1_757_000_000_000
"""2025-09-04T15:33:20Z, weeks before the time of the tests' clock."""
SESSION = "5e1f0c2a-0000-4000-8000-000000000001"
PROJECT = "/home/somebody/tea"


class Transcript:
    """The lines of one file, each a second later than the one before."""

    def __init__(self, session: str = SESSION, cwd: str = PROJECT, *, agent: str = "", start: int = START, branch: str = "main") -> None:
        self.session = session
        self.cwd = cwd
        self.agent = agent
        self.branch = branch
        self.at = start
        self.lines: list[Any] = []
        self.calls = 0

    def add(self, type_: str, **fields: Any) -> "Transcript":
        """One line; a field that is None is left out."""
        self.at += 1_000
        number = len(self.lines) + 1
        common = {"uuid": f"{self.session[-4:]}-{self.agent or 'main'}-{number}", "timestamp": isoformat(self.at), "sessionId": self.session, "cwd": self.cwd}
        more = {"gitBranch": self.branch, "version": "2.1.330", "isSidechain": bool(self.agent), "agentId": self.agent or None}
        line = {"type": type_, **common, **more, **fields}
        self.lines.append({name: value for name, value in line.items() if value is not None})
        return self

    def user(self, content: Any, **fields: Any) -> "Transcript":
        return self.add("user", message={"role": "user", "content": content}, **fields)

    def prompt(self, text: str, **fields: Any) -> "Transcript":
        return self.user(text, **{"promptId": f"prompt-{self.session[-4:]}-{len(self.lines)}", **fields})

    def assistant(self, *blocks: dict[str, Any], **fields: Any) -> "Transcript":
        return self.add("assistant", message={"id": f"msg_{len(self.lines)}", "role": "assistant", "content": list(blocks)}, **fields)

    def say(self, text: str, **fields: Any) -> "Transcript":
        return self.assistant({"type": "text", "text": text}, **fields)

    def call(self, name: str, given: dict[str, Any], *, result: Any = None, error: str = "", identifier: str = "", answered: bool = True) -> "Transcript":
        self.calls += 1
        identifier = identifier or f"toolu_{self.session[-4:]}_{self.agent or 'main'}_{self.calls}"
        self.assistant({"type": "tool_use", "id": identifier, "name": name, "input": given})
        if not answered:
            return self
        block = {"type": "tool_result", "tool_use_id": identifier, "content": error or json.dumps(result), "is_error": bool(error)}
        return self.user([block], toolUseResult=f"Error: {error}" if error else result)

    def bash(self, command: str, output: str = "ok", *, error: str = "") -> "Transcript":
        return self.call("Bash", {"command": command, "description": "a step"}, result={"stdout": output, "stderr": "", "interrupted": False}, error=error)

    def edit(self, path: str, old: str, new: str) -> "Transcript":
        hunk = {"lines": [f"-{old}", f"+{new}"]}
        return self.call("Edit", {"file_path": path, "old_string": old, "new_string": new}, result={"filePath": path, "structuredPatch": [hunk]})

    def compact(self, trigger: str = "auto") -> "Transcript":
        self.add("system", subtype="compact_boundary", content="Conversation compacted", compactMetadata={"trigger": trigger})
        return self.user("This session is being continued from a previous conversation that ran out of context.", isCompactSummary=True)

    def queue(self, operation: str, content: str | None = None, **fields: Any) -> "Transcript":
        return self.add("queue-operation", operation=operation, content=content, uuid=None, cwd=None, **fields)

    def raw(self, text: str) -> "Transcript":
        self.lines.append(text)
        return self

    def encoded(self) -> list[bytes]:
        return [(line if isinstance(line, str) else json.dumps(line, ensure_ascii=False)).encode() + b"\n" for line in self.lines]

    def write(self, folder: Path, name: str = "") -> Path:
        """Write `<session>.jsonl` in a folder, or a sub-agent's file below it."""
        path = folder / (name or (f"{self.session}/subagents/agent-{self.agent}.jsonl" if self.agent else f"{self.session}.jsonl"))
        path.parent.mkdir(parents=True, exist_ok=True)
        data = b"".join(self.encoded())
        path.write_bytes(gzip.compress(data) if path.suffix == ".gz" else data)
        return path


def working_day(session: str = SESSION, cwd: str = PROJECT, **more: Any) -> Transcript:
    """A session with what most sessions contain: prompts in two languages, edits, a failure and its fix, a commit."""
    day = Transcript(session, cwd, **more)
    day.prompt("the kettle test fails, mend it please")
    day.bash("pytest tests/test_kettle.py", error="Exit code 1\nE   AssertionError: the kettle is cold")
    day.edit(f"{cwd}/src/kettle.py", "heat = 0", "heat = 100")
    day.bash("pytest tests/test_kettle.py", "1 passed")
    day.say("The kettle heats now.")
    day.prompt("いつも pytest は -q を付けて実行して")
    day.bash("git commit -qm 'The kettle heats'")
    return day.say("直しました。")
