"""Corrections: lines with the outcome of a call whose hook could not know it (Codex). Each repeats the complete result; `corrects` is the id of the line
with the status `unknown`. That line stays as it is, and readers take the outcome from the correction.
"""

from __future__ import annotations

__light__ = True

from memorybank.cycle.event import CORRECTION, TOOL_AFTER, UNKNOWN
from memorybank.cycle.importance import outcome

TYPE_CHECKING = False
if TYPE_CHECKING:
    from _sqlite3 import Connection

    from memorybank.cycle.fold.recorded import LogEvent


def take_place(connection: Connection, file: int, line: LogEvent) -> int | None:
    """Apply a correction: it takes the id and offset of the event that it corrects, and that event's row gets its outcome.

    Returns the group of the event, or None when there is nothing to correct.
    """
    row = connection.execute(
        "SELECT offset, memory FROM events WHERE event_id = ? AND file = ? AND status = ? AND memory IS NOT NULL",
        (line.fields.get("corrects"), file, UNKNOWN),
    ).fetchone()
    if row is None:
        return None
    # The fold continues with the correction as if it had been the original line.
    _stand_for(line, line.fields["corrects"], row[0])
    connection.execute(
        "UPDATE events SET status = ?, outcome = ?, latency = ifnull(?, latency) WHERE file = ? AND offset = ?",
        (line.status, outcome(line.status), line.latency, file, line.offset),
    )
    return int(row[1])


def overlay(lines: list[LogEvent]) -> list[LogEvent]:
    """Return the lines of a log with corrections applied."""
    corrections = {line.fields.get("corrects"): line for line in lines if line.event == CORRECTION}
    if not corrections:
        return lines
    read = []
    for line in [line for line in lines if line.event != CORRECTION]:
        better = corrections.get(line.id) if line.status == UNKNOWN else None
        if better is not None:
            _stand_for(better, line.id, line.offset)
            better.end = line.end
        read.append(better or line)
    return read


def _stand_for(line: LogEvent, identifier: str, offset: int) -> None:
    line.id, line.offset, line.event = identifier, offset, TOOL_AFTER
