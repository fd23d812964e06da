"""Opens the databases of other programs. What belongs to them is not repaired, set aside or created."""

from __future__ import annotations

__light__ = True

from memorybank.storage.database import BUSY_SECONDS, quoted, typed
from memorybank.storage.sqlite import sqlite3


def open_foreign(path: str) -> sqlite3.Connection:
    """Return a connection that only reads another program's database. No byte of it changes, and no file is created next to it.

    Raises an SQLite error when it cannot be read, now or at the first query.
    """
    return sqlite3.connect(f"file:{quoted(path)}?mode=ro&immutable=1", uri=True, isolation_level=None)


def wipe_free_pages(path: str) -> None:
    """Rewrite another program's closed database without free pages, which may contain what was deleted. Raises a typed error."""
    try:
        connection = sqlite3.connect(path, timeout=BUSY_SECONDS, isolation_level=None)
        try:
            connection.execute("PRAGMA secure_delete = ON")
            connection.execute("VACUUM")
        finally:
            connection.close()
    except sqlite3.Error as error:
        raise typed(error, path) from error
