"""The dialect of Claude Code (measured: 2.1.330)."""

from __future__ import annotations

__light__ = True

from memorybank.cycle.event import FAILURE, MAIN, PARTIAL, PROMPT, SESSION_START, SUBAGENT_START, SUCCESS, TOOL_AFTER, TOOL_BEFORE, TURN_END, Event
from memorybank.hosts.claude_code_text import INTERRUPTED
from memorybank.hosts.dialect import CLAUDE_CODE_EVENTS, Dialect, compact, content, fail, interrupt, mapping, number, string, without_leading
from memorybank.storage.jsontext import decode

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, ClassVar

_WRAPPERS = ("system-reminder", "ide_opened_file", "ide_selection", "ide_diagnostics")
_REJECTED = ("The user doesn't want to proceed with this tool use", "User rejected tool use", INTERRUPTED)
_TIMED_OUT = "Command timed out after "
_EXIT_CODE = "Exit code "
_STRUCTURED = '{"result":'
_CLOSED = ("completed", "failed", "killed", "stopped", "cancelled")


class ClaudeCode(Dialect):
    host = "claude-code"
    events: ClassVar[dict[str, str]] = {**CLAUDE_CODE_EVENTS, "PostToolUseFailure": TOOL_AFTER, "StopFailure": TURN_END}
    delivers = frozenset((SESSION_START, PROMPT, TOOL_BEFORE, TOOL_AFTER, SUBAGENT_START))
    notifies = frozenset(("Stop",))

    def is_ours(self, payload: dict[str, Any], event: Event) -> bool:
        """Return False for Claude Code's own internal agents (compaction), which have an id and an empty type."""
        named = bool(string(payload, "agent_type"))
        if event.host_event in ("SubagentStop", "SubagentStart"):
            return named
        return event.agent_id == MAIN or named

    def read_prompt(self, payload: dict[str, Any], event: Event) -> None:
        super().read_prompt(payload, event)
        event.prompt = without_leading(event.prompt or "", _WRAPPERS)

    def read_result(self, payload: dict[str, Any], event: Event) -> None:
        event.latency_ms = number(payload.get("duration_ms"))
        if event.host_event == "PostToolUseFailure":
            read_failure(content(payload.get("error")), payload.get("is_interrupt") is True, event)
        else:
            read_response(payload.get("tool_response"), event)

    def read_moment(self, payload: dict[str, Any], event: Event) -> None:
        super().read_moment(payload, event)
        if event.name != TURN_END:
            return
        event.open_work = _open_work(payload.get("background_tasks"), event.agent_id)
        event.transcript_path = string(payload, "agent_transcript_path") or event.transcript_path
        if event.host_event == "StopFailure":
            event.reason = "error"
            event.status = FAILURE
            details = content(payload.get("error_details"))
            event.error = content(payload.get("error")) + (f": {details}" if details else "")

    def remarks(self, event: Event) -> list[tuple[str, str]]:
        from memorybank.hosts import turn  # late: only the end of a turn needs it

        return turn.remarks(event.transcript_path or "", event.session_id, event.agent_id)


def read_failure(message: str, interrupted: bool, event: Event) -> None:
    """Read the error `Exit code 3\\nout\\nerr`. Its beginning may contain the exit code, or say that a person or a timeout stopped the call."""
    fail(event, message)
    body = message.removeprefix("Error: ")
    first, _, rest = body.partition("\n")
    if first.startswith(_EXIT_CODE) and first[len(_EXIT_CODE) :].strip().isdigit():
        event.exit_code = int(first[len(_EXIT_CODE) :])
        event.output = rest
    if interrupted or body.startswith(_REJECTED):
        interrupt(event)
    elif body.startswith(_TIMED_OUT) or rest.startswith(_TIMED_OUT):
        event.status = PARTIAL


def read_response(response: object, event: Event) -> None:
    """Read the result of a tool call that Claude Code does not report as a failure."""
    fields = mapping(response)
    event.status = SUCCESS
    event.output = _output(event.tool or "", response, fields)
    event.tokens = number(fields.get("totalTokens"))
    if event.latency_ms is None:
        event.latency_ms = number(fields.get("totalDurationMs"))
    if fields.get("interrupted") is True:
        interrupt(event)
    elif fields.get("status") == "async_launched" or fields.get("backgroundTaskId"):
        event.status = PARTIAL
    elif fields.get("isError") is True or fields.get("is_error") is True:
        fail(event, event.output)


def _output(tool: str, response: object, fields: dict[str, Any]) -> str:
    if "stdout" in fields:
        return "\n".join(part for part in (string(fields, "stdout"), string(fields, "stderr")) if part)
    if "structuredPatch" in fields:
        return _patch(fields["structuredPatch"]) or string(fields, "type")
    if isinstance(fields.get("file"), dict):
        return string(fields["file"], "content") or f"[{string(fields, 'type') or 'file'}]"
    if isinstance(fields.get("filenames"), list) and not fields.get("content"):
        return content(fields["filenames"])
    if tool == "Todo":
        return ""
    if "results" in fields:
        return content(fields["results"])
    if fields.get("status") == "async_launched":
        return string(fields, "status")
    if isinstance(response, str) and response.startswith(_STRUCTURED):
        return _structured(response)
    return content(response) or compact(response)


def _structured(response: str) -> str:
    """Return the text of structured content from an MCP server, which its SDK wraps as `{"result": text}`."""
    try:
        value = decode(response)
    except ValueError:
        return response
    return value["result"] if len(value) == 1 and isinstance(value["result"], str) else response


def _patch(hunks: object) -> str:
    """Return the changed lines of an edit, with their - and +."""
    if not isinstance(hunks, list):
        return ""
    lines = [line for hunk in hunks for line in mapping(hunk).get("lines") or () if isinstance(mapping(hunk).get("lines"), list)]
    return "\n".join(line for line in lines if isinstance(line, str))


def _open_work(tasks: object, agent_id: str) -> int:
    """Return the number of background tasks still running. A sub-agent that ends is listed as running, so it is not counted itself."""
    if not isinstance(tasks, list):
        return 0
    return sum(1 for task in tasks if isinstance(task, dict) and task.get("status") not in _CLOSED and task.get("id") != agent_id)
