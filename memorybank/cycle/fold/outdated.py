"""Which passages a later one makes outdated: it gives another value of the same thing, or says that what they say is no longer so.

This follows from the two passages alone, so it is found out once, when the second of them is stored, and recall only reads it (`know.latest`). Which one
is the later follows from where they stand, not from the order of folding.
"""

from __future__ import annotations

__light__ = True

from memorybank.cycle.fold.kinds import FIX, SAID

TYPE_CHECKING = False
if TYPE_CHECKING:
    from _sqlite3 import Connection
    from collections.abc import Iterable

    from memorybank.text.prompts.changing import PassageChange

_PLACES = "SELECT id, at, session, offset, memory FROM passages WHERE id IN ({})"
_OTHER_VALUES = (
    "SELECT DISTINCT o.passage FROM given m JOIN given o ON o.frame = m.frame AND o.value <> m.value WHERE m.passage = ?1 AND o.passage <> ?1"
    " AND NOT EXISTS (SELECT 1 FROM given b WHERE b.frame = m.frame AND b.passage = o.passage AND b.value = m.value)"
    " AND NOT EXISTS (SELECT 1 FROM given b WHERE b.frame = m.frame AND b.passage = ?1 AND b.value = o.value)"
)
"""Passages that give another value in a frame of this one, and not its value too."""
_LONGEST = 1_200
"""Characters of a passage that are read."""


def note(connection: Connection, row: int) -> None:
    """Store what a passage gives as values and says to be no longer so, and what follows from that and other passages."""
    kind, text, terms = connection.execute("SELECT kind, text, terms FROM passages p JOIN passage_terms t ON t.id = p.id WHERE p.id = ?", (row,)).fetchone()
    if kind == FIX:
        return
    from memorybank.text.prompts import changing  # late: most hooks store no passage

    said = text[:_LONGEST]
    is_asked = kind == SAID and text.rstrip().endswith(("?", "？"))
    connection.executemany("INSERT OR IGNORE INTO given VALUES (?, ?, ?)", ((given.frame, row, given.value) for given in changing.values_of(said)))
    changes = [] if is_asked else changing.changes_of(said)
    found = [other for (other,) in connection.execute(_OTHER_VALUES, (row,))]
    _relate(connection, row, found)
    _relate(connection, row, _left_by(connection, row, changes), is_newer=True)
    _relate(connection, row, _leaving(connection, row, said, terms.split(" ")), is_older=True)


def forget(connection: Connection, row: int) -> None:
    """Delete what `note` stored of a passage."""
    for table in ("given", "changes"):
        connection.execute(f"DELETE FROM {table} WHERE passage = ?", (row,))
    connection.execute("DELETE FROM outdated WHERE older = ?", (row,))
    connection.execute("DELETE FROM outdated WHERE newer = ?", (row,))


def _relate(connection: Connection, row: int, others: Iterable[int], *, is_newer: bool = False, is_older: bool = False) -> None:
    """Store the pairs of a passage with others. is_newer, is_older: what it has to be in each pair."""
    listed = ",".join(map(str, others))
    if not listed:
        return
    places = {number: place for number, *place in connection.execute(_PLACES.format(f"{row},{listed}"))}
    for other, place in places.items():
        if other != row and not (is_newer and place > places[row]) and not (is_older and place < places[row]):
            connection.execute("INSERT OR IGNORE INTO outdated VALUES (?, ?)", sorted((other, row), key=places.__getitem__))


def _left_by(connection: Connection, row: int, changes: Iterable[PassageChange]) -> list[int]:
    """Store what a passage says to be no longer so. Return the passages that say it."""
    from memorybank.text.prompts import changing
    from memorybank.text.words.terms import content_terms

    found: list[int] = []
    for change in changes:
        terms = sorted(set(content_terms(change.words)))
        if not terms:
            continue
        connection.execute("INSERT OR IGNORE INTO changes VALUES (?, ?)", (max(terms, key=len), row))
        with_all = " AND ".join(f'"{term}"' for term in terms)
        asked = "SELECT id, text FROM passages WHERE kind <> ? AND id IN (SELECT rowid FROM passage_text WHERE passage_text MATCH ?)"
        found += [other for other, text in connection.execute(asked, (FIX, with_all)) if other != row and changing.is_left(change, text[:_LONGEST])]
    return found


def _leaving(connection: Connection, row: int, said: str, terms: Iterable[str]) -> list[int]:
    """Return the passages that say that what a passage says is no longer so."""
    from memorybank.storage.jsontext import encode
    from memorybank.text.prompts import changing

    asked = "SELECT id, text FROM passages WHERE id IN (SELECT passage FROM changes WHERE term IN (SELECT value FROM json_each(?)))"
    others = connection.execute(asked, (encode(list(terms)),))
    return [other for other, text in others if other != row and any(changing.is_left(change, said) for change in changing.changes_of(text[:_LONGEST]))]
