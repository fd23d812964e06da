"""Confidence intervals for a report, the same on every machine: no random numbers are drawn.

- A rate of one arm: Wilson's score interval (Wilson 1927, "Probable inference, the law of succession, and statistical inference").
- A difference between two arms over the same sessions: sessions are the clusters, because an agent's actions within one session depend on
  each other. Both rates are ratios of sums over sessions. The standard error is the linearised one of a ratio (Cochran, "Sampling
  Techniques", 3rd edition, section 6.4), of paired residuals, with Student's t of (sessions - 1) degrees of freedom. With few clusters
  such errors are too small (Cameron and Miller 2015, "A practitioner's guide to cluster-robust inference": fewer than 20 to 50 are few),
  so a comparison over fewer than `LEAST_CLUSTERS` sessions is always inconclusive.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import exp, lgamma, log, sqrt
from typing import NamedTuple

from memorybank.cycle.improve.interval import Interval

LEVEL = 0.95
LEAST_CLUSTERS = 20
BETTER, WORSE, INCONCLUSIVE = "better", "worse", "inconclusive"


class Ratio(NamedTuple):
    """One cluster's contribution to a rate: numerator (`above`) and denominator (`below`)."""

    above: float
    below: float


def difference(ones: Sequence[Ratio], others: Sequence[Ratio]) -> Interval | None:
    """Return the rate of `ones` minus the rate of `others`, paired by cluster; None when one of them has no rate."""
    one, other = _rate(ones), _rate(others)
    if one is None or other is None:
        return None
    residuals = [a - b for a, b in zip(_linearised(ones, one), _linearised(others, other), strict=True)]
    return _interval(one - other, residuals)


def quotient(ones: Sequence[Ratio], others: Sequence[Ratio]) -> Interval | None:
    """Return the rate of `ones` / the rate of `others`, with an interval computed on logarithms; None when either is 0 or unknown."""
    one, other = _rate(ones), _rate(others)
    if not one or not other:
        return None
    residuals = [a / one - b / other for a, b in zip(_linearised(ones, one), _linearised(others, other), strict=True)]
    found = _interval(log(one / other), residuals)
    return Interval(exp(found.value), exp(found.low), exp(found.high))


def verdict(found: Interval | None, clusters: int) -> str:
    """Return the verdict on a difference. clusters: number of sessions that contribute to it."""
    if found is None or clusters < LEAST_CLUSTERS or found.low <= 0 <= found.high:
        return INCONCLUSIVE
    return BETTER if found.low > 0 else WORSE


def student(degrees: int) -> float:
    """Return the .975 quantile of Student's t, found by bisection; accurate to nine digits."""
    low, high = 0.0, 1e3
    for _ in range(80):
        middle = (low + high) / 2
        if _above(middle, degrees) > (1 - LEVEL) / 2:
            low = middle
        else:
            high = middle
    return (low + high) / 2


def _rate(clusters: Sequence[Ratio]) -> float | None:
    below = sum(cluster.below for cluster in clusters)
    return sum(cluster.above for cluster in clusters) / below if below else None


def _linearised(clusters: Sequence[Ratio], rate: float) -> list[float]:
    """Return how much each cluster moves the rate."""
    below = sum(cluster.below for cluster in clusters)
    return [(cluster.above - rate * cluster.below) / below for cluster in clusters]


def _interval(value: float, residuals: Sequence[float]) -> Interval:
    count = len(residuals)
    if count < 2:
        return Interval(value, float("-inf"), float("inf"))
    spread = student(count - 1) * sqrt(count / (count - 1) * sum(residual * residual for residual in residuals))
    return Interval(value, value - spread, value + spread)


def _above(t: float, degrees: int) -> float:
    """Return P(T > t) for t >= 0: half of the regularised incomplete beta function I_x(degrees / 2, 1 / 2), x = degrees / (degrees + t²)."""
    return _beta(degrees / (degrees + t * t), degrees / 2, 0.5) / 2


def _beta(x: float, a: float, b: float) -> float:
    """Return I_x(a, b) by its continued fraction (Abramowitz and Stegun 26.5.8, evaluated with Lentz's algorithm)."""
    if x <= 0.0:
        return 0.0
    if x >= 1.0:
        return 1.0
    # The fraction converges quickly only for small x; the other half follows by symmetry.
    if x > (a + 1) / (a + b + 2):
        return 1.0 - _beta(1 - x, b, a)
    front = exp(lgamma(a + b) - lgamma(a) - lgamma(b) + a * log(x) + b * log(1 - x)) / a
    tiny = 1e-300
    c, d = 1.0, 1 / max(1 - (a + b) * x / (a + 1), tiny)
    found = d
    for m in range(1, 300):
        for numerator in (m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m)), -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1))):
            d = 1 / (1 + numerator * d or tiny)
            c = 1 + numerator / c or tiny
            found *= c * d
        if abs(c * d - 1) < 1e-15:
            break
    return front * found
