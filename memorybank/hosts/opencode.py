"""The dialect of opencode 1.x (measured: 1.18.33), through memorybank's own plugin (`opencode_plugin.js`), which sends one JSON object per event:

    {"memorybank": 1, "hook_event_name": canonical name, "session_id", "agent_id", "agent_type", "timestamp", "cwd", "source", "reason",
     "prompt", "prompt_id", "tool_name", "tool_input", "tool_use_id", "tool_output", "exit_code", "error", "duration_ms",
     "last_assistant_message"}

and adds the `text` of the reply to the system prompt or appends it to the tool's output.
"""

from __future__ import annotations

__light__ = True

from memorybank.cycle.event import NAMES, PROMPT, SESSION_START, SUBAGENT_START, SUCCESS, TOOL_AFTER, TURN_END, Event
from memorybank.hosts.dialect import Dialect, content, fail, interrupt, number

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, ClassVar

_ABORTED = ("Tool execution aborted", "The user rejected permission", "MessageAbortedError")
"""How the error of a call or turn begins in opencode when a person stopped or refused it."""


class OpenCode(Dialect):
    host = "opencode"
    forgets = True
    events: ClassVar[dict[str, str]] = {name: name for name in NAMES}
    delivers = frozenset((SESSION_START, PROMPT, TOOL_AFTER, SUBAGENT_START))

    def read_result(self, payload: dict[str, Any], event: Event) -> None:
        event.output = content(payload.get("tool_output"))
        event.latency_ms = number(payload.get("duration_ms"))
        event.exit_code = number(payload.get("exit_code"))
        event.status = SUCCESS
        error = content(payload.get("error"))
        if error:
            fail(event, error)
            if error.startswith(_ABORTED):
                interrupt(event)
        elif event.exit_code:
            fail(event, event.output)

    def read_moment(self, payload: dict[str, Any], event: Event) -> None:
        super().read_moment(payload, event)
        error = content(payload.get("error"))
        if event.name == TURN_END and error:
            event.reason = "error"
            fail(event, error)
            if error.startswith(_ABORTED):
                event.reason = "interrupted"
                interrupt(event)

    def answer(self, event: Event, text: str, note: str) -> dict[str, Any] | None:
        return {"text": text} if text else None
