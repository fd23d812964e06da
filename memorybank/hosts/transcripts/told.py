"""What reading one transcript comes to: events, each with the line it stands on, and what was left out and why. Pure.

A transcript and the hooks of the same session tell of the same events, not always under an id that both know. `Told.kind` says how
the hook's line of an event is recognised in a log:

- `SHARED`: by its id, which host, hook and transcript have in common;
- `LOOSE`: by its time alone: where hooks were at work they recorded it, or the host does not report such events;
- `FRAME`: the session's beginning, end and compactions: only for logs that no hook wrote, because they open epochs;
- `ALONE`: no hook is told of it: always taken.
"""

from collections import Counter
from dataclasses import dataclass, field
from typing import Any

import orjson

from memorybank.cycle.event import Event
from memorybank.storage import jsontext

SHARED, LOOSE, FRAME, ALONE = "shared", "loose", "frame", "alone"

BROKEN = ("not_json", "no_object", "no_time", "no_session", "no_message", "no_call", "odd_content")
"""Kinds of lines that say less than they should: not JSON, no object, without time, session or message; a result whose call is not
in the transcript; content of another form."""
MOST_FAULTS = 1_000
"""Lines of one file that are named; all of them are counted. A file with more is no transcript."""
UNKNOWN = "unknown:"
"""Before the type of a line that this version does not know."""


@dataclass(slots=True)
class Told:
    """event; kind: see above; line: 1-based, in its transcript; uuid: the host's id of the line, "" when it has none."""

    event: Event
    kind: str
    line: int
    uuid: str = ""


@dataclass(frozen=True, slots=True)
class Fault:
    """A line that could not be used. kind: of `BROKEN`, or `unknown:<type>` (the first of that type)."""

    line: int
    kind: str


@dataclass(slots=True)
class Reading:
    """One transcript. told: in the order of the lines; left_out: {kind: lines that say nothing to remember}; faults; lines: all of
    them; size: bytes, decompressed; roles: {id of a sub-agent: its type}, as far as it names any."""

    told: list[Told] = field(default_factory=list)
    left_out: Counter[str] = field(default_factory=Counter)
    faults: list[Fault] = field(default_factory=list)
    lines: int = 0
    size: int = 0
    roles: dict[str, str] = field(default_factory=dict)

    def broken(self, line: int, kind: str) -> None:
        if len(self.faults) < MOST_FAULTS:
            self.faults.append(Fault(line, kind))
        self.left_out[kind] += 1

    def unknown(self, line: int, type_: str) -> None:
        """A type of line that nobody knows: named once, counted always."""
        kind = UNKNOWN + type_
        if kind not in self.left_out and len(self.faults) < MOST_FAULTS:
            self.faults.append(Fault(line, kind))
        self.left_out[kind] += 1


def decode(raw: bytes) -> Any:
    """The value of one JSON line. ValueError when it is none; half a character in an escape, which JavaScript writes, is read."""
    try:
        return orjson.loads(raw)
    except orjson.JSONDecodeError:
        return jsontext.decode(raw.decode("utf-8", "replace"))


def line_object(reading: Reading, number: int, raw: bytes) -> dict[str, Any] | None:
    """The object of a line; None for an empty line, and for one that is none: it is noted."""
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
