"""From units to candidates: how many notes contain each unit, what a word that no note contains may have meant, and which notes to examine.

It reads as few postings as possible.
"""

import re
import sqlite3
from collections.abc import Iterable, Sequence
from itertools import chain

from memorybank.search import ranking
from memorybank.search.corpus import ACTIVE, EPISODES, Corpus, SqlCondition
from memorybank.search.query import QueryUnit
from memorybank.text import tokens

POSTINGS = 10_000
"""Maximum number of (note, unit) pairs that a query may rank; each takes about a microsecond."""
COMPLETIONS = 8
"""Maximum number of words that a query word is completed to."""
SPELLINGS = 5
"""Maximum number of words that a query word is corrected to."""
_COMPLETED, _RESPELT = 0.7, 0.6
"""Weights of guesses, below the 1.0 of a word that was asked for."""
_FEW_UNITS, _COMMON = 2, 3
"""In a query of up to two units, a word that one document contains can be a slip for a word that three or more documents contain."""
_HASH = re.compile(r"(?=[a-f]*[0-9])[0-9a-f]{6,64}")
"""A commit's hash, or its beginning."""
_SHORTEST_HASH = 6
_SHORTEST_GUESSED, _SHORTEST_STEM, _LONGEST_ENDING = 3, 5, 7
_RANK = f"bm25({{}}, {ranking.TITLE}, {ranking.HEADINGS}, {ranking.TAGS}, {ranking.BODY})"
_UMLAUT = re.compile("([aou])e")
"""Ueberpruefung is indexed as uberprufung if the note writes Überprüfung."""
_LAST = "\U0010ffff"


def resolve(connection: sqlite3.Connection, corpus: Corpus, units: Sequence[QueryUnit]) -> dict[QueryUnit, int]:
    """Return {unit: number of documents that contain it}, without the units that none contains.

    A single word that no document contains is replaced by guesses. A word that occurs in notes is regarded as spelled correctly, even if no
    episode contains it; but if it is nearly all that was asked for and occurs once, what it may have meant is looked up too.
    """
    found: dict[QueryUnit, int] = {}
    for unit in units:
        count = frequency(connection, corpus, unit)
        if count:
            found[unit] = count
            if count == 1 and len(units) <= _FEW_UNITS and not unit.prefix and len(unit.tokens) == 1 and _can_be_guessed(unit.tokens[0]):
                for guess, notes in _spellings(connection, corpus, unit.tokens[0], _COMMON):
                    found.setdefault(guess, notes)
        # Phrases, prefixes and CJK pairs are not guessed: only a single word of an alphabet can be incomplete or misspelled.
        elif len(unit.tokens) == 1 and not unit.prefix and _can_be_guessed(unit.tokens[0]) and not _is_known(connection, corpus, unit):
            for guess, notes in _guesses(connection, corpus, unit.tokens[0]):
                found.setdefault(guess, notes)
    return found


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
    """Return the number of documents that contain the unit. FTS5 counts a term without reading the documents, 20 million per second."""
    return int(connection.execute(f"SELECT count(*) FROM {corpus.text} WHERE {corpus.text} MATCH ?", (unit.expression(),)).fetchone()[0])


def _is_known(connection: sqlite3.Connection, corpus: Corpus, unit: QueryUnit) -> bool:
    return corpus is EPISODES and frequency(connection, ACTIVE, unit) > 0


def _can_be_guessed(token: str) -> bool:
    return (len(token) >= _SHORTEST_GUESSED and token.isalpha() and token < tokens.FIRST_CJK) or _HASH.fullmatch(token) is not None


def _guesses(connection: sqlite3.Connection, corpus: Corpus, token: str) -> list[tuple[QueryUnit, int]]:
    """Return what a word that no document contains may have meant: the word with umlauts, words that begin with it, otherwise words with a similar
    spelling."""
    if (umlauts := _UMLAUT.sub(r"\1", token)) != token and (notes := frequency(connection, corpus, QueryUnit((umlauts,)))):
        return [(QueryUnit((umlauts,), weight=_COMPLETED), notes)]
    completed = sorted(_vocabulary(connection, corpus, token), key=lambda entry: (-entry[1], entry[0]))[:COMPLETIONS]
    if completed:
        return [(QueryUnit((term,), weight=_COMPLETED), notes) for term, notes in completed]
    if _HASH.fullmatch(token):
        shorter = (QueryUnit((token[:length],)) for length in range(len(token) - 1, _SHORTEST_HASH - 1, -1))
        return next(([(unit, notes)] for unit in shorter if (notes := frequency(connection, corpus, unit))), [])
    return _spellings(connection, corpus, token, 1)


def _spellings(connection: sqlite3.Connection, corpus: Corpus, token: str, least: int) -> list[tuple[QueryUnit, int]]:
    """Return the terms with a similar spelling that at least `least` documents contain, with the number of these documents."""
    beginnings = dict.fromkeys((token[:2], token[1] + token[0]))
    vocabulary = [(term, notes) for beginning in beginnings for term, notes in _vocabulary(connection, corpus, beginning) if term != token and notes >= least]
    return _respellings(token, vocabulary) if vocabulary else []


def _respellings(token: str, vocabulary: Iterable[tuple[str, int]]) -> list[tuple[QueryUnit, int]]:
    """Return the nearest terms, the most common first, that differ by one slip; by at most two for words of eight or more letters.

    The distance is optimal string alignment, in which two swapped neighbours are one slip. The vocabulary contains stems, and a slip may have
    kept the query word from being stemmed, so a term is also compared with the first letters of the word, as many as the term has. The first
    two letters are assumed to be right or swapped: reading all terms with the same first letter costs more than it finds.
    """
    from rapidfuzz.distance import OSA

    slips = 1 if len(token) < 8 else 2
    near = []
    for term, notes in vocabulary:
        if -_LONGEST_ENDING <= len(term) - len(token) <= slips and len(term) >= _SHORTEST_GUESSED:
            distance = OSA.distance(token, term, score_cutoff=slips)
            if distance > slips and len(term) >= _SHORTEST_STEM:
                distance = OSA.distance(token[: len(term)], term, score_cutoff=slips)
            if distance <= slips:
                near.append((distance, -notes, term))
    near.sort()
    return [(QueryUnit((term,), weight=_RESPELT), -notes) for distance, notes, term in near[:SPELLINGS] if distance == near[0][0]]


def _vocabulary(connection: sqlite3.Connection, corpus: Corpus, prefix: str) -> list[tuple[str, int]]:
    """Return (term, number of documents that contain it) of every term that begins with `prefix`."""
    table = f"temp.{corpus.text}_vocabulary"
    connection.execute(f"CREATE VIRTUAL TABLE IF NOT EXISTS {table} USING fts5vocab(main, {corpus.text}, row)")
    return connection.execute(f"SELECT term, doc FROM {table} WHERE term >= ? AND term < ?", (prefix, prefix + _LAST)).fetchall()


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
