"""The one connection to the cycle's cache that a process keeps. A hook ends without closing it: the last one to close would copy
the write-ahead log into the cache, which costs more than the fold.

Light imports only: hooks load this file.
"""

from __future__ import annotations

from memorybank.cycle import schema
from memorybank.storage import database

TYPE_CHECKING = False
if TYPE_CHECKING:
    from _sqlite3 import Connection

    from memorybank.storage.layout import Layout

_kept: dict[str, Connection] = {}


def writable(layout: Layout, *, busy_seconds: float = 0.0) -> Connection:
    """The cache of a bank, made when missing, set aside and made anew when broken. busy_seconds: for the first opening."""
    path = schema.path(layout)
    connection = _kept.get(path)
    if connection is None:
        connection = _kept[path] = database.open_writable(path, schema.TABLES, schema.VERSION, busy_seconds=busy_seconds)
    return connection


def close() -> None:
    """Close what this process has open: for whoever lives longer than one event."""
    while _kept:
        _kept.popitem()[1].close()
