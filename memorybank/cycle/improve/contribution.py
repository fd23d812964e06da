"""Contribution: what a memory was worth so far on an occasion, 0 to 1: the moving average of the samples of its exposures there.

Self-improving memory cycle, phase 4 (EMA, α .2). A memory that was never judged is neutral, .5; one that is hardly ever used falls
below .15 and is kept back at that moment alone, until its shadows would have been used. Asked when it is needed: no table has to agree
with the exposures.
"""

from __future__ import annotations

__light__ = True

from memorybank.cycle.fold.ticked import EVER, SAMPLE

TYPE_CHECKING = False
if TYPE_CHECKING:
    from _sqlite3 import Connection
    from collections.abc import Collection, Iterable

NEUTRAL = 0.5
ALPHA = 0.2
WORTHLESS = 0.15
"""Below, a derived memory is ranked and not shown: six times shown for nothing."""
REMEMBERED = 30
"""Newest samples that count: what lies further back weighs less than a thousandth."""
_SAMPLES = (
    f"SELECT {SAMPLE} AS worth, at FROM exposures WHERE memory = ? AND event = ? AND (shown OR excluded) AND worth IS NOT NULL"
    f" ORDER BY at DESC, session DESC, offset DESC, rank DESC LIMIT {REMEMBERED}"
)


class Worth:
    """average: 0..1; count: samples behind it; since: instant (ms) of the sample with which it fell, 0 when there is none."""

    __slots__ = ("average", "count", "since")

    def __init__(self, average: float, count: int, since: int) -> None:
        self.average = average
        self.count = count
        self.since = since

    @property
    def is_worthless(self) -> bool:
        return self.average < WORTHLESS

    def __repr__(self) -> str:
        return f"Worth({self.average:.2f}, {self.count})"


def average(samples: Iterable[float]) -> float:
    """samples: the oldest first, each 0..1."""
    value = NEUTRAL
    for sample in samples:
        value += ALPHA * (sample - value)
    return value


def worthless(connection: Connection, kinds: Collection[str]) -> list[tuple[str, str, Worth]]:
    """(memory, moment, its worth there) of every memory of these kinds that is worthless at a moment, in the order of their names."""
    marks = ", ".join("?" * len(kinds))
    rows = connection.execute(
        f"SELECT DISTINCT memory, event FROM exposures WHERE kind IN ({marks}) AND sample IS NOT NULL ORDER BY memory, event", tuple(kinds)
    ).fetchall()
    judged = ((memory, moment, at_occasion(connection, memory, moment)) for memory, moment in rows)
    return [found for found in judged if found[2].is_worthless]


def at_occasion(connection: Connection, memory: str, moment: str) -> Worth:
    """memory: its id. What it was worth at this moment, as of now."""
    rows = connection.execute(_SAMPLES, (EVER, memory, moment)).fetchall()[::-1]
    if not rows:
        return Worth(NEUTRAL, 0, 0)
    since, value = 0, NEUTRAL
    for sample, at in rows:
        before, value = value, value + ALPHA * (sample - value)
        if before >= WORTHLESS > value:
            since = at
    return Worth(value, len(rows), since)
