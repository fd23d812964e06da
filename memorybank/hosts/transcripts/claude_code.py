"""Reads a transcript of Claude Code, line by line, as the payloads that its hooks would have received (measured: 2.0 to 2.1.330;
docs/format.md has the table). The same dialect turns a hook's payloads and these into Events, so both record the same.

The format is internal to Claude Code and changes. Lines of unknown types are counted and reported, never guessed at.
"""

from collections.abc import Iterable, Mapping
from typing import Any

from memorybank.cycle.event import MAIN, PARTIAL, Event
from memorybank.hosts.claude_code import ClaudeCode
from memorybank.hosts.claude_code_text import INTERRUPTED, SYNTHETIC, is_local
from memorybank.hosts.dialect import content as text_of
from memorybank.hosts.dialect import mapping, number, string
from memorybank.hosts.transcripts.prompt_queue import PromptQueue
from memorybank.hosts.transcripts.reading import FRAME, LOOSE, SHARED, TranscriptLine, TranscriptReader, TranscriptReading
from memorybank.hosts.turn import TurnText

UNNAMED_ROLE = "subagent"
"""The role of a sub-agent whose type is in no line."""
INTERNAL = ("acompact-", "aprompt_suggestion-", "aside_question-", "asession_memory-", "aagent_summary-", "away_summary-", "amagic_docs-")
"""Prefixes of the ids of Claude Code's own internal agents."""
_COMMAND = "<command-message>"
_QUIET = frozenset(
    (
        *("progress", "file-history-snapshot", "file-history-delta", "summary", "last-prompt", "mode", "permission-mode", "tools-used", "cost-state"),
        *("api-request", "api-request-shape", "api-request-blob", "atis-latch", "custom-title", "ai-title", "agent-name", "agent-color", "agent-setting"),
        *("tag", "pr-link", "worktree-state", "content-replacement", "attribution-snapshot", "marble-origami-commit", "marble-origami-snapshot"),
        *("speculation-accept", "bridge-session", "started", "result"),
    )
)
"""Types of lines that contain nothing that a hook would report."""


def read(lines: Iterable[bytes], *, agent: str = MAIN, role: str | None = None, roles: Mapping[str, str] | None = None) -> TranscriptReading:
    """Read one transcript.

    agent, role: id and type of the sub-agent whose transcript it is.
    roles: {agent id: type}, from the main transcript (`TranscriptReading.roles`).
    """
    return _Reader(agent, role, roles or {}).read(lines)


def is_internal(agent: str) -> bool:
    """Return whether an agent is one of Claude Code's own (compaction, suggestions). Events of their hooks are ignored too."""
    return agent.startswith(INTERNAL)


class _Turn(TurnText):
    """A turn, and the transcript line in which the agent spoke last."""

    __slots__ = ("line",)

    def __init__(self, line: TranscriptLine) -> None:
        super().__init__()
        self.line = line


class _Reader(TranscriptReader):
    def __init__(self, agent: str, role: str | None, roles: Mapping[str, str]) -> None:
        super().__init__(ClaudeCode())
        self.agent = agent
        self.role = role
        self.roles = dict(roles)
        self.calls: dict[str, dict[str, Any]] = {}
        self.turns: dict[tuple[str, str], _Turn] = {}
        self.begun: set[str] = set()
        self.queue = PromptQueue()
        self.place: dict[str, str] = {}
        self.roots: dict[str, str] = {}

    def line(self, line: TranscriptLine) -> None:
        type_ = line.fields.get("type")
        if type_ in ("user", "assistant"):
            self._message(line, type_)
        elif type_ == "attachment":
            self._attachment(line)
        elif type_ == "queue-operation":
            self._queue(line)
        elif type_ == "system":
            self._system(line)
        elif isinstance(type_, str) and type_ in _QUIET:
            self.reading.left_out[type_] += 1
        else:
            self.reading.unknown(line.number, type_[:40] if isinstance(type_, str) else "no type")

    def end(self) -> None:
        """End the open turns: the last text in a transcript ended its turn."""
        for session, agent in list(self.turns):
            self._end_turn(session, agent)

    # conversation

    def _message(self, line: TranscriptLine, type_: str) -> None:
        message = line.fields.get("message")
        content = message.get("content") if isinstance(message, dict) else None
        if not isinstance(message, dict) or not isinstance(content, str | list):
            self.reading.broken(line.number, "no_message")
        elif not string(line.fields, "timestamp"):
            self.reading.broken(line.number, "no_time")
        elif not string(line.fields, "sessionId"):
            self.reading.broken(line.number, "no_session")
        else:
            self._begin(line)
            if type_ == "assistant":
                self._assistant(line, message, content)
            else:
                self._user(line, content)

    def _assistant(self, line: TranscriptLine, message: dict[str, Any], content: str | list[Any]) -> None:
        turn = self._turn(line)
        if line.fields.get("isApiErrorMessage") is True:
            error = text_of(line.fields.get("error")) or "unknown"
            event = self._add(line, LOOSE, "StopFailure", error=error, last_assistant_message=text_of(content))
            if event is not None:
                event.remarks = list(turn.remarks)
            turn.said = ""
            return
        if message.get("model") == SYNTHETIC:
            self.reading.left_out["synthetic"] += 1
            return
        only_thinking = True
        for block in content if isinstance(content, list) else [{"type": "text", "text": content}]:
            kind = block.get("type") if isinstance(block, dict) else None
            if kind == "tool_use" and string(block, "id") and string(block, "name"):
                self.calls[block["id"]] = block
                self._call(line, "PreToolUse", block, LOOSE)
                turn.continue_turn()
                only_thinking = False
            elif kind == "text":
                turn.add_text(string(block, "text"), message.get("id"))
                turn.line = line
                only_thinking = False
            elif kind not in ("thinking", "redacted_thinking", "server_tool_use", "web_search_tool_result", "fallback"):
                self.reading.broken(line.number, "odd_content")
                only_thinking = False
        if only_thinking:
            self.reading.left_out["thinking"] += 1

    def _user(self, line: TranscriptLine, content: str | list[Any]) -> None:
        if line.fields.get("isMeta") is True or line.fields.get("isCompactSummary") is True:
            self.reading.left_out["meta" if line.fields.get("isMeta") is True else "compact_summary"] += 1
            return
        said: list[str] = []
        results = 0
        for block in content if isinstance(content, list) else [{"type": "text", "text": content}]:
            kind = block.get("type") if isinstance(block, dict) else None
            if kind == "tool_result":
                results += 1
                self._result(line, block)
            elif kind == "text":
                said.append(string(block, "text"))
            elif kind not in ("image", "document"):
                self.reading.broken(line.number, "odd_content")
                return
        text = "\n".join(part for part in said if part)
        if text and not results:
            self._said(line, text)
        elif not results:
            self.reading.left_out["empty"] += 1

    def _said(self, line: TranscriptLine, text: str) -> None:
        """Handle a text in the person's place: an interruption, a local command, a sub-agent's task or a prompt."""
        if text.startswith(INTERRUPTED):
            self._interrupt(line)
        elif is_local(text):
            self.reading.left_out["local_command"] += 1
        elif self._agent(line)[0] != MAIN:
            self.reading.left_out["agent_task"] += 1
        else:
            self.queue.prompted(text)
            self._prompt(line, text)

    def _prompt(self, line: TranscriptLine, text: str) -> None:
        """Add a prompt. In older versions it has no id that hooks knew; the line's own id then prevents importing it twice."""
        self._end_turn(line.fields["sessionId"], MAIN)
        shared = string(line.fields, "promptId")
        kind = SHARED if shared else LOOSE
        self._add(line, kind, "UserPromptSubmit", prompt=_typed(text), prompt_id=shared or string(line.fields, "uuid") or line.fields["timestamp"])

    def _interrupt(self, line: TranscriptLine) -> None:
        session, (agent, _) = line.fields["sessionId"], self._agent(line)
        turn = self._turn(line)
        event = self._add(line, LOOSE, "SubagentStop" if agent != MAIN else "Stop", last_assistant_message=turn.said)
        if event is not None:
            event.interrupted, event.reason, event.status = True, "interrupted", PARTIAL
            event.remarks = turn.remarks
        self.turns.pop((session, agent), None)

    def _result(self, line: TranscriptLine, block: dict[str, Any]) -> None:
        """Add a call's result. Claude Code calls no hook for a call that it refused (unknown input, no permission), and an error may be one."""
        call = self.calls.get(string(block, "tool_use_id"))
        if call is None:
            self.reading.broken(line.number, "no_call")
            return
        self._turn(line).continue_turn(call["id"])
        result = line.fields.get("toolUseResult")
        if block.get("is_error") is True:
            said = text_of(block.get("content")).removeprefix("<tool_use_error>").removesuffix("</tool_use_error>")
            self._call(line, "PostToolUseFailure", call, LOOSE, error=said)
            return
        response = block.get("content") if result is None else result
        duration = number(mapping(result).get("durationMs"))
        self._call(line, "PostToolUse", call, SHARED, tool_response=response, duration_ms=duration)
        agent = string(mapping(result), "agentId")
        role = string(mapping(call.get("input")), "subagent_type")
        if agent and role:
            self.roles[agent] = self.reading.roles[agent] = role

    def _call(self, line: TranscriptLine, event: str, call: dict[str, Any], kind: str, **more: object) -> None:
        self._add(line, kind, event, tool_name=call["name"], tool_input=call.get("input"), tool_use_id=call["id"], **more)

    # lines outside the conversation

    def _attachment(self, line: TranscriptLine) -> None:
        attachment = mapping(line.fields.get("attachment"))
        prompt = text_of(attachment.get("prompt"))
        if attachment.get("type") != "queued_command" or attachment.get("commandMode") not in (None, "prompt") or not prompt:
            self.reading.left_out["attachment"] += 1
        elif self.queue.attached(prompt):
            self._queued_prompt(line, prompt)
        else:
            self.reading.left_out["queue-operation"] += 1

    def _queue(self, line: TranscriptLine) -> None:
        """Handle prompts typed while the agent works."""
        operation, content = line.fields.get("operation"), text_of(line.fields.get("content"))
        if operation == "enqueue" and content:
            self.queue.enqueue(content, line)
        elif operation == "remove" and line.fields.get("reason") in (None, "absorbed_mid_turn"):
            found = self.queue.removed(content)
            if found is not None:
                self._queued_prompt(found.line, found.text)
                return
        self.reading.left_out["queue-operation"] += 1

    def _queued_prompt(self, line: TranscriptLine, prompt: str) -> None:
        if not string(line.fields, "timestamp") or not string(line.fields, "sessionId"):
            self.reading.broken(line.number, "no_time")
            return
        self._begin(line)
        self._add(line, LOOSE, "UserPromptSubmit", prompt=_typed(prompt), prompt_id=f"queued {line.fields['timestamp']}")

    def _system(self, line: TranscriptLine) -> None:
        session = string(line.fields, "sessionId")
        if line.fields.get("subtype") != "compact_boundary" or not session or not string(line.fields, "timestamp"):
            self.reading.left_out["system"] += 1
            return
        self._begin(line)
        self._end_turn(session, MAIN)
        self._add(line, FRAME, "PreCompact", trigger=string(mapping(line.fields.get("compactMetadata")), "trigger") or "auto")
        self._add(line, FRAME, "SessionStart", source="compact")

    def _begin(self, line: TranscriptLine) -> None:
        """Start the session at its first line with a time and a session."""
        session = line.fields["sessionId"]
        if session in self.begun or self.agent != MAIN:
            return
        self.begun.add(session)
        event = self._add(line, FRAME, "SessionStart", source="startup")
        if event is not None:
            event.strong_id = "startup"  # not the line's id: another line may be the first one in the next import

    # making events

    def _end_turn(self, session: str, agent: str) -> None:
        turn = self.turns.pop((session, agent), None)
        if turn is None or not turn.said:
            return
        event = self._add(turn.line, LOOSE, "SubagentStop" if agent != MAIN else "Stop", last_assistant_message=turn.said)
        if event is not None:
            event.remarks = turn.remarks

    def _add(self, line: TranscriptLine, kind: str, host_event: str, **more: object) -> Event | None:
        """Add the event that a hook would have reported with these further fields."""
        session, (agent, role) = line.fields["sessionId"], self._agent(line)
        cwd = string(line.fields, "cwd") or self.place.get(session, "")
        self.place[session] = cwd
        payload: dict[str, Any] = {"hook_event_name": host_event, "session_id": session, "cwd": cwd, **more}
        if agent != MAIN:
            payload["agent_id"], payload["agent_type"] = agent, role
        uuid = string(line.fields, "uuid")
        event = self.add_event(line, kind, payload, _branch(line.fields.get("gitBranch")), uuid)
        if event is not None:
            event.strong_id = event.strong_id or uuid or line.fields["timestamp"]
        return event

    def _turn(self, line: TranscriptLine) -> _Turn:
        return self.turns.setdefault((line.fields["sessionId"], self._agent(line)[0]), _Turn(line))

    def _agent(self, line: TranscriptLine) -> tuple[str, str]:
        """Return (id, role) of a line's agent. In old versions, sub-agents are in the main transcript without an id; the first line of their
        chain identifies them."""
        if line.fields.get("isSidechain") is not True and self.agent == MAIN:
            return MAIN, MAIN
        agent = string(line.fields, "agentId") or (self.agent if self.agent != MAIN else f"sidechain-{self._chain(line)}")
        return agent, self.role or self.roles.get(agent) or string(line.fields, "attributionAgent") or UNNAMED_ROLE

    def _chain(self, line: TranscriptLine) -> str:
        uuid, parent = string(line.fields, "uuid"), string(line.fields, "parentUuid")
        # Every line takes over the root of its parent, so all lines of a chain share the id of its first line.
        root = self.roots.get(parent, parent or uuid)
        if uuid:
            self.roots[uuid] = root
        return root[:8]


def _typed(text: str) -> str:
    """Return a person's slash command as it was typed and as hooks receive it: `/name arguments` (measured)."""
    if not text.lstrip().startswith(_COMMAND):
        return text
    name, arguments = _tagged(text, "command-name"), _tagged(text, "command-args")
    return f"{name} {arguments}".strip() if name else text


def _tagged(text: str, tag: str) -> str:
    return text.partition(f"<{tag}>")[2].partition(f"</{tag}>")[0].strip()


def _branch(value: object) -> str:
    """Return the branch that a line names; "" where it names none, so that today's branch is not used instead."""
    return value if isinstance(value, str) and value != "HEAD" else ""
