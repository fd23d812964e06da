"""One memory into the tables of the cycle's cache: its row, its terms, its anchors. The fold and the summaries write through here.

Light imports only: hooks load this file.
"""

from __future__ import annotations

from memorybank.text.terms import terms

TYPE_CHECKING = False
if TYPE_CHECKING:
    from _sqlite3 import Connection
    from collections.abc import Iterable
    from typing import Any

MOST_ANCHORS = 24
"""Anchors that one memory keeps; a call that names more of them is about none in particular."""
_DERIVED = (
    *("files", "events", "pending", "memories", "memory_tokens", "anchors", "sharers", "exposures", "awaited", "attempts", "contexts"),
    *("costs", "medians", "finished", "meta", "frequencies", "turns", "turn_tokens", "turn_anchors"),
)


def insert(connection: Connection, row: dict[str, Any]) -> int | None:
    """A new memory; None when its id is taken. row: column → value, without `id`."""
    columns = ", ".join(row)
    marks = ", ".join("?" * len(row))
    cursor = connection.execute(f"INSERT INTO memories ({columns}) VALUES ({marks}) ON CONFLICT (memory) DO NOTHING", tuple(row.values()))
    return int(cursor.lastrowid or 0) if cursor.rowcount else None


def update(connection: Connection, memory: int, row: dict[str, Any]) -> None:
    assignments = ", ".join(f"{column} = ?" for column in row)
    connection.execute(f"UPDATE memories SET {assignments} WHERE id = ?", (*row.values(), memory))


def remove(connection: Connection, memory: int) -> None:
    write_text(connection, memory, "")
    connection.execute("DELETE FROM anchors WHERE memory = ?", (memory,))
    connection.execute("DELETE FROM memories WHERE id = ?", (memory,))


def write_text(connection: Connection, memory: int, text: str) -> None:
    """Make a memory findable by the terms of `text` and by no others; nothing is written when they are the same."""
    new = " ".join(terms(text))
    row = connection.execute("SELECT text FROM memory_tokens WHERE id = ?", (memory,)).fetchone()
    if row is not None:
        if row[0] == new:
            return
        connection.execute("INSERT INTO memory_text (memory_text, rowid, text) VALUES ('delete', ?, ?)", (memory, row[0]))
    _count(connection, set(row[0].split()) if row is not None else set(), set(new.split()))
    if not new:
        connection.execute("DELETE FROM memory_tokens WHERE id = ?", (memory,))
        return
    connection.execute("INSERT INTO memory_text (rowid, text) VALUES (?, ?)", (memory, new))
    connection.execute("INSERT OR REPLACE INTO memory_tokens VALUES (?, ?)", (memory, new))


def _count(connection: Connection, before: set[str], after: set[str]) -> None:
    """How many memories hold each term, for those that came and went."""
    if before - after:
        gone = [(term,) for term in sorted(before - after)]
        connection.executemany("UPDATE frequencies SET memories = memories - 1 WHERE term = ?", gone)
        connection.executemany("DELETE FROM frequencies WHERE term = ? AND memories <= 0", gone)
    came = [(term,) for term in sorted(after - before)]
    connection.executemany("INSERT INTO frequencies VALUES (?, 1) ON CONFLICT (term) DO UPDATE SET memories = memories + 1", came)


def add_anchors(connection: Connection, memory: int, anchors: Iterable[str]) -> None:
    """Anchors beside those it has; the first `MOST_ANCHORS` count."""
    room = MOST_ANCHORS - int(connection.execute("SELECT count(*) FROM anchors WHERE memory = ?", (memory,)).fetchone()[0])
    for anchor in anchors:
        if room <= 0:
            return
        room -= connection.execute("INSERT OR IGNORE INTO anchors VALUES (?, ?)", (anchor, memory)).rowcount


def clear(connection: Connection) -> None:
    """Forget everything: the next fold begins at the first line of the log."""
    for table in _DERIVED:
        connection.execute(f"DELETE FROM {table}")
    connection.execute("INSERT INTO memory_text (memory_text) VALUES ('delete-all')")
    connection.execute("INSERT INTO turn_text (turn_text) VALUES ('delete-all')")
