"""Contribution: what a memory was worth so far, 0 to 1: the moving average of the samples of its exposures.

Self-improving memory cycle, phase 4 (EMA, α .2). A memory that was never judged is neutral, .5; one that is hardly ever used falls
below .15 and is left out; then what its shadows would have been worth counts, so that it comes back. Asked when it is needed: no
table has to agree with the exposures. Light imports only: hooks load this file.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from _sqlite3 import Connection
    from collections.abc import Iterable

NEUTRAL = 0.5
ALPHA = 0.2
WORTHLESS = 0.15
"""A memory below is ranked and not shown, until it would have been used again: six times shown for nothing."""
REMEMBERED = 30
"""Newest samples that count: what lies further back weighs less than a thousandth."""
_SAMPLES = (
    "SELECT sample FROM exposures WHERE memory = ? AND (shown OR excluded) AND sample IS NOT NULL ORDER BY at DESC, session DESC, offset DESC, rank DESC"
    f" LIMIT {REMEMBERED}"
)


def average(samples: Iterable[float]) -> float:
    """samples: the oldest first, each 0..1."""
    value = NEUTRAL
    for sample in samples:
        value += ALPHA * (sample - value)
    return value


def of_memory(connection: Connection, memory: str) -> float:
    """memory: its id. The contribution as of now."""
    newest_first = [row[0] for row in connection.execute(_SAMPLES, (memory,))]
    return average(reversed(newest_first)) if newest_first else NEUTRAL
