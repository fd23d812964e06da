"""Reads a chat of Gemini CLI as the payloads that its hooks would have received (measured: 0.61; older chats are one JSON document;
docs/format.md has the table). Its hooks send no ids, so the events they recorded are recognised by their time alone.
"""

from collections.abc import Iterable
from typing import Any

from memorybank.cycle.event import Event
from memorybank.hosts.dialect import content as text_of
from memorybank.hosts.dialect import interrupt, mapping, string
from memorybank.hosts.gemini import Gemini
from memorybank.hosts.transcripts.reading import FRAME, LOOSE, TranscriptLine, TranscriptReader, TranscriptReading, decode, line_object

_CONTEXT = "<session_context>"
"""Beginning of the text that the host puts before the first message."""
_WORKSPACE = "**Workspace Directories:**"
_QUIET = ("info", "error", "warning")
_HEAD_LINES = 40


def beginning(lines: Iterable[bytes]) -> tuple[str, str, str]:
    """Return (session, time of its start, folder) of a chat, with "" for what it does not contain."""
    session = at = folder = ""
    for number, raw in enumerate(lines):
        line = line_object(TranscriptReading(), number, raw)
        if line is None:
            break
        session, at = session or string(line, "sessionId"), at or string(line, "startTime")
        for message in (line, *_messages(mapping(line.get("$set"))), *_messages(line)):
            folder = folder or _workspace(text_of(message.get("content")))
        if (session and folder) or number >= _HEAD_LINES:
            break
    return session, at, folder


def read(lines: Iterable[bytes], *, cwd: str = "") -> TranscriptReading:
    """Read one chat. cwd: its folder, which its lines do not name."""
    found = list(lines)
    return _Reader(cwd).read([b"".join(found)] if _is_document(found) else found)


class _Reader(TranscriptReader):
    """Collects a chat's messages. A message is written again when it grows. The latest version counts, at the position of the first one."""

    def __init__(self, cwd: str) -> None:
        super().__init__(Gemini())
        self.cwd = cwd
        self.session = ""
        self.messages: dict[str, TranscriptLine] = {}

    def line(self, line: TranscriptLine) -> None:
        fields = line.fields
        if "sessionId" in fields:
            self.session = self.session or string(fields, "sessionId")
            self._repeat(line.number, _messages(fields))
        elif "$set" in fields:
            self.reading.left_out["$set"] += 1
            self._repeat(line.number, _messages(mapping(fields["$set"])))
        elif string(fields, "id") and "type" in fields:
            if string(fields, "timestamp"):
                self.messages[fields["id"]] = TranscriptLine(self.messages.get(fields["id"], line).number, fields)
            else:
                self.reading.broken(line.number, "no_time")
        else:
            self.reading.unknown(line.number, next(iter(fields), "no type")[:40])

    def _repeat(self, number: int, messages: list[dict[str, Any]]) -> None:
        """Add the messages of an entire conversation: the content of an older chat, or the start of a resumed one, in another form."""
        for message in messages:
            if string(message, "id") and string(message, "timestamp"):
                self.messages.setdefault(message["id"], TranscriptLine(number, message))

    def end(self) -> None:
        if self.messages and not self.session:
            self.reading.broken(1, "no_session")
            return
        last: TranscriptLine | None = None
        """The message that ends the turn if no other one of the agent follows."""
        for message in self.messages.values():
            if not self.reading.events:
                self._add(message, FRAME, "SessionStart", "startup", source="startup")
            type_ = message.fields.get("type")
            if type_ == "user":
                prompt = _said(message.fields.get("content"))
                if prompt is None or prompt.startswith(_CONTEXT):
                    self.reading.left_out["meta" if prompt else "tool_response"] += 1
                    continue
                self._end_turn(last)
                last = None
                self._add(message, LOOSE, "BeforeAgent", string(message.fields, "id"), prompt=prompt)
            elif type_ == "gemini":
                calls = message.fields.get("toolCalls")
                for call in calls if isinstance(calls, list) else ():
                    self._result(message, mapping(call))
                # A message with calls is followed by another one, so its text does not end the turn.
                last = message if text_of(message.fields.get("content")) and not calls else None
            elif type_ in _QUIET:
                self.reading.left_out[str(type_)] += 1
            else:
                self.reading.unknown(message.number, str(type_)[:40])
        self._end_turn(last)

    def _end_turn(self, last: TranscriptLine | None) -> None:
        if last is not None:
            self._add(last, LOOSE, "AfterAgent", string(last.fields, "id"), prompt_response=text_of(last.fields.get("content")))

    def _result(self, message: TranscriptLine, call: dict[str, Any]) -> None:
        name, identifier = string(call, "name"), string(call, "id")
        if not name or not identifier:
            self.reading.broken(message.number, "odd_content")
            return
        response = _response(call.get("result"))
        if call.get("status") == "error" and "error" not in response:
            response["error"] = text_of(call.get("resultDisplay")) or "error"
        timed = TranscriptLine(message.number, {"timestamp": string(call, "timestamp") or message.fields["timestamp"]})
        event = self._add(timed, LOOSE, "AfterTool", identifier, tool_name=name, tool_input=call.get("args"), tool_response=response)
        if event is not None and call.get("status") == "cancelled":
            interrupt(event)

    def _add(self, message: TranscriptLine, kind: str, host_event: str, strong: str, **more: object) -> Event | None:
        payload = {"hook_event_name": host_event, "session_id": self.session, "cwd": self.cwd, **more}
        event = self.add_event(message, kind, payload, branch="")
        if event is not None:
            event.strong_id = strong
        return event


def _is_document(lines: list[bytes]) -> bool:
    """Return whether a chat is one JSON document over several lines, as older versions write it."""
    try:
        decode(lines[0]) if lines else None
    except ValueError:
        return len(lines) > 1 and lines[0].strip() == b"{"
    return False


def _messages(fields: dict[str, Any]) -> list[dict[str, Any]]:
    found = fields.get("messages")
    return [message for message in found if isinstance(message, dict)] if isinstance(found, list) else []


def _said(content: object) -> str | None:
    """Return what a person said, or None for the results of tools."""
    parts = content if isinstance(content, list) else [content]
    texts = [part if isinstance(part, str) else string(mapping(part), "text") for part in parts]
    return "\n".join(text for text in texts if text) or None


def _response(result: object) -> dict[str, Any]:
    """Return a call's result in the form that hooks receive: `llmContent`, and `error` when it failed."""
    parts = [mapping(mapping(part).get("functionResponse")) for part in (result if isinstance(result, list) else [result])]
    found: dict[str, Any] = {}
    for part in parts:
        response = mapping(part.get("response"))
        if response.get("error"):
            found["error"] = text_of(response["error"])
        if response.get("output"):
            found["llmContent"] = text_of(response["output"])
    return found


def _workspace(text: str) -> str:
    """Return the first folder that the host's own text names as the workspace."""
    if not text.startswith(_CONTEXT):
        return ""
    after = text.partition(_WORKSPACE)[2].lstrip("\n")
    first = after.partition("\n")[0].strip()
    return first.removeprefix("- ") if first.startswith("- /") else ""
