"""Finds the evidence that the short notes of a series lend each other; `search.ranking` says how much, and why."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from memorybank.index import queries
from memorybank.index.queries import NoteLength
from memorybank.search import ranking
from memorybank.search.corpus import SqlCondition
from memorybank.search.ranking import DocumentEvidence, WeightedQuery
from memorybank.storage.sqlite import sqlite3
from memorybank.text.pattern import lazy_pattern
from memorybank.values import Value

LONGEST_SERIES = 200
"""A series of more notes than this is a collection, not one text in pieces: only adjacent notes lend evidence."""
SERIES_LOOKED_AT = 16
"""Maximum number of series that one query examines, those of the best candidates first."""
LONGEST_PIECE = 4 * ranking.LONG
"""Maximum number of words of a note whose series is examined."""
_AROUND = 4 * len(ranking.NEIGHBOURS)
_LAST = "\U0010ffff"

_DATED = lazy_pattern(r"(.*?)(?<!\d)(\d{4})[-_.]?(\d{2})[-_.]?(\d{2})(?!\d)(.*)", "s")
_DIGITS_OF_DATE = 8
_MOST_DIGITS = 9
"""Maximum number of digits of a number at the end of a name."""


class SeriesMember(Value):
    """One note of a series. Members sort by their ordinal."""

    ordinal: int
    note: int
    words: int


class Series(Value):
    """Members of one series, in order.

    whole: whether these are all members of the series.
    """

    members: list[SeriesMember]
    whole: bool


def supported(
    connection: sqlite3.Connection, question: WeightedQuery, evidence: Callable[[int], DocumentEvidence], condition: SqlCondition, candidates: Sequence[int]
) -> dict[int, float]:
    """Return {note: score including the support of its series} for the short notes among `candidates` and the other members of their series.

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
    """Return the scores of all members; of `note` alone if only the notes next to it were read."""
    found = [evidence(member.note) for member in row.members]
    together = ranking.row_score(question, found) if row.whole else 0.0
    return {
        member.note: ranking.supported(found[at], found[:at][::-1], found[at + 1 :], together, share)
        for at, member in enumerate(row.members)
        if row.whole or member.note == note
    }


def _row(connection: sqlite3.Connection, note: int, condition: SqlCondition) -> Series:
    """Return the series of `note`, or the notes next to it if the series is too long to be one text; empty for a note that is in no series."""
    own = queries.length_of(connection, note)
    place = position(own.key) if own.words < LONGEST_PIECE else None
    if place is None:
        return Series([], False)
    end, filters = place.prefix + _LAST, (condition.clause("AND"), condition.values)
    everything = queries.lengths_between(connection, place.prefix, end, LONGEST_SERIES + 1, *filters)
    if len(everything) <= LONGEST_SERIES:
        return Series(_members(place, everything), True)
    before = queries.lengths_between(connection, place.prefix, own.key, _AROUND, *filters, backwards=True)
    after = queries.lengths_between(connection, own.key, end, _AROUND + 1, *filters)
    return Series(_members(place, before + after), False)


def _members(place: SeriesPosition, notes: list[NoteLength]) -> list[SeriesMember]:
    """Return those of the notes that belong to the series of `place`, in order."""
    series = place.prefix, place.suffix
    found = ((other.ordinal, note.id, note.words) for note in notes if (other := position(note.key)) is not None and (other.prefix, other.suffix) == series)
    return [SeriesMember(*member) for member in sorted(found)]


class SeriesPosition(Value):
    """The place of a note in its series: `turn-001.md`, `turn-002.md`; `2025-09-17.md`, `2025-09-18.md`.

    Numbered or dated small notes are often the pieces of one long text. A single piece may lack the words that say what it is about, while
    its neighbours have them.

    prefix, suffix: the text before and after the number or date in all keys of the series
    ordinal: the number, or the date as a number; not always consecutive
    """

    prefix: str
    suffix: str
    ordinal: int


def position(key: str) -> SeriesPosition | None:
    """Return the place of a note in its series; None when the file name has neither a date nor a number at its end."""
    folder, slash, name = key.rpartition("/")
    stem = name.removesuffix(".md")
    # Most names contain no date, so its pattern is rarely needed.
    dated = _DATED.fullmatch(stem) if sum(map(str.isdecimal, stem)) >= _DIGITS_OF_DATE else None
    if dated and 1 <= int(dated[3]) <= 12 and 1 <= int(dated[4]) <= 31:
        return SeriesPosition(f"{folder}{slash}{dated[1]}", dated[5], int(dated[2] + dated[3] + dated[4]))
    digits = 0
    while digits < min(_MOST_DIGITS, len(stem)) and stem[-1 - digits].isdecimal():
        digits += 1
    return SeriesPosition(f"{folder}{slash}{stem[:-digits]}", "", int(stem[-digits:])) if digits else None
