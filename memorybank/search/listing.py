"""Listings: the most important or the most recent notes, all of them or those that hold any word of a query."""

import sqlite3

from memorybank.search import filters, lookup
from memorybank.search.corpus import Corpus
from memorybank.search.keyword import Answered, Found
from memorybank.search.query import Query, units

_ORDERS = {"importance": "importance DESC, modified DESC, key", "recent": "modified DESC, importance DESC, key"}


def search(connection: sqlite3.Connection, corpus: Corpus, query: Query) -> Answered:
    """The first `query.limit` notes in the order of `query.type`."""
    condition = filters.condition(connection, corpus.rows, query)
    values: tuple[object, ...] = condition.values
    where = condition.clause("WHERE")
    terms: frozenset[str] = frozenset()
    if query.text.strip():
        resolved = lookup.resolve(connection, corpus, units(query.text))
        if not resolved:
            return Answered([], terms)
        terms = frozenset(token for unit in resolved for token in unit.tokens)
        where = f" WHERE id IN (SELECT rowid FROM {corpus.text} WHERE {corpus.text} MATCH ?){condition.clause('AND')}"
        values = (lookup.matching(resolved), *values)
    rows = connection.execute(f"SELECT id FROM {corpus.rows}{where} ORDER BY {_ORDERS[query.type]} LIMIT ?", (*values, query.limit))
    return Answered([Found(row[0], 0.0, None) for row in rows], terms)
