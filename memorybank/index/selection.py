"""Selects the notes that a plan has to decide about one by one, and counts all others. The rules themselves are in `rotation.rules`.

A bank of 10,000 notes has few that a rule could select. Only these become values; everything about the others is sums over an index of the table.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise, zip_longest

from memorybank.clock import LARGEST_STORABLE
from memorybank.index import totals
from memorybank.index.queries import IS_OWN
from memorybank.index.working import Index
from memorybank.storage.sqlite import sqlite3
from memorybank.values import NamedTuple, Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from memorybank.index.row import IndexedNote


class NoteRange(Value):
    """The measures that a note must have so that a rule can select it. None: any.

    least, most: importance, both inclusive
    below: importance, exclusive
    modified_until: instant (ms), inclusive
    larger_than: bytes
    """

    least: float | None = None
    most: float | None = None
    below: float | None = None
    modified_until: int | None = None
    larger_than: float | None = None

    @property
    def condition(self) -> tuple[str, list[float]]:
        """Return it as SQL, with its parameters."""
        parts = [
            ("importance >= ?", self.least),
            ("importance <= ?", self.most),
            ("importance < ?", self.below),
            ("modified <= ?", self.modified_until),
            ("size > ?", self.larger_than),
        ]
        given = [(sql, value) for sql, value in parts if value is not None]
        return " AND ".join(sql for sql, _ in given) or "TRUE", [value for _, value in given]


class NoteClass(Value):
    """Notes that are alike to all rules, which tell notes apart by importance and by limits of age.

    after, until: when they were modified (ms): after the first instant, and not after the second
    size: bytes of all of them
    session_notes: number of those in the folder of session notes
    """

    importance: float
    after: int
    until: int
    count: int
    size: int
    session_notes: int


class NoteMeasures(NamedTuple):
    """What decides whether a note that may leave has to. modified: instant (ms); size: bytes"""

    key: str
    importance: float
    modified: int
    size: int


class CountedNotes(Value):
    """Notes that are counted instead of listed. shallow: number of those whose history git does not know"""

    classes: tuple[NoteClass, ...] = ()
    shallow: int = 0

    @property
    def count(self) -> int:
        return sum(each.count for each in self.classes)

    @property
    def size(self) -> int:
        """Bytes of all of them."""
        return sum(each.size for each in self.classes)

    @property
    def session_notes(self) -> int:
        return sum(each.session_notes for each in self.classes)


NOTHING_COUNTED = CountedNotes()


class AgingNote(NamedTuple):
    """What the rules compare of a note, and what its importance at a later instant follows from if only its age changes. A row, because it is many.

    edits: number of edits, None when unknown
    content, access, relationship, user: parts of its score
    """

    key: str
    size: int
    modified: int
    importance: float
    rating: float | None
    bookmarked: bool
    edits: int | None
    content: float
    access: float
    relationship: float
    user: float


def has_more_important(connection: sqlite3.Connection, importance: float, count: int) -> bool:
    """Return whether more than `count` notes of the bank have at least this importance."""
    found = connection.execute(f"SELECT 1 FROM notes WHERE importance >= ? AND {IS_OWN} LIMIT 1 OFFSET ?", (importance, count))
    return found.fetchone() is not None


def select(
    index: Index, ranges: Iterable[NoteRange], *, rated: float | None = None, keys: Iterable[str] = (), beside: Iterable[NoteRange] = ()
) -> list[IndexedNote]:
    """Return the notes of the bank within one of the ranges, those that a person pinned, and the given ones, by key. `count_others` counts the rest.

    rated: the rating from which a note is pinned; None selects no pinned notes
    beside: ranges whose notes are left out, unless they are large, given or pinned
    """
    _select(index, tuple(ranges), rated, keys, tuple(beside))
    return index.selected_notes()


def select_aging(index: Index, ranges: Iterable[NoteRange], *, keys: Iterable[str] = (), beside: Iterable[NoteRange] = ()) -> list[AgingNote]:
    """Return the notes that `select` would return, with only what decides about them."""
    _select(index, tuple(ranges), None, keys, tuple(beside))
    return list(map(AgingNote._make, index.connection.execute(_AGING)))


_AGING = f"SELECT {', '.join(AgingNote._fields)} FROM selected CROSS JOIN notes USING (id) ORDER BY key"


def _select(index: Index, ranges: Sequence[NoteRange], rated: float | None, keys: Iterable[str], beside: Sequence[NoteRange]) -> None:
    """Fill the table `selected`."""
    connection = index.connection
    connection.execute("CREATE TEMP TABLE IF NOT EXISTS selected (id INTEGER PRIMARY KEY)")
    connection.execute("DELETE FROM selected")
    outside, excluded = _any_of(beside)
    for each, other in zip_longest((each for each in ranges if each.larger_than is None), beside):
        if each is not None:
            for source, condition, values in _parts(each, other):
                query = f"INSERT OR IGNORE INTO selected SELECT id FROM notes {source} WHERE {IS_OWN} AND {condition} AND NOT {outside}"
                connection.execute(query, (*values, *excluded))
    ids = [id for each in ranges if each.larger_than is not None for id in totals.large(index, each.larger_than)]
    ids += totals.pinned(index, rated) if rated is not None else ()
    connection.executemany("INSERT OR IGNORE INTO selected VALUES (?)", ((id,) for id in ids))
    connection.executemany(f"INSERT OR IGNORE INTO selected SELECT id FROM notes WHERE key = ? AND {IS_OWN}", ((key,) for key in keys))


def _parts(wanted: NoteRange, without: NoteRange | None) -> Iterator[tuple[str, str, list[float]]]:
    """Yield (index to use, condition, its values) of parts of a range that together contain what is not within the other one.

    Most notes of a large bank leave for certain. Those of a range that do not are few, and found in an index: they were modified later, or are more
    important.
    """
    condition, values = wanted.condition
    if without is None or without.modified_until is None:
        yield "", condition, values
        return
    yield "INDEXED BY notes_modified", f"modified > ? AND {condition}", [without.modified_until, *values]
    for side, limit in (("<", without.least), (">", without.most), (">=", without.below)):
        if limit is not None:
            yield "INDEXED BY notes_importance", f"importance {side} ? AND {condition}", [limit, *values]


def _any_of(ranges: Iterable[NoteRange]) -> tuple[str, list[float]]:
    """Return the SQL condition that a note is in one of these ranges, with its parameters."""
    conditions, values = list[str](), list[float]()
    for each in ranges:
        condition, parameters = each.condition
        conditions.append(f"({condition})")
        values += parameters
    return f"({' OR '.join(conditions) or 'FALSE'})", values


def count_others(index: Index, borders: Sequence[int], folder: str, date_source: str) -> CountedNotes:
    """Return the notes that the last `select` left out, in classes. Reads an index of the table in its order, and no note.

    borders: instants (ms) that separate the classes of one importance
    folder: that of session notes, with a final slash
    date_source: that of notes whose history git does not know
    """
    ages = _ages(borders)
    # Of each border the notes after it, because one comparison takes less time than two; a class is the difference of two borders.
    after = ", ".join(f"count(*) FILTER (WHERE modified > {age[0]}), sum(size) FILTER (WHERE modified > {age[0]})" for age in ages[1:])
    others = IS_OWN
    if index.connection.execute("SELECT 1 FROM selected LIMIT 1").fetchone() is not None:
        others += " AND id NOT IN (SELECT id FROM selected)"
    query = f"SELECT importance, count(*) FILTER (WHERE date_source = ?), count(*), sum(size), {after} FROM notes WHERE {others} GROUP BY importance"
    rows = index.connection.execute(query, (date_source,)).fetchall()
    sessions = _sessions_of_classes(index, ages, folder, others)
    classes = []
    for importance, _, *sums in rows:
        for place, age in enumerate(ages):
            count, size, later_count, later_size = (*sums, 0, 0)[2 * place : 2 * place + 4]
            if count > later_count:
                classes.append(NoteClass(importance, *age, count - later_count, size - (later_size or 0), sessions.get((importance, age), 0)))
    return CountedNotes(tuple(classes), sum(row[1] for row in rows))


def _sessions_of_classes(index: Index, ages: Sequence[tuple[int, int]], folder: str, others: str) -> dict[tuple[float, tuple[int, int]], int]:
    """Return {(importance, age): number of session notes} of the other notes."""
    counts = ", ".join(f"count(*) FILTER (WHERE modified > {after} AND modified <= {until})" for after, until in ages)
    query = f"SELECT importance, {counts} FROM notes WHERE key >= ?1 AND key < ?1 || char(1114111) AND {others} GROUP BY importance"
    rows = index.connection.execute(query, (folder,)).fetchall()
    return {(row[0], age): count for row in rows for age, count in zip(ages, row[1:], strict=True)}


def _ages(borders: Sequence[int]) -> list[tuple[int, int]]:
    """Return the ranges (after, until) between these instants."""
    limits = [-LARGEST_STORABLE, *sorted({int(border) for border in borders}), LARGEST_STORABLE]
    return list(pairwise(limits))


def first_of_classes(index: Index, classes: Sequence[NoteClass], limit: int) -> list[IndexedNote]:
    """Return at most `limit` notes of classes that `count_others` counted, the oldest first. All of the classes have the same importance."""
    ages = " OR ".join(f"(modified > {each.after} AND modified <= {each.until})" for each in classes)
    rows = index.connection.execute(
        f"SELECT id FROM notes WHERE importance = ? AND ({ages}) AND {IS_OWN} AND id NOT IN (SELECT id FROM selected) ORDER BY modified, key LIMIT ?",
        (classes[0].importance, limit),
    ).fetchall()
    return index.notes_of_rows(row[0] for row in rows)


def measures_of_classes(index: Index, classes: Sequence[NoteClass]) -> list[NoteMeasures]:
    """Return the measures of all notes of classes that `count_others` counted. Reads an index of the table."""
    found: list[NoteMeasures] = []
    for after, until in {(each.after, each.until) for each in classes}:
        importances = ",".join(repr(each.importance) for each in classes if (each.after, each.until) == (after, until))
        query = f"SELECT key, importance, modified, size FROM notes WHERE importance IN ({importances}) AND modified > ? AND modified <= ? AND {IS_OWN}"
        rows = index.connection.execute(f"{query} AND id NOT IN (SELECT id FROM selected)", (after, until))
        found += map(NoteMeasures._make, rows)
    return found


def changed_by_time(connection: sqlite3.Connection, window: int, now: int, until: int) -> set[str]:
    """Return the keys of notes whose uses leave the window, or whose claims become untrue, between two instants (ms).

    window: length of the window in which uses count, in ms
    """
    keys: set[str] = set()
    # A use between the two instants is one that a clock in the future recorded; it begins to count.
    for after, last in ((now - window, until - window), (now, until)):
        keys.update(row[0] for row in connection.execute(_USED, (after, last)))
    keys.update(row[0] for row in connection.execute(_CLAIMED, (now, until)))
    return keys


_USED = "SELECT key FROM reads WHERE at > ?1 AND at <= ?2 UNION SELECT key FROM sightings WHERE kind = 'edit' AND at > ?1 AND at <= ?2"
_CLAIMED = "SELECT n.key FROM claims c JOIN notes n ON n.id = c.note WHERE c.at > 0 AND c.at > ?1 AND c.at <= ?2"
