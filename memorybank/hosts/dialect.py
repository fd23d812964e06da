"""How one host speaks: its payloads to Events, memory to its replies, and at which events it takes memory at all.

A payload is whatever a host's process wrote to stdin: every field may be missing or of another type, so every read here has an
answer for that and nothing raises. Most hosts took over Claude Code's field names; those are read here, a dialect adds its own.

The strongest id (`Event.strong_id`) is the one that the hook and a transcript of the same session both hold: of a tool call
`tool_use_id`, of a prompt `prompt_id` or what the host calls it. A turn's end has none on purpose: one prompt can end several
times (a stop hook that sends the agent on, background work), and the writer tells these apart by their words.
"""

from __future__ import annotations

__light__ = True

from memorybank.clock import parse
from memorybank.cycle.event import FAILURE, MAIN, PARTIAL, PROMPT, SUCCESS, TOOL_AFTER, TOOL_BEFORE, TURN_END, Event
from memorybank.hosts import tools
from memorybank.storage.jsontext import encode, encode_bytes

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any, ClassVar

REPLY_CAP = 10_000
"""UTF-16 units that a host passes on whole (Claude Code, measured: 10,001 become a file path; Codex about the same)."""

_DEPTH = 6
_TEXT_KEYS = ("text", "content", "output", "result", "message", "stdout")


class Dialect:
    """One host. host: its name; events: the host's event → canonical name; delivers: canonical events that take memory; forgets: when it
    resumes a session, what hooks gave the model at its start is no longer there (measured)."""

    host = ""
    forgets = False
    events: ClassVar[dict[str, str]] = {}
    delivers: frozenset[str] = frozenset()

    def to_event(self, payload: object, environ: Mapping[str, str], event_hint: str | None = None) -> Event | None:
        """The Event of one payload, or None for what is not ours: another event, an internal agent, no JSON object.

        event_hint: the event's name from the command line, for hosts that do not send it.
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
        """False for events of a host's own internal agents."""
        return True

    def read_agent(self, payload: dict[str, Any], event: Event) -> None:
        """agent_id only in sub-agents; agent_type there, and for the main agent when it was started under a name."""
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
        from memorybank.text.typed import is_notice  # late: patterns that no other event pays for

        event.prompt = content(payload.get("prompt"))
        event.human = not is_notice(event.prompt)
        event.strong_id = string(payload, "prompt_id", "turn_id") or None

    def read_moment(self, payload: dict[str, Any], event: Event) -> None:
        """Everything that is neither a tool nor a prompt. A resumed session whose host forgets begins anew: `startup`, for the reason `resume`."""
        event.source = string(payload, "source") or None
        event.reason = string(payload, "reason", "trigger") or None
        if self.forgets and event.source == "resume":
            event.source, event.reason = "startup", "resume"
        if event.name == TURN_END:
            event.last_message = content(payload.get("last_assistant_message"))

    def remarks(self, event: Event) -> list[tuple[str, str]]:
        """`Event.remarks` of a turn that ends now, where the host's transcript tells them. Never raises."""
        return []

    def reply(self, event: Event, text: str, note: str = "") -> bytes | None:
        """What to print for the host: `text` for the agent, `note` a line for the person; None prints nothing.

        Never at an event where the host takes none, never longer than the host passes on whole: it would mangle it.
        """
        if text and (not event.delivery or _utf16(text) > REPLY_CAP):
            text = ""
        answer = self.answer(event, text, note) if text or note else None
        return encode_bytes(answer) if answer else None

    def answer(self, event: Event, text: str, note: str) -> dict[str, Any] | None:
        """The reply as a JSON object in the host's own form. text, note: may be empty."""
        raise NotImplementedError


def nested(event: Event, text: str, note: str) -> dict[str, Any]:
    """Claude Code's form, which Gemini CLI reads too: the text below the event's name, a note beside."""
    answer: dict[str, Any] = {}
    if text:
        answer["hookSpecificOutput"] = {"hookEventName": event.host_event, "additionalContext": text}
    if note:
        answer["systemMessage"] = note
    return answer


def fail(event: Event, message: str) -> None:
    event.status = FAILURE
    event.error = message


def interrupt(event: Event, message: str = "") -> None:
    """The person stopped or refused it."""
    event.status = PARTIAL
    event.interrupted = True
    event.reason = event.reason or "interrupted"
    event.error = message or event.error


def string(payload: dict[str, Any], *keys: str) -> str:
    """The first of `keys` that holds a text with something in it, else ""."""
    for key in keys:
        value = payload.get(key)
        if isinstance(value, str) and value:
            return value
    return ""


def mapping(value: object) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}


def number(value: object) -> int | None:
    """A whole number, rounded down; None for everything else."""
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        return None
    return int(value) if -(2**63) < value < 2**63 else None


def instant(value: object) -> int | None:
    """ms since the epoch of a host's time: a number of ms, or ISO 8601."""
    return parse(value) if isinstance(value, str) else number(value)


def content(value: object, depth: int = 0) -> str:
    """The text of what a tool or model said: a text, content blocks, or an object that holds one. Pictures become their kind."""
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
    """JSON of anything that was JSON; "" for what cannot be written."""
    if value in (None, "", [], {}):
        return ""
    try:
        return encode(value)
    except (TypeError, ValueError, RecursionError):
        return ""


def without_leading(text: str, tags: tuple[str, ...]) -> str:
    """`text` without blocks `<tag …>…</tag>` of a host's making before it; one that is not closed stays."""
    while True:
        rest = text.lstrip()
        for tag in tags:
            if rest.startswith((f"<{tag}>", f"<{tag} ")) and (end := rest.find(f"</{tag}>")) >= 0:
                text = rest[end + len(tag) + 3 :].lstrip("\r\n")
                break
        else:
            return text


def _utf16(text: str) -> int:
    from memorybank.injection import utf16

    return utf16(text)
