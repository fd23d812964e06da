"""Folds log/organize.jsonl into the cache: which sessions are finished, up to which offset, and which note describes each.

The memories of a finished session follow from this log (`summaries`), so every reader of the same two logs (another worktree, a rebuild)
creates the same rows.
"""

from __future__ import annotations

__light__ = True

from memorybank.cycle.finish import durations
from memorybank.cycle.fold import cache, logs
from memorybank.log import events, lines, organize
from memorybank.storage import database
from memorybank.storage.sqlite import sqlite3

TYPE_CHECKING = False
if TYPE_CHECKING:
    from _sqlite3 import Connection
    from collections.abc import Callable, Container

    from memorybank.cycle.base import CycleContext
    from memorybank.log.organize import OrganizeStep

_OFFSET = "organize_offset"


def catch_up(base: CycleContext, connection: Connection, in_time: Callable[[], bool] = lambda: True, *, among: Container[str] | None = None) -> bool:
    """Fold the new lines of the log of finished sessions, each in its own transaction. Return whether all of them were folded.

    in_time: called before each line. The lines after a False, or after the cache was busy, are left for the next call.
    among: names of the event logs that are folded; the lines from the first one of another session on are left for the next call
    """
    try:
        if _is_shorter(base, connection):
            with database.transaction(connection):
                if _is_shorter(base, connection):
                    cache.clear(connection)
        for step in organize.read(base.layout, cache.value(connection, _OFFSET)):
            if not in_time() or (among is not None and events.name_of(step.session) not in among):
                return False
            if step.step == organize.SYNC:  # `samples.finish` judges the session by its folded events
                logs.fold(base, connection, session=step.session, wait=True)
            with database.transaction(connection):
                if cache.value(connection, _OFFSET) < step.end:  # another process may have folded this line already
                    _fold(base, connection, step)
                    connection.execute("INSERT OR REPLACE INTO meta VALUES (?, ?)", (_OFFSET, step.end))
    except sqlite3.OperationalError as error:
        if not database.is_busy(error):
            raise
        return False
    return True


def _is_shorter(base: CycleContext, connection: Connection) -> bool:
    """Return whether the log was truncated or removed since it was folded. The offset is read first: another process may append and fold in between."""
    offset = cache.value(connection, _OFFSET)
    return lines.size(organize.path(base.layout)) < offset


def _fold(base: CycleContext, connection: Connection, step: OrganizeStep) -> None:
    session = step.session
    if step.step == organize.SYNC:
        connection.execute(
            "INSERT INTO finished (session, covered_to, round, at, lines, head, steps) VALUES (?, ?, ?, ?, ?, ?, ?) ON CONFLICT (session) DO UPDATE SET"
            " covered_to = excluded.covered_to, round = excluded.round, at = excluded.at, lines = excluded.lines, head = excluded.head, steps = excluded.steps",
            (session, step.covered_to, step.end, step.at, step.lines, step.head, step.step),
        )
        connection.execute("INSERT OR REPLACE INTO meta VALUES (?, ?)", (cache.FINISHED_AT, max(step.at, cache.value(connection, cache.FINISHED_AT))))
        from memorybank.cycle.finish import summaries
        from memorybank.cycle.fold import retired
        from memorybank.cycle.improve import samples

        retired.restore_all(base, connection, events.name_of(session))  # samples are made from all events of the session
        samples.finish(connection, session, step.covered_to)

        summaries.write(connection, session, summaries.lines_of(base, session, step.covered_to))
        summaries.shorten(connection, cache.value(connection, cache.FINISHED_AT))
        return
    connection.execute(
        "UPDATE finished SET steps = steps || ' ' || ?1 WHERE session = ?2 AND covered_to = ?3 AND instr(' ' || steps || ' ', ' ' || ?1 || ' ') = 0",
        (step.step, session, step.covered_to),
    )
    key, tree = step.details.get("key"), step.details.get("tree")
    if step.step == organize.NOTE and isinstance(key, str) and isinstance(tree, str):
        connection.execute("UPDATE finished SET note = ?, note_tree = ? WHERE session = ?", (key, tree, session))
    durations.remember(connection, step)
