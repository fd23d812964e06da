"""The rows of notes that a fold is about to write, table after table for some hundred notes at a time.

A row of the full text written between the Python code of two notes takes three times as long as one among others: SQLite finds its own code and pages in
the processor's caches then. One statement for all rows of a table is also prepared and started once.
"""

from __future__ import annotations

__light__ = True

TYPE_CHECKING = False
if TYPE_CHECKING:
    from _sqlite3 import Connection
    from collections.abc import Iterable

AT_ONCE = 256
"""Number of notes whose rows are kept: of notes of 3 kB about 8 MB."""


class PendingRows:
    """Rows that are not written yet, by the statement that writes them. Whoever reads these tables calls `write` first.

    A statement that was asked for first is executed first.
    """

    __slots__ = ("_connection", "_next_id", "_notes", "_rows")

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self._rows: dict[str, list[tuple[object, ...]]] = {}
        self._notes = 0
        self._next_id = 0

    def new_id(self) -> int:
        """Return the id of a new note, as SQLite would choose it: the largest one and 1."""
        if not self._next_id:
            self._next_id = int(self._connection.execute("SELECT coalesce(max(id), 0) FROM notes").fetchone()[0]) + 1
        self._next_id += 1
        return self._next_id - 1

    def add(self, statement: str, rows: Iterable[tuple[object, ...]]) -> None:
        """Keep the rows that a statement is to write."""
        kept = self._rows.get(statement)
        if kept is None:
            kept = self._rows[statement] = []
        kept += rows

    def end_note(self) -> None:
        """Count a note of which all rows were added, and write them if there are many."""
        self._notes += 1
        if self._notes >= AT_ONCE:
            self.write()

    def write(self) -> None:
        """Write all rows."""
        for statement, rows in self._rows.items():
            if rows:
                self._connection.executemany(statement, rows)
                rows.clear()
        self._notes = 0
