"""Writes one memory to the tables of the cycle's cache: its row and its anchors. The fold and the summaries both use this module."""

from __future__ import annotations

__light__ = True

TYPE_CHECKING = False
if TYPE_CHECKING:
    from _sqlite3 import Connection
    from collections.abc import Iterable
    from typing import Any

MOST_ANCHORS = 24
"""Maximum number of anchors of one memory; a call with more of them is about none in particular."""
_DERIVED = (
    *("files", "events", "pending", "memories", "anchors", "sharers", "exposures", "awaited", "attempts", "contexts", "costs", "medians", "finished"),
    *(
        "meta",
        "turns",
        "turn_files",
        "passages",
        "passage_terms",
        "frequencies",
        "statements",
        "failures",
        "remedies",
        "attempted",
        "edits_since",
        "forms",
        "chains",
        "ticks",
        "extracted",
    ),
)


def insert(connection: Connection, row: dict[str, Any]) -> int | None:
    """Insert a new memory. Returns its row number, None when its id is taken. row: column → value, without `id`."""
    columns = ", ".join(row)
    marks = ", ".join("?" * len(row))
    cursor = connection.execute(f"INSERT INTO memories ({columns}) VALUES ({marks}) ON CONFLICT (memory) DO NOTHING", tuple(row.values()))
    return int(cursor.lastrowid or 0) if cursor.rowcount else None


def update(connection: Connection, memory: int, row: dict[str, Any]) -> None:
    """Set columns of a memory. row: column → value."""
    assignments = ", ".join(f"{column} = ?" for column in row)
    connection.execute(f"UPDATE memories SET {assignments} WHERE id = ?", (*row.values(), memory))


def remove(connection: Connection, memory: int) -> None:
    """Delete a memory and its anchors."""
    connection.execute("DELETE FROM anchors WHERE memory = ?", (memory,))
    connection.execute("DELETE FROM memories WHERE id = ?", (memory,))


def add_anchors(connection: Connection, memory: int, anchors: Iterable[str]) -> None:
    """Add anchors to those that a memory has, up to `MOST_ANCHORS`."""
    room = MOST_ANCHORS - int(connection.execute("SELECT count(*) FROM anchors WHERE memory = ?", (memory,)).fetchone()[0])
    for anchor in anchors:
        if room <= 0:
            return
        room -= connection.execute("INSERT OR IGNORE INTO anchors VALUES (?, ?)", (anchor, memory)).rowcount


def clear(connection: Connection) -> None:
    """Delete everything: the next fold begins at the first line of each log."""
    for table in _DERIVED:
        connection.execute(f"DELETE FROM {table}")
    connection.execute("INSERT INTO passage_text (passage_text) VALUES ('delete-all')")


def value(connection: Connection, name: str) -> int:
    """Return a single value of the cache (table `meta`), 0 when it is missing."""
    row = connection.execute("SELECT value FROM meta WHERE name = ?", (name,)).fetchone()
    return int(row[0]) if row else 0
