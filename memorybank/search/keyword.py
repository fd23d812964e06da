"""Keyword search: find candidates by their rarest words, look closely at those, order them. What to show of each is `shown`."""

import sqlite3
from typing import NamedTuple

from memorybank.clock import DAY
from memorybank.search import filters, lookup, neighbours, ranking
from memorybank.search.corpus import ACTIVE, Corpus, Size, size
from memorybank.search.query import Query, Unit, units
from memorybank.search.ranking import Evidence, Question, Text

DEPTH = 40
"""Notes that are looked at closely; more when more are asked for."""


class Found(NamedTuple):
    """One note of an answer; lines: first and last line of its best passage in the body, 0-based, or None."""

    note: int
    score: float
    lines: tuple[int, int] | None


class Answered(NamedTuple):
    """notes: best first; terms: the tokens that were looked for; whole: the weight of everything that was asked, which scores of
    two corpora are compared by."""

    notes: list[Found]
    terms: frozenset[str]
    whole: float = 0.0


def search(connection: sqlite3.Connection, corpus: Corpus, query: Query, now: int) -> Answered:
    """The best notes of one corpus for the text of `query`."""
    asked = units(query.text)
    large = size(connection, corpus)
    resolved = lookup.resolve(connection, corpus, asked) if large.notes else {}
    terms = frozenset(token for unit in resolved for token in unit.tokens)
    whole = _whole(asked, resolved, large)
    if not resolved:
        return Answered([], terms, whole)
    condition = filters.condition(connection, corpus, query)
    ids = lookup.candidates(connection, corpus, resolved, condition, max(DEPTH, 2 * query.limit), query.limit)
    looked_at = _LookedAt(connection, corpus, Question(list(resolved), list(resolved.values()), *large))
    scores = {note: looked_at.evidence(note).score for note in ids}
    if corpus is ACTIVE:
        scores |= neighbours.supported(connection, looked_at.question, looked_at.evidence, condition, ids)
    ranked = _ranked(connection, corpus, scores, now)[: query.limit]
    return Answered([Found(note, score, looked_at.evidence(note).lines) for score, note in ranked], terms, whole)


def _whole(asked: list[Unit], resolved: dict[Unit, int], corpus: Size) -> float:
    """The weight of all that was asked; what stands in no document weighs most."""
    return sum(ranking.rarity(resolved.get(unit, 0), corpus.notes) for unit in asked)


class _LookedAt:
    """The evidence of notes, each read once."""

    def __init__(self, connection: sqlite3.Connection, corpus: Corpus, question: Question) -> None:
        self.question = question
        self._connection = connection
        self._corpus = corpus
        self._known: dict[int, Evidence] = {}

    def evidence(self, note: int) -> Evidence:
        known = self._known.get(note)
        if known is None:
            row = self._connection.execute(f"SELECT title, headings, tags, body FROM {self._corpus.tokens} WHERE id = ?", (note,)).fetchone()
            known = self._known[note] = self.question.evidence(Text(*row))
        return known


def _ranked(connection: sqlite3.Connection, corpus: Corpus, scores: dict[int, float], now: int) -> list[tuple[float, int]]:
    """(score with standing, note), best first; equal scores by key."""
    entries = []
    for note, score in scores.items():
        key, importance, modified = connection.execute(f"SELECT key, {corpus.importance}, modified FROM {corpus.rows} WHERE id = ?", (note,)).fetchone()
        entries.append((-ranking.with_standing(score, importance, (now - modified) / DAY), key, note))
    return [(-negated, note) for negated, _, note in sorted(entries)]
