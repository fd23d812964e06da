"""Corrections: lines that say how a call ended whose hook could not know (Codex). Each says the whole of the result again; `corrects`
is the id of the line whose status is `unknown`. That line stays as it is; whoever reads takes the outcome from here.
"""

from __future__ import annotations

__light__ = True

from memorybank.cycle.event import CORRECTION, TOOL_AFTER, UNKNOWN
from memorybank.cycle.importance import outcome

TYPE_CHECKING = False
if TYPE_CHECKING:
    from _sqlite3 import Connection

    from memorybank.cycle.fold.recorded import Recorded


def take_place(connection: Connection, file: int, line: Recorded) -> int | None:
    """Let a correction stand for the event that it corrects: it gets that event's id and offset, and the event's row its outcome. The
    group of that event, or None when there is nothing to correct."""
    row = connection.execute(
        "SELECT offset, memory FROM events WHERE event_id = ? AND file = ? AND status = ? AND memory IS NOT NULL",
        (line.fields.get("corrects"), file, UNKNOWN),
    ).fetchone()
    if row is None:
        return None
    _stand_for(line, line.fields["corrects"], row[0])
    connection.execute(
        "UPDATE events SET status = ?, outcome = ?, latency = ifnull(?, latency) WHERE file = ? AND offset = ?",
        (line.status, outcome(line.status), line.latency, file, line.offset),
    )
    return int(row[1])


def overlay(lines: list[Recorded]) -> list[Recorded]:
    """The lines of a log as they are to be read: what was corrected says so itself."""
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


def _stand_for(line: Recorded, identifier: str, offset: int) -> None:
    line.id, line.offset, line.event = identifier, offset, TOOL_AFTER
