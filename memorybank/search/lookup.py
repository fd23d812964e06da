"""From units to candidates: how many notes contain each unit, and which notes to examine.

It reads as few postings as possible.
"""

from collections.abc import Sequence
from itertools import chain

from memorybank.search import guessing, ranking
from memorybank.search.corpus import ACTIVE, EPISODES, Corpus, SqlCondition
from memorybank.search.query import QueryUnit
from memorybank.storage.sqlite import sqlite3

POSTINGS = 10_000
"""Maximum number of (note, unit) pairs that a query may rank; each takes about a microsecond."""
_RANK = f"bm25({{}}, {ranking.TITLE}, {ranking.HEADINGS}, {ranking.TAGS}, {ranking.BODY})"
_LAST = "\U0010ffff"


class CorpusVocabulary:
    """The words of one corpus of a bank."""

    def __init__(self, connection: sqlite3.Connection, corpus: Corpus) -> None:
        self._connection = connection
        self._corpus = corpus

    def frequency(self, unit: QueryUnit) -> int:
        return frequency(self._connection, self._corpus, unit)

    def beginning_with(self, prefix: str, lengths: tuple[int, int] = guessing.ANY_LENGTH) -> Sequence[tuple[str, int]]:
        table, count = self._corpus.terms, "notes"
        if not table:
            table, count = f"temp.{self._corpus.text}_vocabulary", "doc"
            self._connection.execute(f"CREATE VIRTUAL TABLE IF NOT EXISTS {table} USING fts5vocab(main, {self._corpus.text}, row)")
        found = f"SELECT term, {count} FROM {table} WHERE term >= ? AND term < ? AND length(term) BETWEEN ? AND ?"
        return self._connection.execute(found, (prefix, prefix + _LAST, *lengths)).fetchall()

    def is_known_elsewhere(self, unit: QueryUnit) -> bool:
        return self._corpus is EPISODES and frequency(self._connection, ACTIVE, unit) > 0


def resolve(connection: sqlite3.Connection, corpus: Corpus, units: Sequence[QueryUnit]) -> dict[QueryUnit, int]:
    """Return {unit: number of documents of a corpus that contain it} of the units of a query and of what they may have meant."""
    return guessing.resolve(CorpusVocabulary(connection, corpus), units)


def candidates(connection: sqlite3.Connection, corpus: Corpus, found: dict[QueryUnit, int], condition: SqlCondition, depth: int, wanted: int) -> list[int]:
    """Return the ids of about `depth` documents that pass `condition`, in the order of FTS5's own ranking.

    found: the units with the number of documents that contain them.
    wanted: number of candidates below which common units are looked up too.

    Only the rarest units are looked up at first. If they give fewer than `wanted`, the common ones are added: first documents with one in
    title, headings or tags, then the most important documents with one, because a word that is everywhere says nothing about relevance.
    """
    units = list(found)
    chosen = [units[place] for place in ranking.affordable(list(found.values()), POSTINGS)]
    ids = _ranked(connection, corpus, _any(chosen), condition, depth) if chosen else []
    if len(ids) < wanted and len(chosen) < len(units):
        ids += _ranked(connection, corpus, f"{{title headings tags}} : ({_any(units)})", condition, depth)
        ids = list(dict.fromkeys(ids))
        if len(ids) < wanted:
            ids = list(dict.fromkeys(chain(ids, _first(connection, corpus, _any(units), condition, f"{corpus.first} DESC, key", wanted))))
    return ids


def listed(connection: sqlite3.Connection, corpus: Corpus, found: dict[QueryUnit, int], condition: SqlCondition, order: str, limit: int) -> list[int]:
    """Return the ids of the first `limit` documents in `order` that contain any of the units; without units, of all documents.

    order: the terms of an ORDER BY clause.
    """
    if not found:
        rows = connection.execute(f"SELECT id FROM {corpus.rows}{condition.clause('WHERE')} ORDER BY {order} LIMIT ?", (*condition.values, limit))
        return [row[0] for row in rows]
    # With so many matches the first `limit` notes are found soon by testing them in order; otherwise FTS5 collects all matches first.
    if sum(found.values()) > POSTINGS:
        return _first(connection, corpus, _any(list(found)), condition, order, limit)
    matching = f"id IN (SELECT rowid FROM {corpus.text} WHERE {corpus.text} MATCH ?)"
    rows = connection.execute(
        f"SELECT id FROM {corpus.rows} WHERE {matching}{condition.clause('AND')} ORDER BY {order} LIMIT ?", (_any(list(found)), *condition.values, limit)
    )
    return [row[0] for row in rows]


def _any(units: Sequence[QueryUnit]) -> str:
    return " OR ".join(unit.expression() for unit in units)


def frequency(connection: sqlite3.Connection, corpus: Corpus, unit: QueryUnit) -> int:
    """Return the number of documents that contain the unit. FTS5 counts it without reading the documents, 20 million per second."""
    if corpus.terms and len(unit.tokens) == 1 and not unit.prefix:
        row = connection.execute(f"SELECT notes FROM {corpus.terms} WHERE term = ?", unit.tokens).fetchone()
        return int(row[0]) if row is not None else 0
    return int(connection.execute(f"SELECT count(*) FROM {corpus.text} WHERE {corpus.text} MATCH ?", (unit.expression(),)).fetchone()[0])


def _ranked(connection: sqlite3.Connection, corpus: Corpus, expression: str, condition: SqlCondition, depth: int) -> list[int]:
    rows = connection.execute(
        f"SELECT {corpus.text}.rowid FROM {corpus.text}{_joined(corpus, condition)} WHERE {corpus.text} MATCH ?{condition.clause('AND')} "
        f"ORDER BY {_RANK.format(corpus.text)}, {corpus.text}.rowid LIMIT ?",
        (expression, *condition.values, depth),
    )
    return [row[0] for row in rows]


def _first(connection: sqlite3.Connection, corpus: Corpus, expression: str, condition: SqlCondition, order: str, limit: int) -> list[int]:
    """Return the first matching documents, found by testing each in `order`: cheap when most documents match."""
    found = []
    for (note,) in connection.execute(f"SELECT id FROM {corpus.rows}{condition.clause('WHERE')} ORDER BY {order}", condition.values):
        if connection.execute(f"SELECT 1 FROM {corpus.text} WHERE {corpus.text} MATCH ? AND rowid = ?", (expression, note)).fetchone():
            found.append(note)
            if len(found) >= limit:
                break
    return found


def _joined(corpus: Corpus, condition: SqlCondition) -> str:
    # CROSS JOIN fixes the join order: FTS5 first finds the matches, and only their rows are filtered.
    return f" CROSS JOIN {corpus.rows} ON {corpus.rows}.id = {corpus.text}.rowid" if condition.sql else ""
