"""The base class of dialects: it turns a host's payloads into Events and memory into the host's replies, and names the events at which the host accepts memory.

A payload is whatever a host's process wrote to stdin. Every field may be missing or of another type, so every function here handles
that and none raises. Most hosts use Claude Code's field names; those are read here, and a dialect adds its own.

The strongest id (`Event.strong_id`) is the one that both the hook and a transcript of the same session contain: `tool_use_id` for a tool
call, `prompt_id` or the host's name for it for a prompt. The end of a turn has none on purpose: one prompt can end several times (a stop
hook that makes the agent continue, background work), and the writer distinguishes these ends by their words.
"""

from __future__ import annotations

__light__ = True

from memorybank.clock import parse
from memorybank.cycle.event import (
    COMPACT_BEFORE,
    FAILURE,
    MAIN,
    PARTIAL,
    PROMPT,
    SESSION_END,
    SESSION_START,
    SUBAGENT_START,
    SUCCESS,
    TOOL_AFTER,
    TOOL_BEFORE,
    TURN_END,
    Event,
)
from memorybank.hosts import tools
from memorybank.storage.jsontext import encode, encode_bytes

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any, ClassVar

REPLY_CAP = 10_000
"""UTF-16 units that a host passes on in full (Claude Code, measured: 10,001 become a file path; Codex about the same)."""

CLAUDE_CODE_EVENTS = {
    "SessionStart": SESSION_START,
    "UserPromptSubmit": PROMPT,
    "PreToolUse": TOOL_BEFORE,
    "PostToolUse": TOOL_AFTER,
    "SubagentStart": SUBAGENT_START,
    "SubagentStop": TURN_END,
    "Stop": TURN_END,
    "PreCompact": COMPACT_BEFORE,
    "SessionEnd": SESSION_END,
}
"""Claude Code's events by the names that most hosts have adopted, or send when they run the hooks of `.claude/settings.json`."""

_DEPTH = 6
_TEXT_KEYS = ("text", "content", "output", "result", "message", "stdout")


class Dialect:
    """The dialect of one host.

    host: its name
    events: {the host's event: canonical name}
    delivers: canonical events at which it accepts memory
    notifies: the host's events at which it shows a note to the person (measured)
    forgets: after resuming a session, the model no longer has what hooks gave it at the session's start (measured)
    """

    host = ""
    forgets = False
    events: ClassVar[dict[str, str]] = {}
    delivers: frozenset[str] = frozenset()
    notifies: frozenset[str] = frozenset()

    def to_event(self, payload: object, environ: Mapping[str, str], event_hint: str | None = None) -> Event | None:
        """Return the Event of a payload, or None for one to ignore: an unknown event, an internal agent, not a JSON object.

        event_hint: the event's name from the command line, for hosts whose payload does not name it.
        """
        if not isinstance(payload, dict):
            return None
        host_event = string(payload, "hook_event_name") or event_hint or ""
        name = self.events.get(host_event)
        if name is None:
            return None
        event = Event(
            host=self.host,
            name=name,
            host_event=host_event,
            session_id=self.session_id(payload),
            at=instant(payload.get("timestamp")),
            cwd=string(payload, "cwd"),
            transcript_path=string(payload, "transcript_path", "transcriptPath") or None,
            permission_mode=string(payload, "permission_mode") or None,
            delivery=name in self.delivers,
        )
        self.read_agent(payload, event)
        if name in (TOOL_BEFORE, TOOL_AFTER):
            self.read_tool(payload, event)
            if name == TOOL_AFTER:
                self.read_result(payload, event)
        elif name == PROMPT:
            self.read_prompt(payload, event)
        else:
            self.read_moment(payload, event)
        return event if self.is_ours(payload, event) else None

    def session_id(self, payload: dict[str, Any]) -> str:
        return string(payload, "session_id")

    def is_ours(self, payload: dict[str, Any], event: Event) -> bool:
        """Return False for events of a host's own internal agents."""
        return True

    def read_agent(self, payload: dict[str, Any], event: Event) -> None:
        """Read the agent. `agent_id` is sent only for sub-agents; `agent_type` also for a main agent that was started under a name."""
        event.agent_id = string(payload, "agent_id") or MAIN
        event.agent_role = string(payload, "agent_type") or MAIN

    def read_tool(self, payload: dict[str, Any], event: Event) -> None:
        event.tool = tools.name(string(payload, "tool_name"))
        event.inputs = tools.inputs(event.tool, payload.get("tool_input"))
        event.tool_use_id = event.strong_id = string(payload, "tool_use_id") or None

    def read_result(self, payload: dict[str, Any], event: Event) -> None:
        event.output = content(payload.get("tool_response"))
        event.status = SUCCESS

    def read_prompt(self, payload: dict[str, Any], event: Event) -> None:
        from memorybank.text.prompts.typed import is_notice  # imported late: compiling its patterns would cost every other event time

        event.prompt = content(payload.get("prompt"))
        event.human = not is_notice(event.prompt)
        event.strong_id = string(payload, "prompt_id", "turn_id") or None

    def read_moment(self, payload: dict[str, Any], event: Event) -> None:
        """Read an event that is neither a tool call nor a prompt. A resumed session becomes `startup` with reason `resume` where the host forgets."""
        event.source = string(payload, "source") or None
        event.reason = string(payload, "reason", "trigger") or None
        if self.forgets and event.source == "resume":
            event.source, event.reason = "startup", "resume"
        if event.name == TURN_END:
            event.last_message = content(payload.get("last_assistant_message"))

    def remarks(self, event: Event) -> list[tuple[str, str]]:
        """Return `Event.remarks` of a turn that ends now, where the host's transcript contains them. Never raises."""
        return []

    def reply(self, event: Event, text: str, note: str = "") -> bytes | None:
        """Return what to print for the host, or None to print nothing.

        text: the text for the agent. It is dropped at an event without delivery, and when longer than `REPLY_CAP`, because the host would mangle it.
        note: a line for the person.
        """
        if text:
            from memorybank.injection import utf16  # late: most events have no reply

            if not event.delivery or utf16(text) > REPLY_CAP:
                text = ""
        answer = self.answer(event, text, note) if text or note else None
        return encode_bytes(answer) if answer else None

    def answer(self, event: Event, text: str, note: str) -> dict[str, Any] | None:
        """Return the reply as a JSON object: in Claude Code's form, the text in an object with the event's name, and the note next to it.

        text, note: may be empty.
        """
        answer: dict[str, Any] = {}
        if text:
            answer["hookSpecificOutput"] = {"hookEventName": event.host_event, "additionalContext": text}
        if note:
            answer["systemMessage"] = note
        return answer


def with_camel_case(events: dict[str, str]) -> dict[str, str]:
    """Return a host's events also under the names `preToolUse`, `stop` …, for the hosts that write both spellings."""
    return events | {name[0].lower() + name[1:]: canonical for name, canonical in events.items()}


def fail(event: Event, message: str) -> None:
    event.status = FAILURE
    event.error = message


def interrupt(event: Event) -> None:
    """Record that the person stopped or refused it."""
    event.status = PARTIAL
    event.interrupted = True
    event.reason = event.reason or "interrupted"


def string(payload: dict[str, Any], *keys: str) -> str:
    """Return the first non-empty string under one of `keys`, or ""."""
    for key in keys:
        value = payload.get(key)
        if isinstance(value, str) and value:
            return value
    return ""


def mapping(value: object) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}


def number(value: object) -> int | None:
    """Return an integer, rounded towards zero, or None for anything that is not a number of at most 64 bits."""
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        return None
    return int(value) if -(2**63) < value < 2**63 else None


def instant(value: object) -> int | None:
    """Return a host's time, a number of ms or an ISO 8601 text, as ms since the epoch."""
    return parse(value) if isinstance(value, str) else number(value)


def content(value: object, depth: int = 0) -> str:
    """Return the text in a tool's or model's output: a string, content blocks, or an object that contains one. Pictures become `[image]`."""
    if isinstance(value, str):
        return value
    if value is None or value is False or depth > _DEPTH:
        return ""
    if isinstance(value, list):
        return "\n".join(part for part in [content(item, depth + 1) for item in value] if part)
    if isinstance(value, dict):
        kind = value.get("type")
        if kind in ("image", "audio", "document", "resource_link"):
            return f"[{kind}]"
        if kind == "resource":
            return content(mapping(value.get("resource")).get("text"), depth + 1)
        for key in _TEXT_KEYS:
            if value.get(key):
                return content(value[key], depth + 1)
    return compact(value)


def compact(value: object) -> str:
    """Return JSON of any decoded JSON value; "" for an empty value and for one that cannot be encoded."""
    if value in (None, "", [], {}):
        return ""
    try:
        return encode(value)
    except (TypeError, ValueError, RecursionError):
        return ""


def without_leading(text: str, tags: tuple[str, ...]) -> str:
    """Return `text` without blocks `<tag …>…</tag>` that a host put before it. A block without an end stays."""
    while True:
        rest = text.lstrip()
        for tag in tags:
            if rest.startswith((f"<{tag}>", f"<{tag} ")) and (end := rest.find(f"</{tag}>")) >= 0:
                text = rest[end + len(tag) + 3 :].lstrip("\r\n")
                break
        else:
            return text
