"""Keyword search: finds candidates by their rarest words, examines these closely, and ranks them.

Listings need no ranking: the most important or the most recent notes, all of them or those that contain any word of a query.
"""

from __future__ import annotations

from collections.abc import Sequence

from memorybank.clock import DAY
from memorybank.search import lookup, neighbours, ranking
from memorybank.search.corpus import ACTIVE, EPISODES, Corpus, size, sql_condition
from memorybank.search.query import Query, QueryUnit, excluded, units
from memorybank.search.ranking import DocumentEvidence, DocumentTokens, WeightedQuery
from memorybank.storage.sqlite import sqlite3
from memorybank.text.words import tokens
from memorybank.values import Value

DEPTH = 40
"""Number of candidates to examine; twice the limit of the query if that is more."""
COPY = 0.1
"""Factor of the score of a note that nearly repeats a better hit, so that copies do not fill the answer."""
_ORDERS = {"importance": "importance DESC, modified DESC, key", "recent": "modified DESC, {0.first} DESC, key"}
"""The order of a listing, in SQL."""

WEAK = 0.5
"""A match with less than this part of the query is weak."""
_HIRAGANA = ("\u3041", "\u309f")


class RankedDocument(Value):
    """One document of an answer.

    lines: first and last line of its best passage in the body, 0-based, or None.
    is_weak: whether it contains less than half of what the query asks for (`coverage`).
    found_by: `words`, `meaning` or `both`; "" where the type of search says it.
    """

    note: int
    score: float
    lines: tuple[int, int] | None
    is_weak: bool = False
    found_by: str = ""


class CorpusAnswer(Value):
    """The result for one corpus.

    notes: best first.
    terms: the tokens that were looked up.
    looked_at: the evidence that was read; None when nothing was.
    """

    notes: list[RankedDocument]
    terms: frozenset[str]
    looked_at: EvidenceReader | None = None


class ScoredCandidates(Value):
    """The candidates of one corpus, before they are ranked.

    scores: {row: evidence, without importance and recency}.
    scale: factor that makes the scores comparable with those of notes.
    """

    scores: dict[int, float]
    terms: frozenset[str]
    looked_at: EvidenceReader
    coverage: QueryCoverage
    scale: float

    def document(self, note: int, score: float) -> RankedDocument:
        """Return one candidate as it is shown."""
        evidence = self.looked_at.evidence(note)
        return RankedDocument(note, score, evidence.lines, self.coverage.is_weak(evidence.counts))


def search(connection: sqlite3.Connection, corpus: Corpus, query: Query, now: int, of_notes: CorpusAnswer | None = None) -> CorpusAnswer:
    """Return the best documents of one corpus for the text of `query`.

    now: instant (ms) for the age of documents.
    of_notes: the result of the same query for the notes, with which episodes compete.
    """
    found = candidates(connection, corpus, query, of_notes)
    if found is None:
        return CorpusAnswer([], frozenset())
    ranked = ranked_by(connection, corpus, found.scores, now)[: query.limit]
    return CorpusAnswer([found.document(note, score * found.scale) for score, note in ranked], found.terms, found.looked_at)


def candidates(connection: sqlite3.Connection, corpus: Corpus, query: Query, of_notes: CorpusAnswer | None = None) -> ScoredCandidates | None:
    """Return the candidates of one corpus with their evidence; None when the corpus contains no word of the query. of_notes: as for `search`."""
    text, unwanted = excluded(query.text)
    asked = units(text) if size(connection, corpus).notes else []
    resolved = lookup.resolve(connection, corpus, asked)
    if not resolved:
        return None
    condition = sql_condition(connection, corpus, query).without(corpus, unwanted)
    ids = lookup.candidates(connection, corpus, resolved, condition, max(DEPTH, 2 * query.limit), query.limit)
    looked_at = EvidenceReader(connection, corpus, _question(connection, (ACTIVE, EPISODES) if corpus is EPISODES else (corpus,), corpus, resolved))
    scores = {note: looked_at.evidence(note).score for note in ids}
    if corpus is ACTIVE:
        scores |= neighbours.supported(connection, looked_at.question, looked_at.evidence, condition, ids)
    scale = _scale(connection, of_notes) if corpus is EPISODES and of_notes is not None else 1.0
    terms = frozenset(token for unit in resolved for token in unit.tokens)
    return ScoredCandidates(scores, terms, looked_at, QueryCoverage(asked, looked_at.question), scale)


def listing(connection: sqlite3.Connection, corpus: Corpus, query: Query) -> CorpusAnswer:
    """Return the first `query.limit` documents in the order of `query.type`."""
    if not size(connection, corpus).notes:
        return CorpusAnswer([], frozenset())
    text, unwanted = excluded(query.text)
    resolved = lookup.resolve(connection, corpus, units(text)) if text.strip() else {}
    terms = frozenset(token for unit in resolved for token in unit.tokens)
    if text.strip() and not resolved:
        return CorpusAnswer([], terms)
    condition = sql_condition(connection, corpus, query).without(corpus, unwanted)
    notes = lookup.listed(connection, corpus, resolved, condition, _ORDERS[query.type].format(corpus), query.limit)
    return CorpusAnswer([RankedDocument(note, 0.0, None) for note in notes], terms)


def _question(connection: sqlite3.Connection, corpora: tuple[Corpus, ...], known: Corpus, resolved: dict[QueryUnit, int]) -> WeightedQuery:
    """Return the units, weighted by all documents of `corpora` together.

    resolved: {unit: number of documents of `known` that contain it}.
    """
    sizes = {corpus: size(connection, corpus) for corpus in corpora}
    notes = sum(one.notes for one in sizes.values())
    average = sum(one.notes * one.average for one in sizes.values()) / max(1, notes)
    others = [corpus for corpus in corpora if corpus is not known and sizes[corpus].notes]
    counts = [count + sum(lookup.frequency(connection, corpus, unit) for corpus in others) for unit, count in resolved.items()]
    return WeightedQuery(list(resolved), counts, notes, average)


def _scale(connection: sqlite3.Connection, of_notes: CorpusAnswer) -> float:
    """Return the factor that brings the score of an episode to the scale of the notes.

    Notes are scored by the statistics of notes alone: how rare a word is, how long a text is. Episodes are scored by those of notes and
    episodes together. The factor is the total score of the notes found, divided by what it would be under the joint statistics.
    """
    if of_notes.looked_at is None or not of_notes.notes:
        return 1.0
    found = of_notes.looked_at
    together = EvidenceReader(connection, ACTIVE, _question(connection, (ACTIVE, EPISODES), ACTIVE, found.question.counts))
    apart = sum(found.evidence(one.note).score for one in of_notes.notes)
    return apart / (sum(together.evidence(one.note).score for one in of_notes.notes) or apart or 1.0)


class EvidenceReader:
    """The evidence of documents, each read once."""

    def __init__(self, connection: sqlite3.Connection, corpus: Corpus, question: WeightedQuery) -> None:
        self.question = question
        self._connection = connection
        self._corpus = corpus
        self._known: dict[int, DocumentEvidence] = {}

    def evidence(self, note: int) -> DocumentEvidence:
        """Return the evidence of one document, by its row id."""
        known = self._known.get(note)
        if known is None:
            row = self._connection.execute(f"SELECT title, headings, tags, body FROM {self._corpus.tokens} WHERE id = ?", (note,)).fetchone()
            known = self._known[note] = self.question.evidence(DocumentTokens(*row))
        return known


def ranked_by(connection: sqlite3.Connection, corpus: Corpus, scores: dict[int, float], now: int) -> list[tuple[float, int]]:
    """Return (score including importance and recency, note), best first; equal scores by key. Copies of a better hit come last."""
    copied = "duplicate_of" if corpus is ACTIVE else "NULL"
    entries = []
    for note, score in scores.items():
        row = connection.execute(f"SELECT key, {corpus.importance}, modified, {copied} FROM {corpus.rows} WHERE id = ?", (note,)).fetchone()
        key, importance, modified, original = row
        entries.append((-ranking.with_standing(score, importance, (now - modified) / DAY), key, original or key, note))
    shown: set[str] = set()
    ranked = []
    for negated, key, original, note in sorted(entries):
        ranked.append((-negated * (COPY if {key, original} & shown else 1.0), note))
        shown.update((key, original))
    return sorted(ranked, key=lambda entry: -entry[0])


class QueryCoverage:
    """How much of a query a document contains, which distinguishes a good match from a weak one.

    Every word counts by its rarity. A word that no document contains counts as the rarest of the others, because it says nothing about how
    rare its subject is.
    """

    def __init__(self, asked: Sequence[QueryUnit], question: WeightedQuery) -> None:
        place_of = {unit: place for place, unit in enumerate(question.units)}
        guesses = [unit for unit in question.units if unit not in set(asked)]
        # A pair that contains hiragana mostly crosses the border of a word, so another wording lacks it.
        self._asked = [unit for unit in asked if not (_is_pair(unit) and _has_hiragana(unit.tokens[0]))] or list(asked)
        self._places = [[place_of[unit]] if unit in place_of else [place_of[guess] for guess in guesses if _may_stand_for(guess, unit)] for unit in self._asked]
        rarest = max(question.weights, default=0.0)
        self._weights = [max((question.weights[place] for place in places), default=rarest) for places in self._places]
        self._total = sum(self._weights)

    @property
    def full(self) -> float:
        """The evidence of a document that contains the entire query in its order, each word once, in a text of mean length."""
        return self._total * (1 + ranking.PASSAGE + ranking.ADJACENCY)

    def is_weak(self, counts: Sequence[float]) -> bool:
        """Return whether a document with these occurrences of the units contains less than half of what the query asks for."""
        found = [any(counts[place] for place in places) for places in self._places]
        covered = sum(weight for at, weight in enumerate(self._weights) if found[at] or self._is_bridged(at, found))
        return covered < WEAK * self._total - 1e-9

    def _is_bridged(self, at: int, found: Sequence[bool]) -> bool:
        """Return whether both characters of a missing pair occur in its neighbours: a compound may be written as separate words."""
        if not 0 < at < len(found) - 1 or not (found[at - 1] and found[at + 1]):
            return False
        before, pair, after = self._asked[at - 1 : at + 2]
        return all(map(_is_pair, (before, pair, after))) and before.tokens[0][1] == pair.tokens[0][0] and pair.tokens[0][1] == after.tokens[0][0]


def _is_pair(unit: QueryUnit) -> bool:
    return len(unit.tokens) == 1 and len(unit.tokens[0]) == 2 and tokens.is_cjk(unit.tokens[0])


def _has_hiragana(text: str) -> bool:
    return any(_HIRAGANA[0] <= character <= _HIRAGANA[1] for character in text)


def _may_stand_for(guess: QueryUnit, unit: QueryUnit) -> bool:
    """Return whether a guess completes or corrects a word: guesses keep its first two letters, perhaps exchanged (`lookup`)."""
    return len(guess.tokens) == len(unit.tokens) == 1 and sorted(guess.tokens[0][:2]) == sorted(unit.tokens[0][:2])
