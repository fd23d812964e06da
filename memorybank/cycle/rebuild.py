"""Rebuilds the cycle's cache from the logs alone. The same logs and settings give the same memories."""

from __future__ import annotations

from memorybank.cycle.finish import finished
from memorybank.cycle.fold import cache, logs, retired
from memorybank.log import events, organize
from memorybank.storage import full_text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from memorybank.cycle.base import CycleContext

_LEAST_SETTLED = 16 << 20
_LOGS = 64
"""Logs that are folded together, so that not all logs are looked at again for each portion."""
_PORTION = 2_000
"""Lines in one transaction; an interrupted rebuild continues after the last one."""


def rebuild(base: CycleContext, progress: Callable[[int], None] | None = None) -> int:
    """Remove the cache and fold every log again. Returns the number of lines. progress: called with the number of lines folded so far."""
    cache.remove(base.layout)
    folded = 0
    with cache.CacheConnection(base.layout, busy_seconds=2.0) as connection:
        # In the order in which sessions were finished: so those of long ago are retired while later ones are folded, and the cache never contains all events.
        order = {events.name_of(session): place for place, session in enumerate(organize.latest(base.layout))}
        names = sorted((name for name, _ in logs.grown(base, connection, None)), key=lambda name: order.get(name, len(order)))
        done: set[str] = set()
        for begin in range(0, len(names), _LOGS):
            while portion := logs.fold_named(base, connection, names[begin : begin + _LOGS], _PORTION):
                folded += portion
                cache.settle(base.layout, _LEAST_SETTLED)
                if progress is not None:
                    progress(folded)
            done.update(names[begin : begin + _LOGS])
            finished.catch_up(base, connection, among=done)
            retired.retire_all(connection)
        folded += logs.fold(base, connection, wait=True)  # what hooks added meanwhile, and the other logs
        finished.catch_up(base, connection)
        retired.retire_all(connection)
        full_text.merge_all(connection, "passage_text")
        cache.settle(base.layout, 0)
    return folded
