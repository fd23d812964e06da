"""Links between rows: which note or repository file each written target currently refers to, and how many of them count for the score.

Only links that a change can affect are resolved again: the links of changed notes, and the links that wait under a name that a note
gained or lost.
"""

from __future__ import annotations

__light__ = True

from memorybank.config.settings import Settings
from memorybank.index.changes import FoldChanges
from memorybank.index.working import Index
from memorybank.notes import targets
from memorybank.notes.note import Link
from memorybank.storage import jsontext
from memorybank.storage import system as os
from memorybank.storage.layout import Layout
from memorybank.storage.sqlite import sqlite3

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping
    from typing import Any

ASKED_ONE_BY_ONE = 500
"""Number of names that are looked up one by one in a bank of at most `FEW` notes. A fold with more links reads all names there."""
FEW = 10_000
"""Number of notes whose names are read at once. In a larger bank this takes longer than asking for those of a slice, and 40 MB at 100,000."""


def edges(connection: sqlite3.Connection, key: str | None = None) -> list[tuple[str, str]]:
    """Return (source, target) of every link from one note to another, ordered by key.

    key: return only the links from and to this note.
    """
    query = "SELECT DISTINCT n.key, l.target FROM links l JOIN notes n ON n.id = l.source JOIN notes t ON t.key = l.target WHERE l.target <> ''"
    if key is None:
        return connection.execute(f"{query} ORDER BY 1, 2").fetchall()
    return sorted({*connection.execute(f"{query} AND n.key = ?", (key,)), *connection.execute(f"{query} AND l.target = ?", (key,))})


class KeysByName(dict[str, tuple[str, ...]]):
    """{name: keys of the notes with that name}, queried from the rows on first use.

    A note may contain a million links with different names: after `ASKED_ONE_BY_ONE` queries, one more reads all names of a bank that is not large.
    """

    def __init__(self, connection: sqlite3.Connection) -> None:
        super().__init__()
        self._connection = connection
        self._is_complete = False

    def get(self, name: str, default: Any = None) -> Any:
        found = super().get(name)
        if found is None and not self._is_complete:
            found = self[name] = tuple(row[0] for row in self._connection.execute("SELECT key FROM notes WHERE name = ? ORDER BY key", (name,)))
            if len(self) == ASKED_ONE_BY_ONE:
                self._is_complete = self._read_all()
        return found or ()

    def _read_all(self) -> bool:
        """Read the names of all notes, unless there are more than `FEW`. Return whether it was done."""
        keys: dict[str, list[str]] = {}
        for name, key in self._connection.execute("SELECT name, key FROM notes WHERE (SELECT 1 FROM notes LIMIT 1 OFFSET ?) IS NULL ORDER BY key", (FEW,)):
            keys.setdefault(name, []).append(key)
        if keys:
            self.clear()
            self.update((name, tuple(listed)) for name, listed in keys.items())
        return bool(keys)


class KeysByAlias(dict[str, tuple[tuple[str, str], ...]]):
    """{name: (alias, key) of the adopted notes that have an alias with that name}, queried from the rows on first use."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        super().__init__()
        self._connection = connection

    def get(self, name: str, default: Any = None) -> Any:
        if name not in self:
            query = "SELECT alias, key FROM other_names o JOIN notes n ON n.id = o.note WHERE o.name = ? ORDER BY key"
            self[name] = tuple(self._connection.execute(query, (name,)))
        return self[name]


def aliases(connection: sqlite3.Connection) -> Mapping[str, Collection[tuple[str, str]]]:
    """Return {name: (alias, key)} of the adopted notes with that name."""
    is_any = connection.execute("SELECT 1 FROM other_names LIMIT 1").fetchone()
    return KeysByAlias(connection) if is_any else targets.NO_ALIASES


def settle(index: Index, changes: FoldChanges) -> set[str]:
    """Resolve the links affected by the changes; returns the keys whose count of internal links or backlinks changed."""
    connection, settings, active = index.connection, index.settings, active_folder(index.layout)
    sources = {content.key for content in changes.contents}
    affected = set(sources) | changes.unlinked
    by_name, by_alias = KeysByName(connection), aliases(connection)
    for source, position, key, link, old_target, old_counts in _links(connection, sources, changes.names):
        found = targets.resolve(key, link, by_name, active, by_alias)
        target = found if isinstance(found, str) else ""
        counts = found is not None and _counts(link, found, settings)
        if (old_target, old_counts) != (target, counts):
            connection.execute("UPDATE links SET target = ?, internal = ? WHERE source = ? AND position = ?", (target, counts, source, position))
            # The claims of a changed note are looked up anyway.
            if key not in sources:
                connection.execute("INSERT OR IGNORE INTO relinked VALUES (?)", (source,))
            # The old and the new target are affected too: one lost a backlink, the other gained one.
            affected.update(name for name in (key, old_target, target) if name)
    counted = connection.execute(_COUNTS, (jsontext.encode(sorted(affected)),))
    changed = {key: (*both[2:], changes.revision, note) for key, note, *both in counted if both[:2] != both[2:]}
    connection.executemany("UPDATE notes SET internal = ?, backlinks = ?, revision = ? WHERE id = ?", changed.values())
    return {*changed}


def active_folder(layout: Layout) -> str:
    """Return the notes folder as links are resolved against it: a POSIX path relative to the repository; outside git, the default location."""
    return os.path.relpath(layout.active, layout.repository).replace(os.sep, "/") if layout.repository else targets.ACTIVE


def _links(connection: sqlite3.Connection, sources: set[str], names: set[str]) -> Iterator[tuple[int, int, str, Link, str, int]]:
    """Yield (source id, position, source key, link, its target, whether it counts) of the links of `sources` and of those waiting under one of `names`."""
    seen = set()
    columns = "l.source, l.position, n.key, l.kind, l.written, l.target, l.internal"
    of_notes = f"SELECT {columns} FROM json_each(?) g CROSS JOIN notes n ON n.key = g.value CROSS JOIN links l ON l.source = n.id"
    waiting = f"SELECT {columns} FROM json_each(?) g CROSS JOIN links l ON l.name = g.value CROSS JOIN notes n ON n.id = l.source"
    rows: list[tuple[int, int, str, str, str, str, int]] = []
    for query, given in ((of_notes, sources), (waiting, names)):
        rows += connection.execute(f"{query} WHERE l.kind <> 'external' ORDER BY g.id, n.key, l.position", (jsontext.encode(sorted(given)),))
    for source, position, key, kind, written, target, counts in rows:
        if (source, position) not in seen:
            seen.add((source, position))
            yield source, position, key, Link(kind, written), target, counts


def _counts(link: Link, found: object, settings: Settings) -> bool:
    """Return whether a resolved link counts for the score under these settings."""
    tracking = settings.scoring.relationship_analysis.dependency_tracking
    if not isinstance(found, str):
        return tracking.file_dependencies
    return link.kind == "link" or tracking.content_references


_COUNTS = """
SELECT n.key, n.id, n.internal, n.backlinks,
       (SELECT count(DISTINCT CASE target WHEN '' THEN written ELSE target END) FROM links WHERE source = n.id AND internal),
       (SELECT count(DISTINCT source) FROM links WHERE target = n.key AND target <> '' AND internal)
  FROM json_each(?) k CROSS JOIN notes n ON n.key = k.value
"""
"""SQL: the counts of links that notes have, and those that they should have."""
