"""The result of reading one transcript: its events with the lines that contain them, and the lines that were left out, with the reason.

A transcript and the hooks of the same session report the same events, but not always with an id that both know. `TranscriptEvent.kind` says
how to recognise the hook's line of an event in a log:

- `SHARED`: by its id, which hook and transcript have in common.
- `LOOSE`: by its time alone. While hooks ran, they recorded it, or the host does not report such events.
- `FRAME`: the session's beginning, end and compactions. Used only for logs without a line from a hook, because they open epochs.
- `ALONE`: no hook reports it, so it is always imported.
"""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import orjson

from memorybank.cycle.event import Event
from memorybank.hosts.dialect import Dialect
from memorybank.storage import jsontext

SHARED, LOOSE, FRAME, ALONE = "shared", "loose", "frame", "alone"

BROKEN = ("not_json", "no_object", "no_time", "no_session", "no_message", "no_call", "odd_content")
"""Kinds of lines with missing or wrong content: not JSON; not an object; without time, session or message; a result whose call is not in
the transcript; content of another form."""
TOO_LONG, DAMAGED = "too_long", "damaged"
"""Kinds of what was not read: a line that is longer than a line may be; the rest of a file that could not be read to its end."""
MOST_FAULTS = 1_000
"""Maximum number of faulty lines of one file that are listed; all are counted. A file with more of them is not a transcript."""
UNKNOWN = "unknown:"
"""Prefix of the type of a line that this version does not know."""


class TranscriptLine(NamedTuple):
    """One line of a transcript, decoded. number: 1-based."""

    number: int
    fields: dict[str, Any]


@dataclass(slots=True)
class TranscriptEvent:
    """An event read from a transcript.

    kind: how its line in a log is recognised, see the module's docstring
    line: number of its line, from 1
    uuid: the host's id of the line; "" when it has none
    """

    event: Event
    kind: str
    line: int
    uuid: str = ""


@dataclass(frozen=True, slots=True)
class BrokenLine:
    """A line that could not be used. kind: one of `BROKEN`, `TOO_LONG`, `DAMAGED`, or `unknown:<type>` (for the first line of that type)."""

    line: int
    kind: str


@dataclass(slots=True)
class TranscriptReading:
    """The content of one transcript.

    events: events in the order of the lines
    left_out: {kind: lines without anything to remember}
    lines: number of all lines
    size: bytes, decompressed
    roles: {id of a sub-agent: its type}, where the transcript names it
    """

    events: list[TranscriptEvent] = field(default_factory=list)
    left_out: Counter[str] = field(default_factory=Counter)
    faults: list[BrokenLine] = field(default_factory=list)
    lines: int = 0
    size: int = 0
    roles: dict[str, str] = field(default_factory=dict)

    def broken(self, line: int, kind: str) -> None:
        if len(self.faults) < MOST_FAULTS:
            self.faults.append(BrokenLine(line, kind))
        self.left_out[kind] += 1

    def unknown(self, line: int, type_: str) -> None:
        """Count a line of an unknown type, and list the first one."""
        kind = UNKNOWN + type_
        if kind not in self.left_out and len(self.faults) < MOST_FAULTS:
            self.faults.append(BrokenLine(line, kind))
        self.left_out[kind] += 1


def decode(raw: bytes) -> Any:
    """Return the value of one JSON line. Half a surrogate pair in an escape, which JavaScript writes, is accepted. Raises ValueError."""
    try:
        return orjson.loads(raw)
    except orjson.JSONDecodeError:
        return jsontext.decode(raw.decode("utf-8", "replace"))


def line_object(reading: TranscriptReading, number: int, raw: bytes) -> dict[str, Any] | None:
    """Return the object of a line, or None for an empty line and for one that is not an object, which is counted as broken."""
    reading.lines += 1
    reading.size += len(raw)
    if not raw.strip():
        return None
    try:
        value = decode(raw)
    except ValueError:
        reading.broken(number, "not_json")
        return None
    if not isinstance(value, dict):
        reading.broken(number, "no_object")
        return None
    return value


class TranscriptReader:
    """Reads one transcript line by line. A subclass knows the lines of one host, and turns them into the payloads that its hooks would have received."""

    def __init__(self, dialect: Dialect) -> None:
        self.reading = TranscriptReading()
        self.dialect = dialect

    def read(self, lines: Iterable[bytes]) -> TranscriptReading:
        for number, raw in enumerate(lines, 1):
            fields = line_object(self.reading, number, raw)
            if fields is not None:
                self.line(TranscriptLine(number, fields))
        self.end()
        return self.reading

    def line(self, line: TranscriptLine) -> None:
        raise NotImplementedError

    def end(self) -> None:
        """Add what only the end of the transcript decides."""

    def add_event(self, line: TranscriptLine, kind: str, payload: dict[str, Any], branch: str, uuid: str = "") -> Event | None:
        """Add the event of a payload with the time of its line, as the dialect reads it; None for a line whose time cannot be read."""
        event = self.dialect.to_event({**payload, "timestamp": line.fields["timestamp"]}, {})
        if event is None or event.at is None:
            self.reading.broken(line.number, "no_time")
            return None
        event.branch = branch
        self.reading.events.append(TranscriptEvent(event, kind, line.number, uuid))
        return event
