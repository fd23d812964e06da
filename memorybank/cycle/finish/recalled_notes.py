"""Counts recalls as access: appends to log/access.jsonl which notes recall showed in a finished session, and which of them the agent used.

A note shown is one line a day (`shown`), a note used one line per exposure (`helped`). What a host loads by itself, such as the resident
summary, has no exposure and is never counted. A line follows from its exposure alone, and a fold ignores one that it knows; so a round that
is repeated counts nothing twice.
"""

from __future__ import annotations

from memorybank.clock import DAY
from memorybank.cycle.know import learned
from memorybank.log import access
from memorybank.log.access import HELPED, SHOWN, AccessLine

TYPE_CHECKING = False
if TYPE_CHECKING:
    from _sqlite3 import Connection

    from memorybank.cycle.base import CycleContext

_NOTE, _SESSION = "note:", "session:"
_EXPOSURES = """SELECT memory, at, offset >= ?2, used_at IS NOT NULL AND used_at < ?3 FROM exposures
    WHERE session = ?1 AND shown AND offset < ?3 AND (offset >= ?2 OR used_at >= ?2) ORDER BY at, id"""


def count(base: CycleContext, connection: Connection, session: str, begin: int, end: int) -> int:
    """Log the notes that one session was shown and used in the part of its log (from `begin` to `end`) that its round adds. Returns the number of lines."""
    rows = connection.execute(_EXPOSURES, (session, begin, end)).fetchall()
    learned_notes = learned.notes(base.layout) if rows else {}
    entries: dict[tuple[str, str, int], AccessLine] = {}
    for memory, at, is_new, is_used in rows:
        key = _key_of(connection, memory, learned_notes)
        if key is None:
            continue
        if is_new:
            entries.setdefault((SHOWN, key, at // DAY), AccessLine(SHOWN, key, at))
        if is_used:
            entries.setdefault((HELPED, key, at), AccessLine(HELPED, key, at))
    if entries:
        access.append(base.layout, entries.values(), base.clock)
    return len(entries)


def tick(base: CycleContext, connection: Connection, memory: str) -> None:
    """Log that somebody marked a memory as helpful, if it is a note. Further marks of the same day add nothing."""
    key = _key_of(connection, memory, learned.notes(base.layout))
    if key is not None:
        access.append(base.layout, (AccessLine(HELPED, key, base.clock.now() // DAY * DAY),), base.clock)


def _key_of(connection: Connection, memory: str, learned_notes: dict[str, str]) -> str | None:
    """Return the key of the note that a memory is: a note itself, the note of a session, or a learned note; None for a memory without one."""
    if memory.startswith(_NOTE):
        return memory.removeprefix(_NOTE)
    if memory.startswith(_SESSION):
        row = connection.execute("SELECT note FROM finished WHERE session = ?", (memory.removeprefix(_SESSION),)).fetchone()
        return row[0] if row is not None else None
    return learned_notes.get(memory)
