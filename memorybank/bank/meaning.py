"""Search by meaning: making the vectors of a bank with the person's embedder, and comparing a query with them.

Only text that everybody may see leaves the machine, redacted, to the host or program to which the person consented for this bank.
"""

import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import TYPE_CHECKING, Any

from memorybank.bank.arguments import BankFacade
from memorybank.config import own
from memorybank.episodes import indexing
from memorybank.errors import ConfigInvalid, MemorybankError
from memorybank.index import archived
from memorybank.index.fold import fold
from memorybank.index.working import Index, Progress
from memorybank.meaning import choosing, cutting, store, vectors
from memorybank.meaning.cutting import CutPassage
from memorybank.meaning.embedder import PASSAGE, QUERY, WORDS_INSTEAD, EmbedderRefused
from memorybank.meaning.store import EmbeddedPassages
from memorybank.notes import source_files
from memorybank.reasons.reason import Reason
from memorybank.search import reading, semantic
from memorybank.search.corpus import ACTIVE, ARCHIVED, EPISODES, Corpus
from memorybank.search.query import Query, excluded
from memorybank.storage.layout import MAX_NOTE_BYTES
from memorybank.storage.lock import Lock
from memorybank.summarize.choosing import give_consent, has_consent
from memorybank.text.quantities import counted
from memorybank.text.redact import redact
from memorybank.visibility import Viewer

if TYPE_CHECKING:
    from memorybank.bank.opened import OpenBank
    from memorybank.meaning.choosing import EmbedderChoice
    from memorybank.meaning.embedder import Embedder
    from memorybank.meaning.store import VectorStore
    from memorybank.search.semantic import QueryLikeness

_EVERYBODY = Query(viewer=Viewer())
_CORPORA = (ACTIVE, EPISODES, ARCHIVED)
UNKNOWN = semantic.likeness(EmbeddedPassages({}))
"""The likeness of all documents when nothing can be compared."""
_PAGE = "docs/search.md#search-by-meaning"
_MAKE = "make the vectors with: memorybank index --meaning"


@dataclass(frozen=True, slots=True)
class PendingPassages:
    """What has no vectors yet: the number of documents, of passages and of their characters. of: number of all documents that everybody may see"""

    documents: int
    passages: int
    characters: int
    of: int


@dataclass(slots=True)
class EmbeddingReport:
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
        return {name: getattr(self, name) for name in self.__slots__}

    @property
    def text(self) -> str:
        """The report in one line."""
        did = [f"{count:,} {name}" for name, count in (("embedded", self.embedded), ("reused", self.reused), ("documents removed", self.removed)) if count]
        left = f"; {counted(self.left_out, 'document')} changed meanwhile, run the command again" if self.left_out else ""
        return f"{counted(self.passages, 'passage')} of {counted(self.documents, 'document')}: {', '.join(did) or 'nothing changed'}{left}"


@dataclass(frozen=True, slots=True)
class _Document:
    """A document to embed: its digest and its passages, redacted."""

    digest: str
    passages: Sequence[CutPassage]


class MeaningFacade(BankFacade):
    """The vectors of a bank."""

    def choice(self) -> "EmbedderChoice":
        """Return the embedder of the person's own settings. Raises `ConfigInvalid` without one."""
        mine = own.load(os.environ)
        chosen = choosing.choose(mine, os.environ)
        if chosen is None:
            raise ConfigInvalid("no embedder is configured, so nothing can be compared by meaning", next_step=f"set 'embedder' in {mine.path} ({_PAGE})")
        return chosen

    def has_consent(self) -> bool:
        """Return whether the person agreed to send texts of this bank to the embedder."""
        return has_consent(own.load(os.environ).folder, self._bank.layout.root, self.choice().leaves_by)

    def give_consent(self) -> None:
        """Store that the person agrees to send texts of this bank to the embedder."""
        give_consent(own.load(os.environ).folder, self._bank.layout.root, self.choice().leaves_by, self._bank.clock)

    def pending(self) -> PendingPassages:
        """Return what has no vectors of the person's embedder yet. Sends nothing."""
        identity = self.choice().identity
        with store.open_reading(self._bank.layout, frozen=self._bank.read_only) as stored, self._bank.folded() as index:
            indexing.bring_up_to_date(index)
            archived.bring_up_to_date(index)
            wanted = _digests(index)
            known = stored.digests() if stored.identity == identity else set()
            missing = {digest: wanted[digest] for digest in wanted if digest not in known}
            texts = [each.text for document in _documents(index, missing) for each in document.passages]
        return PendingPassages(len(missing), len(texts), sum(map(len, texts)), len(wanted))

    def update(self, *, progress: Progress | None = None) -> EmbeddingReport:
        """Make the vectors that are missing, and delete those of documents that no longer exist. What a run that broke off made is kept.

        progress: called with (done, total) documents
        Raises `ConfigInvalid` without an embedder or consent, `EmbedderBusy`, `EmbedderRefused` or `EmbedderUnusable`, `LockTimeout` while another
        process does the same.
        """
        choice = self.choice()
        if not self.has_consent():
            raise ConfigInvalid(
                f"nobody has agreed to send texts of this bank to {choice.leaves_by}", next_step="run 'memorybank index --meaning' in a terminal"
            )
        layout = self._bank.layout
        with Lock(os.path.join(layout.cache, "meaning.lock"), "memorybank index --meaning", self._bank.clock), self._bank.opened() as index:
            index.require_writable()
            fold(index)
            indexing.bring_up_to_date(index)
            archived.bring_up_to_date(index)
            wanted = _digests(index)
            with store.open_store(layout) as stored:
                stored.begin(choice.identity)
                report = EmbeddingReport(documents=len(wanted))
                _Embedding(index, stored, choice.build(self._bank.clock), report).run(wanted, progress)
                report.passages, report.dimension = stored.count(), stored.dimension
        return report

    def delete(self) -> bool:
        """Delete all vectors of the bank; returns whether there were any. They can be made again."""
        with Lock(os.path.join(self._bank.layout.cache, "meaning.lock"), "memorybank index --no-meaning", self._bank.clock):
            return store.delete(self._bank.layout)


class _Embedding:
    """One run that makes vectors, batch by batch; each batch is stored before the next one is sent."""

    def __init__(self, index: Index, stored: "VectorStore", embedder: "Embedder", report: EmbeddingReport) -> None:
        self.index = index
        self.stored = stored
        self.embedder = embedder
        self.report = report

    def run(self, wanted: Mapping[str, tuple[Corpus, int]], progress: Progress | None) -> None:
        if self._make(wanted, progress):
            self._make(wanted, progress)  # the model answers with vectors of another dimension than before, so all of them are made again
        self.report.left_out = len(wanted.keys() - self.stored.digests())
        superfluous = self.stored.digests() - wanted.keys()
        self.stored.remove(superfluous)
        self.report.removed = len(superfluous)

    def _make(self, wanted: Mapping[str, tuple[Corpus, int]], progress: Progress | None) -> bool:
        """Return whether it broke off because the stored vectors turned out to have another dimension, and were deleted."""
        missing = wanted.keys() - self.stored.digests()
        known = self.stored.known_vectors() if missing else {}
        held: list[_Document] = []
        done = 0
        for document in _documents(self.index, {digest: wanted[digest] for digest in wanted if digest in missing}):
            held.append(document)
            if sum(len(each.passages) for each in held) >= self.embedder.most:
                if self._embed(held, known):
                    return True
                done += len(held)
                held = []
                if progress is not None:
                    progress(done, len(missing))
        return bool(held) and self._embed(held, known)

    def _embed(self, documents: Sequence[_Document], known: dict[bytes, bytes]) -> bool:
        texts = {store.text_digest(each.text): each.text for document in documents for each in document.passages}
        unknown = [digest for digest in texts if digest not in known]
        self.report.reused += len(texts) - len(unknown)
        for begin in range(0, len(unknown), self.embedder.most):
            batch = unknown[begin : begin + self.embedder.most]
            made = self.embedder.embed([texts[digest] for digest in batch], PASSAGE)
            self.report.embedded += len(batch)
            if self.stored.require_dimension(len(made[0])):
                return True
            known.update(zip(batch, map(vectors.packed, made), strict=True))
        self.stored.add((each.digest, each.passages, [known[store.text_digest(passage.text)] for passage in each.passages]) for each in documents)
        return False


def compare(bank: "OpenBank", query: Query) -> "Mapping[str, QueryLikeness]":
    """Return {wording: the likeness of all documents to it}.

    Raises `ConfigInvalid` without an embedder, consent or vectors, and the errors of the embedder.
    """
    meaning = MeaningFacade(bank)
    choice = meaning.choice()
    with store.open_reading(bank.layout, frozen=bank.read_only) as stored:
        if stored.identity != choice.identity or not stored.dimension:
            said = "the vectors of this bank are of another model" if stored.dimension else "this bank has no vectors yet"
            raise ConfigInvalid(said, next_step=_MAKE)
        if not meaning.has_consent():
            raise ConfigInvalid(f"nobody has agreed to send texts of this bank to {choice.leaves_by}", next_step=f"agree when you {_MAKE}")
        texts = [cutting.beginning(redact(excluded(text)[0].strip() or text, None)) for text in query.wordings]
        asked = choice.build(bank.clock, patient=False).embed(texts, QUERY)
        if len(asked[0]) != stored.dimension:
            raise EmbedderRefused(
                f"{choice.name} answers with {len(asked[0])} numbers, and the vectors of this bank have {stored.dimension}",
                next_step=f"{_MAKE}, or {WORDS_INSTEAD}",
            )
        return {text: semantic.likeness(stored.passages(vectors.normalised(vector))) for text, vector in zip(query.wordings, asked, strict=True)}


def without_vectors(index: Index, like: "QueryLikeness", query: Query) -> Reason | None:
    """Return how many of the documents that a query searches, and that everybody may see, have no vectors yet; None when all have."""
    searched = _digests(index, _CORPORA if query.archive else (ACTIVE, EPISODES))
    missing = len(searched.keys() - like.of.keys())
    return Reason("search.not_embedded", count=missing, known=len(searched)) if missing else None


def _digests(index: Index, corpora: Sequence[Corpus] = _CORPORA) -> dict[str, tuple[Corpus, int]]:
    """Return {digest: a document with this content} of everything that everybody may see."""
    found: dict[str, tuple[Corpus, int]] = {}
    for corpus in corpora:
        for note, digest in semantic.digests(index.connection, corpus, _EVERYBODY).items():
            found.setdefault(digest, (corpus, note))
    return found


def _documents(index: Index, wanted: "Mapping[str, tuple[Corpus, int]]") -> Iterator[_Document]:
    """Yield the documents with their passages. A note that was saved since it was indexed is left out: nobody knows whether everybody may still see it."""
    for digest, (corpus, note) in wanted.items():
        if semantic.digest_of(index.connection, corpus, note) != digest:
            continue  # another process has updated the index since
        row = reading.row(index.connection, corpus, index.layout, note)
        text = reading.text(index.connection, index.layout, row) if corpus is not ACTIVE else _unchanged(index, row.key, digest)
        if text is not None:
            # Redacted before it is cut, because half a secret would not be recognised.
            body = redact("\n".join(text.removesuffix("\n").split("\n")[row.body_line :]), None)
            yield _Document(digest, cutting.cut(redact(row.title, None), body))


def _unchanged(index: Index, key: str, digest: str) -> str | None:
    """Return the text of a note if it is still the content with this digest."""
    try:
        data = source_files.read(index.layout, key, MAX_NOTE_BYTES)
    except (MemorybankError, OSError):
        return None
    return data.removeprefix(b"\xef\xbb\xbf").decode("utf-8", "replace") if sha256(data).hexdigest() == digest else None
