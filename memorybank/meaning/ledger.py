"""The documents that have vectors, and their passages: what every store of vectors records about a bank, whoever keeps the vectors themselves.

A document is known by the digest of its content, so a note that is renamed, archived or restored keeps its vectors, and a changed one has none until
they are made. A ledger contains no text: digests, line numbers, and of the built-in store the vectors.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Collection, Iterable, Mapping, Sequence
from hashlib import blake2b
from struct import Struct
from types import TracebackType
from typing import Any, NamedTuple, Self

from memorybank.errors import MemorybankError
from memorybank.meaning.cutting import CutPassage
from memorybank.meaning.embedder import WORDS_INSTEAD
from memorybank.storage import database
from memorybank.storage.sqlite import sqlite3

TABLES = (
    "CREATE TABLE meta (name TEXT PRIMARY KEY, value) WITHOUT ROWID",
    # spans: for each passage the digest of its text, its first and its last line; vectors: one after the other, as `vectors` packs them
    "CREATE TABLE documents (digest TEXT PRIMARY KEY, passages INTEGER NOT NULL, spans BLOB NOT NULL, vectors BLOB NOT NULL)",
)
SPAN = Struct("<16sII")
_IDENTITY, _DIMENSION = "identity", "dimension"


class VectorStoreFailed(MemorybankError):
    """The store that keeps the vectors cannot be used now. Nothing is lost: it can be filled again."""

    code = "vector_store_failed"
    next_step = f"check the store that your own config.json names, or {WORDS_INSTEAD}"


class EmbeddedPassages(NamedTuple):
    """The passages that are most similar to one query.

    of: {digest of a document: its similarity and the lines of its best passage, 0-based in the body}
    known: the digests of all documents with vectors
    sample: the similarities of a random part of all documents, if `of` does not contain every document
    """

    of: Mapping[str, tuple[float, tuple[int, int]]]
    known: Collection[str]
    sample: Sequence[float] | None = None


class VectorStore(ABC):
    """An open store. dimension: of its vectors, 0 while it is empty; identity: `EmbedderChoice.identity` of the embedder that made them, or ''"""

    def __init__(self, connection: sqlite3.Connection, path: str) -> None:
        self.connection = connection
        self._path = path
        found = self._meta()
        self.identity = str(found.get(_IDENTITY, ""))
        self.dimension: int = found.get(_DIMENSION, 0)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        """Close the connection. An SQLite error is raised as a typed one."""
        self.connection.close()
        if isinstance(error, sqlite3.Error):
            raise database.typed(error, self._path) from error

    def digests(self) -> set[str]:
        return {row[0] for row in self.connection.execute("SELECT digest FROM documents")}

    def count(self) -> int:
        return int(self.connection.execute("SELECT coalesce(sum(passages), 0) FROM documents").fetchone()[0])

    def begin(self, identity: str) -> None:
        """Prepare for vectors of this embedder. Those of another one are deleted."""
        if self.identity != identity:
            self.clear(identity)

    def require_dimension(self, dimension: int) -> bool:
        """Record the dimension of the vectors; returns whether those that were stored had another one and were deleted."""
        if self.dimension == dimension:
            return False
        had_others = bool(self.dimension)
        if had_others:
            self.clear(self.identity)
        self._set(**{_DIMENSION: dimension})
        self.dimension = dimension
        return had_others

    @abstractmethod
    def known(self) -> Collection[bytes]:
        """Return the digests of the passages whose vectors need not be made."""

    @abstractmethod
    def add(self, documents: Sequence[tuple[str, Sequence[CutPassage]]], made: Mapping[bytes, Sequence[float]]) -> None:
        """Store documents.

        documents: the digest and the passages of each
        made: {digest of a passage: its vector} of every passage that has none in the store yet
        """

    def remove(self, digests: Iterable[str]) -> None:
        """Delete documents, and what only they needed."""
        with database.transaction(self.connection):
            self.connection.executemany("DELETE FROM documents WHERE digest = ?", ((digest,) for digest in digests))

    @abstractmethod
    def nearest(self, query: Sequence[float], among: Collection[str], depth: int) -> EmbeddedPassages:
        """Return the best passages for a query.

        query: vector with the length 1
        among: digests of the documents that the search may show
        depth: number of them that must be compared, if there are as many
        """

    def clear(self, identity: str = "") -> None:
        """Delete everything. identity: of the embedder that makes the next vectors"""
        with database.transaction(self.connection):
            self.connection.execute("DELETE FROM documents")
            self._write_meta({_IDENTITY: identity, _DIMENSION: 0})
        self.identity, self.dimension = identity, 0

    @property
    def is_unclean(self) -> bool:
        """Whether something that was to be deleted may remain."""
        return False

    def _meta(self) -> dict[str, Any]:
        return dict(self.connection.execute("SELECT name, value FROM meta"))

    def _set(self, **values: object) -> None:
        with database.transaction(self.connection):
            self._write_meta(values)

    def _write_meta(self, values: Mapping[str, object]) -> None:
        self.connection.executemany("INSERT OR REPLACE INTO meta VALUES (?, ?)", values.items())


def packed_spans(passages: Sequence[CutPassage]) -> bytes:
    """Return the column `spans` of a document."""
    return b"".join(SPAN.pack(text_digest(each.text), *each.lines) for each in passages)


def lines_at(spans: bytes, place: int) -> tuple[int, int]:
    """Return the lines of a passage. place: its number in the document"""
    _, first, last = SPAN.unpack_from(spans, place * SPAN.size)
    return first, last


def text_digest(text: str) -> bytes:
    """Return the digest by which the text of a passage is known."""
    return blake2b(text.encode("utf-8", "surrogatepass"), digest_size=16).digest()
