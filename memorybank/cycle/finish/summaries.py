"""Stores the memories of a finished session: its summary in each cell, the summaries of its days and months, and the medians of its tools."""

from __future__ import annotations

from statistics import median

from memorybank import clock
from memorybank.cycle.finish import sessions, summary_text
from memorybank.cycle.finish.sessions import SessionSummary
from memorybank.cycle.fold import cache
from memorybank.cycle.fold.recorded import Cell, LogEvent, cell_digits, with_corrections
from memorybank.cycle.fold.schema import DAY, MONTH, SESSION
from memorybank.cycle.importance import outcome
from memorybank.log import events
from memorybank.storage import jsontext

TYPE_CHECKING = False
if TYPE_CHECKING:
    from _sqlite3 import Connection
    from collections.abc import Callable
    from typing import Any

    from memorybank.cycle.base import CycleContext


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
    """Replace the rows of one session, and those of the days and months that it was or is part of."""
    touched: set[tuple[str, str]] = set()
    for memory, cell, detail in connection.execute("SELECT id, cell, detail FROM memories WHERE session = ? AND kind = ?", (session, SESSION)).fetchall():
        touched |= {(day, cell) for day in summary_text.days_of(sessions.from_json(jsontext.decode(detail)))}
        cache.remove_memory(connection, memory)
    cells: dict[str, Cell] = {}
    for name, (cell, part) in sessions.by_cell(lines).items():
        summary = sessions.summarise(part)
        if summary is not None:
            _write_session(connection, session, cell, summary, part)
            cells[name] = cell
            touched |= {(day, name) for day in summary_text.days_of(summary)}
    _measure(connection, session, lines)
    for day, name in sorted(touched):
        _write_border(connection, DAY, day, name, summary_text.day_text)
    for month, name in sorted({(day[:7], name) for day, name in touched}):
        _write_border(connection, MONTH, month, name, summary_text.month_text)


def _write_session(connection: Connection, session: str, cell: Cell, summary: SessionSummary, lines: list[LogEvent]) -> None:
    roles = {line.role for line in lines}
    agents = {line.agent for line in lines}
    failed = [line for line in lines if line.failed]
    row = {
        "memory": f"{SESSION}:{session}" if cell.is_public else f"{SESSION}:{session}/{cell_digits(cell.name)}",
        "kind": SESSION,
        **_scope(cell.name, cell),
        "session": session,
        "agent": agents.pop() if len(agents) == 1 else None,
        "role": roles.pop() if len(roles) == 1 else None,
        "task": summary.tasks[-1] if summary.tasks else None,
        "status": next((line.status for line in reversed(lines) if line.event == "turn_end"), None),
        "first_at": summary.first_at,
        "last_at": summary.last_at,
        "count": len(lines),
        "successes": sum(line.status == "success" for line in lines if line.event == "tool_after"),
        "failures": len(failed),
        "outcome": outcome("failure" if summary.fixes or summary.open_ends else "success"),
        "text": summary_text.short(summary),
        "detail": jsontext.encode(summary.to_json()),
    }
    memory = cache.insert_memory(connection, row)
    if memory is not None:
        errors = (anchor for line in failed for anchor in line.anchors if anchor.startswith("err:"))
        cache.add_anchors(connection, memory, [*(f"file:{name}" for name in summary.files), *errors])


def _write_border(connection: Connection, kind: str, period: str, cell: str, tell: Callable[[str, list[SessionSummary]], str]) -> None:
    """The summary of a day or month in one cell, from the sessions in it as they are now. A cell that only one session can see needs none."""
    begin, end = _bounds(period)
    rows = connection.execute(
        "SELECT detail, acl, privacy, hold, session, agent, role FROM memories WHERE kind = ? AND cell = ? AND last_at >= ? AND first_at < ? ORDER BY memory",
        (SESSION, cell, begin, end),
    ).fetchall()
    memory = f"{kind}:{period}/{cell_digits(cell)}"
    known = connection.execute("SELECT id FROM memories WHERE memory = ?", (memory,)).fetchone()
    if known is not None:
        cache.remove_memory(connection, known[0])
    summaries = [sessions.from_json(jsontext.decode(row[0])) for row in rows]
    text = tell(period, summaries)
    if not text or not rows or rows[0][1] == "session":
        return
    _, acl, privacy, hold, session, agent, role = rows[0]
    scope = Cell(acl, privacy, bool(hold), session, agent, role)
    row = {
        "memory": memory,
        "kind": kind,
        **_scope(cell, scope),
        "agent": scope.agent,
        "role": scope.role,
        "first_at": begin,
        "last_at": min(end - 1, max(summary.last_at for summary in summaries)),
        "count": len(summaries),
        "successes": 0,
        "failures": 0,
        "outcome": outcome("success"),
        "text": text,
        "detail": jsontext.encode({"period": period, "sessions": len(summaries)}),
    }
    identifier = cache.insert_memory(connection, row)
    if identifier is not None:
        files = dict.fromkeys(name for summary in summaries for name in summary.files)
        cache.add_anchors(connection, identifier, [f"file:{name}" for name in files])


def _scope(name: str, cell: Cell) -> dict[str, Any]:
    """Return the columns that all summaries have in common: those of their cell, and that they were made from the output of tools."""
    return {
        "cell": name,
        "acl": cell.acl,
        "privacy": cell.privacy,
        "hold": int(cell.hold),
        "origin": "tool",
        "novelty": 1.0,  # no single event contains what a summary says
        "signal": 0,
    }


def _measure(connection: Connection, session: str, lines: list[LogEvent]) -> None:
    """The costs of the session's calls, and the medians over all finished sessions."""
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
        known = connection.execute("SELECT latency, tokens FROM costs WHERE tool = ?", (tool,)).fetchall()
        connection.execute("DELETE FROM medians WHERE tool = ?", (tool,))
        if known:
            medians = [_median([row[column] for row in known if row[column] is not None]) for column in (0, 1)]
            connection.execute("INSERT INTO medians VALUES (?, ?, ?)", (tool, *medians))


def _median(values: list[int]) -> float | None:
    return median(values) if values else None


def _bounds(period: str) -> tuple[int, int]:
    """Return [begin, end) in ms of a day or a month, UTC."""
    if len(period) == len("2025-09-17"):
        begin = clock.parse(period) or 0
        return begin, begin + clock.DAY
    year, month = int(period[:4]), int(period[5:7])
    following = f"{year + month // 12:04d}-{month % 12 + 1:02d}-01"
    return clock.parse(f"{period}-01") or 0, clock.parse(following) or 1 << 62
