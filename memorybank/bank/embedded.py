"""What search by meaning has vectors of, and the result of making them."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

from memorybank.errors import ConfigInvalid
from memorybank.text.quantities import counted
from memorybank.values import Value

if TYPE_CHECKING:
    from memorybank.clock import Clock
    from memorybank.storage.layout import Layout


class PendingPassages(Value):
    """What has no vectors yet: the number of documents, of passages and of their characters. of: number of all documents that everybody may see"""

    documents: int
    passages: int
    characters: int
    of: int


class StoredVectors(Value):
    """The vectors of a bank.

    store: `built-in` or `mem0:<vector store>`
    embedder: the one of the person's settings, '' without one
    is_current: whether that one made them
    documents, passages, dimension: of all vectors
    """

    store: str
    embedder: str
    is_current: bool
    documents: int
    passages: int
    dimension: int

    def to_json(self) -> dict[str, Any]:
        return self.as_dict()


class EmbeddingReport(Value, frozen=False):
    """The result of making vectors.

    documents: documents that everybody may see
    left_out: those of them that were saved or could not be read during the run
    embedded: passages that were sent
    reused: passages of changed documents whose vectors were known
    removed: documents that no longer exist
    passages, dimension: of all vectors
    """

    documents: int = 0
    left_out: int = 0
    embedded: int = 0
    reused: int = 0
    removed: int = 0
    passages: int = 0
    dimension: int = 0

    def to_json(self) -> dict[str, Any]:
        return self.as_dict()

    @property
    def text(self) -> str:
        """The report in one line."""
        did = [f"{count:,} {name}" for name, count in (("embedded", self.embedded), ("reused", self.reused), ("documents removed", self.removed)) if count]
        left = f"; {counted(self.left_out, 'document')} changed meanwhile, run the command again" if self.left_out else ""
        return f"{counted(self.passages, 'passage')} of {counted(self.documents, 'document')}: {', '.join(did) or 'nothing changed'}{left}"


def stored(layout: Layout, clock: Clock) -> StoredVectors | None:
    """Return what is stored; None if nobody has made vectors, or the person's settings cannot be used. Asks no server."""
    from memorybank.config import own  # late, like the next: few banks have vectors, and everybody looks at the status

    try:
        mine = own.load(os.environ)
        if mine.settings.vector_store.use != own.MEM0 and not os.path.lexists(layout.vectors):
            return None
        from memorybank.meaning import placing

        place = placing.choose_store(mine, os.environ)
        if not place.exists(layout):
            return None
        from memorybank.meaning import choosing

        chosen = choosing.choose(mine, os.environ)
    except ConfigInvalid:
        return None
    with place.open_reading(layout, clock, frozen=True) as vectors:
        is_current = chosen is not None and vectors.identity == chosen.identity
        found = StoredVectors(place.name, chosen.name if chosen else "", is_current, len(vectors.digests()), vectors.count(), vectors.dimension)
    return found if found.passages else None
