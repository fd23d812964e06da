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
SERIES_LOOKED_AT = 12
LONGEST_PIECE = 4 * ranking.LONG
"""Characters of body tokens: the series of a longer note is not even looked at."""
_AROUND = 4 * len(ranking.NEIGHBOURS)
_LAST = "\U0010ffff"


class Row(NamedTuple):
    """Notes of one series by their ordinals; whole: no member is missing."""

    notes: list[int]
    whole: bool


def supported(
    connection: sqlite3.Connection, question: Question, evidence: Callable[[int], Evidence], condition: Condition, candidates: Sequence[int]
) -> dict[int, float]:
    """{note: score with the support of its series} for the short ones among `candidates` and the other members of their series."""
    scores: dict[int, float] = {}
    seen = 0
    for note in candidates:
        if seen == SERIES_LOOKED_AT:
            break
        if note in scores or evidence(note).extent >= LONGEST_PIECE:
            continue
        row = _row(connection, note, condition)
        if len(row.notes) < 2:
            continue
        seen += 1
        members = [evidence(member) for member in row.notes]
        share = ranking.lending(members)
        together = ranking.row_score(question, members) if share and row.whole else 0.0
        for at, member in enumerate(row.notes) if row.whole else ((row.notes.index(note), note),):
            scores[member] = ranking.supported(members[at], members[:at][::-1], members[at + 1 :], together, share)
    return scores


def _row(connection: sqlite3.Connection, note: int, condition: Condition) -> Row:
    """The series of `note`, or when it is too long to be one text, the notes next to it."""
    key = connection.execute("SELECT key FROM notes WHERE id = ?", (note,)).fetchone()[0]
    place = series.place(key)
    if place is None:
        return Row([], False)
    everything, whole = _members(connection, place, condition, "key >= ?", (place.prefix,), "key", LONGEST_SERIES + 1)
    if whole:
        return Row(_in_order(everything), True)
    before, _ = _members(connection, place, condition, "key < ? AND key >= ?", (key, place.prefix), "key DESC", _AROUND)
    after, _ = _members(connection, place, condition, "key >= ?", (key,), "key", _AROUND + 1)
    return Row(_in_order(before + after), False)


def _members(
    connection: sqlite3.Connection, place: Place, condition: Condition, where: str, values: tuple[str, ...], order: str, limit: int
) -> tuple[list[tuple[int, int]], bool]:
    """([(ordinal, id)] of the notes in a range of keys that belong to the series of `place`, whether the whole range was read)."""
    rows = connection.execute(
        f"SELECT id, key FROM notes WHERE {where} AND key < ?{condition.clause('AND')} ORDER BY {order} LIMIT ?",
        (*values, place.prefix + _LAST, *condition.values, limit),
    ).fetchall()
    found = [(other.ordinal, note) for note, key in rows if (other := series.place(key)) is not None and other[:2] == place[:2]]
    return found, len(rows) < limit


def _in_order(members: list[tuple[int, int]]) -> list[int]:
    return [note for _, note in sorted(members)]
