"""Evidence that the short notes of a series lend each other; `search.ranking` says how much, and why."""

import sqlite3
from collections.abc import Callable, Sequence
from typing import NamedTuple

from memorybank.search import ranking
from memorybank.search.filters import SqlCondition
from memorybank.search.ranking import DocumentEvidence, WeightedQuery
from memorybank.text import series
from memorybank.text.series import SeriesPosition

LONGEST_SERIES = 200
"""A series of more notes than this is a collection, not one text in pieces: only adjacent notes lend evidence."""
SERIES_LOOKED_AT = 16
"""Maximum number of series that one query examines, those of the best candidates first."""
LONGEST_PIECE = 4 * ranking.LONG
"""Words. The series of a longer note is not examined."""
_AROUND = 4 * len(ranking.NEIGHBOURS)
_LAST = "\U0010ffff"


class SeriesMember(NamedTuple):
    """One note of a series. Members sort by their ordinal."""

    ordinal: int
    note: int
    words: int


class Series(NamedTuple):
    """Members of one series, in order.

    whole: whether these are all members of the series.
    """

    members: list[SeriesMember]
    whole: bool


def supported(
    connection: sqlite3.Connection, question: WeightedQuery, evidence: Callable[[int], DocumentEvidence], condition: SqlCondition, candidates: Sequence[int]
) -> dict[int, float]:
    """{note: score including the support of its series} for the short notes among `candidates` and the other members of their series.

    evidence: returns the evidence of a note, by its row id.
    condition: the filters that every member must pass.
    candidates: row ids of notes, best first.
    """
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


def _scores(question: WeightedQuery, evidence: Callable[[int], DocumentEvidence], row: Series, note: int, share: float) -> dict[int, float]:
    """Scores of all members; of `note` alone if only the notes next to it were read."""
    found = [evidence(member.note) for member in row.members]
    together = ranking.row_score(question, found) if row.whole else 0.0
    return {
        member.note: ranking.supported(found[at], found[:at][::-1], found[at + 1 :], together, share)
        for at, member in enumerate(row.members)
        if row.whole or member.note == note
    }


def _row(connection: sqlite3.Connection, note: int, condition: SqlCondition) -> Series:
    """The series of `note`, or the notes next to it if the series is too long to be one text; empty for a note that is in no series."""
    key, words = connection.execute("SELECT key, words FROM notes WHERE id = ?", (note,)).fetchone()
    place = series.place(key) if words < LONGEST_PIECE else None
    if place is None:
        return Series([], False)
    everything, whole = _members(connection, place, condition, "key >= ?", (place.prefix,), "key", LONGEST_SERIES + 1)
    if whole:
        return Series(everything, True)
    before, _ = _members(connection, place, condition, "key < ? AND key >= ?", (key, place.prefix), "key DESC", _AROUND)
    after, _ = _members(connection, place, condition, "key >= ?", (key,), "key", _AROUND + 1)
    return Series(sorted(before + after), False)


def _members(
    connection: sqlite3.Connection, place: SeriesPosition, condition: SqlCondition, where: str, values: tuple[str, ...], order: str, limit: int
) -> tuple[list[SeriesMember], bool]:
    """(the notes in a range of keys that belong to the series of `place`, whether the complete range was read)."""
    rows = connection.execute(
        f"SELECT id, key, words FROM notes WHERE {where} AND key < ?{condition.clause('AND')} ORDER BY {order} LIMIT ?",
        (*values, place.prefix + _LAST, *condition.values, limit),
    ).fetchall()
    found = [SeriesMember(other.ordinal, note, words) for note, key, words in rows if (other := series.place(key)) is not None and other[:2] == place[:2]]
    return sorted(found), len(rows) < limit
