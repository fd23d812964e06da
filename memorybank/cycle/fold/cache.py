"""The cycle's cache: its connection, its rows, and its removal.

Each process has one connection. A hook ends without closing it: the last connection to close would copy the write-ahead log into the cache, which takes
longer than the fold. Every process reads the write-ahead log that others have left. So nothing is copied automatically (no `wal_autocheckpoint`), and
`settle` copies and empties the log when it has grown.
"""

from __future__ import annotations

__light__ = True

from memorybank.clock import DAY
from memorybank.cycle.fold import schema
from memorybank.log import lines
from memorybank.storage import database, disk
from memorybank.storage.sqlite import sqlite3

TYPE_CHECKING = False
if TYPE_CHECKING:
    from _sqlite3 import Connection
    from types import TracebackType
    from typing import Any

    from memorybank.cycle.fold.recorded import LogEvent
    from memorybank.storage.layout import Layout

_NOT_FOLDED = ("renderings",)
"""Tables whose rows are not made from the logs."""
RETIRED_AFTER = 31 * DAY
"""How long (ms) a finished session keeps the rows that only its continuation needs. Logs are compressed after the same time by default."""
FINISHED_AT = "finished_at"
"""Name in `meta` of the instant (ms) at which the latest round of a session began."""

_kept: dict[str, Connection] = {}


def writable(layout: Layout, *, busy_seconds: float = 0.0) -> Connection:
    """Return the connection to a bank's cache. A missing cache is created; a broken one is set aside and created again.

    busy_seconds: how long the first opening waits for another process
    """
    path = schema.path(layout)
    connection = _kept.get(path)
    if connection is None:
        connection = _kept[path] = database.open_writable(path, schema.TABLES, schema.VERSION, busy_seconds=busy_seconds)
        connection.execute("PRAGMA wal_autocheckpoint = 0")
    return connection


def as_it_is(layout: Layout, *, frozen: bool) -> Connection:
    """Open a bank's cache to read it; an empty one if it is missing, broken or of another version.

    frozen: whether nothing next to the cache may change either. Then a cache with a write-ahead log is copied, however large it is.
    """
    path = schema.path(layout)
    connection = None if frozen else database.open_reading(path, schema.VERSION)
    return connection if connection is not None else database.open_frozen(path, schema.TABLES, schema.VERSION)


def settle(layout: Layout, at_least: int) -> None:
    """Copy the write-ahead log into the cache and empty it, if it has at least `at_least` bytes and no other process is reading or writing."""
    path = schema.path(layout)
    if path in _kept and lines.size(path + "-wal") >= at_least:
        _kept[path].execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()


class CacheConnection:
    """A context manager: `with used(layout) as connection: …`. If damage is found meanwhile, the cache is set aside. Errors of SQLite become typed errors."""

    __slots__ = ("busy_seconds", "layout")

    def __init__(self, layout: Layout, *, busy_seconds: float = 0.0) -> None:
        self.layout = layout
        self.busy_seconds = busy_seconds

    def __enter__(self) -> Connection:
        return writable(self.layout, busy_seconds=self.busy_seconds)

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        if not isinstance(error, sqlite3.Error):
            return
        path = schema.path(self.layout)
        if database.is_broken(error):
            _kept.pop(path).close()
            database.set_aside(path)
        raise database.typed(error, self.layout.relative(path), was_set_aside=True) from error


def remove(layout: Layout) -> None:
    """Delete the cache and its companion files, so that no byte of its content remains. The next opening creates it again."""
    path = schema.path(layout)
    connection = _kept.pop(path, None)
    if connection is not None:
        connection.close()
    _delete(path)
    discard_restoring(layout)


def restoring_path(layout: Layout) -> str:
    """Return the path of the cache into which the lines of retired sessions are folded again (`fold.retired`)."""
    return f"{layout.cache}/restoring.sqlite3"


def discard_restoring(layout: Layout) -> None:
    """Delete what was folded again of retired sessions that are not restored yet."""
    _delete(restoring_path(layout))


def _delete(path: str) -> None:
    for suffix in ("", "-wal", "-shm", ".broken"):
        disk.remove(path + suffix)


def retirable(connection: Connection, limit: int) -> list[tuple[int, str]]:
    """Return (file, session) of sessions to retire, the oldest first: finished up to their last line, and without an event for a month when the latest
    session was finished. The logs alone decide, so that a rebuilt cache retires the same sessions. limit: maximum number
    """
    since = value(connection, FINISHED_AT) - RETIRED_AFTER
    rows = connection.execute(
        "SELECT f.id, f.session FROM files f JOIN finished d ON d.session = f.session WHERE retired = 0 AND f.last_at < ? AND f.offset <= d.covered_to"
        " ORDER BY f.last_at, f.session LIMIT ?",
        (since, limit),
    )
    return [(int(file), str(session)) for file, session in rows]


def close() -> None:
    """Close all connections of this process, for processes that live longer than one event."""
    while _kept:
        _kept.popitem()[1].close()


def insert(connection: Connection, table: str, row: dict[str, Any]) -> int | None:
    """Insert a row. Return its number, None when there is one with the same key already. row: column → value."""
    inserted = f"INSERT OR IGNORE INTO {table} ({', '.join(row)}) VALUES ({', '.join('?' * len(row))})"
    cursor = connection.execute(inserted, tuple(row.values()))
    return int(cursor.lastrowid or 0) if cursor.rowcount else None


def turn_of(connection: Connection, file: int, line: LogEvent) -> int | None:
    """Return the turn of a line if both are in the same cell: everybody who sees the turn may then see the line."""
    row = connection.execute("SELECT id, cell FROM turns WHERE file = ? AND offset < ? ORDER BY offset DESC LIMIT 1", (file, line.offset)).fetchone()
    return int(row[0]) if row is not None and row[1] == line.cell.name else None


def clear(connection: Connection) -> None:
    """Delete everything: the next fold begins at the first line of each log."""
    for statement in schema.TABLES:
        create, kind, name = statement.split(maxsplit=3)[:3]
        if (create, kind) == ("CREATE", "TABLE") and name not in _NOT_FOLDED:
            connection.execute(f"DELETE FROM {name}")
    connection.execute("INSERT INTO passage_text (passage_text) VALUES ('delete-all')")


def value(connection: Connection, name: str) -> int:
    """Return a single value of the cache (table `meta`), 0 when it is missing."""
    row = connection.execute("SELECT value FROM meta WHERE name = ?", (name,)).fetchone()
    return int(row[0]) if row else 0
