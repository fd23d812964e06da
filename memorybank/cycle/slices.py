"""Does left-over work in slices: at an idle moment a hook does as much of it as a budget permits, and the next hook continues.

    work = WorkSlice(base, deadline)
    for portion in work.portions(waiting):
        do(portion)
    remember(len(waiting) - work.done)

The work itself must be resumable: what a portion did stays done, and the next slice is given only what is still waiting.
"""

from __future__ import annotations

__light__ = True

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from typing import TypeVar

    from memorybank.cycle.base import CycleContext

    Item = TypeVar("Item")

BUDGET_MS = 235
"""Processor time, from the start of the process, up to which a hook does work that can wait. With the end of the last portion and of the process,
a hook takes at most 300 ms."""
_FIRST = 8
"""Number of items in the first portion, whose cost shows how many more fit."""
_SHARE = 0.7
"""Share of the remaining time that a portion may take. The rest is a reserve, because items differ."""
_LEAST_MS = 10
"""Minimum time (ms) that must be left to begin a portion."""


class WorkSlice:
    """One share of the left-over work: at most `budget` ms of processor time and `deadline` ms of real time, both from the start of the process.

    done: number of items that were done.
    """

    __slots__ = ("_begun", "base", "budget", "deadline", "done")

    def __init__(self, base: CycleContext, deadline: float, budget: float = BUDGET_MS) -> None:
        self.base = base
        self.deadline = deadline
        self.budget = budget
        self.done = 0
        self._begun = base.milliseconds_used()

    def left(self) -> float:
        """Return the milliseconds that are left, of the budget or until the deadline, whichever ends first."""
        return min(self._both())

    def fits(self, milliseconds: float) -> bool:
        """Return whether work of this much processor time fits. On a busy machine it takes longer in real time, by the factor that was observed so far."""
        budget, until_deadline = self._both()
        used = self.base.milliseconds_used()
        slowdown = max(1.0, (self.deadline - until_deadline) / used) if used > 0 else 1.0
        return milliseconds <= budget and milliseconds * slowdown <= until_deadline

    def spent(self) -> float:
        """Return the milliseconds of processor time that this slice has taken so far."""
        return self.base.milliseconds_used() - self._begun

    def portions(self, items: Sequence[Item]) -> Iterator[Sequence[Item]]:
        """Yield the items in order, in portions that fit into the time that is left, until it is used up.

        The caller does a portion before it takes the next one, because the cost of each portion decides the size of the next.
        """
        size = _FIRST
        while self.done < len(items) and size > 0 and self.left() >= _LEAST_MS:
            portion = items[self.done : self.done + size]
            before = self._both()
            yield portion
            self.done += len(portion)
            # Either may run out first: on a busy machine, real time passes several times as fast as processor time.
            size = min(_fitting(left, (earlier - left) / len(portion), len(items)) for earlier, left in zip(before, self._both(), strict=True))

    def _both(self) -> tuple[float, float]:
        """Return (milliseconds left of the budget, milliseconds until the deadline)."""
        return self.budget - self.base.milliseconds_used(), self.base.milliseconds_left(self.deadline)


def _fitting(left: float, each: float, most: int) -> int:
    """Return how many items of this cost fit into the time that is left, at most `most`."""
    return min(most, int(left * _SHARE / each)) if each > 0 else most
