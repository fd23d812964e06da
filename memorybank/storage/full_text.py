"""The full-text tables of SQLite in few segments.

Every transaction adds a segment, and a question reads each of them. In a cache of 10,000 notes and 100,000 events with 15 and 20 segments, a prompt
took half as long again as in one of a single segment each (`scripts/bench/hooks`).
"""

from __future__ import annotations

__light__ = True

from memorybank.storage import database
from memorybank.storage.sqlite import sqlite3

TYPE_CHECKING = False
if TYPE_CHECKING:
    from _sqlite3 import Connection

_PAGES = 64


def merge_all(connection: Connection, table: str) -> None:
    """Merge all segments of a table into one. This writes the whole table: about 10 ms for each megabyte."""
    connection.execute(f"INSERT INTO {table} ({table}) VALUES ('optimize')")


def merge_some(connection: Connection, table: str) -> None:
    """Merge segments of the same age, writing some pages at most. Does nothing while another process writes: the next caller merges."""
    try:
        connection.execute(f"INSERT INTO {table} ({table}, rank) VALUES ('merge', {_PAGES})")
    except sqlite3.OperationalError as error:
        if not database.is_busy(error):
            raise
