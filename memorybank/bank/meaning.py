"""Search by meaning: making the vectors of a bank with the person's embedder, and comparing a query with them.

Only text that everybody may see leaves the machine, redacted, to the host or program to which the person consented for this bank.
"""

import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import TYPE_CHECKING

from memorybank.bank import embedded
from memorybank.bank.arguments import BankFacade
from memorybank.bank.embedded import EmbeddingReport, PendingPassages, StoredVectors
from memorybank.config import own
from memorybank.episodes import indexing
from memorybank.errors import ConfigInvalid, MemorybankError, Problem
from memorybank.index import archived
from memorybank.index.fold import fold
from memorybank.index.working import Index, Progress
from memorybank.meaning import choosing, cutting, external_folder, placing, vectors
from memorybank.meaning.cutting import CutPassage
from memorybank.meaning.embedder import PASSAGE, QUERY, WORDS_INSTEAD, EmbedderRefused
from memorybank.meaning.ledger import EmbeddedPassages, text_digest
from memorybank.notes import source_files
from memorybank.reasons.reason import Reason
from memorybank.search import reading, semantic
from memorybank.search.corpus import ACTIVE, ARCHIVED, EPISODES, Corpus
from memorybank.search.query import Query, excluded
from memorybank.storage.layout import MAX_NOTE_BYTES
from memorybank.storage.lock import Lock
from memorybank.summarize.choosing import give_consent, has_consent
from memorybank.text.secrets.redact import redact
from memorybank.visibility import UNKNOWN_VIEWER

if TYPE_CHECKING:
    from memorybank.bank.opened import OpenBank
    from memorybank.clock import Clock
    from memorybank.meaning.choosing import EmbedderChoice
    from memorybank.meaning.embedder import Embedder
    from memorybank.meaning.ledger import VectorStore
    from memorybank.meaning.placing import StoreChoice
    from memorybank.search.semantic import QueryLikeness
    from memorybank.storage.layout import Layout

_FOR_EVERYBODY = Query(viewer=UNKNOWN_VIEWER)
_CORPORA = (ACTIVE, EPISODES, ARCHIVED)
UNKNOWN = semantic.likeness(EmbeddedPassages({}, ()))
"""The likeness of all documents when nothing can be compared."""
_PAGE = "docs/search.md#search-by-meaning"
_MAKE = "make the vectors with: memorybank index --meaning"


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

    def store(self) -> "StoreChoice":
        """Return the store of the person's own settings. Raises `ConfigInvalid` for settings that cannot be used."""
        return placing.choose_store(own.load(os.environ), os.environ)

    def destinations(self) -> list[str]:
        """Return where texts go: to the embedder, and to the server of the store if it has one."""
        return [each for each in (self.choice().leaves_by, self.store().leaves_by) if each is not None]

    def has_consent(self) -> bool:
        """Return whether the person agreed to send texts of this bank to every destination."""
        return not self._without_consent()

    def give_consent(self) -> None:
        """Store that the person agrees to send texts of this bank to every destination."""
        for destination in self._without_consent():
            give_consent(own.load(os.environ).folder, self._bank.layout.root, destination, self._bank.clock)

    def require_consent(self) -> None:
        """Raise `ConfigInvalid` if the person has not agreed to send texts of this bank to every destination."""
        missing = self._without_consent()
        if missing:
            raise ConfigInvalid(f"nobody has agreed to send texts of this bank to {' and '.join(missing)}", next_step=f"agree when you {_MAKE}")

    def _without_consent(self) -> list[str]:
        folder = own.load(os.environ).folder
        return [each for each in self.destinations() if not has_consent(folder, self._bank.layout.root, each)]

    def stored(self) -> StoredVectors | None:
        """Return what is stored; None if nobody has made vectors, or the person's settings cannot be used. Asks no server."""
        return embedded.stored(self._bank.layout, self._bank.clock)

    def pending(self) -> PendingPassages:
        """Return what has no vectors of the person's embedder yet. Sends nothing."""
        identity = self.choice().identity
        with self.store().open_reading(self._bank.layout, self._bank.clock, frozen=self._bank.read_only) as stored, self._bank.folded() as index:
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
        choice, place = self.choice(), self.store()
        self.require_consent()
        layout = self._bank.layout
        with Lock(os.path.join(layout.cache, "meaning.lock"), "memorybank index --meaning", self._bank.clock), self._bank.opened() as index:
            index.require_writable()
            fold(index)
            indexing.bring_up_to_date(index)
            archived.bring_up_to_date(index)
            wanted = _digests(index)
            with place.open_store(layout, self._bank.clock) as stored:
                stored.begin(choice.identity)
                report = EmbeddingReport(documents=len(wanted))
                _Embedding(index, stored, choice.build(self._bank.clock), report).run(wanted, progress)
                report.passages, report.dimension = stored.count(), stored.dimension
        return report

    def delete(self) -> bool:
        """Delete all vectors of the bank; returns whether there were any. They can be made again.

        Raises `VectorStoreFailed` if a server that keeps them cannot be reached.
        """
        with Lock(os.path.join(self._bank.layout.cache, "meaning.lock"), "memorybank index --no-meaning", self._bank.clock):
            chosen = self.store()
            existed = chosen.delete(self._bank.layout, self._bank.clock)
            return placing.StoreChoice().delete(self._bank.layout, self._bank.clock) or existed


def delete_elsewhere(layout: "Layout", command: str, clock: "Clock") -> tuple[int, list[Problem]]:
    """Delete what stores outside the bank keep of it, on this machine and on a server; returns (number of files, what could not be deleted)."""
    count, problems = 0, []
    for folder, server in placing.filled(layout, os.environ).items():
        try:
            if server:
                _chosen_for(folder, server, layout).delete(layout, clock)
            else:
                count += external_folder.delete_on_this_machine(folder, command, clock)
        except MemorybankError as error:
            problems.append(Problem(error.code, f"mem0: {server or folder}", f"passages may still be there: {error.message}"))
    return count, problems


def _chosen_for(folder: str, server: str, layout: "Layout") -> "StoreChoice":
    chosen = placing.choose_store(own.load(os.environ), os.environ)
    if not chosen.provider or chosen.folder(layout) != folder:
        raise ConfigInvalid(f"your settings no longer name {server}", next_step="name it again, and run 'memorybank index --no-meaning'")
    return chosen


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
        held: list[_Document] = []
        done = 0
        for document in _documents(self.index, {digest: wanted[digest] for digest in wanted if digest in missing}):
            held.append(document)
            if sum(len(each.passages) for each in held) >= self.embedder.most:
                if self._embed(held):
                    return True
                done += len(held)
                held = []
                if progress is not None:
                    progress(done, len(missing))
        return bool(held) and self._embed(held)

    def _embed(self, documents: Sequence[_Document]) -> bool:
        texts = {text_digest(each.text): each.text for document in documents for each in document.passages}
        known = self.stored.known()
        unknown = [digest for digest in texts if digest not in known]
        self.report.reused += len(texts) - len(unknown)
        made: dict[bytes, Sequence[float]] = {}
        for begin in range(0, len(unknown), self.embedder.most):
            batch = unknown[begin : begin + self.embedder.most]
            found = self.embedder.embed([texts[digest] for digest in batch], PASSAGE)
            self.report.embedded += len(batch)
            if self.stored.require_dimension(len(found[0])):
                return True
            made.update(zip(batch, found, strict=True))
        self.stored.add([(each.digest, each.passages) for each in documents], made)
        return False


def compare(bank: "OpenBank", index: Index, query: Query) -> "Mapping[str, QueryLikeness]":
    """Return {wording: the likeness of the documents to it}.

    Raises `ConfigInvalid` without an embedder, consent or vectors, and the errors of the embedder and of the store.
    """
    meaning = MeaningFacade(bank)
    choice = meaning.choice()
    with meaning.store().open_reading(bank.layout, bank.clock, frozen=bank.read_only) as stored:
        if stored.identity != choice.identity or not stored.dimension:
            said = "the vectors of this bank are of another model" if stored.identity and stored.dimension else "this bank has no vectors yet"
            raise ConfigInvalid(said, next_step=_MAKE)
        meaning.require_consent()
        texts = [cutting.beginning(redact(excluded(text)[0].strip() or text, None)) for text in query.wordings]
        asked = choice.build(bank.clock, patient=False).embed(texts, QUERY)
        if len(asked[0]) != stored.dimension:
            raise EmbedderRefused(
                f"{choice.name} answers with {len(asked[0])} numbers, and the vectors of this bank have {stored.dimension}",
                next_step=f"{_MAKE}, or {WORDS_INSTEAD}",
            )
        among = {digest for corpus in _searched(query) for digest in semantic.digests(index.connection, corpus, query).values()}
        return {
            text: semantic.likeness(stored.nearest(vectors.normalised(vector), among, semantic.depth(query)))
            for text, vector in zip(query.wordings, asked, strict=True)
        }


def without_vectors(index: Index, like: "QueryLikeness", query: Query) -> Reason | None:
    """Return how many of the documents that a query searches, and that everybody may see, have no vectors yet; None when all have."""
    searched = _digests(index, _searched(query))
    missing = sum(digest not in like.known for digest in searched)
    return Reason("search.not_embedded", count=missing, known=len(searched)) if missing else None


def _searched(query: Query) -> Sequence[Corpus]:
    return _CORPORA if query.archive else (ACTIVE, EPISODES)


def _digests(index: Index, corpora: Sequence[Corpus] = _CORPORA) -> dict[str, tuple[Corpus, int]]:
    """Return {digest: a document with this content} of everything that everybody may see."""
    found: dict[str, tuple[Corpus, int]] = {}
    for corpus in corpora:
        for note, digest in semantic.digests(index.connection, corpus, _FOR_EVERYBODY).items():
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
