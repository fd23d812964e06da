"""One line of an event log as the cycle reads it, who may see it (its cell), and the correction that replaces it.

Every field is present and has its type, whatever the line contains.
"""

from __future__ import annotations

__light__ = True

from memorybank import clock
from memorybank.cycle.event import CORRECTION, TOOL_AFTER, UNKNOWN
from memorybank.log import events as log
from memorybank.text.commands.paths import without_places

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from memorybank.log.lines import LogLine

EXPOSURES = ("exposure", "resident_exposure")
USER, PUBLIC = "user", "public"
EVERYBODY = "user public"
"""The name of the cell that everybody may see."""


class Cell:
    """Who may see a line: its acl and privacy, and the parts of its origin that these two need; other parts are None.

    Only lines of one cell are combined in a memory, so that no restricted text hides in a public memory. A private cell also names its role, because
    time may release it to that role. hold: whether a rule of the settings lowered it, so that it is never released by time
    """

    __slots__ = ("acl", "agent", "hold", "name", "privacy", "role", "session")

    def __init__(self, acl: str, privacy: str, hold: bool, session: str | None, agent: str | None, role: str | None) -> None:
        self.acl = acl
        self.privacy = privacy
        self.hold = hold
        self.session = None if acl in (USER, "agent") else session
        self.agent = None if privacy in (PUBLIC, "agent-only") else agent
        self.role = None if acl != "agent" and privacy == PUBLIC else role
        parts = (acl, privacy, "hold" if hold else None, self.session, self.agent, self.role)
        self.name = " ".join(part for part in parts if part is not None)

    @property
    def is_public(self) -> bool:
        """Whether everybody may see the cell."""
        return self.name == EVERYBODY


def cell_of_line(fields: dict[str, Any]) -> Cell:
    """Return the cell of a recorded line. A line without acl and privacy has the acl `user` and the privacy `public`; one without memory is its session's
    alone, also where an earlier version recorded it for everybody."""
    if fields.get("recall") == log.OFF:
        fields = {**fields, **log.UNSHARED}
    return Cell(
        str(fields.get("acl") or USER),
        str(fields.get("privacy") or PUBLIC),
        bool(fields.get("hold")),
        fields.get("session_id"),
        fields.get("agent_id"),
        fields.get("agent_role"),
    )


class LogEvent:
    """One line of an event log. Texts are "" when they are missing, unless they may be None.

    at, latency: ms
    head, tail: first and last lines of the output
    remarks: (tool_use_id of the call before, or "", text) of what an agent wrote within a turn
    signal: -1, 0 or 1
    asked: whether memory was asked for at this result of a call
    """

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
        self.latency = _whole(fields.get("latency_ms"))
        self.tokens = _whole(_mapping(fields.get("cost")).get("tokens"))
        self.error = _text(fields.get("error"))
        self.fingerprint = _text(fields.get("fingerprint")) or None
        self.anchors = texts(fields.get("anchors"))
        self.files = texts(fields.get("files"))
        self.lessons = texts(fields.get("lessons"))
        remarks = fields.get("remarks")
        items = (item for item in remarks if isinstance(item, dict)) if isinstance(remarks, list) else ()
        self.remarks = [(str(item.get("after") or ""), str(item.get("text") or "")) for item in items]
        self.signal = min(1, max(-1, _whole(fields.get("signal")) or 0))
        self.human = fields.get("human") is not False
        self.open_work = _whole(fields.get("open_work")) or 0
        self.asked = fields.get("asked") is True
        self.cell = cell_of_line(fields)

    def text(self, name: str) -> str:
        """Return one text of the inputs, "" when it is missing or not a text."""
        return _text(self.inputs.get(name))

    def leave_out(self, places: Sequence[tuple[str, str]]) -> None:
        """Replace the paths of one machine in all texts. places: (folder, replacement)."""
        self.inputs = {name: without_places(value, places) if isinstance(value, str) else value for name, value in self.inputs.items()}
        self.head, self.tail, self.error = (without_places(text, places) for text in (self.head, self.tail, self.error))
        self.lessons = [without_places(text, places) for text in self.lessons]
        self.remarks = [(call, without_places(text, places)) for call, text in self.remarks]

    def stand_for(self, identifier: str, offset: int) -> None:
        """Take the place of the event that this line corrects."""
        self.id, self.offset, self.event = identifier, offset, TOOL_AFTER

    @property
    def scope(self) -> dict[str, object]:
        """The columns that say who may see what is made from this line, and where it comes from."""
        cell = self.cell
        names = {"cell": cell.name, "acl": cell.acl, "privacy": cell.privacy, "hold": int(cell.hold)}
        return {**names, "session": self.session, "agent": self.agent, "role": self.role}

    def row(self, file: int) -> dict[str, object]:
        """Return the columns of everything that is made from this line: where it stands, and `scope`."""
        return {"file": file, "offset": self.offset, "at": self.at, **self.scope}

    @property
    def whole(self) -> str:
        """The recorded output, as far as it was kept."""
        return f"{self.head}\n{self.tail}" if self.tail else self.head

    @property
    def failed(self) -> bool:
        return self.status == "failure"

    @property
    def is_human_prompt(self) -> bool:
        """Whether a person asks for something: no notice of the host, and no text that a program wrote for an agent."""
        if self.event != "prompt" or not self.human:
            return False
        from memorybank.text.prompts.typed import is_of_program  # late: most lines are calls

        return not is_of_program(self.text("text"))


def with_corrections(lines: list[LogEvent]) -> list[LogEvent]:
    """Return the lines of a log with corrections applied.

    A correction is a line with the outcome of a call whose hook could not know it (Codex). It repeats the complete result; `corrects` is the id of
    the line with the status `unknown`. That line stays as it is, and readers take the outcome from the correction.
    """
    corrections = {line.fields.get("corrects"): line for line in lines if line.event == CORRECTION}
    if not corrections:
        return lines
    read = []
    for line in [line for line in lines if line.event != CORRECTION]:
        better = corrections.get(line.id) if line.status == UNKNOWN else None
        if better is not None:
            better.stand_for(line.id, line.offset)
            better.end = line.end
        read.append(better or line)
    return read


def _text(value: Any) -> str:
    return value if isinstance(value, str) else ""


def _whole(value: Any) -> int | None:
    return value if isinstance(value, int) else None


def _mapping(value: Any) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}


def texts(value: Any) -> list[str]:
    """Return the texts in a list that are not empty; [] for anything else."""
    return [item for item in value if isinstance(item, str) and item] if isinstance(value, list) else []
