"""The dialect of Cursor (from its documentation; not run here). Its payloads contain the person's e-mail address, which nothing here reads."""

from __future__ import annotations

__light__ = True

from memorybank.cycle.event import FAILURE, MAIN, PARTIAL, PROMPT, SESSION_START, SUCCESS, TOOL_AFTER, TURN_END, Event
from memorybank.hosts.dialect import CLAUDE_CODE_EVENTS, Dialect, content, fail, interrupt, mapping, number, string, with_camel_case
from memorybank.storage.jsontext import decode

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, ClassVar

_MCP = "MCP:"


class Cursor(Dialect):
    """Cursor's dialect. Claude Code's event names are read too, because Cursor can run the hooks of `.claude/settings.json`."""

    host = "cursor"
    events: ClassVar[dict[str, str]] = {
        **with_camel_case({**CLAUDE_CODE_EVENTS, "PostToolUseFailure": TOOL_AFTER}),
        "beforeSubmitPrompt": PROMPT,
    }
    delivers = frozenset((SESSION_START, TOOL_AFTER))
    delivering = ("sessionStart", "postToolUse")
    """The events whose documented reply has `additional_context`."""

    def session_id(self, payload: dict[str, Any]) -> str:
        return string(payload, "conversation_id", "session_id")

    def read_agent(self, payload: dict[str, Any], event: Event) -> None:
        event.delivery = event.host_event in self.delivering
        roots = payload.get("workspace_roots")
        if not event.cwd and isinstance(roots, list):
            event.cwd = next((root for root in roots if isinstance(root, str)), "")
        role = string(payload, "subagent_type", "agent_type")
        event.agent_id = string(payload, "subagent_id", "agent_id") or role or MAIN
        event.agent_role = role or MAIN

    def read_tool(self, payload: dict[str, Any], event: Event) -> None:
        super().read_tool(payload, event)
        if event.tool and event.tool.startswith(_MCP):
            event.tool = f"mcp__unknown__{event.tool[len(_MCP) :]}"

    def read_prompt(self, payload: dict[str, Any], event: Event) -> None:
        super().read_prompt(payload, event)
        event.strong_id = string(payload, "generation_id") or event.strong_id

    def read_result(self, payload: dict[str, Any], event: Event) -> None:
        result = _parsed(payload.get("tool_output", payload.get("tool_response")))
        fields = mapping(result)
        event.output = content(result)
        event.latency_ms = number(payload.get("duration", payload.get("duration_ms")))
        event.exit_code = number(fields.get("exitCode", fields.get("exit_code")))
        event.status = SUCCESS
        if event.host_event in ("postToolUseFailure", "PostToolUseFailure"):
            fail(event, string(payload, "error_message", "error"))
            if string(payload, "failure_type") in ("timeout", "permission_denied"):
                event.status = PARTIAL
        elif event.exit_code or fields.get("isError") is True:
            fail(event, event.output)
        if payload.get("is_interrupt") is True:
            interrupt(event)

    def read_moment(self, payload: dict[str, Any], event: Event) -> None:
        super().read_moment(payload, event)
        if event.name == SESSION_START:
            event.source = event.source or "startup"
        elif event.name == TURN_END:
            status = string(payload, "status")
            if status == "error":
                event.reason = "error"
                event.status = FAILURE
            elif status == "aborted":
                event.reason = "interrupted"
                event.interrupted = True
                event.status = PARTIAL

    def answer(self, event: Event, text: str, note: str) -> dict[str, Any] | None:
        return {"additional_context": text} if text else None


def _parsed(value: object) -> object:
    """Return a tool's output, which Cursor sends as JSON text, decoded."""
    if isinstance(value, str) and value.lstrip()[:1] in ("{", "["):
        try:
            return decode(value)
        except ValueError:
            return value
    return value
