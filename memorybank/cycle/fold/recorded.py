"""Recorded: one line of an event log as the cycle reads it. Every field is present and has its type, whatever the line holds."""

from __future__ import annotations

__light__ = True

from memorybank import clock
from memorybank.cycle.fold.cell import Cell, of_line
from memorybank.text.paths import without_places

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from memorybank.log.lines import LogLine

EXPOSURES = ("exposure", "resident_exposure")


class LogEvent:
    """One line of an event log.

    id, event, session, agent, role, origin: texts, "" when missing
    at: ms
    task, tool, tool_use_id, status, reason, source, fingerprint: text or None
    inputs: dict
    head, tail: first and last lines of the output
    error: "" when there is none
    remarks: (tool_use_id of the call before, or "", text) of what an agent wrote within a turn
    latency: ms
    anchors, files, lessons: lists of texts
    signal: -1, 0 or 1
    human: whether a person typed this prompt
    offset, end: position of the line in its file
    fields: all fields of the line
    """

    __slots__ = (
        "agent",
        "anchors",
        "at",
        "cell",
        "end",
        "epoch",
        "error",
        "event",
        "fields",
        "files",
        "fingerprint",
        "head",
        "human",
        "id",
        "inputs",
        "latency",
        "lessons",
        "offset",
        "open_work",
        "origin",
        "reason",
        "remarks",
        "role",
        "session",
        "signal",
        "source",
        "status",
        "tail",
        "task",
        "tokens",
        "tool",
        "tool_use_id",
    )

    def __init__(self, line: LogLine) -> None:
        fields = line.fields
        outputs = _mapping(fields.get("outputs"))
        self.offset = line.offset
        self.end = line.end
        self.fields = fields
        self.id = _text(fields.get("id"))
        self.event = _text(fields.get("event"))
        self.at = clock.parse(_text(fields.get("timestamp"))) or 0
        self.session = _text(fields.get("session_id"))
        self.agent = _text(fields.get("agent_id"))
        self.role = _text(fields.get("agent_role"))
        self.epoch = _whole(fields.get("epoch")) or 0
        self.task = _text(fields.get("task_id")) or None
        self.tool = _text(fields.get("tool")) or None
        self.tool_use_id = _text(fields.get("tool_use_id")) or None
        self.inputs = _mapping(fields.get("inputs"))
        self.head = _text(outputs.get("head"))
        self.tail = _text(outputs.get("tail"))
        self.status = _text(fields.get("status")) or None
        self.reason = _text(fields.get("reason")) or None
        self.source = _text(fields.get("source")) or None
        self.latency = _whole(fields.get("latency_ms"))
        self.tokens = _whole(_mapping(fields.get("cost")).get("tokens"))
        self.error = _text(fields.get("error"))
        self.fingerprint = _text(fields.get("fingerprint")) or None
        self.anchors = _texts(fields.get("anchors"))
        self.files = _texts(fields.get("files"))
        self.lessons = _texts(fields.get("lessons"))
        self.remarks = [(str(item.get("after") or ""), str(item.get("text") or "")) for item in _mappings(fields.get("remarks"))]
        self.signal = min(1, max(-1, _whole(fields.get("signal")) or 0))
        self.human = fields.get("human") is not False
        self.open_work = _whole(fields.get("open_work")) or 0
        self.origin = _text(fields.get("origin")) or "tool"
        self.cell: Cell = of_line(fields)

    def text(self, name: str) -> str:
        """Return one text of the inputs, "" when it is missing or not a text."""
        return _text(self.inputs.get(name))

    def leave_out(self, places: Sequence[tuple[str, str]]) -> None:
        """Replace the paths of one machine in all texts. places: (folder, replacement)."""
        self.inputs = {name: without_places(value, places) if isinstance(value, str) else value for name, value in self.inputs.items()}
        self.head, self.tail, self.error = (without_places(text, places) for text in (self.head, self.tail, self.error))
        self.lessons = [without_places(text, places) for text in self.lessons]
        self.remarks = [(call, without_places(text, places)) for call, text in self.remarks]

    @property
    def whole(self) -> str:
        """The recorded output, as far as it was kept."""
        return f"{self.head}\n{self.tail}" if self.tail else self.head

    @property
    def failed(self) -> bool:
        return self.status == "failure"

    @property
    def is_human_prompt(self) -> bool:
        return self.event == "prompt" and self.human


def _mappings(value: Any) -> list[dict[str, Any]]:
    return [item for item in value if isinstance(item, dict)] if isinstance(value, list) else []


def _text(value: Any) -> str:
    return value if isinstance(value, str) else ""


def _whole(value: Any) -> int | None:
    return value if isinstance(value, int) else None


def _mapping(value: Any) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}


def _texts(value: Any) -> list[str]:
    return [item for item in value if isinstance(item, str) and item] if isinstance(value, list) else []
