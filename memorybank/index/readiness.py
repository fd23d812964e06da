"""Tells whether the working index contains every note. A hook needs one query for this and compares notes with rows itself only in a young bank.

Slices record how many notes still wait (`cycle.slices`); a fold of all notes leaves none. An index without any such record is ready once all
notes were swept.
"""

from __future__ import annotations

__light__ = True

from memorybank.index import queries
from memorybank.storage.sqlite import sqlite3
from memorybank.values import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from _sqlite3 import Connection

YOUNG = 100
"""Maximum number of notes of a young bank. People write its first notes and ask about them before any command or turn has indexed them."""
_WAITING = "waiting"


class IndexReadiness(Value):
    """How complete an index is. waiting: number of notes that it lacks; None when nobody has counted them, as where there is no index."""

    waiting: int | None

    @property
    def is_ready(self) -> bool:
        """Whether no note is known to be missing."""
        return self.waiting == 0


NO_INDEX = IndexReadiness(None)


def of(connection: Connection | None) -> IndexReadiness:
    """Return the readiness of an open index; `NO_INDEX` without one."""
    if connection is None:
        return NO_INDEX
    found = dict(connection.execute("SELECT name, value FROM meta WHERE name IN ('swept_at', 'waiting')"))
    waiting = found.get(_WAITING)
    if waiting is None:
        return IndexReadiness(0) if "swept_at" in found else NO_INDEX
    return IndexReadiness(int(waiting))


def is_ready(connection: Connection | None) -> bool:
    """Return whether no note is known to be missing. An index that cannot be read (damaged, or locked for longer than a hook waits) counts as ready."""
    try:
        return of(connection).is_ready
    except sqlite3.DatabaseError:
        return True


def may_lack(connection: Connection | None) -> bool:
    """Return whether the index may lack notes, or their latest text: those of a young bank are compared with it at every prompt, which costs a listing."""
    if not is_ready(connection):
        return True
    try:
        return connection is not None and not queries.has_more_than(connection, YOUNG)
    except sqlite3.DatabaseError:
        return False


def record(connection: Connection, waiting: int) -> None:
    """Record how many notes are not yet in the index. A record that is correct already is not written again."""
    known = connection.execute("SELECT value FROM meta WHERE name = ?", (_WAITING,)).fetchone()
    if known is None or known[0] != waiting:
        connection.execute("INSERT OR REPLACE INTO meta VALUES (?, ?)", (_WAITING, waiting))
