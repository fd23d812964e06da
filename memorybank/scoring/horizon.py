"""Predicts when a note's score will next change without new input: ages advance, and uses leave the window, at instants known in advance.

An index that stores this instant with a note need not compute the note's score before it.
"""

from __future__ import annotations

__light__ = True

from math import exp2, floor, log2

from memorybank.clock import DAY
from memorybank.config.scoring import RecencyScoring, ScoringSettings
from memorybank.config.settings import Settings
from memorybank.scoring.importance import RECENT_DAYS, STALE_DAYS
from memorybank.values import lru_cache

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

TREND_DAYS = 7
"""The trend of a note compares its score with the one of this many days before."""

NEVER = 1 << 62
"""The instant for a score that the passage of time will not change."""

_AGE_BUCKETS = (8, 31)
"""Ages in days at which the second and the third of the published age buckets 0-7, 8-30, 31+ begin."""
_ROUNDED = 0.1 + 1e-6
"""The most that rounding to one decimal adds to the difference between two importances."""
_UNDERFLOW = 1076
"""Number of half-lives after which a float decay is exactly 0 (the smallest float is 2^-1074)."""


def next_change_at(dates: Iterable[int], uses: Iterable[int], log_begins: int | None, settings: Settings, now: int, outdated: Iterable[int] = ()) -> int:
    """Return the next instant after `now` at which a note's score, reasons, trend, age bucket or age rule can change without new input.

    dates: the note's `modified`, at present and as it was `TREND_DAYS` ago.
    uses: instants of its entries in the access log that count as uses (views, edits, shares, dwells).
    log_begins: instant of that log's oldest entry for any note, or None.
    outdated: instants at which what the note names became untrue, or will.

    All instants are in ms. The result may be too early but is never too late; it is `NEVER` when no change will come.
    """
    ticking, borders = _ages(settings)
    nearest = min((_next_age(date, ticking, borders, now) for date in dates), default=NEVER)
    window, trend = settings.scoring.window_days * DAY, TREND_DAYS * DAY
    for use in uses:
        nearest = min(nearest, _first_after(now, use, use + trend, use + window, use + window + trend))
    if log_begins is not None:
        nearest = min(nearest, _first_after(now, log_begins, log_begins + trend, log_begins + window, log_begins + window + trend))
    for at in outdated:
        nearest = min(nearest, _first_after(now, at, at + trend))
    return nearest


def most_lost(age: int, days: int, settings: ScoringSettings) -> float:
    """Return the most points of importance that a note of at least this age loses in some days through its age alone.

    age: in days, at the beginning
    """
    analysis = settings.temporal_analysis
    share = settings.scoring_algorithm.global_adjustment * settings.scoring_algorithm.weights.temporal_relevance
    if age < 1:  # the boost for an edit ends, which can cost the entire part
        return share * 10 + _ROUNDED
    half_life = analysis.recency_scoring.half_life_days
    decayed = exp2(-age / half_life) * (1 - exp2(-days / half_life))
    return share * 10 * (1 - analysis.modification_tracking.edit_frequency_weight) * decayed + _ROUNDED


def decay_days(recency: RecencyScoring) -> int:
    """Return the age in days from which the decay stays at its minimum. At least 1, because the boost for an edit ends after the first day."""
    half_life, lowest = recency.half_life_days, recency.min_score
    half_lives = min(_UNDERFLOW, log2(1 / lowest)) if lowest else _UNDERFLOW
    days = max(1, floor(half_lives * half_life))
    while exp2(-days / half_life) > lowest:
        days += 1
    return days


def _next_age(date: int, ticking: int, borders: tuple[int, ...], now: int) -> int:
    """Return the next instant at which the age of `date` reaches a day that matters: every day up to `ticking`, then those in `borders`."""
    day = max(1, (now - date) // DAY + 1)
    if day <= ticking:
        return date + day * DAY
    return next((date + border * DAY for border in borders if border >= day), NEVER)


def _first_after(now: int, *instants: int) -> int:
    return min((instant for instant in instants if instant > now), default=NEVER)


@lru_cache(maxsize=8)
def _ages(settings: Settings) -> tuple[int, tuple[int, ...]]:
    """Return (last age at which every day matters, later ages that matter in ascending order), in days."""
    ticking = decay_days(settings.scoring.temporal_analysis.recency_scoring) + TREND_DAYS
    borders = {*_AGE_BUCKETS, RECENT_DAYS + 1, STALE_DAYS + 1, *settings.rotation.age_borders}
    return ticking, tuple(sorted(border for border in borders if border > ticking))
