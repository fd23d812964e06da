"""The vectors of passages, `cache/meaning.sqlite3`: derived from notes and the embedder, and made again by `memorybank index --meaning`.

A document is known by the digest of its content, so a note that is renamed, archived or restored keeps its vectors, and a changed one has none until
they are made. The file contains no text: digests, line numbers and vectors.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from hashlib import blake2b
from struct import Struct
from types import TracebackType
from typing import NamedTuple

from memorybank.meaning.cutting import CutPassage
from memorybank.meaning.vectors import FACTOR_BYTES, BestPassage, best_of_documents
from memorybank.storage import database
from memorybank.storage.layout import Layout
from memorybank.storage.sqlite import sqlite3

NAME = "meaning.sqlite3"
VERSION = 1
_TABLES = (
    "CREATE TABLE meta (name TEXT PRIMARY KEY, value) WITHOUT ROWID",
    # spans: for each passage the digest of its text, its first and its last line; vectors: one after the other, as `vectors` packs them
    "CREATE TABLE documents (digest TEXT PRIMARY KEY, passages INTEGER NOT NULL, spans BLOB NOT NULL, vectors BLOB NOT NULL)",
)
_SPAN = Struct("<16sII")
_IDENTITY, _DIMENSION = "identity", "dimension"


class EmbeddedPassages(NamedTuple):
    """The best passage of each document for one query. of: {digest of a document: its similarity and its lines, 0-based in the body}"""

    of: Mapping[str, tuple[float, tuple[int, int]]]


class VectorStore:
    """An open store. dimension: of its vectors, 0 while it is empty; identity: `EmbedderChoice.identity` of the embedder that made them, or ''"""

    def __init__(self, connection: sqlite3.Connection, path: str) -> None:
        self.connection = connection
        self._path = path
        found = dict(connection.execute("SELECT name, value FROM meta"))
        self.identity = str(found.get(_IDENTITY, ""))
        self.dimension = int(found.get(_DIMENSION, 0))

    def __enter__(self) -> VectorStore:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        """Close the connection. An SQLite error is raised as a typed one."""
        self.connection.close()
        if isinstance(error, sqlite3.Error):
            raise database.typed(error, self._path) from error

    def digests(self) -> set[str]:
        """Return the digests of all documents."""
        return {row[0] for row in self.connection.execute("SELECT digest FROM documents")}

    def count(self) -> int:
        """Return the number of passages."""
        return int(self.connection.execute("SELECT coalesce(sum(passages), 0) FROM documents").fetchone()[0])

    def begin(self, identity: str) -> None:
        """Prepare for vectors of this embedder. Those of another one are deleted."""
        if self.identity != identity:
            self._clear(identity, 0)

    def require_dimension(self, dimension: int) -> bool:
        """Record the dimension of the vectors; returns whether those that were stored had another one and were deleted."""
        if self.dimension == dimension:
            return False
        had_others = self.dimension != 0
        if had_others:
            self._clear(self.identity, dimension)
        else:
            self.connection.execute("INSERT OR REPLACE INTO meta VALUES (?, ?)", (_DIMENSION, dimension))
        self.dimension = dimension
        return had_others

    def known_vectors(self) -> dict[bytes, bytes]:
        """Return {digest of a passage's text: its packed vector}, so that a changed note costs only its changed passages."""
        size = FACTOR_BYTES + self.dimension
        return {
            digest: vectors[at * size : (at + 1) * size]
            for spans, vectors in self.connection.execute("SELECT spans, vectors FROM documents")
            for at, (digest, _, _) in enumerate(_SPAN.iter_unpack(spans))
        }

    def add(self, documents: Iterable[tuple[str, Sequence[CutPassage], Sequence[bytes]]]) -> None:
        """Store documents in one transaction: (digest, passages, their packed vectors)."""
        with database.transaction(self.connection):
            self.connection.executemany(
                "INSERT OR REPLACE INTO documents VALUES (?, ?, ?, ?)",
                [
                    (digest, len(passages), b"".join(_SPAN.pack(text_digest(each.text), *each.lines) for each in passages), b"".join(packed))
                    for digest, passages, packed in documents
                ],
            )

    def remove(self, digests: Iterable[str]) -> None:
        """Delete documents."""
        with database.transaction(self.connection):
            self.connection.executemany("DELETE FROM documents WHERE digest = ?", ((digest,) for digest in digests))

    def passages(self, query: Sequence[float]) -> EmbeddedPassages:
        """Return the best passage of each document for a query. query: vector with the length 1"""
        rows = self.connection.execute("SELECT digest, passages, spans, vectors FROM documents").fetchall()
        best = best_of_documents(query, b"".join(row[3] for row in rows), [row[1] for row in rows])
        return EmbeddedPassages({row[0]: (found.similarity, _lines(row[2], found)) for row, found in zip(rows, best, strict=True)})

    def _clear(self, identity: str, dimension: int) -> None:
        with database.transaction(self.connection):
            self.connection.execute("DELETE FROM documents")
            self.connection.executemany("INSERT OR REPLACE INTO meta VALUES (?, ?)", ((_IDENTITY, identity), (_DIMENSION, dimension)))
        self.identity, self.dimension = identity, dimension


def _lines(spans: bytes, found: BestPassage) -> tuple[int, int]:
    _, first, last = _SPAN.unpack_from(spans, found.at * _SPAN.size)
    return first, last


def text_digest(text: str) -> bytes:
    """Return the digest by which the text of a passage is known."""
    return blake2b(text.encode("utf-8", "surrogatepass"), digest_size=16).digest()


def path_of(layout: Layout) -> str:
    """Return the path of the store of a bank."""
    return os.path.join(layout.cache, NAME)


def open_store(layout: Layout) -> VectorStore:
    """Open the store for changes; it is created when it is missing. Raises as `database.open_writable` does."""
    path = path_of(layout)
    return VectorStore(database.open_writable(path, _TABLES, VERSION), layout.relative(path))


def open_reading(layout: Layout, *, frozen: bool = False) -> VectorStore:
    """Open the store for queries; an empty one when it is missing or damaged. frozen: whether nothing next to it may be created, not even for a moment"""
    path = path_of(layout)
    found = database.open_frozen(path, _TABLES, VERSION) if frozen else database.open_reading(path, VERSION)
    return VectorStore(found or database.in_memory(_TABLES, VERSION), layout.relative(path))


def delete(layout: Layout) -> bool:
    """Delete the store; returns whether there was one."""
    path = path_of(layout)
    existed = os.path.lexists(path)
    database.remove(path)
    return existed
