"""The built-in store of vectors, `cache/meaning.sqlite3`: derived from notes and the embedder, and made again by `memorybank index --meaning`.

The file contains no text: digests, line numbers and vectors.
"""

from __future__ import annotations

import os
from collections.abc import Collection, Mapping, Sequence

from memorybank.meaning.cutting import CutPassage
from memorybank.meaning.ledger import SPAN, TABLES, EmbeddedPassages, VectorStore, lines_at, packed_spans, text_digest
from memorybank.meaning.vectors import FACTOR_BYTES, best_of_documents, packed
from memorybank.storage import database
from memorybank.storage.layout import Layout
from memorybank.storage.sqlite import sqlite3

VERSION = 1


class BuiltInStore(VectorStore):
    """The vectors next to the spans of their documents, compared one by one."""

    def __init__(self, connection: sqlite3.Connection, path: str) -> None:
        super().__init__(connection, path)
        self._known: dict[bytes, bytes] | None = None

    def known(self) -> Collection[bytes]:
        """Return the digests of the passages with vectors, so that a changed note costs only its changed passages."""
        return self.known_vectors()

    def add(self, documents: Sequence[tuple[str, Sequence[CutPassage]]], made: Mapping[bytes, Sequence[float]]) -> None:
        """Store documents in one transaction."""
        known = self.known_vectors()
        known.update((digest, packed(vector)) for digest, vector in made.items())
        rows = [(digest, len(passages), packed_spans(passages), b"".join(known[text_digest(each.text)] for each in passages)) for digest, passages in documents]
        with database.transaction(self.connection):
            self.connection.executemany("INSERT OR REPLACE INTO documents VALUES (?, ?, ?, ?)", rows)

    def nearest(self, query: Sequence[float], among: Collection[str], depth: int) -> EmbeddedPassages:
        """Return the best passage of every document."""
        rows = self.connection.execute("SELECT digest, passages, spans, vectors FROM documents").fetchall()
        best = best_of_documents(query, b"".join(row[3] for row in rows), [row[1] for row in rows])
        of = {row[0]: (found.similarity, lines_at(row[2], found.at)) for row, found in zip(rows, best, strict=True)}
        return EmbeddedPassages(of, of)

    def clear(self, identity: str = "") -> None:
        super().clear(identity)
        self._known = None

    def known_vectors(self) -> dict[bytes, bytes]:
        if self._known is None:
            size = FACTOR_BYTES + self.dimension
            self._known = {
                digest: vectors[at * size : (at + 1) * size]
                for spans, vectors in self.connection.execute("SELECT spans, vectors FROM documents")
                for at, (digest, _, _) in enumerate(SPAN.iter_unpack(spans))
            }
        return self._known


def path_of(layout: Layout) -> str:
    return layout.vectors


def open_store(layout: Layout) -> BuiltInStore:
    """Open the store for changes; it is created when it is missing. Raises as `database.open_writable` does."""
    path = path_of(layout)
    return BuiltInStore(database.open_writable(path, TABLES, VERSION), layout.relative(path))


def open_reading(layout: Layout, *, frozen: bool = False) -> BuiltInStore:
    """Open the store for queries; an empty one when it is missing or damaged. frozen: whether nothing next to it may be created, not even for a moment"""
    path = path_of(layout)
    found = database.open_frozen(path, TABLES, VERSION) if frozen else database.open_reading(path, VERSION)
    return BuiltInStore(found or database.in_memory(TABLES, VERSION), layout.relative(path))


def delete(layout: Layout) -> bool:
    """Delete the store; returns whether there was one."""
    path = path_of(layout)
    existed = os.path.lexists(path)
    database.remove(path)
    return existed
