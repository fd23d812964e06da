"""Search by meaning, and by words and meaning together (the types semantic and hybrid).

The cosines of one model lie between .7 and .9, those of another between 0 and .6. A document's likeness is therefore its distance from the mean of
all documents, in standard deviations, divided by `CLEAR`: a likeness of 1 is a clear match with any model.

Hybrid search adds two shares: what the words score, divided by the score of a document that contains the entire query, and the likeness. A question
whose words are found keeps their order, because the first share is large; a question in other words gets its answer from the
second. Ranks are not fused, because a rank says nothing about how good a match is (docs/search.md has the figures).
"""

import sqlite3
from collections.abc import Mapping
from heapq import nlargest
from statistics import fmean, pstdev
from typing import NamedTuple

from memorybank.meaning.store import EmbeddedPassages
from memorybank.search import keyword
from memorybank.search.corpus import Corpus, sql_condition
from memorybank.search.keyword import CorpusAnswer, RankedDocument
from memorybank.search.query import Query, excluded

CLEAR = 5.0
"""Standard deviations above the mean at which a document counts as much as one that contains the entire query. Between 4 and 6, no measured figure
changes by more than .01 (docs/search.md).
"""
WEAK = 0.4
"""A likeness below this is weak: nearly every question has a document that is two standard deviations above the mean."""
BY_WORDS, BY_MEANING, BY_BOTH = "words", "meaning", "both"


class QueryLikeness(NamedTuple):
    """How like a query each embedded document is.

    of: {digest of a document: its cosine and the lines of its best passage, 0-based in the body}
    mean, deviation: of the cosines
    """

    of: Mapping[str, tuple[float, tuple[int, int]]]
    mean: float
    deviation: float

    def share(self, digest: str) -> float:
        """Return the likeness of a document; 0.0 for one without vectors or with less than the mean."""
        found = self.of.get(digest)
        return 0.0 if found is None else max(0.0, (found[0] - self.mean) / self.deviation / CLEAR)

    def lines(self, digest: str) -> tuple[int, int]:
        return self.of[digest][1]


def likeness(found: EmbeddedPassages) -> QueryLikeness:
    """Return the likeness of all documents to the query that they were compared with."""
    cosines = [cosine for cosine, _ in found.of.values()]
    return QueryLikeness(found.of, fmean(cosines), pstdev(cosines) or 1.0) if cosines else QueryLikeness({}, 0.0, 1.0)


def search(connection: sqlite3.Connection, corpus: Corpus, query: Query, now: int, like: QueryLikeness) -> CorpusAnswer:
    """Return the documents of one corpus that are most like the query."""
    digests = _digests(connection, corpus, query)
    best = nlargest(max(keyword.DEPTH, 2 * query.limit), digests, key=lambda note: like.share(digests[note]))
    shares = {note: share for note in best if (share := like.share(digests[note]))}
    ranked = keyword.ranked_by(connection, corpus, shares, now)[: query.limit]
    found = [RankedDocument(note, score, like.lines(digests[note]), shares[note] < WEAK, BY_MEANING) for score, note in ranked]
    return CorpusAnswer(found, frozenset())


def hybrid(connection: sqlite3.Connection, corpus: Corpus, query: Query, now: int, like: QueryLikeness) -> CorpusAnswer:
    """Return the best documents of one corpus by words and meaning together."""
    words = keyword.candidates(connection, corpus, query)
    digests = _digests(connection, corpus, query)
    meant = nlargest(max(keyword.DEPTH, 2 * query.limit), digests, key=lambda note: like.share(digests[note]))
    known = dict(words.scores) if words is not None else {}
    if words is not None:
        known |= {note: words.looked_at.evidence(note).score for note in meant if note not in known}
    full = words.coverage.full if words is not None else 1.0
    scores = {note: known.get(note, 0.0) / full + like.share(digests.get(note, "")) for note in {*known, *meant}}
    by_words = {note for _, note in keyword.ranked_by(connection, corpus, words.scores, now)[: query.limit]} if words is not None else set()
    by_meaning = set(meant[: query.limit])
    found = []
    for score, note in keyword.ranked_by(connection, corpus, {note: score for note, score in scores.items() if score}, now)[: query.limit]:
        share = like.share(digests.get(note, ""))
        document = words.document(note, score) if words is not None and known[note] else RankedDocument(note, score, None, True)
        is_meant = note in by_meaning and share > 0
        if document.lines is None and share:
            document = document._replace(lines=like.lines(digests[note]))
        how = BY_BOTH if is_meant and note in by_words else BY_MEANING if is_meant or note not in by_words else BY_WORDS
        found.append(document._replace(is_weak=document.is_weak and share < WEAK, found_by=how))
    return CorpusAnswer(found, words.terms if words is not None else frozenset())


def _digests(connection: sqlite3.Connection, corpus: Corpus, query: Query) -> dict[int, str]:
    """Return {row: digest of its content} of all documents that pass the filters."""
    condition = sql_condition(connection, corpus, query).without(corpus, excluded(query.text)[1])
    return dict(connection.execute(f"SELECT id, digest FROM {corpus.rows}{condition.clause('WHERE')}", condition.values))
