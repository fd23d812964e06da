"""Selects the notes that a plan has to decide about one by one, and counts all others. The rules themselves are in `rotation.rules`.

A bank of 10,000 notes has few that a rule could select. Only these become values; everything about the others is sums over an index of the table.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from memorybank.index.queries import IS_OWN
from memorybank.index.working import Index
from memorybank.storage.sqlite import sqlite3
from memorybank.values import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from memorybank.index.row import IndexedNote


class NoteRange(Value):
    """The measures that a note must have so that a rule can select it. None: any.

    least, most: importance, both inclusive
    modified_until: instant (ms), inclusive
    larger_than: bytes
    """

    least: float | None = None
    most: float | None = None
    modified_until: int | None = None
    larger_than: float | None = None

    @property
    def condition(self) -> tuple[str, list[float]]:
        """Return it as SQL, with its parameters."""
        parts = [
            ("importance >= ?", self.least),
            ("importance <= ?", self.most),
            ("modified <= ?", self.modified_until),
            ("size > ?", self.larger_than),
        ]
        given = [(sql, value) for sql, value in parts if value is not None]
        return " AND ".join(sql for sql, _ in given) or "TRUE", [value for _, value in given]


class NoteClass(Value):
    """Notes that are alike to all rules. example: one of them"""

    example: IndexedNote
    count: int


class CountedNotes(Value):
    """Notes that are counted instead of listed.

    size: bytes of all of them
    session_notes: number of those in the folder of session notes
    shallow: number of those whose history git does not know
    """

    classes: tuple[NoteClass, ...] = ()
    size: int = 0
    session_notes: int = 0
    shallow: int = 0

    @property
    def count(self) -> int:
        return sum(each.count for each in self.classes)


NOTHING_COUNTED = CountedNotes()


class NoteSums(Value):
    """The number of notes of the bank, and their bytes."""

    count: int
    size: int


def sums(connection: sqlite3.Connection) -> NoteSums:
    """Return the sums over all notes of the bank."""
    count, size = connection.execute(f"SELECT count(*), coalesce(sum(size), 0) FROM notes WHERE {IS_OWN}").fetchone()
    return NoteSums(count, size)


def has_more_important(connection: sqlite3.Connection, importance: float, count: int) -> bool:
    """Return whether more than `count` notes of the bank have at least this importance."""
    found = connection.execute(f"SELECT 1 FROM notes WHERE importance >= ? AND {IS_OWN} LIMIT 1 OFFSET ?", (importance, count))
    return found.fetchone() is not None


def select(index: Index, ranges: Iterable[NoteRange], *, rated: float | None = None, keys: Iterable[str] = ()) -> list[IndexedNote]:
    """Return the notes of the bank within one of the ranges, those that a person pinned, and the given ones, by key. `count_others` counts the rest.

    rated: the rating from which a note is pinned; None selects no pinned notes
    """
    connection = index.connection
    conditions, values = ["FALSE"], list[float]()
    for each in ranges:
        condition, parameters = each.condition
        conditions.append(f"({condition})")
        values += parameters
    if rated is not None:
        conditions += ["bookmarked", "rating >= ?"]
        values.append(rated)
    connection.execute("CREATE TEMP TABLE IF NOT EXISTS selected (id INTEGER PRIMARY KEY)")
    connection.execute("DELETE FROM selected")
    connection.execute(f"INSERT INTO selected SELECT id FROM notes WHERE {IS_OWN} AND ({' OR '.join(conditions)})", values)
    connection.executemany(f"INSERT OR IGNORE INTO selected SELECT id FROM notes WHERE key = ? AND {IS_OWN}", ((key,) for key in keys))
    return index.selected_notes()


def count_others(index: Index, importance: float, modified_after: int, folder: str, date_source: str) -> CountedNotes:
    """Return the notes that the last `select` left out, in classes by whether they have this importance, and whether they are newer than an instant.

    folder: that of session notes, with a final slash
    date_source: that of notes whose history git does not know
    """
    is_important, is_new = "importance >= :importance", "modified > :modified"
    classes = [f"{one} AND {other}" for one in (is_important, f"NOT {is_important}") for other in (is_new, f"NOT {is_new}")]
    of_classes = ", ".join(f"count(*) FILTER (WHERE {each}), max(key) FILTER (WHERE {each})" for each in classes)
    size, sessions, shallow, *counts = index.connection.execute(
        f"SELECT coalesce(sum(size), 0), count(*) FILTER (WHERE key >= :folder AND key < :folder || char(1114111)), "
        f"count(*) FILTER (WHERE date_source = :source), {of_classes} FROM notes WHERE {IS_OWN} AND id NOT IN (SELECT id FROM selected)",
        {"importance": importance, "modified": modified_after, "folder": folder, "source": date_source},
    ).fetchone()
    return CountedNotes(_classes(index, counts), size, sessions, shallow)


def _classes(index: Index, counts: Sequence[int | str]) -> tuple[NoteClass, ...]:
    """Return the classes that have notes.

    counts: number of notes and the key of one, for each class in turn
    """
    found = [(int(count), str(key)) for count, key in zip(counts[::2], counts[1::2], strict=True) if count]
    return tuple(NoteClass(example, count) for (count, _), example in zip(found, index.notes(key for _, key in found), strict=True))


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
