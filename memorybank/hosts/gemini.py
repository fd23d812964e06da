"""The dialect of Gemini CLI (measured: 0.61.0)."""

from __future__ import annotations

__light__ = True

from memorybank.cycle.event import PARTIAL, PROMPT, SESSION_END, SESSION_START, SUCCESS, TOOL_AFTER, TOOL_BEFORE, TURN_END, Event
from memorybank.hosts.dialect import Dialect, content, fail, interrupt, mapping, string, without_leading

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, ClassVar

_WRAPPER_OPEN = "<untrusted_context>"
_WRAPPER_CLOSE = "</untrusted_context>"
_CANCELLED = "Command was cancelled by user"
_TIMED_OUT = "Command was automatically cancelled because it exceeded the timeout"
_BACKGROUND = "Command moved to background"
_TRAILERS = ("Process Group PGID: ", "Background PIDs: ", "Signal: ", "Exit Code: ", "Error: ")
"""The lines that Gemini CLI writes after a command's output, the last one first."""


class Gemini(Dialect):
    """Gemini CLI's dialect. Its PreCompress is not read: it fires before every model call, whether the session is compressed or not (measured)."""

    host = "gemini"
    forgets = True
    events: ClassVar[dict[str, str]] = {
        "SessionStart": SESSION_START,
        "BeforeAgent": PROMPT,
        "BeforeTool": TOOL_BEFORE,
        "AfterTool": TOOL_AFTER,
        "AfterAgent": TURN_END,
        "SessionEnd": SESSION_END,
    }
    delivers = frozenset((SESSION_START, PROMPT, TOOL_AFTER))

    def read_prompt(self, payload: dict[str, Any], event: Event) -> None:
        """Read a prompt. Without a terminal, Gemini CLI puts the context of the session's start before it; that part is removed."""
        super().read_prompt(payload, event)
        event.prompt = without_leading(event.prompt or "", ("hook_context",))

    def read_tool(self, payload: dict[str, Any], event: Event) -> None:
        super().read_tool(payload, event)
        context = mapping(payload.get("mcp_context"))
        server, tool = string(context, "server_name"), string(context, "tool_name")
        if server and tool:
            event.tool = f"mcp__{server}__{tool}"

    def read_result(self, payload: dict[str, Any], event: Event) -> None:
        response = mapping(payload.get("tool_response"))
        text = content(response.get("llmContent")) if response else content(payload.get("tool_response"))
        event.status = SUCCESS
        event.output = _unwrapped(text)
        if event.tool == "Bash":
            _read_command(event)
        error = content(response.get("error"))
        if error and event.status == SUCCESS:
            fail(event, error)
        event.error = event.error or error or None

    def read_moment(self, payload: dict[str, Any], event: Event) -> None:
        super().read_moment(payload, event)
        if event.name == TURN_END:
            event.last_message = content(payload.get("prompt_response"))


def _unwrapped(text: str) -> str:
    text = text.strip("\n")
    if text.startswith(_WRAPPER_OPEN) and text.endswith(_WRAPPER_CLOSE):
        return text[len(_WRAPPER_OPEN) : -len(_WRAPPER_CLOSE)].strip("\n")
    return text


def _read_command(event: Event) -> None:
    """Read `Output: …` and the lines after it: an exit code only when it is not zero, a signal when one ended the command."""
    output = event.output or ""
    if output.startswith(_CANCELLED):
        interrupt(event)
    elif output.startswith((_TIMED_OUT, _BACKGROUND)):
        event.status = PARTIAL
    if not output.startswith("Output: "):
        return
    rest = output
    said: dict[str, str] = {}
    for mark in _TRAILERS:
        head, _, last = rest.rpartition("\n")
        if last.startswith(mark):
            rest = head
            said[mark] = last[len(mark) :].strip()
    event.output = rest.removeprefix("Output: ")
    code = said.get("Exit Code: ", "")
    event.exit_code = int(code) if code.isdigit() else None
    if event.exit_code or "Error: " in said or "Signal: " in said:
        fail(event, said.get("Error: ") or event.output)
    else:
        event.exit_code = 0
