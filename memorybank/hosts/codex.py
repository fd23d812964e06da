"""The dialect of OpenAI Codex CLI (measured: 0.169.0). It uses Claude Code's names, and its hooks do not say whether a command failed."""

from __future__ import annotations

__light__ = True

from memorybank.cycle.event import MAIN, PARTIAL, PROMPT, SESSION_START, SUBAGENT_START, SUCCESS, TOOL_AFTER, TOOL_BEFORE, TURN_END, UNKNOWN, Event
from memorybank.hosts.dialect import CLAUDE_CODE_EVENTS, Dialect, content, fail, mapping, number, string

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, ClassVar

_APPLIED = "Success."
"""How the output of apply_patch begins when the patch was applied."""
_EXIT_CODE = "Exit code: "
_OUTPUT = "\nOutput:\n"
"""`Exit code: 0\\nWall time: 0 seconds\\nOutput:\\n…`: the form of apply_patch's result, used by no other tool (measured)."""


class Codex(Dialect):
    host = "codex"
    events: ClassVar[dict[str, str]] = {**CLAUDE_CODE_EVENTS, "Interrupt": TURN_END}
    delivers = frozenset((SESSION_START, PROMPT, TOOL_BEFORE, TOOL_AFTER, SUBAGENT_START))

    def read_prompt(self, payload: dict[str, Any], event: Event) -> None:
        super().read_prompt(payload, event)
        event.human = event.human and event.agent_id == MAIN

    def read_result(self, payload: dict[str, Any], event: Event) -> None:
        """Read the result of a call. A shell's result is only its output, whether it failed or not; MCP results and some versions say more."""
        response = payload.get("tool_response")
        fields = mapping(response)
        event.output = content(response)
        event.exit_code = number(mapping(fields.get("metadata")).get("exit_code"))
        seconds = mapping(fields.get("metadata")).get("duration_seconds")
        event.latency_ms = number(seconds * 1000) if isinstance(seconds, (int, float)) else None
        _read_patch_result(event)
        if event.exit_code is not None:
            event.status = SUCCESS
            if event.exit_code != 0:
                fail(event, event.output)
        elif fields.get("isError") is True or fields.get("is_error") is True:
            fail(event, event.output)
        elif "isError" in fields or "is_error" in fields or (event.tool == "Edit" and event.output.startswith(_APPLIED)):
            event.status = SUCCESS
        else:
            event.status = UNKNOWN

    def read_moment(self, payload: dict[str, Any], event: Event) -> None:
        super().read_moment(payload, event)
        event.transcript_path = string(payload, "agent_transcript_path") or event.transcript_path
        if event.host_event == "Interrupt":
            event.reason = "interrupted"
            event.interrupted = True
            event.status = PARTIAL

    def answer(self, event: Event, text: str, note: str) -> dict[str, Any] | None:
        """Reply with the text alone: with one key that Codex does not know at an event, it drops the entire reply (measured)."""
        return super().answer(event, text, "")


def _read_patch_result(event: Event) -> None:
    head, found, output = (event.output or "").partition(_OUTPUT)
    code = head.partition("\n")[0].removeprefix(_EXIT_CODE)
    if event.tool == "Edit" and found and head.startswith(_EXIT_CODE) and code.isdigit():
        event.exit_code = int(code)
        event.output = output
