"""Reading a chat of Gemini CLI as the payloads that its hooks would have received (measured: 0.61; older chats are one JSON document;
docs/format.md has the table). Its hooks send no ids, so the events they recorded are recognised by their time alone.
"""

from collections.abc import Iterable
from typing import Any

from memorybank.cycle.event import Event
from memorybank.hosts.dialect import content as text_of
from memorybank.hosts.dialect import interrupt, mapping, string
from memorybank.hosts.gemini import Gemini
from memorybank.hosts.transcripts.told import FRAME, LOOSE, TranscriptEvent, TranscriptReading, decode, line_object

_CONTEXT = "<session_context>"
"""How the text begins that the host puts before the first message."""
_WORKSPACE = "**Workspace Directories:**"
_QUIET = ("info", "error", "warning")
_HEAD_LINES = 40


def beginning(lines: Iterable[bytes]) -> tuple[str, str, str]:
    """Return (session, time of its start, folder) of a chat, with "" for what it does not contain."""
    session = at = folder = ""
    for number_, raw in enumerate(lines):
        reading = TranscriptReading()
        line = line_object(reading, number_, raw)
        if line is None:
            break
        session, at = session or string(line, "sessionId"), at or string(line, "startTime")
        for message in (line, *_messages(mapping(line.get("$set"))), *_messages(line)):
            folder = folder or _workspace(text_of(message.get("content")))
        if (session and folder) or number_ >= _HEAD_LINES:
            break
    return session, at, folder


def read(lines: Iterable[bytes], *, cwd: str = "") -> TranscriptReading:
    """Read one chat. cwd: its folder, which its lines do not name."""
    reader = _Reader(cwd)
    whole = list(lines)
    if _is_document(whole):
        reader.line(1, b"".join(whole))
    else:
        for number_, raw in enumerate(whole, 1):
            reader.line(number_, raw)
    reader.end()
    return reader.reading


class _Reader:
    """Collects a chat's messages. A message is written again when it grows: its latest form counts, at the place of the first one."""

    def __init__(self, cwd: str) -> None:
        self.reading = TranscriptReading()
        self.dialect = Gemini()
        self.cwd = cwd
        self.session = ""
        self.messages: dict[str, tuple[int, dict[str, Any]]] = {}

    def line(self, number_: int, raw: bytes) -> None:
        line = line_object(self.reading, number_, raw)
        if line is None:
            return
        if "sessionId" in line:
            self.session = self.session or string(line, "sessionId")
            self._repeat(number_, _messages(line))
        elif "$set" in line:
            self.reading.left_out["$set"] += 1
            self._repeat(number_, _messages(mapping(line["$set"])))
        elif string(line, "id") and "type" in line:
            if string(line, "timestamp"):
                self.messages[line["id"]] = self.messages.get(line["id"], (number_, line))[0], line
            else:
                self.reading.broken(number_, "no_time")
        else:
            self.reading.unknown(number_, next(iter(line), "no type")[:40])

    def _repeat(self, number_: int, messages: list[dict[str, Any]]) -> None:
        """Add the messages of an entire conversation: the content of an older chat, or the start of a resumed one, in another form."""
        for message in messages:
            if string(message, "id") and string(message, "timestamp"):
                self.messages.setdefault(message["id"], (number_, message))

    def end(self) -> None:
        if self.messages and not self.session:
            self.reading.broken(1, "no_session")
            return
        said: tuple[int, dict[str, Any], str] | None = None
        for number_, message in self.messages.values():
            if not self.reading.told:
                self._tell(number_, message, FRAME, "SessionStart", "startup", source="startup")
            type_ = message.get("type")
            if type_ == "user":
                prompt = _said(message.get("content"))
                if prompt is None or prompt.startswith(_CONTEXT):
                    self.reading.left_out["meta" if prompt else "tool_response"] += 1
                    continue
                self._end_turn(said)
                said = None
                self._tell(number_, message, LOOSE, "BeforeAgent", string(message, "id"), prompt=prompt)
            elif type_ == "gemini":
                calls = message.get("toolCalls")
                for call in calls if isinstance(calls, list) else ():
                    self._result(number_, message, mapping(call))
                text = text_of(message.get("content"))
                # A message with calls is followed by another one, so its text does not end the turn.
                said = (number_, message, text) if text and not calls else None
            elif type_ in _QUIET:
                self.reading.left_out[str(type_)] += 1
            else:
                self.reading.unknown(number_, str(type_)[:40])
        self._end_turn(said)

    def _end_turn(self, said: tuple[int, dict[str, Any], str] | None) -> None:
        if said is not None:
            self._tell(said[0], said[1], LOOSE, "AfterAgent", string(said[1], "id"), prompt_response=said[2])

    def _result(self, number_: int, message: dict[str, Any], call: dict[str, Any]) -> None:
        name, identifier = string(call, "name"), string(call, "id")
        if not name or not identifier:
            self.reading.broken(number_, "odd_content")
            return
        response = _response(call.get("result"))
        if call.get("status") == "error" and "error" not in response:
            response["error"] = text_of(call.get("resultDisplay")) or "error"
        timed = {**message, "timestamp": string(call, "timestamp") or message["timestamp"]}
        more = {"tool_name": name, "tool_input": call.get("args"), "tool_response": response}
        event = self._tell(number_, timed, LOOSE, "AfterTool", identifier, **more)
        if event is not None and call.get("status") == "cancelled":
            interrupt(event)

    def _tell(self, number_: int, message: dict[str, Any], kind: str, host_event: str, strong: str, **more: object) -> Event | None:
        payload = {"hook_event_name": host_event, "session_id": self.session, "timestamp": message["timestamp"], "cwd": self.cwd, **more}
        event = self.dialect.to_event(payload, {})
        if event is None or event.at is None:
            self.reading.broken(number_, "no_time")
            return None
        event.branch = ""
        event.strong_id = strong
        self.reading.told.append(TranscriptEvent(event, kind, number_))
        return event


def _is_document(whole: list[bytes]) -> bool:
    """Return whether a chat is one JSON document over several lines, as older versions write it."""
    try:
        decode(whole[0]) if whole else None
    except ValueError:
        return len(whole) > 1 and whole[0].strip() == b"{"
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
    behind = text.partition(_WORKSPACE)[2].lstrip("\n")
    first = behind.partition("\n")[0].strip()
    return first.removeprefix("- ") if first.startswith("- /") else ""
