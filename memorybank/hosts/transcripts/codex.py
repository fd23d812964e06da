"""Reads a rollout file of Codex CLI, line by line, as the payloads that its hooks would have received (measured: 0.169; older lines from
its public source; docs/format.md has the table). Unlike hooks, it says how a command ended.
"""

import re
from collections.abc import Iterable
from typing import Any

from memorybank.cycle.event import MAIN, SUCCESS, UNKNOWN, Event
from memorybank.hosts.codex import Codex
from memorybank.hosts.dialect import content as text_of
from memorybank.hosts.dialect import fail, mapping, number, string
from memorybank.hosts.transcripts.reading import ALONE, FRAME, LOOSE, SHARED, TranscriptLine, TranscriptReader, TranscriptReading, decode

UNNAMED_ROLE = "subagent"
_REPORTED = frozenset(("exec_command", "shell", "shell_command", "local_shell", "container.exec", "apply_patch"))
"""Tools for which Codex runs its hooks, in addition to MCP tools (measured)."""
_QUIET = frozenset(("world_state", "token_usage_record", "session_state", "ghost_snapshot", "turn_diff", "inter_agent_communication"))
_CALLS = ("function_call", "custom_tool_call", "local_shell_call")
_OUTPUTS = ("function_call_output", "custom_tool_call_output", "local_shell_call_output")
_EXIT = re.compile(r"^(?:Process exited with code|Exit code:) (-?\d+)$", re.MULTILINE)
_HEADS = ("Chunk ID: ", "Exit code: ", "Wall time: ")
_OUTPUT = "\nOutput:\n"
_REFUSED = ("unsupported call", "apply_patch verification failed", "failed to parse", "execution error", "rejected by user", "exec_command failed")


def read(lines: Iterable[bytes]) -> TranscriptReading:
    return _Reader().read(lines)


class _Reader(TranscriptReader):
    def __init__(self) -> None:
        super().__init__(Codex())
        self.session = ""
        self.agent = MAIN
        self.role = MAIN
        self.cwd = ""
        self.branch = ""
        self.turn = ""
        self.prompts: dict[str, list[str]] = {}
        self.calls: dict[str, tuple[str, object]] = {}
        self.ends: dict[str, dict[str, Any]] = {}
        self.results: dict[str, Event] = {}

    def line(self, line: TranscriptLine) -> None:
        type_, payload = line.fields.get("type"), mapping(line.fields.get("payload"))
        if type_ == "session_meta":
            self._meta(line, payload)
        elif not isinstance(type_, str) or "payload" not in line.fields:
            self.reading.unknown(line.number, "no type")
        elif type_ in _QUIET:
            self.reading.left_out[type_] += 1
        elif type_ not in ("turn_context", "response_item", "event_msg", "compacted"):
            self.reading.unknown(line.number, type_[:40])
        elif not self.session:
            self.reading.broken(line.number, "no_session")
        elif not string(line.fields, "timestamp"):
            self.reading.broken(line.number, "no_time")
        elif type_ == "turn_context":
            self.cwd = string(payload, "cwd") or self.cwd
            self.turn = string(payload, "turn_id") or self.turn
            self.reading.left_out[type_] += 1
        elif type_ == "compacted":
            self._add(line, FRAME, "PreCompact", f"compact {line.fields['timestamp']}", trigger="auto")
            self._add(line, FRAME, "SessionStart", f"compact {line.fields['timestamp']}", source="compact")
        elif type_ == "response_item":
            self._item(line, payload)
        else:
            self._event(line, payload)

    def _meta(self, line: TranscriptLine, payload: dict[str, Any]) -> None:
        """Read whose rollout this is. A fork contains its parent's line again after its own."""
        if self.session:
            self.reading.left_out["session_meta"] += 1
            return
        thread = string(payload, "id")
        spawned = mapping(mapping(mapping(payload.get("source")).get("subagent")).get("thread_spawn"))
        self.session = string(payload, "session_id") or string(spawned, "parent_thread_id") or thread
        if not self.session or not string(line.fields, "timestamp"):
            self.session = ""
            self.reading.broken(line.number, "no_session")
            return
        if thread and thread != self.session:
            self.agent = thread
            self.role = string(spawned, "agent_role") or string(payload, "agent_role") or UNNAMED_ROLE
        self.cwd = string(payload, "cwd")
        self.branch = string(mapping(payload.get("git")), "branch")
        if self.agent == MAIN:
            self._add(line, FRAME, "SessionStart", "startup", source="startup")

    def _item(self, line: TranscriptLine, item: dict[str, Any]) -> None:
        type_, call = string(item, "type"), string(item, "call_id")
        if type_ in _CALLS and call:
            self._call(line, item, call)
        elif type_ in _OUTPUTS and call:
            self._result(line, item, call)
        else:
            self.reading.left_out[type_ or "response_item"] += 1

    def _call(self, line: TranscriptLine, item: dict[str, Any], call: str) -> None:
        name = string(item, "name") or "local_shell"
        space = string(item, "namespace")
        name = f"{space}__{name}" if space.startswith("mcp__") else name
        given = item.get("arguments", item.get("input", mapping(item.get("action"))))
        self.calls[call] = name, given
        self._add(line, LOOSE, "PreToolUse", None, tool_name=name, tool_input=given, tool_use_id=call)

    def _result(self, line: TranscriptLine, item: dict[str, Any], call: str) -> None:
        if call not in self.calls:
            self.reading.broken(line.number, "no_call")
            return
        name, given = self.calls[call]
        output, code, seconds = _output(item.get("output"))
        response: dict[str, Any] = {"output": output, "metadata": {"exit_code": code, "duration_seconds": seconds}}
        refused = code is None and output.startswith(_REFUSED)
        reported = name in _REPORTED or name.startswith("mcp__")
        # Codex runs no hook for a patch that it refuses, so that result can only come from here.
        kind = ALONE if refused and name == "apply_patch" else SHARED if reported and not refused else LOOSE
        event = self._add(line, kind, "PostToolUse", None, tool_name=name, tool_input=given, tool_use_id=call, tool_response=response)
        if event is None:
            return
        event.output = output
        if refused or event.error is not None:
            fail(event, output or f"exit code {code}")
        self.results[call] = event
        if call in self.ends:
            _add_end(event, self.ends[call])

    def _event(self, line: TranscriptLine, payload: dict[str, Any]) -> None:
        type_ = string(payload, "type")
        item = mapping(payload.get("item"))
        if type_ == "task_started":
            self.turn = string(payload, "turn_id") or self.turn
        elif type_ == "user_message":
            self._prompt(line, text_of(payload.get("message")), self.turn)
            return
        elif type_ == "item_completed" and item.get("type") == "UserMessage":
            self._prompt(line, text_of(item.get("content")), string(payload, "turn_id") or self.turn)
            return
        elif type_ == "item_completed" and item.get("type") in ("CommandExecution", "FileChange", "McpToolCall"):
            self._ended(string(item, "id"), item)
        elif type_ in ("exec_command_end", "patch_apply_end"):
            self._ended(string(payload, "call_id"), payload)
        elif type_ == "task_complete":
            said = text_of(payload.get("last_agent_message"))
            self._add(line, LOOSE, "Stop" if self.agent == MAIN else "SubagentStop", self._turn_id(line, payload), last_assistant_message=said)
            return
        elif type_ == "turn_aborted":
            self._add(line, LOOSE, "Interrupt", self._turn_id(line, payload))
            return
        self.reading.left_out[type_ or "event_msg"] += 1

    def _prompt(self, line: TranscriptLine, text: str, turn: str) -> None:
        """Add a prompt. A turn's first prompt has the id of the turn, in hooks too; further prompts in a running turn have none."""
        said = self.prompts.setdefault(turn, [])
        if not text or (said and said[-1] == text):  # the same prompt is written in the old form and in the new one
            self.reading.left_out["user_message"] += 1
            return
        said.append(text)
        if turn and len(said) == 1:
            self._add(line, SHARED, "UserPromptSubmit", turn, prompt=text)
        else:
            self._add(line, LOOSE, "UserPromptSubmit", f"prompt {line.fields['timestamp']}", prompt=text)

    def _ended(self, call: str, end: dict[str, Any]) -> None:
        """Store how a call ended. The transcript says so before its output or, when the call continued in the background, long after it."""
        if not call:
            return
        self.ends[call] = end
        if call in self.results:
            _add_end(self.results[call], end)

    def _turn_id(self, line: TranscriptLine, payload: dict[str, Any]) -> str:
        return f"turn {string(payload, 'turn_id') or line.fields['timestamp']}"

    def _add(self, line: TranscriptLine, kind: str, host_event: str, strong: str | None, **more: object) -> Event | None:
        payload: dict[str, Any] = {"hook_event_name": host_event, "session_id": self.session, "cwd": self.cwd, **more}
        if self.agent != MAIN:
            payload["agent_id"], payload["agent_type"] = self.agent, self.role
        event = self.add_event(line, kind, payload, self.branch)
        if event is not None:
            event.strong_id = strong or event.strong_id
        return event


def _output(value: object) -> tuple[str, int | None, float | None]:
    """Return (text, exit code, seconds) of a call's output as the model received it: as JSON, with a header, or plain."""
    text = text_of(value)
    if text.startswith("{"):
        try:
            fields = mapping(decode(text.encode("utf-8", "replace")))
        except ValueError:
            fields = {}
        if "output" in fields:
            facts = mapping(fields.get("metadata"))
            seconds = facts.get("duration_seconds")
            return text_of(fields["output"]), number(facts.get("exit_code")), seconds if isinstance(seconds, int | float) else None
    head, found, rest = text.partition(_OUTPUT)
    code = _EXIT.search(head) if found else None
    return (rest if found and head.startswith(_HEADS) else text), int(code.group(1)) if code else None, None


def _add_end(event: Event, end: dict[str, Any]) -> None:
    """Add what the end of a call says to its result."""
    code, duration = number(end.get("exit_code")), mapping(end.get("duration"))
    if "secs" in duration:
        event.latency_ms = (number(duration.get("secs")) or 0) * 1000 + (number(duration.get("nanos")) or 0) // 1_000_000
    output = text_of(end.get("aggregated_output"))
    if output:
        event.output = output
    if code is not None:
        event.exit_code = code
        if code != 0:
            fail(event, event.output or f"exit code {code}")
        elif event.status == UNKNOWN:
            event.status = SUCCESS
    elif end.get("success") is False or end.get("status") in ("failed", "declined"):
        fail(event, text_of(end.get("stderr")) or event.output or "failed")
    elif event.status == UNKNOWN and (end.get("success") is True or end.get("status") == "completed"):
        event.status = SUCCESS
