"""Stores what is known of a finished session: its summary, as everybody may see it, and the medians of its tools."""

from __future__ import annotations

from statistics import median

from memorybank.clock import DAY
from memorybank.cycle.finish import sessions, summary_text
from memorybank.cycle.fold.recorded import LogEvent, with_corrections
from memorybank.log import events
from memorybank.storage import jsontext

TYPE_CHECKING = False
if TYPE_CHECKING:
    from _sqlite3 import Connection

    from memorybank.cycle.base import CycleContext

MOST_COSTS = 200
"""Number of sessions from which the median of a tool is made, the latest to be finished."""
_FORGET = """DELETE FROM costs WHERE (session, tool) IN
    (SELECT c.session, tool FROM costs c JOIN finished f ON f.session = c.session WHERE tool = ? ORDER BY round DESC, c.session LIMIT -1 OFFSET ?)"""

TOLD_FOR = 92 * DAY
"""How long (ms) the cache contains the items of a session's summary: longer than the longest lookback that has a name (`3m`)."""
BEGINNING = 120
"""Characters of the text of an older summary, which is shown in one line. Whoever shows all of it reads the log (`text_of`)."""


def lines_of(base: CycleContext, session: str, covered_to: int) -> list[LogEvent]:
    """Return the lines of a session up to an offset, without paths of this machine, because what is derived from them is committed."""
    found = []
    for line in events.read(base.layout, events.name_of(session)):
        if line.end > covered_to:
            break
        recorded = LogEvent(line)
        recorded.leave_out(base.places)
        found.append(recorded)
    return with_corrections(found)


def write(connection: Connection, session: str, lines: list[LogEvent]) -> None:
    """Replace the rows of one session."""
    connection.execute("DELETE FROM summaries WHERE session = ?", (session,))
    summary = sessions.summarise([line for line in lines if line.cell.is_public])
    if summary is not None:
        values = (session, summary.first_at, summary.last_at, summary_text.short(summary), jsontext.encode(summary.to_json()))
        connection.execute("INSERT INTO summaries (session, first_at, last_at, text, detail) VALUES (?, ?, ?, ?, ?)", values)
    _measure(connection, session, lines)


def shorten(connection: Connection, at: int) -> None:
    """Remove the items of summaries that were old at an instant (ms): that of the round that is being folded, so that a rebuilt cache has the same rows."""
    connection.execute("UPDATE summaries SET detail = '', text = substr(text, 1, ?) WHERE detail <> '' AND last_at < ?", (BEGINNING, at - TOLD_FOR))


def text_of(base: CycleContext, session: str, covered_to: int) -> str:
    """Return the text of a session's summary from its log, as everybody may read it; "" when there is nothing to say."""
    summary = sessions.summarise([line for line in lines_of(base, session, covered_to) if line.cell.is_public])
    return summary_text.short(summary) if summary is not None else ""


def _measure(connection: Connection, session: str, lines: list[LogEvent]) -> None:
    """Store the costs of the session's calls, and the medians over the latest finished sessions."""
    spent: dict[str, tuple[list[int], list[int]]] = {}
    for line in lines:
        if line.event == "tool_after" and line.tool:
            latencies, tokens = spent.setdefault(line.tool, ([], []))
            if line.latency is not None:
                latencies.append(line.latency)
            if line.tokens is not None:
                tokens.append(line.tokens)
    earlier = {row[0] for row in connection.execute("SELECT tool FROM costs WHERE session = ?", (session,))}
    connection.execute("DELETE FROM costs WHERE session = ?", (session,))
    rows = [(session, tool, _median(latencies), _median(tokens)) for tool, (latencies, tokens) in spent.items()]
    connection.executemany("INSERT INTO costs VALUES (?, ?, ?, ?)", rows)
    for tool in sorted(earlier | spent.keys()):
        connection.execute(_FORGET, (tool, MOST_COSTS))
        known = connection.execute("SELECT latency, tokens FROM costs WHERE tool = ?", (tool,)).fetchall()
        connection.execute("DELETE FROM medians WHERE tool = ?", (tool,))
        if known:
            medians = [_median([row[column] for row in known if row[column] is not None]) for column in (0, 1)]
            connection.execute("INSERT INTO medians VALUES (?, ?, ?)", (tool, *medians))


def _median(values: list[int]) -> float | None:
    return median(values) if values else None
