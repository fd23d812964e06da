"""How much of a day's summary each of its sessions gets. Pure.

A long session has more to tell than a short one, but not in proportion: shares go by the square root of what there is to tell, and what a short
session leaves is for the others. Sessions beyond those that can be told at all are told together.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import sqrt

LEAST = 160
"""Characters below which a session is not told by itself."""


def of_room(sizes: Sequence[int], room: int) -> list[int]:
    """Characters for each, at most what it has. sizes: characters that there are to tell, all above 0; the sum is at most `room`."""
    given = dict.fromkeys(range(len(sizes)), 0)
    waiting = list(given)
    while waiting:
        whole = sum(sqrt(sizes[at]) for at in waiting)
        parts = {at: int(room * sqrt(sizes[at]) / whole) for at in waiting}
        content = [at for at in waiting if sizes[at] <= parts[at]]
        if not content:
            given.update(parts)
            break
        for at in content:
            given[at] = sizes[at]
            room -= sizes[at]
        waiting = [at for at in waiting if at not in content]
    return [given[at] for at in range(len(sizes))]


def told_alone(sizes: Sequence[int], room: int) -> list[int]:
    """Which are told by themselves: all where there is room for each, else those with most to tell, so that something is left for the others."""
    needed = sum(min(size, LEAST) for size in sizes)
    if needed <= room:
        return list(range(len(sizes)))
    longest = sorted(range(len(sizes)), key=lambda at: (-sizes[at], at))
    return sorted(longest[: max(1, room // LEAST - 1)])
