"""Small handwritten histories: sessions as lists of events, and log lines without a log."""

import json
from pathlib import Path

from memorybank import clock as time_of
from memorybank.cycle.fold.recorded import LogEvent
from memorybank.log.lines import LogLine

NOW = 1_758_112_496_789
MINUTE = 60_000
DAY = 86_400_000


class Told:
    """One session of a history. Each event is half a minute after the one before."""

    def __init__(self, session, at=NOW, step=30_000):
        self.session, self.at, self.step = session, at, step
        self.events = []
        self.calls = 0
        self.tell("session_start", source="startup", delivery=True)

    def tell(self, name, **fields):
        told = {"host": "claude-code", "name": name, "session_id": self.session, "at": self.at, "cwd": "/history", **fields}
        self.events.append({name: value for name, value in told.items() if value is not None})
        self.at += self.step
        return self

    def prompt(self, text, **fields):
        return self.tell("prompt", prompt=text, **{"delivery": True, **fields})

    def call(self, tool, error=None, output=None, agent="main", role="main", **inputs):
        self.calls += 1
        identifier = f"{self.session}-{self.calls}"
        both = {"tool": tool, "tool_use_id": identifier, "strong_id": identifier, "inputs": inputs, "agent_id": agent, "agent_role": role, "delivery": True}
        self.tell("tool_before", **both)
        return self.tell("tool_after", **both, status="failure" if error else "success", error=error, output=output)

    def run(self, command, error=None, **fields):
        return self.call("Bash", error, command=command, **fields)

    def edit(self, path, **fields):
        return self.call("Edit", file_path=f"/history/{path}", old_string="a", new_string="b", **fields)

    def read(self, path, **fields):
        return self.call("Read", file_path=f"/history/{path}", **fields)

    def end(self, said="Done."):
        return self.tell("turn_end", last_message=said).tell("session_end", reason="other")


def written(folder: Path, *sessions: Told, notes=None) -> Path:
    """The history, written as a folder."""
    (folder / "sessions").mkdir(parents=True)
    for told in sessions:
        lines = "".join(json.dumps(event, ensure_ascii=False) + "\n" for event in told.events)
        (folder / "sessions" / f"{told.session}.jsonl").write_text(lines, encoding="utf-8")
    for key, text in (notes or {}).items():
        path = folder / "notes" / key
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    (folder / "history.json").write_text('{"generator": 0, "seed": 0}')
    return folder


def pairs(count=3, days=1) -> list[Told]:
    """Sessions that change the same two files together, in both languages; one command fails and is fixed, and the answer names a file."""
    found = []
    for number in range(count):
        told = Told(f"s{number}", NOW + number * days * DAY)
        told.prompt("アップロードの再送を直してください" if number % 2 else "please change how uploads are retried after a timeout")
        told.edit("src/upload.py").edit("docs/アップロード.md")
        told.run("pytest tests/test_upload.py", error="AssertionError: retried 4 times, expected 5")
        told.edit("src/limits.py").run("pytest tests/test_upload.py")
        told.end(
            "アップロードの再送は五回までに直しました。上限は docs/アップロード.md にあります。"
            if number % 2
            else "Uploads are retried five times after a timeout; docs/アップロード.md tells the limits."
        )
        found.append(told)
    return found


def line(event, session="s", agent="main", at=NOW, offset=0, anchors=(), role=None, acl="user", privacy="public", **fields) -> LogEvent:
    """One line of a log as the cycle reads it."""
    return LogEvent(
        LogLine(
            offset,
            offset + 1,
            {
                **{"id": f"{session}-{offset}", "event": event, "timestamp": time_of.isoformat(at), "session_id": session, "agent_id": agent},
                **{"agent_role": role or agent, "epoch": 1, "acl": acl, "privacy": privacy, "origin": "tool", "anchors": list(anchors), **fields},
            },
        )
    )
