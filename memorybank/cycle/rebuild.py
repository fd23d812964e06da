"""Rebuilds the cycle's cache from the logs alone. The same logs and settings give the same memories."""

from __future__ import annotations

from memorybank.cycle.finish import finished
from memorybank.cycle.fold import cache, logs

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from memorybank.cycle.base import CycleContext

_LEAST_SETTLED = 16 << 20
_PORTION = 2_000
"""Lines in one transaction; an interrupted rebuild continues after the last one."""


def rebuild(base: CycleContext, progress: Callable[[int], None] | None = None) -> int:
    """Remove the cache and fold every log again. Returns the number of lines. progress: called with the number of lines folded so far."""
    cache.remove(base.layout)
    folded = 0
    with cache.CacheConnection(base.layout, busy_seconds=2.0) as connection:
        while portion := logs.fold(base, connection, limit=_PORTION, wait=True):
            folded += portion
            cache.settle(base.layout, _LEAST_SETTLED)
            if progress is not None:
                progress(folded)
        finished.catch_up(base, connection)
        cache.settle(base.layout, 0)
    return folded
