"""Real transcripts as the payloads that Claude Code would have sent, played through the dialect and the router at their own times.

The transcripts are others' work and not part of this repository: `MEMORYBANK_TRANSCRIPTS` names the folder that holds them.
"""

import gzip
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from memorybank import clock as time_of
from memorybank.clock import FixedClock
from memorybank.cycle.base import describe
from memorybank.cycle.router import HookRouter
from memorybank.hosts.claude_code import ClaudeCode


def payloads(transcript: Path) -> Iterator[tuple[int, dict[str, Any]]]:
    """(instant, payload) of one session, in order; ended by a Stop before each new prompt and a SessionEnd."""
    opened: dict[str, dict[str, Any]] = {}
    at = 0
    said = ""
    started = False
    common: dict[str, Any] = {}
    with gzip.open(transcript, "rt", encoding="utf-8") as stream:
        for raw in stream:
            line = json.loads(raw)
            message = line.get("message")
            if line.get("type") not in ("user", "assistant") or not isinstance(message, dict) or line.get("isMeta"):
                continue
            at = time_of.parse(line["timestamp"]) or at
            common = {"session_id": line["sessionId"], "cwd": line["cwd"], "transcript_path": str(transcript), "permission_mode": "default"}
            if not started:
                started = True
                yield at, {**common, "hook_event_name": "SessionStart", "source": "startup"}
            content = message.get("content")
            if line["type"] == "user" and isinstance(content, str):
                if said:
                    yield at, {**common, "hook_event_name": "Stop", "last_assistant_message": said, "stop_hook_active": False}
                said = ""
                yield at, {**common, "hook_event_name": "UserPromptSubmit", "prompt": content, "prompt_id": line["uuid"]}
                continue
            for block in content if isinstance(content, list) else ():
                if block.get("type") == "text" and line["type"] == "assistant":
                    said = block["text"]
                elif block.get("type") == "tool_use":
                    opened[block["id"]] = {"tool_name": block["name"], "tool_input": block["input"], "tool_use_id": block["id"], "since": at}
                    yield at, {**common, "hook_event_name": "PreToolUse", **{name: value for name, value in opened[block["id"]].items() if name != "since"}}
                elif block.get("type") == "tool_result" and block["tool_use_id"] in opened:
                    call = opened.pop(block["tool_use_id"])
                    call["duration_ms"] = at - call.pop("since")
                    if block.get("is_error"):
                        yield at, {**common, "hook_event_name": "PostToolUseFailure", **call, "error": _text(block["content"]), "is_interrupt": False}
                    else:
                        yield at, {**common, "hook_event_name": "PostToolUse", **call, "tool_response": line.get("toolUseResult", block["content"])}
    if common:
        yield at, {**common, "hook_event_name": "Stop", "last_assistant_message": said, "stop_hook_active": False}
        yield at, {**common, "hook_event_name": "SessionEnd", "reason": "other"}


def play(transcript: Path, layout: Any) -> Iterator[tuple[dict[str, Any], Any]]:
    """Fire every payload in this process; (payload, injection) each. The project's folder becomes the bank's."""
    dialect = ClaudeCode()
    open_router: HookRouter | None = None
    for at, payload in payloads(transcript):
        payload = json.loads(json.dumps(payload).replace(json.dumps(payload["cwd"])[1:-1], json.dumps(layout.repository or layout.root)[1:-1]))
        event = dialect.to_event(payload, {})
        if event is not None:
            base = describe(layout, FixedClock(at))
            router = HookRouter(base, dialect.delivers)
            yield payload, router.answer(event)
            router.finish(event)
            open_router = router.close_after(open_router)
    if open_router is not None:
        open_router.close()


def _text(content: Any) -> str:
    if isinstance(content, str):
        return content
    return "\n".join(block.get("text", "") for block in content if isinstance(block, dict))
