"""A store of vectors that another program keeps, passage by passage, next to a ledger of what is in it.

The other program keeps each passage once, under the digest of its text. Before a passage is added, the ledger records that it is on its way; before one is
deleted, no document refers to it any more. So a run that was killed, or a server that went away, leaves nothing that the next run does not find.

The ledger keeps the vectors of about a thousand documents, which are chosen by their digests, as a sample of all: from them follows how far a similarity
stands out, without comparing every passage.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from types import TracebackType
from typing import Protocol

from memorybank.meaning.cutting import CutPassage
from memorybank.meaning.ledger import SPAN, TABLES, EmbeddedPassages, VectorStore, packed_spans, text_digest
from memorybank.meaning.vectors import best_of_documents, packed
from memorybank.storage import database
from memorybank.storage.sqlite import sqlite3

VERSION = 1
EXTERNAL_TABLES = (
    *TABLES,
    # memory: the id that the other program gave to the passage, '' while it is being added
    "CREATE TABLE memories (passage BLOB PRIMARY KEY, memory TEXT NOT NULL) WITHOUT ROWID",
)
FIRST = 1_000
"""Number of passages that a search asks for at first."""
_GROWTH = 8
SAMPLE = 1_000
"""Least number of documents in a sample of more documents; there are at most twice as many."""
_ALL = "g"
"""Greater than every digest, which is written in hexadecimal digits."""
_BELOW, _UNCLEAN = "sample_below", "unclean"
_DELETED_AT_ONCE = 100


class PassageMemories(Protocol):
    """The other program, open for one bank. Every method raises VectorStoreFailed when the program fails."""

    def add(self, passage: str, text: str, vector: Sequence[float]) -> str:
        """Keep a passage; returns the id under which it can be deleted. passage: digest of its text"""

    def delete(self, memory: str) -> None:
        """Delete a passage by its id; a missing one is not an error."""

    def delete_passage(self, passage: str) -> None:
        """Delete everything that is kept under the digest of a text."""

    def nearest(self, vector: Sequence[float], count: int) -> list[tuple[str, float]]:
        """Return (digest, similarity) of the passages that are most similar to a vector, the best first."""

    def is_empty(self) -> bool:
        """Return whether nothing is kept for this bank."""

    def clear(self) -> None:
        """Delete everything that is kept for this bank. Nothing can be asked afterwards."""

    def close(self) -> None:
        """Release connections, locks, and the space of what was deleted."""


class ExternalStore(VectorStore):
    """The ledger of a store, and the program that keeps the vectors. connect: opens it for vectors of a dimension"""

    def __init__(self, connection: sqlite3.Connection, path: str, connect: Callable[[int], PassageMemories]) -> None:
        super().__init__(connection, path)
        self._connect = connect
        self._memories: PassageMemories | None = None
        self._known: dict[bytes, str] | None = None

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        """Close the program and the ledger."""
        try:
            self._disconnect()
        finally:
            super().__exit__(kind, error, trace)

    def begin(self, identity: str) -> None:
        """Prepare for vectors of this embedder. Those of another one are deleted, and everything if the program has lost what it kept."""
        lost = self.identity != identity or bool(self._meta().get(_UNCLEAN)) or (self.count() > 0 and self._program().is_empty())
        if lost:
            self.clear(identity)
        elif self.dimension:
            self._sweep()

    def known(self) -> Collection[bytes]:
        """Return the digests of the passages that the program keeps."""
        return self._ids()

    def add(self, documents: Sequence[tuple[str, Sequence[CutPassage]]], made: Mapping[bytes, Sequence[float]]) -> None:
        """Give the new passages to the program, then record the documents in one transaction."""
        texts = {text_digest(each.text): each.text for _, passages in documents for each in passages}
        new = [digest for digest in texts if digest not in self._ids()]
        with database.transaction(self.connection):
            self.connection.executemany("INSERT OR REPLACE INTO memories VALUES (?, '')", ((digest,) for digest in new))
        program = self._program()
        ids = {digest: program.add(digest.hex(), texts[digest], made[digest]) for digest in new}
        below = str(self._meta().get(_BELOW, _ALL))
        rows = [(digest, len(passages), packed_spans(passages), _sampled(digest, passages, made, below)) for digest, passages in documents]
        with database.transaction(self.connection):
            self.connection.executemany("UPDATE memories SET memory = ? WHERE passage = ?", ((ids[digest], digest) for digest in new))
            self.connection.executemany("INSERT OR REPLACE INTO documents VALUES (?, ?, ?, ?)", rows)
            self._limit_sample()
        self._ids().update(ids)

    def remove(self, digests: Iterable[str]) -> None:
        """Delete documents, and from the program the passages that no other document contains."""
        super().remove(digests)
        self._sweep()

    def nearest(self, query: Sequence[float], among: Collection[str], depth: int) -> EmbeddedPassages:
        """Return the best passages that the program finds. It is asked for more until `depth` documents of `among` are there, because it knows no filter."""
        places = self._places()
        total, count = self.count(), FIRST
        while True:
            found = self._program().nearest(query, count)
            best: dict[str, tuple[float, tuple[int, int]]] = {}
            for passage, similarity in found:
                for digest, lines in places.get(passage, ()):
                    if digest not in best or similarity > best[digest][0]:
                        best[digest] = (similarity, lines)
            complete = count >= total
            if complete or sum(digest in among for digest in best) >= min(depth, len(among)):
                known = self.digests()
                return EmbeddedPassages(best, known, None if len(best) == len(known) else self._sample(query))
            count *= _GROWTH

    def clear(self, identity: str = "") -> None:
        """Delete everything. If the program cannot be reached, the documents are deleted, and the ledger records that the rest must follow."""
        with database.transaction(self.connection):
            self.connection.execute("DELETE FROM documents")
            self._write_meta({"identity": "", _UNCLEAN: 1})
        self.identity = ""
        try:
            self._program().clear()
        finally:
            self._disconnect()
        with database.transaction(self.connection):
            self.connection.execute("DELETE FROM memories")
            self._write_meta({_UNCLEAN: 0, _BELOW: _ALL})
        self._known = None
        super().clear(identity)

    @property
    def is_unclean(self) -> bool:
        """Whether the program may keep what was to be deleted, because it could not be reached."""
        return bool(self._meta().get(_UNCLEAN))

    def _program(self) -> PassageMemories:
        if self._memories is None:
            self._memories = self._connect(self.dimension or 1)
        return self._memories

    def _disconnect(self) -> None:
        program, self._memories = self._memories, None
        if program is not None:
            program.close()

    def _ids(self) -> dict[bytes, str]:
        if self._known is None:
            self._known = dict(self.connection.execute("SELECT passage, memory FROM memories WHERE memory <> ''"))
        return self._known

    def _sweep(self) -> None:
        """Delete from the program the passages of no document, and those whose addition was not completed."""
        held = {digest for (spans,) in self.connection.execute("SELECT spans FROM documents") for digest, _, _ in SPAN.iter_unpack(spans)}
        rows = self.connection.execute("SELECT passage, memory FROM memories").fetchall()
        unneeded = [(passage, memory) for passage, memory in rows if not memory or passage not in held]
        for begin in range(0, len(unneeded), _DELETED_AT_ONCE):
            batch = unneeded[begin : begin + _DELETED_AT_ONCE]
            for passage, memory in batch:
                if memory:
                    self._program().delete(memory)
                else:
                    self._program().delete_passage(passage.hex())
            with database.transaction(self.connection):
                self.connection.executemany("DELETE FROM memories WHERE passage = ?", ((passage,) for passage, _ in batch))
        self._known = None

    def _places(self) -> dict[str, list[tuple[str, tuple[int, int]]]]:
        """Return {digest of a passage: the documents that contain it, with its lines}."""
        found: dict[str, list[tuple[str, tuple[int, int]]]] = {}
        for digest, spans in self.connection.execute("SELECT digest, spans FROM documents"):
            for passage, first, last in SPAN.iter_unpack(spans):
                found.setdefault(passage.hex(), []).append((digest, (first, last)))
        return found

    def _sample(self, query: Sequence[float]) -> list[float]:
        rows = self.connection.execute("SELECT passages, vectors FROM documents WHERE vectors <> x''").fetchall()
        return [best.similarity for best in best_of_documents(query, b"".join(row[1] for row in rows), [row[0] for row in rows])]

    def _limit_sample(self) -> None:
        """Keep the vectors of fewer documents once there are too many: those with the smallest digests, which say nothing about the content."""
        digests = [row[0] for row in self.connection.execute("SELECT digest FROM documents WHERE vectors <> x'' ORDER BY digest")]
        if len(digests) > 2 * SAMPLE:
            self._write_meta({_BELOW: digests[SAMPLE]})
            self.connection.execute("UPDATE documents SET vectors = x'' WHERE digest >= ?", (digests[SAMPLE],))


def _sampled(digest: str, passages: Sequence[CutPassage], made: Mapping[bytes, Sequence[float]], below: str) -> bytes:
    """Return the packed vectors of a document that belongs to the sample; b"" for any other document, and when some of its vectors were made earlier."""
    digests = [text_digest(each.text) for each in passages]
    return b"".join(packed(made[each]) for each in digests) if digest < below and all(each in made for each in digests) else b""
