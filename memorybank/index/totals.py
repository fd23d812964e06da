"""What all rows add up to. It is stored with the revision of the rows, so that it is computed again only after a fold changed one of them (ADR 0131)."""

from __future__ import annotations

from collections.abc import Callable, Collection
from contextlib import suppress
from typing import Any

from memorybank.index import meta, queries
from memorybank.index.queries import NoteTotals
from memorybank.index.working import Index
from memorybank.storage import jsontext
from memorybank.storage.sqlite import sqlite3

_MOST_IDS = 1_000
"""Maximum number of ids that are stored."""


def totals(index: Index) -> NoteTotals:
    """Return the sums over all notes of the bank."""
    importances, size, duplicates = _remembered(index, meta.TOTALS, lambda: _sums(index.connection))
    return NoteTotals(dict(importances), size, duplicates)


def superseded(index: Index, kept: Collection[str]) -> int:
    """Return the number of statements that a later one replaced. kept: ids of pairs that a person called no contradiction"""
    if kept:
        return _superseded(index.connection, kept)
    return int(_remembered(index, meta.SUPERSEDED, lambda: _superseded(index.connection, ())))


def large(index: Index, limit: float) -> list[int]:
    """Return the ids of the notes of the bank with more bytes than this."""
    return _ids(index, meta.LARGE, "size > ?", limit)


def pinned(index: Index, rated: float) -> list[int]:
    """Return the ids of the notes of the bank that their front matter bookmarks or rates at least this high."""
    return _ids(index, meta.PINNED, "bookmarked OR rating >= ?", rated)


def _ids(index: Index, name: str, condition: str, limit: float) -> list[int]:
    """Return the ids of the notes of the bank that fulfil a condition. Up to `_MOST_IDS` are kept; else the rows are looked through each time."""

    def found() -> list[int]:
        return [row[0] for row in index.connection.execute(f"SELECT id FROM notes WHERE {queries.IS_OWN} AND ({condition})", (limit,))]

    def kept() -> list[Any]:
        ids = found()
        return [repr(limit), ids if len(ids) <= _MOST_IDS else None]

    asked, ids = _remembered(index, name, kept)
    return found() if asked != repr(limit) or ids is None else list(ids)


def _superseded(connection: sqlite3.Connection, kept: Collection[str]) -> int:
    from memorybank.index.decision_rows import Supersessions  # late: only status counts them, and hardly ever

    return sum(1 for _ in Supersessions(connection, kept).everything())


def _sums(connection: sqlite3.Connection) -> list[Any]:
    found = queries.totals(connection)
    return [list(found.importances.items()), found.size, found.duplicates]


def _remembered(index: Index, name: str, compute: Callable[[], Any]) -> Any:
    """Return what follows from the rows alone, as JSON has it. name: its key in `meta`"""
    # The revision is read first: what newer rows say is then stored with an older revision, and never used, because revisions only grow.
    revision = meta.integer(index.connection, "revision") or 0
    text = meta.text(index.connection, name)
    known, found = jsontext.decode(text) if text else (None, None)
    if known == revision:
        return found
    found = compute()
    if index.is_writable:
        with suppress(sqlite3.OperationalError):  # busy: the next call computes it again
            meta.write(index.connection, name, jsontext.encode([revision, found]))
    return found
