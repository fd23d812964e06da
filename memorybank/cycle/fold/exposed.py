"""Exposure lines in the cache: what was put before which context, and which anchors would make it used.

Light imports only: hooks load this file when a line says that memory was shown.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from _sqlite3 import Connection

    from memorybank.cycle.fold.recorded import Recorded

_MOST_ANCHORS = 12


def write(connection: Connection, file: int, line: Recorded) -> None:
    """The rows of one exposure line."""
    trigger = line.fields.get("trigger")
    event, tool = (trigger.get("event"), trigger.get("tool")) if isinstance(trigger, dict) else (None, None)
    exposures = line.fields.get("exposures")
    for exposure in exposures if isinstance(exposures, list) else ():
        if not isinstance(exposure, dict) or not isinstance(exposure.get("memory"), str):
            continue
        cursor = connection.execute(
            "INSERT INTO exposures (memory, file, offset, rank, session, agent, epoch, at, event, tool, shown, score, tokens)"
            " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            (
                *(exposure["memory"], file, line.offset, _number(exposure.get("rank")), line.session, line.agent, line.epoch, line.at),
                *(str(event or line.event), tool if isinstance(tool, str) else None, int(exposure.get("shown") is True)),
                *(_number(exposure.get("score")), _number(exposure.get("tokens"))),
            ),
        )
        anchors = exposure.get("anchors")
        rows = [
            (file, line.agent, line.epoch, anchor, cursor.lastrowid)
            for anchor in (anchors[:_MOST_ANCHORS] if isinstance(anchors, list) else ())
            if isinstance(anchor, str)
        ]
        connection.executemany("INSERT OR IGNORE INTO awaited VALUES (?, ?, ?, ?, ?)", rows)


def _number(value: object) -> float:
    return value if isinstance(value, int | float) else 0
