"""Intervals of shares: how sure a count is. Pure.

Wilson, E. B. (1927), "Probable inference, the law of succession, and statistical inference".
"""

from __future__ import annotations

from math import sqrt
from typing import NamedTuple

Z = 1.959963984540054
"""Of the normal distribution, two-sided 95 %."""


class Interval(NamedTuple):
    """value, and the ends of its 95 % interval."""

    value: float
    low: float
    high: float


def wilson(successes: float, trials: float) -> Interval | None:
    """Of a rate; None without trials."""
    if trials <= 0:
        return None
    rate = successes / trials
    spread = Z * sqrt(rate * (1 - rate) / trials + Z * Z / (4 * trials * trials))
    scale = 1 + Z * Z / trials
    middle = rate + Z * Z / (2 * trials)
    return Interval(rate, max(0.0, (middle - spread) / scale), min(1.0, (middle + spread) / scale))
