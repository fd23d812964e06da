"""Listings: the most important or the most recent notes, all of them or those that contain any word of a query."""

import sqlite3

from memorybank.search import filters, lookup
from memorybank.search.corpus import Corpus, size
from memorybank.search.keyword import CorpusAnswer, RankedDocument
from memorybank.search.query import Query, units

_ORDERS = {"importance": "importance DESC, modified DESC, key", "recent": "modified DESC, {0.first} DESC, key"}


def search(connection: sqlite3.Connection, corpus: Corpus, query: Query) -> CorpusAnswer:
    """Return the first `query.limit` notes in the order of `query.type`."""
    if not size(connection, corpus).notes:
        return CorpusAnswer([], frozenset())
    resolved = lookup.resolve(connection, corpus, units(query.text)) if query.text.strip() else {}
    terms = frozenset(token for unit in resolved for token in unit.tokens)
    if query.text.strip() and not resolved:
        return CorpusAnswer([], terms)
    notes = lookup.listed(connection, corpus, resolved, filters.condition(connection, corpus, query), _ORDERS[query.type].format(corpus), query.limit)
    return CorpusAnswer([RankedDocument(note, 0.0, None) for note in notes], terms)
