"""How a day's summary is divided among its sessions.

A long session has more to say than a short one, but not in proportion: shares follow the square root of the available text, and characters that a short
session does not need go to the others. Sessions beyond those that can have a share are summarised together.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import sqrt

LEAST = 160
"""Characters below which a session gets no share of its own."""


def of_room(sizes: Sequence[int], room: int) -> list[int]:
    """Return the number of characters for each session, at most its size; their sum is at most `room`. sizes: available characters, all above 0."""
    given = dict.fromkeys(range(len(sizes)), 0)
    waiting = list(given)
    while waiting:
        whole = sum(sqrt(sizes[at]) for at in waiting)
        parts = {at: int(room * sqrt(sizes[at]) / whole) for at in waiting}
        # Sessions that need less than their share get what they need, and the rest is divided again among the others.
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
    """Return the indices of the sessions with a share of their own: all if each gets enough, else the longest, with a rest left for the others."""
    needed = sum(min(size, LEAST) for size in sizes)
    if needed <= room:
        return list(range(len(sizes)))
    longest = sorted(range(len(sizes)), key=lambda at: (-sizes[at], at))
    return sorted(longest[: max(1, room // LEAST - 1)])
