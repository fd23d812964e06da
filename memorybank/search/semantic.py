"""Search by meaning, and by words and meaning together (the types semantic and hybrid).

The cosines of one model lie between .7 and .9, those of another between 0 and .6. A document's likeness therefore follows from its distance from
the mean of all documents, in standard deviations: it is 0 up to `BEGINS` and 1 at `CLEAR`, with any model.

Hybrid search adds two shares: what the words score, divided by the score of a document that contains the entire query, and the likeness. A question
whose words are found keeps their order, because the first share is large; a question in other words gets its answer from the
second. Ranks are not fused, because a rank says nothing about how good a match is (docs/search.md has the figures).
"""

import sqlite3
from collections.abc import Collection, Mapping
from heapq import nlargest
from math import fsum, sqrt
from typing import NamedTuple

from memorybank.meaning.ledger import EmbeddedPassages
from memorybank.search import keyword
from memorybank.search.corpus import EPISODES, Corpus, SqlCondition, sql_condition
from memorybank.search.keyword import CorpusAnswer, RankedDocument
from memorybank.search.query import Query, excluded

BEGINS, CLEAR = 1.0, 5.0
"""Standard deviations above the mean at which a document begins to count, and at which it counts as much as one that contains the entire query. The
measured figures change little between 0.5 and 1.5, and between 4 and 6 (docs/search.md).
"""
WEAK = 0.5
"""A likeness below this is weak: up to three standard deviations above the mean, the best wrong document of a question is as far away as the right one."""
BY_WORDS, BY_MEANING, BY_BOTH = "words", "meaning", "both"


class QueryLikeness(NamedTuple):
    """How like a query the embedded documents are.

    of: {digest of a document: its cosine and the lines of its best passage, 0-based in the body}
    mean, deviation: of the cosines of all documents
    known: digests of all documents with vectors; a store may leave out in `of` those that are least like the query
    """

    of: Mapping[str, tuple[float, tuple[int, int]]]
    mean: float
    deviation: float
    known: Collection[str]

    def share(self, digest: str) -> float:
        """Return the likeness of a document; 0.0 for one without vectors."""
        return max(0.0, self.distance(digest)) if digest in self.of else 0.0

    def distance(self, digest: str) -> float:
        """Return the same for a document with vectors, below 0 for one that does not stand out."""
        return ((self.of[digest][0] - self.mean) / self.deviation - BEGINS) / (CLEAR - BEGINS)

    def lines(self, digest: str) -> tuple[int, int]:
        return self.of[digest][1]


def likeness(found: EmbeddedPassages) -> QueryLikeness:
    """Return the likeness of the documents to the query that they were compared with."""
    cosines = [cosine for cosine, _ in found.of.values()] if found.sample is None else found.sample
    mean = fsum(cosines) / max(1, len(cosines))
    # `statistics.pstdev` takes 30 times as long, because it counts in fractions.
    return QueryLikeness(found.of, mean, sqrt(fsum((cosine - mean) ** 2 for cosine in cosines) / max(1, len(cosines))) or 1.0, found.known)


def search(connection: sqlite3.Connection, corpus: Corpus, query: Query, now: int, like: QueryLikeness) -> CorpusAnswer:
    """Return the documents of one corpus that are most like the query. Those without likeness come last, so that a bank of two notes answers too."""
    known = {note: digest for note, digest in digests(connection, corpus, query).items() if digest in like.of}
    best = nlargest(depth(query), known, key=lambda note: like.of[known[note]][0])
    shares = {note: share for note in best if (share := like.share(known[note]))}
    ranked = [*keyword.ranked_by(connection, corpus, shares, now), *((like.distance(known[note]), note) for note in best if note not in shares)]
    found = [RankedDocument(note, score, like.lines(known[note]), score < WEAK, BY_MEANING) for score, note in ranked[: query.limit]]
    return CorpusAnswer(found, frozenset())


def hybrid(connection: sqlite3.Connection, corpus: Corpus, query: Query, now: int, like: QueryLikeness) -> CorpusAnswer:
    """Return the best documents of one corpus by words and meaning together."""
    known = digests(connection, corpus, query)
    shares = {note: like.share(digest) for note, digest in known.items()}
    meant = {note: shares[note] for note in nlargest(depth(query), shares, key=lambda note: shares[note]) if shares[note]}
    words = keyword.candidates(connection, corpus, query)
    evidence = dict(words.scores) if words is not None else {}
    if words is not None:
        evidence |= {note: words.looked_at.evidence(note).score for note in meant.keys() - evidence.keys()}
    full = words.coverage.full if words is not None else 1.0
    scores = {note: evidence.get(note, 0.0) / full + shares.get(note, 0.0) for note in {*evidence, *meant}}
    best_by_words = {note for _, note in keyword.ranked_by(connection, corpus, words.scores, now)[: query.limit]} if words is not None else set()
    best_by_meaning = set(list(meant)[: query.limit])
    found = []
    for score, note in keyword.ranked_by(connection, corpus, {note: score for note, score in scores.items() if score}, now)[: query.limit]:
        by_words = note in best_by_words or (note not in best_by_meaning and evidence.get(note, 0.0) > 0)
        how = BY_BOTH if by_words and note in best_by_meaning else BY_WORDS if by_words else BY_MEANING
        document = words.document(note, score) if words is not None and by_words else RankedDocument(note, score, like.lines(known[note]), True)
        found.append(document.with_changes(is_weak=document.is_weak and shares.get(note, 0.0) < WEAK, found_by=how))
    return CorpusAnswer(found, words.terms if words is not None else frozenset())


def depth(query: Query) -> int:
    """Return the number of candidates by meaning."""
    return max(keyword.DEPTH, 2 * query.limit)


def digests(connection: sqlite3.Connection, corpus: Corpus, query: Query) -> dict[int, str]:
    """Return {row: digest of its content} of all documents that pass the filters and can have vectors: of episodes those that may be shown to agents."""
    condition = sql_condition(connection, corpus, query).without(corpus, excluded(query.text)[1])
    if corpus is EPISODES:
        condition = SqlCondition(f"{condition.sql} AND told" if condition.sql else "told", condition.values)
    return dict(connection.execute(f"SELECT id, digest FROM {corpus.rows}{condition.clause('WHERE')} ORDER BY id", condition.values))


def digest_of(connection: sqlite3.Connection, corpus: Corpus, note: int) -> str | None:
    """Return the digest of one document; None when it no longer exists."""
    row = connection.execute(f"SELECT digest FROM {corpus.rows} WHERE id = ?", (note,)).fetchone()
    return None if row is None else str(row[0])
