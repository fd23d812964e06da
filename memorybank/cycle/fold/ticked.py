"""Ticks in the cache: the lines of log/ticks.jsonl, unchanged. The effect of a tick on an exposure is computed when read, since the two are in different
files.
"""

from __future__ import annotations

__light__ = True

from memorybank.cycle.fold.schema import TICKS_LOG, TICKS_OFFSET

TYPE_CHECKING = False
if TYPE_CHECKING:
    from _sqlite3 import Connection

    from memorybank.cycle.base import CycleContext

EVER = 1 << 62
TICK = (
    "(SELECT t.worth FROM ticks t WHERE t.memory = {row}.memory AND {row}.shown AND t.at BETWEEN {row}.at AND {until}"
    " AND NOT EXISTS (SELECT 1 FROM exposures later WHERE later.memory = t.memory AND later.shown AND later.at > {row}.at AND later.at <= t.at)"
    " ORDER BY t.at DESC, t.id DESC LIMIT 1)"
)
"""SQL for the worth that a tick gives to a row of exposures: each tick applies to the newest exposure shown before it, and the latest one counts.

row: name of the table or its alias; until: the instant (ms) up to which ticks count.
"""
SAMPLE = f"ifnull({TICK.format(row='exposures', until='?')}, sample)"
"""SQL for the worth of a row of exposures. Parameter: the instant (ms) up to which ticks count."""


def catch_up(base: CycleContext, connection: Connection) -> None:
    """Fold new ticks. A log that was cut is folded again from the beginning."""
    from memorybank.cycle.fold import cache
    from memorybank.log import lines
    from memorybank.storage import database

    path = f"{base.layout.log}/{TICKS_LOG}"
    if lines.size(path) == cache.value(connection, TICKS_OFFSET):
        return
    from memorybank.log import ticks  # late: there are new ticks after few events

    key = base.existing_key()
    if key is None:
        return
    with database.transaction(connection):
        begin = cache.value(connection, TICKS_OFFSET)
        size = lines.size(path)
        if size < begin:
            connection.execute("DELETE FROM ticks")
            begin = 0
        for tick in ticks.read(base.layout, key, begin):
            worth = float(tick.verdict == ticks.HELPFUL)
            connection.execute("INSERT OR IGNORE INTO ticks VALUES (?, ?, ?, ?, ?)", (tick.end, tick.memory, tick.at, worth, tick.by))
        connection.execute("INSERT OR REPLACE INTO meta VALUES (?, ?)", (TICKS_OFFSET, size))


def wrong(connection: Connection) -> dict[str, int]:
    """Return {memory: instant (ms)} of the memories whose newest tick says that they are wrong."""
    rows = connection.execute("SELECT memory, at, worth FROM ticks ORDER BY at, id")
    newest = {memory: (at, worth) for memory, at, worth in rows}
    return {memory: at for memory, (at, worth) in newest.items() if not worth}
