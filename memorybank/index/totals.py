"""The sums over all notes of a bank. In a large bank they are stored with the revision of the rows that they were made from."""

from __future__ import annotations

from contextlib import suppress

from memorybank.index import meta, queries
from memorybank.index.queries import NoteTotals
from memorybank.index.working import Index
from memorybank.storage import jsontext
from memorybank.storage.sqlite import sqlite3


def totals(index: Index) -> NoteTotals:
    """Return the sums over all notes of the bank. Their rows are read again only after a fold changed one of them."""
    connection = index.connection
    # The revision is read first: sums of newer rows that are stored with an older revision are never used, because revisions only grow.
    revision = meta.integer(connection, "revision") or 0
    text = meta.text(connection, meta.TOTALS)
    known, importances, size, duplicates = jsontext.decode(text) if text else (None, (), 0, 0)
    if known == revision:
        return NoteTotals(dict(importances), size, duplicates)
    found = queries.totals(connection)
    if index.is_writable:
        with suppress(sqlite3.OperationalError):  # busy: the next call adds up again
            meta.write(connection, meta.TOTALS, jsontext.encode([revision, list(found.importances.items()), found.size, found.duplicates]))
    return found
