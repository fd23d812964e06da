"""The notes that say themselves which note replaces which ("supersedes [[old]]"), and the notes that they mean.

A name is resolved again only when its note changed, or when a note gained or lost that name.
"""

from __future__ import annotations

__light__ = True

from memorybank.decisions.decision import ENTIRE, Replacement
from memorybank.index import links, queries
from memorybank.index.changes import FoldChanges
from memorybank.index.working import Index
from memorybank.notes import targets
from memorybank.notes.note import Link
from memorybank.storage.sqlite import sqlite3
from memorybank.text.pattern import lazy_pattern

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

STATED = "stated"
"""Kind of a pair that a note names itself."""
RECORD = "adr "
"""How a reference to the number of a decision record begins."""
_NUMBERED = lazy_pattern(r"(?:adr[-_ ]?)?0*(\d{1,5})(?!\d)", "i")
"""Matches the number of a decision record at the beginning of its file name."""
_KINDS = ("link", "wiki", "mention")


def put(connection: sqlite3.Connection, note: int, stated: Sequence[Replacement]) -> None:
    """Store what a note says about replacing others, under the names that it uses."""
    for position, each in enumerate(stated):
        connection.execute("INSERT INTO replacements VALUES (?, ?, ?, ?, ?, 0, 0)", (note, position, each.older, each.newer, each.line))
        names = {_waits_under(name) for name in (each.older, each.newer) if name}
        connection.executemany("INSERT INTO replacement_names VALUES (?, ?, ?)", [(name, note, position) for name in names])


def forget(connection: sqlite3.Connection, note: int) -> None:
    """Remove what a note says, and the pairs that follow from it alone."""
    for position, older, newer in connection.execute("SELECT position, older_note, newer_note FROM replacements WHERE note = ?", (note,)).fetchall():
        connection.execute("DELETE FROM replacement_names WHERE note = ? AND position = ?", (note, position))
        connection.execute("DELETE FROM replacements WHERE note = ? AND position = ?", (note, position))
        _settle_pair(connection, older, newer)


def settle(index: Index, changes: FoldChanges) -> None:
    """Find the notes that replacements name, and bring their pairs up to date."""
    connection = index.connection
    if connection.execute("SELECT 1 FROM replacements LIMIT 1").fetchone() is None:
        return  # in most banks no note says anything about another one
    by_name, aliases = links.KeysByName(connection), links.aliases(connection)
    active = links.active_folder(index.layout)

    def resolved(source: str, link: Link) -> object:
        return targets.resolve(source, link, by_name, active, aliases)

    for note, position, source, *names in list(_affected(connection, changes)):
        before = connection.execute("SELECT older_note, newer_note FROM replacements WHERE note = ? AND position = ?", (note, position)).fetchone()
        found = []
        for name in names:
            key = _meant(connection, source, name, resolved) if name else source
            found.append((queries.id_of(connection, key) if key else None) or 0)
        older, newer = found if 0 not in found and found[0] != found[1] else (0, 0)
        connection.execute("UPDATE replacements SET older_note = ?, newer_note = ? WHERE note = ? AND position = ?", (older, newer, note, position))
        _settle_pair(connection, *before)
        _settle_pair(connection, older, newer)


def _affected(connection: sqlite3.Connection, changes: FoldChanges) -> Iterator[tuple[int, int, str, str, str]]:
    """Yield (note, position, key of the note, older, newer) of the replacements of changed notes, of those about them, and of those that wait for a name."""
    seen = set()
    query = "SELECT r.note, r.position, n.key, r.older, r.newer FROM replacements r JOIN notes n ON n.id = r.note WHERE "
    asked: list[tuple[str, tuple[object, ...]]] = []
    for content in changes.contents:
        asked += [(f"r.{column} = ?", (content.id,)) for column in ("note", "older_note", "newer_note")]
    for name in sorted({*changes.names, *(f"{RECORD}{number}" for name in changes.names if (number := _number(name)) is not None)}):
        waiting = connection.execute("SELECT note, position FROM replacement_names WHERE name = ?", (name,))
        asked += [("r.note = ? AND r.position = ?", row) for row in waiting.fetchall()]
    for condition, values in asked:
        for row in connection.execute(query + condition, values).fetchall():
            if row[:2] not in seen:
                seen.add(row[:2])
                yield row


def _settle_pair(connection: sqlite3.Connection, older: int, newer: int) -> None:
    """Store a pair as long as a note states it, and no note states the opposite."""
    if not older:
        return

    def is_stated(older: int, newer: int) -> bool:
        return connection.execute("SELECT 1 FROM replacements WHERE older_note = ? AND newer_note = ? LIMIT 1", (older, newer)).fetchone() is not None

    forth, back = is_stated(older, newer), is_stated(newer, older)
    for pair, is_in_force in (((older, newer), forth and not back), ((newer, older), back and not forth)):
        values = (pair[0], ENTIRE, pair[1], ENTIRE)
        if is_in_force:
            connection.execute("INSERT OR REPLACE INTO superseding VALUES (?, ?, ?, ?, ?)", (*values, STATED))
        else:
            connection.execute("DELETE FROM superseding WHERE older = ? AND older_position = ? AND newer = ? AND newer_position = ?", values)


def _meant(connection: sqlite3.Connection, source: str, name: str, resolved: Callable[[str, Link], object]) -> str | None:
    """Return the key of the note that a name means in a note."""
    if name.startswith(RECORD):
        return _record(connection, source, int(name.removeprefix(RECORD)))
    found = (resolved(source, Link(kind, name)) for kind in _KINDS)
    return next((key for key in found if isinstance(key, str)), None)


def _record(connection: sqlite3.Connection, source: str, number: int) -> str | None:
    """Return the only decision record with a number in the folder of a note."""
    folder = source[: source.rfind("/") + 1]
    rows = connection.execute("SELECT key FROM notes WHERE key >= ? AND key < ?", (folder, folder + "\U0010ffff"))
    named = [key for (key,) in rows if "/" not in key[len(folder) :] and _number(key[len(folder) :]) == number]
    return named[0] if len(named) == 1 else None


def _waits_under(name: str) -> str:
    return name if name.startswith(RECORD) else targets.waiting_name(Link("wiki", name))


def _number(name: str) -> int | None:
    found = _NUMBERED.match(name)
    return int(found[1]) if found is not None else None
