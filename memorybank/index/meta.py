"""The table `meta`: named single values that the cache stores about itself."""

from __future__ import annotations

__light__ = True

from memorybank.storage.sqlite import sqlite3

CLAIMS_HEAD = "claims_head"
"""The commit up to which git's history was read for the claims of notes; missing while these were never looked up."""
NOTES_REVISION = "notes_revision"
"""The revision of the last fold in which a note or a date of one changed, not only a score."""

TOTALS, SUPERSEDED = "totals", "superseded"
"""The sums over all notes, and the number of superseded statements, each with the revision of the rows that it follows from (`index.totals`)."""
LARGE, PINNED = "large_notes", "pinned_notes"
"""The ids of the notes that are larger than a limit, and of those that a person pinned, each with its limit and revision (`index.totals`)."""


def text(connection: sqlite3.Connection, name: str) -> str | None:
    """Return the value stored under `name` as text, or None."""
    row = connection.execute("SELECT value FROM meta WHERE name = ?", (name,)).fetchone()
    return None if row is None or row[0] is None else str(row[0])


def integer(connection: sqlite3.Connection, name: str) -> int | None:
    """Return the value stored under `name` as an integer, or None."""
    row = connection.execute("SELECT value FROM meta WHERE name = ?", (name,)).fetchone()
    return None if row is None or row[0] is None else int(row[0])


def write(connection: sqlite3.Connection, name: str, value: str | int | None) -> None:
    """Store a value under `name`, replacing the previous one."""
    connection.execute("INSERT OR REPLACE INTO meta VALUES (?, ?)", (name, value))
