"""Plays one story: its commands in a real repository of git, and each event in a hook process of its own, at the time of the story.

tests/data/stories/README.md describes the lines of a story and its needs.
"""

import json
import os
import re
import subprocess
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any
from uuid import NAMESPACE_URL, uuid5

PROJECT = Path(__file__).resolve().parents[2]
DATA = PROJECT / "tests" / "data" / "stories"
NAMES = ("parcelhub", "kanjo", "trailmap", "hare-dwh")
START, PROMPT, BEFORE, RESULT, FAILURE, SAY, END = "start", "prompt", "before", "result", "failure", "say", "end"
MOMENTS = (START, PROMPT, BEFORE, RESULT, FAILURE, SAY, END)
_AT_AN_INSTANT = PROJECT / "scripts" / "bench" / "at_an_instant.py"
_IN_PROCESSOR_TIME = PROJECT / "tests" / "hook" / "in_processor_time.py"
_ROOT = "/stories/"
"""The folder of the projects in the lines of stories."""
_CALL_TAKES = timedelta(seconds=25)
_CLAUDE_CODE, _GEMINI = "claude-code", "gemini"
_EVENTS = {
    _CLAUDE_CODE: {PROMPT: "UserPromptSubmit", BEFORE: "PreToolUse", RESULT: "PostToolUse", FAILURE: "PostToolUseFailure", SAY: "Stop"},
    _GEMINI: {PROMPT: "BeforeAgent", BEFORE: "BeforeTool", RESULT: "AfterTool", FAILURE: "AfterTool", SAY: "AfterAgent"},
}
"""The names of events; both hosts call the first and the last one of a session SessionStart and SessionEnd."""
_GEMINI_TOOLS = {"Bash": "run_shell_command", "Edit": "replace", "Read": "read_file", "Write": "write_file", "Grep": "search_file_content"}

Line = Mapping[str, Any]


@dataclass(frozen=True)
class ShownText:
    """What a host was told at one moment; the text is empty when the hook was silent. event: the number of its line in its session."""

    story: str
    session: int
    event: int
    at: str
    moment: str
    text: str


@dataclass(frozen=True)
class Need:
    """What an earlier session said and an event needs. pattern: matches a text that helps; met: "in time", "late" or "not at all"."""

    story: str
    session: int
    event: int
    moment: str
    said: str
    need: str
    pattern: str
    met: str


class Story:
    """The project of one story in a folder, and the session that is played."""

    def __init__(self, name: str, folder: Path, checkout: Path) -> None:
        self.name, self.checkout = name, checkout
        self.home, self.project = folder / "home", folder / name
        self.host = self.said = self.source = ""
        for each in (self.home, self.project):
            each.mkdir()

    def play(self, lines: Iterable[Line]) -> Iterator[ShownText]:
        """Play lines and yield a text for every event of a hook."""
        for line in lines:
            if line["kind"] == "file":
                self._write(line["path"], line["text"])
            elif line["kind"] == "shell":
                self._run(line["input"]["command"], line["date"])
            elif line["kind"] == "init":
                self._start_at(line["date"], [sys.executable, "-P"], self.checkout / "memorybank" / "__main__.py", "init")
            elif line["kind"] == "call":
                yield from self._call(line)
            else:
                yield self._fire(line, line["kind"], self._fields(line))

    def _fields(self, line: Line) -> dict[str, Any]:
        """Return what a payload says of an event that is no call."""
        kind, text = line["kind"], line.get("text", "")
        if kind == START:
            self.host = line["host"]
            return {"source": "startup"}
        if kind == PROMPT:
            self.said = text
            return {"prompt": text}
        if kind == END:
            return {"reason": "exit"}
        return {"prompt": self.said, "prompt_response": text} if self.host == _GEMINI else {"stop_hook_active": False, "last_assistant_message": text}

    def _call(self, line: Line) -> Iterator[ShownText]:
        """Tell the intent of a call, do what it does to the project, and tell its result."""
        tool, inputs = line["tool"], {name: self._here(value) for name, value in line["input"].items()}
        asked = {"tool_name": _GEMINI_TOOLS.get(tool, tool) if self.host == _GEMINI else tool, "tool_input": inputs}
        if self.host == _CLAUDE_CODE:
            asked["tool_use_id"] = f"toolu_{line['session']:04}{line['event']:04}"
        yield self._fire(line, BEFORE, asked)
        failed, output = self._done(line, inputs)
        result = _gemini_result(tool, output, failed) if self.host == _GEMINI else _claude_code_result(tool, inputs, output, failed)
        yield self._fire(line, FAILURE if failed else RESULT, {**asked, **result}, _CALL_TAKES)

    def _done(self, line: Line, inputs: Mapping[str, str]) -> tuple[bool, str]:
        """Do what a call does. Return (whether it failed, its output)."""
        for path, text in line.get("files", {}).items():
            self._write(path, text)
        if line["tool"] == "Read":
            path = Path(inputs["file_path"])
            return (False, path.read_text(encoding="utf-8")) if path.exists() else (True, f"File not found: {path}")
        if line["tool"] == "Write":
            self._write(inputs["file_path"], inputs["content"])
        elif line["tool"] == "Edit":
            path = Path(inputs["file_path"])
            self._write(inputs["file_path"], path.read_text(encoding="utf-8").replace(inputs["old_string"], inputs["new_string"], 1))
        elif line.get("runs"):
            return self._run(inputs["command"], line["date"])
        return bool(line.get("failed")), self._here(line["output"])

    def _fire(self, line: Line, moment: str, fields: Mapping[str, Any], later: timedelta = timedelta()) -> ShownText:
        """Start the hook with a payload, and return what it told the host."""
        at = datetime.fromisoformat(line["date"]) + later
        name = {START: "SessionStart", END: "SessionEnd"}.get(moment) or _EVENTS[self.host][moment]
        session = uuid5(NAMESPACE_URL, f"{_ROOT}{self.name}/{line['session']}")
        payload = {"session_id": str(session), "cwd": str(self.project), "transcript_path": str(self.home / "none.jsonl")}
        payload |= {"hook_event_name": name, "permission_mode": "default", **fields}
        if self.host == _GEMINI:
            payload["timestamp"] = at.strftime("%Y-%m-%dT%H:%M:%S.000Z")
        hook = [str(self.checkout / "memorybank" / "hook.py"), "--host", self.host]
        reply = self._start_at(at.isoformat(), [sys.executable, "-I", "-S"], _IN_PROCESSOR_TIME, *hook, given=json.dumps(payload, ensure_ascii=False))
        return ShownText(self.name, line["session"], line["event"], at.isoformat(), moment, _told(reply))

    def _start_at(self, date: str, python: Sequence[str], *arguments: str | Path, given: str = "") -> str:
        """Start a program of the checkout at an instant. Return what it printed."""
        instant = int(datetime.fromisoformat(date).timestamp() * 1000)
        command = [*python, _AT_AN_INSTANT, str(instant), *arguments]
        done = subprocess.run(command, input=given, capture_output=True, text=True, encoding="utf-8", cwd=self.project, env=self._environment())
        errors = self.project / ".claude" / "memory" / "log" / "hook_errors.jsonl"
        if done.returncode or done.stderr or errors.exists():
            said = done.stderr or (errors.read_text(encoding="utf-8") if errors.exists() else "")
            sys.exit(f"stories: {self.name} at {date}: exit code {done.returncode}: {said[-500:]}")
        return done.stdout

    def _run(self, command: str, date: str) -> tuple[bool, str]:
        """Run a command of the story. Commits get its date. Return (whether it failed, its output)."""
        environment = {**self._environment(), "GIT_AUTHOR_DATE": date, "GIT_COMMITTER_DATE": date}
        done = subprocess.run(["bash", "-c", command], capture_output=True, text=True, encoding="utf-8", cwd=self.project, env=environment)
        return done.returncode != 0, done.stdout + done.stderr

    def _environment(self) -> dict[str, str]:
        fixed = {"HOME": str(self.home), "GIT_CONFIG_NOSYSTEM": "1", "PAGER": "cat", "EDITOR": "true", "TZ": "UTC", "LANG": "C.UTF-8"}
        return {"PATH": os.environ["PATH"], "PYTHONPATH": str(self.checkout), **fixed}

    def _write(self, path: str, text: str | None) -> None:
        """Write a file of the project; None removes it."""
        place = self.project / path
        if text is None:
            place.unlink()
            return
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(text, encoding="utf-8")

    def _here(self, text: str) -> str:
        return text.replace(_ROOT + self.name, str(self.project))


def _claude_code_result(tool: str, inputs: Mapping[str, str], output: str, failed: bool) -> dict[str, Any]:
    if failed:
        return {"error": f"Exit code 1\n{output}", "is_interrupt": False}
    if tool == "Bash":
        return {"tool_response": {"stdout": output, "stderr": "", "interrupted": False, "isImage": False}}
    return {"tool_response": {"filePath": inputs.get("file_path", ""), "content": output}}


def _gemini_result(tool: str, output: str, failed: bool) -> dict[str, Any]:
    if tool == "Bash":
        return {"tool_response": {"llmContent": f"Output: {output or '(empty)'}" + "\nExit Code: 1" * failed, "returnDisplay": ""}}
    return {"tool_response": {"llmContent": output, "returnDisplay": "", **({"error": {"message": output}} if failed else {})}}


def _told(reply: str) -> str:
    """Return what a reply puts before the agent and the person."""
    told = json.loads(reply) if reply.strip() else {}
    agent, person = told.get("hookSpecificOutput", {}).get("additionalContext") or "", told.get("systemMessage")
    return agent + (f"\n[to the person] {person}" if person else "")


def read(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def needs_of(name: str, texts: Sequence[ShownText]) -> list[Need]:
    """Return the needs of the sessions that were played, and whether they are met by the texts."""
    played = {(text.session, text.event): text.moment for text in reversed(texts)}
    labels = [label for label in read(DATA / f"{name}.needs.jsonl") if (label["session"], label["event"]) in played]
    return [Need(name, **label, moment=played[label["session"], label["event"]], met=_met(label, texts)) for label in labels]


def _met(label: Mapping[str, Any], texts: Sequence[ShownText]) -> str:
    helping = [text for text in texts if text.session == label["session"] and re.search(label["pattern"], text.text)]
    if any(text.event < label["event"] or (text.event == label["event"] and text.moment in (PROMPT, BEFORE)) for text in helping):
        return "in time"
    return "late" if helping else "not at all"
