"""Short notes of a series lend each other evidence (`search.ranking` says how much, and why)."""

import sqlite3
from collections.abc import Callable, Sequence
from typing import NamedTuple

from memorybank.search import ranking
from memorybank.search.filters import Condition
from memorybank.search.ranking import Evidence, Question
from memorybank.text import series
from memorybank.text.series import Place

LONGEST_SERIES = 200
"""A row of more notes than this is a collection, not one text cut into pieces: only nearest neighbours lend."""
SERIES_LOOKED_AT = 16
"""How many series a query looks at, for the best candidates first."""
LONGEST_PIECE = 4 * ranking.LONG
"""Words: the series of a longer note is not even looked at."""
_AROUND = 4 * len(ranking.NEIGHBOURS)
_LAST = "\U0010ffff"


class Member(NamedTuple):
    """One note of a series; ordered by ordinal."""

    ordinal: int
    note: int
    words: int


class Row(NamedTuple):
    """Members of one series in order; whole: none is missing."""

    members: list[Member]
    whole: bool


def supported(
    connection: sqlite3.Connection, question: Question, evidence: Callable[[int], Evidence], condition: Condition, candidates: Sequence[int]
) -> dict[int, float]:
    """{note: score with the support of its series} for the short ones among `candidates` and the other members of their series."""
    scores: dict[int, float] = {}
    known: set[int] = set()
    seen = 0
    for note in candidates:
        if note in known or seen == SERIES_LOOKED_AT:
            continue
        row = _row(connection, note, condition)
        known.update(member.note for member in row.members if row.whole)
        seen += len(row.members) > 1
        share = ranking.lending([member.words for member in row.members])
        if len(row.members) > 1 and share:
            scores |= _scores(question, evidence, row, note, share)
    return scores


def _scores(question: Question, evidence: Callable[[int], Evidence], row: Row, note: int, share: float) -> dict[int, float]:
    """Scores of all members, or of `note` alone where only the notes next to it are known."""
    found = [evidence(member.note) for member in row.members]
    together = ranking.row_score(question, found) if row.whole else 0.0
    return {
        member.note: ranking.supported(found[at], found[:at][::-1], found[at + 1 :], together, share)
        for at, member in enumerate(row.members)
        if row.whole or member.note == note
    }


def _row(connection: sqlite3.Connection, note: int, condition: Condition) -> Row:
    """The series of `note`, or when it is too long to be one text, the notes next to it; nothing for a note that is in none."""
    key, words = connection.execute("SELECT key, words FROM notes WHERE id = ?", (note,)).fetchone()
    place = series.place(key) if words < LONGEST_PIECE else None
    if place is None:
        return Row([], False)
    everything, whole = _members(connection, place, condition, "key >= ?", (place.prefix,), "key", LONGEST_SERIES + 1)
    if whole:
        return Row(everything, True)
    before, _ = _members(connection, place, condition, "key < ? AND key >= ?", (key, place.prefix), "key DESC", _AROUND)
    after, _ = _members(connection, place, condition, "key >= ?", (key,), "key", _AROUND + 1)
    return Row(sorted(before + after), False)


def _members(
    connection: sqlite3.Connection, place: Place, condition: Condition, where: str, values: tuple[str, ...], order: str, limit: int
) -> tuple[list[Member], bool]:
    """(the notes in a range of keys that belong to the series of `place`, whether the whole range was read)."""
    rows = connection.execute(
        f"SELECT id, key, words FROM notes WHERE {where} AND key < ?{condition.clause('AND')} ORDER BY {order} LIMIT ?",
        (*values, place.prefix + _LAST, *condition.values, limit),
    ).fetchall()
    found = [Member(other.ordinal, note, words) for note, key, words in rows if (other := series.place(key)) is not None and other[:2] == place[:2]]
    return sorted(found), len(rows) < limit
