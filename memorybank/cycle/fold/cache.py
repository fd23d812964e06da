"""The connection to the cycle's cache, one for each process. A hook ends without closing it: the last connection to close would copy the write-ahead log
into the cache, which takes longer than the fold.

Every process reads the write-ahead log that others have left. So nothing is copied automatically (no `wal_autocheckpoint`), and `settle` copies and
empties the log when it has grown.
"""

from __future__ import annotations

__light__ = True

from memorybank.cycle.fold import schema
from memorybank.log import lines
from memorybank.storage import database, disk
from memorybank.storage.sqlite import sqlite3

TYPE_CHECKING = False
if TYPE_CHECKING:
    from _sqlite3 import Connection
    from types import TracebackType

    from memorybank.storage.layout import Layout

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


def settle(layout: Layout, at_least: int) -> None:
    """Copy the write-ahead log into the cache and empty it, if it has at least `at_least` bytes and no other process is reading or writing."""
    path = schema.path(layout)
    if path in _kept and lines.size(path + "-wal") >= at_least:
        _kept[path].execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()


class CacheConnection:
    """A context manager: `with used(layout) as connection: …`. Damage that is found meanwhile sets the cache aside. Errors of SQLite become typed errors."""

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
    for suffix in ("", "-wal", "-shm", ".broken"):
        disk.remove(path + suffix)


def close() -> None:
    """Close all connections of this process, for processes that live longer than one event."""
    while _kept:
        _kept.popitem()[1].close()
