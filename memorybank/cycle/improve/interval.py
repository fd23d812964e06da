"""Confidence intervals of shares.

Wilson, E. B. (1927), "Probable inference, the law of succession, and statistical inference".
"""

from __future__ import annotations

from math import sqrt
from typing import NamedTuple

Z = 1.959963984540054
"""Quantile of the normal distribution, two-sided 95 %."""
SURE = 2.5758293035489004
"""Two-sided 99 %, for tests that are repeated after every session."""


class Interval(NamedTuple):
    """A value and the bounds of its confidence interval."""

    value: float
    low: float
    high: float


def wilson(successes: float, trials: float, z: float = Z) -> Interval | None:
    """Return the interval of a rate, by default at 95 %; None without trials."""
    if trials <= 0:
        return None
    rate = successes / trials
    spread = z * sqrt(rate * (1 - rate) / trials + z * z / (4 * trials * trials))
    scale = 1 + z * z / trials
    middle = rate + z * z / (2 * trials)
    return Interval(rate, max(0.0, (middle - spread) / scale), min(1.0, (middle + spread) / scale))
