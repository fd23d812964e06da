"""Tells the notes that people wrote from those of sessions and of what was learned in them."""

from __future__ import annotations

__light__ = True

from memorybank.index.queries import IS_OWN

TYPE_CHECKING = False
if TYPE_CHECKING:
    from _sqlite3 import Connection

    from memorybank.notes.note import Note

_MADE = ("sync/", "learned/")
"""Folders with the notes of sessions, and with what was learned in them."""
_IS_MADE = " OR ".join(f"key LIKE '{folder}%'" for folder in _MADE)


def wrote(note: Note) -> bool:
    """Return whether people wrote a note."""
    return note.front.agent_created is None and note.front.session_id is None and not note.key.startswith(_MADE)


def rows(connection: Connection, most: int) -> set[int]:
    """Return the ids of at most `most` notes that people wrote in the bank."""
    asked = f"SELECT id FROM notes WHERE {IS_OWN} AND session_id IS NULL AND agent_created IS NULL AND NOT ({_IS_MADE}) LIMIT ?"
    return {row[0] for row in connection.execute(asked, (most,))}


def anchors_of_kind(connection: Connection, kind: str) -> set[str]:
    """Return the anchors of a kind such as `for:`, which only notes of people have."""
    return {row[0] for row in connection.execute("SELECT DISTINCT anchor FROM anchors WHERE anchor > ? AND anchor < ?", (kind, f"{kind}\U0010ffff"))}
