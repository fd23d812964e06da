"""What log/organize.jsonl says, folded into the cache: which sessions are finished up to where, and which note tells of each. What a
finished session is remembered by follows from it (`summaries`), so whoever reads the same two logs (another worktree, a rebuild)
gets the same rows.
"""

from __future__ import annotations

__light__ = True

from memorybank.cycle.fold import logs, store
from memorybank.log import lines, organize
from memorybank.storage import database
from memorybank.storage.sqlite import sqlite3

TYPE_CHECKING = False
if TYPE_CHECKING:
    from _sqlite3 import Connection
    from collections.abc import Callable

    from memorybank.cycle.base import CycleContext
    from memorybank.log.organize import OrganizeStep

_OFFSET = "organize_offset"


def catch_up(base: CycleContext, connection: Connection, in_time: Callable[[], bool] = lambda: True) -> bool:
    """Fold new lines of the log of finished sessions, one transaction each; whether all of them were.

    in_time: asked before each; what is left, or finds the cache busy, is for the next time.
    """
    try:
        if lines.size(organize.path(base.layout)) < _value(connection, _OFFSET):  # it was cut or removed
            with database.transaction(connection):
                store.clear(connection)
        for step in organize.read(base.layout, _value(connection, _OFFSET)):
            if not in_time():
                return False
            if step.step == organize.SYNC:  # what it is judged by
                logs.fold(base, connection, session=step.session, wait=True)
            with database.transaction(connection):
                if _value(connection, _OFFSET) < step.end:  # another process may have been here
                    _fold(base, connection, step)
                    connection.execute("INSERT OR REPLACE INTO meta VALUES (?, ?)", (_OFFSET, step.end))
    except sqlite3.OperationalError as error:
        if not database.is_busy(error):
            raise
        return False
    return True


def _fold(base: CycleContext, connection: Connection, step: OrganizeStep) -> None:
    session = step.session
    if step.step == organize.SYNC:
        connection.execute(
            "INSERT INTO finished (session, covered_to, round, at, lines, head, steps) VALUES (?, ?, ?, ?, ?, ?, ?) ON CONFLICT (session) DO UPDATE SET"
            " covered_to = excluded.covered_to, round = excluded.round, at = excluded.at, lines = excluded.lines, head = excluded.head, steps = excluded.steps",
            (session, step.covered_to, step.end, step.at, step.lines, step.head, step.step),
        )
        from memorybank.cycle.finish import summaries
        from memorybank.cycle.improve import samples

        samples.finish(connection, session, step.covered_to)

        summaries.write(connection, session, summaries.lines_of(base, session, step.covered_to))
        return
    connection.execute(
        "UPDATE finished SET steps = steps || ' ' || ?1 WHERE session = ?2 AND covered_to = ?3 AND instr(' ' || steps || ' ', ' ' || ?1 || ' ') = 0",
        (step.step, session, step.covered_to),
    )
    if step.step in (organize.NOTING, organize.NOTE):
        _remember_note(connection, step)
    if isinstance(step.details.get("ms"), int):
        _remember_duration(connection, step.step, step.details["ms"])


def _remember_duration(connection: Connection, step: str, milliseconds: int) -> None:
    """A step is taken to need what the faster of its last two took: a machine that was busy once tells nothing about the next time."""
    row = connection.execute("SELECT value FROM meta WHERE name = ?", (f"{step}_last_ms",)).fetchone()
    needs = milliseconds if row is None else min(milliseconds, row[0])
    connection.executemany("INSERT OR REPLACE INTO meta VALUES (?, ?)", ((f"{step}_last_ms", milliseconds), (f"{step}_ms", needs)))


def _remember_note(connection: Connection, step: OrganizeStep) -> None:
    """Which note this session has. Before it is written two digests are ours: what lies there and what is about to."""
    key, digest, tree = (step.details.get(name) for name in ("key", "digest", "tree"))
    if not (isinstance(key, str) and isinstance(digest, str) and isinstance(tree, str)):
        return
    known = connection.execute("SELECT note, note_digests FROM finished WHERE session = ?", (step.session,)).fetchone()
    earlier = f"{known[1]} " if step.step == organize.NOTING and known and known[0] == key and known[1] else ""
    connection.execute("UPDATE finished SET note = ?, note_digests = ?, note_tree = ? WHERE session = ?", (key, earlier + digest, tree, step.session))


def _value(connection: Connection, name: str) -> int:
    row = connection.execute("SELECT value FROM meta WHERE name = ?", (name,)).fetchone()
    return int(row[0]) if row else 0


def expect(connection: Connection, step: str, milliseconds: int, seen: int = 0) -> None:
    """How long a heavy step is taken to last until one is done and says how long it took. seen: when another door had done it last, which is no
    news any more (instant in ms; 0: whatever is found is news). A cache that is busy keeps what it knows."""
    try:
        with database.transaction(connection):
            connection.execute("INSERT OR REPLACE INTO meta VALUES (?, ?)", (f"{step}_ms", milliseconds))
            if seen:
                connection.execute("INSERT OR REPLACE INTO meta VALUES (?, ?)", (f"{step}_seen", seen))
            else:
                connection.execute("DELETE FROM meta WHERE name = ?", (f"{step}_seen",))
    except sqlite3.OperationalError as error:
        if not database.is_busy(error):
            raise


def milliseconds_of(connection: Connection, step: str) -> int:
    """How long a heavy step is taken to last; 0 when nobody knows."""
    return _value(connection, f"{step}_ms")


def seen_of(connection: Connection, step: str) -> int:
    """`seen`, as it was told to `expect` last."""
    return _value(connection, f"{step}_seen")
