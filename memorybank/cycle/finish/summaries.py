"""Stores the summary of a finished session, as everybody may see it."""

from __future__ import annotations

from memorybank.clock import DAY
from memorybank.cycle.finish import sessions, summary_text
from memorybank.cycle.fold.recorded import LogEvent, with_corrections
from memorybank.log import events
from memorybank.storage import jsontext

TYPE_CHECKING = False
if TYPE_CHECKING:
    from _sqlite3 import Connection

    from memorybank.cycle.base import CycleContext

TOLD_FOR = 92 * DAY
"""How long (ms) the cache contains the items of a session's summary: longer than the longest lookback that has a name (`3m`)."""
BEGINNING = 120
"""Characters of the text of an older summary, which is shown in one line. Whoever shows all of it reads the log (`text_of`)."""


def lines_of(base: CycleContext, session: str, covered_to: int) -> list[LogEvent]:
    """Return the lines of a session up to an offset that everybody may see, without paths of this machine: what is derived from them is committed."""
    found = []
    for line in events.read(base.layout, events.name_of(session)):
        if line.end > covered_to:
            break
        recorded = LogEvent(line)
        recorded.leave_out(base.places)
        found.append(recorded)
    return [line for line in with_corrections(found) if line.cell.is_public]


def write(connection: Connection, session: str, lines: list[LogEvent]) -> None:
    """Replace the summary of one session."""
    connection.execute("DELETE FROM summaries WHERE session = ?", (session,))
    summary = sessions.summarise(lines)
    if summary is not None:
        values = (session, summary.first_at, summary.last_at, summary_text.short(summary), jsontext.encode(summary.to_json()))
        connection.execute("INSERT INTO summaries (session, first_at, last_at, text, detail) VALUES (?, ?, ?, ?, ?)", values)


def shorten(connection: Connection, at: int) -> None:
    """Remove the items of summaries that were old at an instant (ms): that of the round that is being folded, so that a rebuilt cache has the same rows."""
    connection.execute("UPDATE summaries SET detail = '', text = substr(text, 1, ?) WHERE detail <> '' AND last_at < ?", (BEGINNING, at - TOLD_FOR))


def text_of(base: CycleContext, session: str, covered_to: int) -> str:
    """Return the text of a session's summary from its log, as everybody may read it; "" when there is nothing to say."""
    summary = sessions.summarise(lines_of(base, session, covered_to))
    return summary_text.short(summary) if summary is not None else ""
