"""The one connection to the cycle's cache that a process keeps. A hook ends without closing it: the last one to close would copy
the write-ahead log into the cache, which costs more than the fold.

What a process leaves in that log, the next one reads to know what is in it, and neither knows that it was copied already: so
nobody copies by the way (no `wal_autocheckpoint`), and `settle` copies and empties it when it has grown.
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
    """The cache of a bank, made when missing, set aside and made anew when broken. busy_seconds: for the first opening."""
    path = schema.path(layout)
    connection = _kept.get(path)
    if connection is None:
        connection = _kept[path] = database.open_writable(path, schema.TABLES, schema.VERSION, busy_seconds=busy_seconds)
        connection.execute("PRAGMA wal_autocheckpoint = 0")
    return connection


def settle(layout: Layout, at_least: int) -> None:
    """Copy the write-ahead log into the cache and empty it, when it has so many bytes and nobody else reads or writes just now."""
    path = schema.path(layout)
    if path in _kept and lines.size(path + "-wal") >= at_least:
        _kept[path].execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()


class used:
    """`with used(layout) as connection: …`: a damage that shows only now sets the cache aside; every error of SQLite is typed."""

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
        raise database.typed(error, self.layout.relative(path)) from error


def remove(layout: Layout) -> None:
    """Take the cache and everything beside it away, so that no byte of what it told is left; the next opening makes it anew."""
    path = schema.path(layout)
    connection = _kept.pop(path, None)
    if connection is not None:
        connection.close()
    for suffix in ("", "-wal", "-shm", ".broken"):
        disk.remove(path + suffix)


def close() -> None:
    """Close what this process has open: for whoever lives longer than one event."""
    while _kept:
        _kept.popitem()[1].close()
