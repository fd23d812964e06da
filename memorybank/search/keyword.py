"""Keyword search: find candidates by their rarest words, look closely at those, order them. What to show of each is `shown`."""

import sqlite3
from typing import NamedTuple

from memorybank.clock import DAY
from memorybank.search import filters, lookup, neighbours, ranking
from memorybank.search.corpus import ACTIVE, EPISODES, Corpus, size
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
    """notes: best first; terms: the tokens that were looked for; looked_at: what was read for it, None where nothing was."""

    notes: list[Found]
    terms: frozenset[str]
    looked_at: "LookedAt | None" = None


def search(connection: sqlite3.Connection, corpus: Corpus, query: Query, now: int, beside: Answered | None = None) -> Answered:
    """The best documents of one corpus for the text of `query`. beside: what the same query found among the notes, with which episodes compete."""
    resolved = lookup.resolve(connection, corpus, units(query.text)) if size(connection, corpus).notes else {}
    terms = frozenset(token for unit in resolved for token in unit.tokens)
    if not resolved:
        return Answered([], terms)
    condition = filters.condition(connection, corpus, query)
    ids = lookup.candidates(connection, corpus, resolved, condition, max(DEPTH, 2 * query.limit), query.limit)
    looked_at = LookedAt(connection, corpus, _question(connection, (ACTIVE, EPISODES) if corpus is EPISODES else (corpus,), corpus, resolved))
    scores = {note: looked_at.evidence(note).score for note in ids}
    if corpus is ACTIVE:
        scores |= neighbours.supported(connection, looked_at.question, looked_at.evidence, condition, ids)
    scale = _scale(connection, beside) if corpus is EPISODES and beside is not None else 1.0
    ranked = _ranked(connection, corpus, scores, now)[: query.limit]
    return Answered([Found(note, score * scale, looked_at.evidence(note).lines) for score, note in ranked], terms, looked_at)


def _question(connection: sqlite3.Connection, corpora: tuple[Corpus, ...], known: Corpus, resolved: dict[Unit, int]) -> Question:
    """The units, weighed by all documents of these corpora together. resolved: in how many of `known` each stands."""
    sizes = {corpus: size(connection, corpus) for corpus in corpora}
    notes = sum(one.notes for one in sizes.values())
    average = sum(one.notes * one.average for one in sizes.values()) / max(1, notes)
    others = [corpus for corpus in corpora if corpus is not known and sizes[corpus].notes]
    counts = [count + sum(lookup.frequency(connection, corpus, unit) for corpus in others) for unit, count in resolved.items()]
    return Question(list(resolved), counts, notes, average)


def _scale(connection: sqlite3.Connection, beside: Answered) -> float:
    """What the score of an episode is multiplied with, to be told on the scale of the notes.

    Notes know of notes alone: how rare a word is, and how long a text. Episodes go by notes and episodes together, and what a score is worth
    then is seen on the notes that were found: by how much it would differ if they did too.
    """
    if beside.looked_at is None or not beside.notes:
        return 1.0
    found = beside.looked_at
    together = LookedAt(connection, ACTIVE, _question(connection, (ACTIVE, EPISODES), ACTIVE, found.question.counts))
    apart = sum(found.evidence(one.note).score for one in beside.notes)
    return apart / (sum(together.evidence(one.note).score for one in beside.notes) or apart or 1.0)


class LookedAt:
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
