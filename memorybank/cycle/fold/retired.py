"""Retired sessions: finished, and without an event for a month. What only the continuation of a session or its own finishing reads leaves the cache:

- its events, except those with a passage, whose importance recall reads
- what is open in it: steps after failures that nothing repaired, the commands of its last turns, the anchors that it met, its
  context

What it said, what failed in it and how that was repaired, its summary, its exposures and the counts in the table `retired` remain. If somebody continues
the session, its lines are folded again into a cache of their own, in portions, and the rows that left are copied from there. So the cache is the same as
if the session had never been retired, and a rebuilt cache is the same as one that retired its sessions over the years.
"""

from __future__ import annotations

__light__ = True

from memorybank.cycle.fold import cache, schema
from memorybank.cycle.fold.log_file import LogFile
from memorybank.storage import database
from memorybank.storage.sqlite import sqlite3

TYPE_CHECKING = False
if TYPE_CHECKING:
    from _sqlite3 import Connection
    from collections.abc import Iterable
    from typing import Any

    from memorybank.cycle.base import CycleContext

_PORTION = 64
COUNTED = ("starts", "prompts", "memory_before", "calls", "failures", "turns", "successes", "done", "done_at_once", "tries")
"""The numbers in the table `retired`."""
_SUMS = """SELECT sum(event = 'session_start'), sum(event = 'prompt'), sum(event = 'tool_before' OR asked), sum(event = 'tool_after'),
    sum(event = 'tool_after' AND status = 'failure'), sum(event = 'turn_end'), sum(event = 'turn_end' AND status = 'success') FROM events WHERE """
"""`asked` marks the results of reads (`HookRouter.moment`)."""
_TRIED = """SELECT count(*), ifnull(sum(tries = 1), 0), ifnull(sum(tries), 0) FROM (SELECT min(number) AS tries FROM
    (SELECT file, fingerprint, status, row_number() OVER (PARTITION BY file, fingerprint ORDER BY offset) AS number FROM events
    WHERE event = 'tool_after' AND fingerprint IS NOT NULL AND status IN ('success', 'failure') AND {}) WHERE status = 'success' GROUP BY file, fingerprint)"""
"""Actions that finally succeeded, those at the first attempt, and all attempts up to the success. An action is a session and a fingerprint."""


def retire_all(connection: Connection) -> None:
    """Retire every session that is due, a few in each transaction."""
    while waiting := cache.retirable(connection, _PORTION):
        retire(connection, waiting)


def retire(connection: Connection, sessions: Iterable[tuple[int, str]]) -> None:
    """Retire sessions in one transaction. sessions: rows of `cache.retirable`"""
    with database.transaction(connection):
        for file, session in sessions:
            # Another process may have folded a new line, or retired it, since the caller looked.
            is_due = "SELECT 1 FROM files f JOIN finished d ON d.session = f.session WHERE f.id = ? AND retired = 0 AND f.offset <= d.covered_to"
            if connection.execute(is_due, (file,)).fetchone():
                _retire(connection, file, session)


def counted_events(connection: Connection, where: str, values: tuple[object, ...]) -> tuple[int, ...]:
    """Return the numbers of `COUNTED` over the events that a condition selects."""
    sums = connection.execute(_SUMS + where, values).fetchone()
    return (*(int(value or 0) for value in sums), *connection.execute(_TRIED.format(where), values).fetchone())


def restore(base: CycleContext, connection: Connection, log: LogFile, limit: int | None) -> int:
    """Fold the lines of a retired session again, at most `limit`, and restore its rows after the last one. Returns the number of lines.

    They are folded into a separate cache, which keeps what was done until the next portion: no hook has to fold all of a long session. The caller has
    begun a transaction, so that no other process does the same.
    """
    folded, is_complete = 0, False
    try:
        again = database.open_writable(cache.restoring_path(base.layout), schema.TABLES, schema.VERSION)
        try:
            (done,) = again.execute("SELECT ifnull((SELECT offset FROM files WHERE name = ?), 0)", (log.name,)).fetchone()
            with database.transaction(again):
                earlier = LogFile(base, again, log.name, done)
                folded = earlier.fold(limit, log.offset)
            is_complete = earlier.offset >= log.offset or limit is None or folded < limit
            found = {table: again.execute(query, (earlier.id,)).fetchall() for table, query in _READ.items()} if is_complete else {}
        finally:
            again.close()
    except sqlite3.DatabaseError:  # damaged, or the disk is full: begin again next time
        cache.discard_restoring(base.layout)
        return 0
    if is_complete:
        _write(connection, log.id, found)
        log.is_retired = False
        cache.discard_restoring(base.layout)
    return folded


def restore_all(base: CycleContext, connection: Connection, name: str) -> None:
    """Restore the rows of the log of this name if it is retired, in the caller's transaction."""
    row = connection.execute("SELECT offset FROM files WHERE name = ? AND retired", (name,)).fetchone()
    if row is not None:
        restore(base, connection, LogFile(base, connection, name, row[0]), None)


def read_again(base: CycleContext, logs: Iterable[tuple[str, int]]) -> Connection:
    """Return a cache in memory with the rows of these logs, for a reader that needs retired events. logs: (name, offset up to which it is folded)"""
    again = database.in_memory(schema.TABLES, schema.VERSION)
    for name, until in logs:
        LogFile(base, again, name, 0).fold(None, until)
    return again


def _retire(connection: Connection, file: int, session: str) -> None:
    first, last = connection.execute("SELECT ifnull(min(at), 0), ifnull(max(at), 0) FROM events WHERE file = ?", (file,)).fetchone()
    values = (file, first, last, *counted_events(connection, "file = ?", (file,)))
    connection.execute(f"INSERT OR REPLACE INTO retired VALUES ({', '.join('?' * len(values))})", values)
    connection.execute("DELETE FROM events WHERE file = ? AND offset NOT IN (SELECT offset FROM passages WHERE session = ?)", (file, session))
    connection.execute("UPDATE events SET sketch = x'' WHERE file = ?", (file,))
    connection.execute("DELETE FROM met WHERE file = ?", (file,))
    connection.execute("DELETE FROM steps_since WHERE failure IN (SELECT id FROM failures WHERE file = ?)", (file,))
    connection.execute("DELETE FROM turn_commands WHERE turn IN (SELECT id FROM turns WHERE file = ?)", (file,))
    connection.execute("DELETE FROM contexts WHERE session = ?", (session,))
    connection.execute("UPDATE files SET retired = 1 WHERE id = ?", (file,))


_READ = {
    "events": "SELECT * FROM events WHERE file = ?",
    "met": "SELECT * FROM met WHERE file = ?",
    "steps_since": "SELECT a.*, x.offset FROM steps_since a JOIN failures x ON x.id = failure WHERE file = ?",
    "turn_commands": "SELECT c.*, t.offset FROM turn_commands c JOIN turns t ON t.id = turn WHERE file = ?",
    "contexts": "SELECT * FROM contexts WHERE session = (SELECT session FROM files WHERE id = ?)",
}
"""What is copied of a session: the rows, followed by what replaces their row numbers."""


def _write(connection: Connection, file: int, found: dict[str, list[tuple[Any, ...]]]) -> None:
    """Write the rows of a session where they are missing, with the row numbers of this cache."""
    for table in ("events", "met"):
        _insert(connection, table, [(file, *row[1:]) for row in found[table]])
    failed = "SELECT id FROM failures WHERE file = ? AND offset = ?"
    _insert(connection, "steps_since", [(_number(connection, failed, file, row[-1]), *row[1:-1]) for row in found["steps_since"]])
    asked = "SELECT id FROM turns WHERE file = ? AND offset = ?"
    _insert(connection, "turn_commands", [(_number(connection, asked, file, row[-1]), *row[1:-1]) for row in found["turn_commands"]])
    _insert(connection, "contexts", found["contexts"])
    connection.execute("DELETE FROM retired WHERE file = ?", (file,))
    connection.execute("UPDATE files SET retired = 0 WHERE id = ?", (file,))


def _insert(connection: Connection, table: str, rows: list[tuple[Any, ...]]) -> None:
    if rows:
        connection.executemany(f"INSERT OR REPLACE INTO {table} VALUES ({', '.join('?' * len(rows[0]))})", rows)


def _number(connection: Connection, query: str, *values: object) -> int:
    """Return the row number that a query finds. Everything that a session's lines made and that is not retired is still there."""
    return int(connection.execute(query, values).fetchone()[0])
