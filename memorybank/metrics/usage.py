"""Usage figures: the sums over the lines of log/operations.jsonl at one instant. A line with an unexpected shape is ignored."""

from __future__ import annotations

from bisect import bisect_left
from collections import deque
from collections.abc import Iterable, Mapping
from math import inf
from typing import Any

from memorybank import clock
from memorybank.clock import DAY, HOUR
from memorybank.values import Value

RECENT = 100
"""Number of searches whose mean is reported, and of operations whose file comparisons are counted."""
BOUNDS_SECONDS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.2, 0.5, 1.0, 2.5, 5.0, 10.0)
"""Upper bounds of the histogram of search times."""


class Usage(Value, frozen=False):
    """The usage of a bank. Alerts and failures are those of one worktree, all other numbers those of all worktrees.

    lines: log lines of every kind.
    searches, index_updates: their number since the log began.
    search_seconds: total duration of the searches that succeeded.
    within_bounds: for each of `BOUNDS_SECONDS`, the searches that took at most that long and longer than the bound before; at the end those that
        took longer than the last bound.
    recent_searches: durations (ms) of the last 100 searches that succeeded.
    failures_in_a_row: index operations that failed since the last successful one.
    looks: (files compared, files read) of the last 100 operations that compared any.
    raised: {alert: instant (ms) at which it was raised} of the alerts that have not cleared.
    """

    lines: int
    searches: int
    search_seconds: float
    within_bounds: list[int]
    searches_last_hour: int
    recent_searches: deque[float]
    index_updates: int
    index_updates_last_day: int
    failures_in_a_row: int
    looks: deque[tuple[int, int]]
    raised: dict[str, int]

    def __init__(self) -> None:
        self.lines = self.searches = self.searches_last_hour = self.index_updates = self.index_updates_last_day = self.failures_in_a_row = 0
        self.search_seconds = 0.0
        self.within_bounds = [0] * (len(BOUNDS_SECONDS) + 1)
        self.recent_searches, self.looks = deque(maxlen=RECENT), deque(maxlen=RECENT)
        self.raised = {}

    @property
    def search_mean_ms(self) -> float | None:
        """Mean duration of the recent searches; None without any."""
        return sum(self.recent_searches) / len(self.recent_searches) if self.recent_searches else None

    @property
    def cache_hit_ratio(self) -> float | None:
        """Fraction of the compared files whose row was up to date; None when no file was compared."""
        compared = sum(looked for looked, _ in self.looks)
        return sum(looked - read for looked, read in self.looks) / compared if compared else None


def fold(entries: Iterable[Mapping[str, Any]], now: int, tree: str) -> Usage:
    """Return the usage known at `now` (ms) to the worktree named `tree`."""
    usage = Usage()
    for fields in entries:
        at = clock.parse(fields["at"]) if isinstance(fields.get("at"), str) else None
        if at is None or at > now:
            continue
        usage.lines += 1
        step = _STEPS.get(str(fields.get("kind")))
        if step is not None:
            step(usage, fields, at, now, tree)
    return usage


def _search(usage: Usage, fields: Mapping[str, Any], at: int, now: int, tree: str) -> None:
    usage.searches += 1
    usage.searches_last_hour += at > now - HOUR
    milliseconds = fields.get("ms")
    if fields.get("ok") is True and isinstance(milliseconds, int | float) and milliseconds is not True and 0 <= milliseconds < inf:
        usage.recent_searches.append(milliseconds)
        usage.search_seconds += milliseconds / 1000
        usage.within_bounds[bisect_left(BOUNDS_SECONDS, milliseconds / 1000)] += 1
    _looked(usage, fields)


def _index(usage: Usage, fields: Mapping[str, Any], at: int, now: int, tree: str) -> None:
    went_well = fields.get("ok") is True
    usage.index_updates += went_well
    usage.index_updates_last_day += went_well and at > now - DAY
    if fields.get("tree", ".") == tree:
        usage.failures_in_a_row = 0 if went_well else usage.failures_in_a_row + 1
    _looked(usage, fields)


def _alert(usage: Usage, fields: Mapping[str, Any], at: int, now: int, tree: str) -> None:
    name = fields.get("id")
    if not isinstance(name, str) or fields.get("tree", ".") != tree:
        return
    if fields.get("raised") is True:
        usage.raised.setdefault(name, at)
    else:
        usage.raised.pop(name, None)


def _looked(usage: Usage, fields: Mapping[str, Any]) -> None:
    looked, read = fields.get("looked"), fields.get("read")
    if type(looked) is int and type(read) is int and 0 <= read <= looked and looked:
        usage.looks.append((looked, read))


_STEPS = {"search": _search, "index": _index, "alert": _alert}
