"""The rows that this machine received from the server: a cache in the folder of the local copy. Without it, the next pull fetches everything again."""

from __future__ import annotations

import json
import os
import sqlite3
from collections.abc import Iterable, Sequence
from contextlib import AbstractContextManager
from typing import TYPE_CHECKING

from memorybank.storage import database
from memorybank.team.row import WITHDRAWN
from memorybank.values import Value

if TYPE_CHECKING:
    from memorybank.team.row import SharedRow

FILE = "cache/received.sqlite3"
"""Path of the cache relative to the local copy."""
VERSION = 1
_TABLES = (
    """CREATE TABLE received (
        repository TEXT NOT NULL, origin TEXT NOT NULL, key TEXT NOT NULL, sequence INTEGER NOT NULL, kind TEXT NOT NULL, digest TEXT NOT NULL,
        path TEXT NOT NULL, title TEXT NOT NULL, text TEXT NOT NULL, tags TEXT NOT NULL, created INTEGER NOT NULL, modified INTEGER NOT NULL,
        PRIMARY KEY (repository, origin, key)
    ) WITHOUT ROWID""",
    "CREATE TABLE facts (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID",
)
_COLUMNS = "repository, origin, key, sequence, kind, digest, path, title, text, tags, created, modified"
_TAGS = 9
"""Number of the column of tags, a JSON list."""
_PUT = f"""
INSERT INTO received ({_COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
ON CONFLICT (repository, origin, key) DO UPDATE SET sequence = excluded.sequence, kind = excluded.kind, digest = excluded.digest, path = excluded.path,
    title = excluded.title, text = excluded.text, tags = excluded.tags, created = excluded.created, modified = excluded.modified
WHERE excluded.sequence > received.sequence OR (excluded.kind = 'withdrawn' AND excluded.sequence = received.sequence)
"""


class ReceivedMemory(Value):
    """A memory of another machine, as it arrived: every text in it may have been written by anybody who may push."""

    repository: str
    origin: str
    key: str
    sequence: int
    kind: str
    digest: str
    path: str
    title: str
    text: str
    tags: tuple[str, ...]
    created: int
    modified: int


class ReceivedRows(AbstractContextManager["ReceivedRows"]):
    """The open cache."""

    def __init__(self, copy: str) -> None:
        self._connection: sqlite3.Connection = database.open_writable(os.path.join(copy, *FILE.split("/")), _TABLES, VERSION)

    def __exit__(self, *_: object) -> None:
        self._connection.close()

    def cursor(self, of: str) -> str:
        """Return the position up to which rows were received, "" for the beginning.

        of: what was asked for, such as server, organisation and repositories; rows that were received for something else are deleted
        """
        known = dict(self._connection.execute("SELECT name, value FROM facts"))
        if known.get("of") != of:
            with database.transaction(self._connection):
                self._connection.execute("DELETE FROM received")
                self._connection.execute("DELETE FROM facts")
                self._connection.execute("INSERT INTO facts VALUES ('of', ?)", (of,))
            return ""
        return str(known.get("cursor", ""))

    def take(self, rows: Iterable[SharedRow], cursor: str) -> None:
        """Store a page of rows and the position after it in one transaction.

        Of two rows with the same key the later one stays; of two that also have the same number, the removal.
        """
        with database.transaction(self._connection):
            self._connection.executemany(_PUT, (_values(row) for row in rows))
            self._connection.execute("INSERT OR REPLACE INTO facts VALUES ('cursor', ?)", (cursor,))

    def fact(self, name: str) -> str:
        """Return what is stored under a name, "" for nothing."""
        row = self._connection.execute("SELECT value FROM facts WHERE name = ?", (name,)).fetchone()
        return str(row[0]) if row is not None else ""

    def keep(self, name: str, value: str) -> None:
        """Store a fact about the rows. It is deleted with them."""
        with database.transaction(self._connection):
            self._connection.execute("INSERT OR REPLACE INTO facts VALUES (?, ?)", (name, value))

    def everything(self) -> list[ReceivedMemory]:
        """Return the memories that were not withdrawn, in a fixed order."""
        rows = self._connection.execute(f"SELECT {_COLUMNS} FROM received WHERE kind <> ? ORDER BY repository, origin, key", (WITHDRAWN,))
        return [ReceivedMemory(*(*row[:_TAGS], tuple(json.loads(row[_TAGS])), *row[_TAGS + 1 :])) for row in rows]


def _values(row: SharedRow) -> Sequence[object]:
    tags = json.dumps(list(row.tags), ensure_ascii=False)
    return (row.repository, row.origin, row.key, row.sequence, row.kind, row.digest, row.path, row.title, row.text, tags, row.created, row.modified)
