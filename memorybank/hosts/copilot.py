"""The dialect of GitHub Copilot CLI (measured: 1.0.102). It has two spellings: events registered in camelCase send camelCase fields and no event name;
events registered in PascalCase (also in `.claude/settings.json`, whose hooks Copilot runs too) send Claude Code's names.
"""

from __future__ import annotations

__light__ = True

from memorybank.cycle.event import MAIN, PARTIAL, PROMPT, SESSION_START, SUBAGENT_START, SUCCESS, TOOL_AFTER, TURN_END, Event
from memorybank.hosts import tools
from memorybank.hosts.dialect import CLAUDE_CODE_EVENTS, Dialect, content, fail, interrupt, mapping, string, with_camel_case

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, ClassVar

_NO_RESULT = ("denied", "timeout", "cancelled")
_EXITED = "with exit code "


class Copilot(Dialect):
    host = "copilot"
    forgets = True
    events: ClassVar[dict[str, str]] = {
        **with_camel_case({**CLAUDE_CODE_EVENTS, "PostToolUseFailure": TOOL_AFTER}),
        "userPromptSubmitted": PROMPT,
        "agentStop": TURN_END,
    }
    delivers = frozenset((SESSION_START, PROMPT, TOOL_AFTER, SUBAGENT_START))
    undelivered = ("UserPromptSubmit", "postToolUseFailure", "PostToolUseFailure")
    """Spellings at which Copilot drops the text (measured), or expects it only with exit code 2 (documented), which a hook never returns."""

    def session_id(self, payload: dict[str, Any]) -> str:
        """Return the session's id. A sub-agent's events carry its own id as session id; the session is then its parent's (measured)."""
        session = string(payload, "sessionId", "session_id")
        if session == string(payload, "agentId", "agent_id"):
            return string(payload, "parentAgentId", "parent_agent_id") or session
        return session

    def is_ours(self, payload: dict[str, Any], event: Event) -> bool:
        """Return False for the first of a sub-agent's two ends: it ends as an agent without a message, then as a sub-agent with its answer."""
        return event.agent_id == MAIN or event.host_event not in ("agentStop", "Stop")

    def read_prompt(self, payload: dict[str, Any], event: Event) -> None:
        super().read_prompt(payload, event)
        event.human = event.human and event.agent_id == MAIN

    def read_agent(self, payload: dict[str, Any], event: Event) -> None:
        event.delivery = event.delivery and event.host_event not in self.undelivered
        role = string(payload, "agentName", "agent_name", "agentType", "agent_type")
        event.agent_id = string(payload, "agentId", "agent_id") or role or MAIN
        event.agent_role = role or MAIN

    def read_tool(self, payload: dict[str, Any], event: Event) -> None:
        event.tool = tools.name(string(payload, "toolName", "tool_name"))
        event.inputs = tools.inputs(event.tool, payload.get("toolArgs", payload.get("tool_input")))
        event.tool_use_id = event.strong_id = string(payload, "toolCallId", "tool_call_id", "tool_use_id") or None

    def read_result(self, payload: dict[str, Any], event: Event) -> None:
        result = mapping(payload.get("toolResult", payload.get("tool_result")))
        kind = string(result, "resultType", "result_type")
        event.output = string(result, "textResultForLlm", "text_result_for_llm")
        event.status = SUCCESS
        if event.tool == "Bash":
            _read_command(event)
        if event.host_event in ("postToolUseFailure", "PostToolUseFailure"):
            fail(event, content(payload.get("error")))
        elif kind == "rejected":
            interrupt(event)
        elif kind in _NO_RESULT:
            event.status = PARTIAL
        elif kind in ("failure", "error"):
            fail(event, event.output)

    def read_moment(self, payload: dict[str, Any], event: Event) -> None:
        super().read_moment(payload, event)
        if event.source == "new":
            event.source = "startup"
        if event.name == TURN_END:
            event.last_message = string(payload, "response", "last_assistant_message")

    def answer(self, event: Event, text: str, note: str) -> dict[str, Any] | None:
        """Reply with a flat object; Claude Code's nested form is ignored (measured)."""
        return {"additionalContext": text} if text else None


def _read_command(event: Event) -> None:
    """Read `…output\\n<shellId: 0 completed with exit code 3>`, whose last line is Copilot's own."""
    head, _, last = (event.output or "").rpartition("\n")
    if not (last.startswith("<") and last.endswith(">") and _EXITED in last):
        return
    code = last[:-1].rpartition(_EXITED)[2]
    if code.isdigit():
        event.output = head
        event.exit_code = int(code)
        if event.exit_code:
            fail(event, head)
