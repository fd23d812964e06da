"""Alerts as values: a table of rules, evaluated on facts that the caller collected.

    storage_high     active/ takes more than 80 % of max_directory_size_mb
    index_failing    the last 3 index operations failed
    search_slow      the mean of the last 100 searches (10 at least) is above monitoring.search_mean_ms
    index_mismatch   index and notes still differ after everything was checked

An alert that cannot be evaluated now (too few searches, another process is updating the index) keeps its state.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from memorybank.clock import isoformat
from memorybank.reasons.reason import Reason
from memorybank.values import NamedTuple, Value

WARN, FAIL = "WARN", "FAIL"
STORAGE_SHARE = 0.8
FAILURES = 3
LEAST_SEARCHES = 10
MEGABYTE = 1_048_576


class AlertInputs(NamedTuple):
    """The facts on which alerts are evaluated.

    active_bytes: size of active/.
    directory_bytes: maximum size of active/, in bytes.
    failures_in_a_row: number of index operations that failed since the last successful one.
    searches: number of searches in `search_mean_ms`.
    search_limit_ms: mean above which searches are too slow.
    mismatches: number of places where index and disk differ; None when this could not be checked.
    """

    active_bytes: int
    directory_bytes: float
    failures_in_a_row: int
    searches: int
    search_mean_ms: float | None
    search_limit_ms: float
    mismatches: int | None


class Alert(Value):
    """One alert that is raised.

    since: instant (ms) at which it was raised.
    value, limit: in the unit of the alert (MB, operations, ms, places).
    """

    id: str
    level: str
    since: int
    value: float
    limit: float

    @property
    def message(self) -> Reason:
        return Reason(ALERTS[self.id].message, value=self.value, limit=self.limit)

    @property
    def next_step(self) -> Reason:
        return Reason(ALERTS[self.id].next_step)

    def to_json(self) -> dict[str, Any]:
        return {"id": self.id, "level": self.level, "since": isoformat(self.since), "value": self.value, "limit": self.limit}


class RuleResult(NamedTuple):
    """The result of evaluating a rule. is_raised: None when it cannot be evaluated."""

    is_raised: bool | None
    value: float
    limit: float


class AlertRule(NamedTuple):
    """One kind of alert: its level, how it is measured, and the codes of its message and next step."""

    level: str
    measure: Callable[[AlertInputs], RuleResult]
    message: str
    next_step: str


class AlertChange(NamedTuple):
    """An alert that was raised or cleared. alert: with its current values."""

    raised: bool
    alert: Alert


def judge(watched: AlertInputs, raised: Mapping[str, int], now: int) -> tuple[tuple[Alert, ...], tuple[AlertChange, ...]]:
    """Return (the alerts raised at `now`, the alerts that were raised or cleared since the log was written).

    raised: {alert: instant (ms) since when}, according to the log.
    """
    raised_now: list[Alert] = []
    changes: list[AlertChange] = []
    for name, rule in ALERTS.items():
        measured = rule.measure(watched)
        was_raised = name in raised
        # An alert that cannot be evaluated keeps its state, so that it is not logged as cleared and raised again.
        is_raised = was_raised if measured.is_raised is None else measured.is_raised
        alert = Alert(name, rule.level, raised.get(name, now), measured.value, measured.limit)
        if is_raised:
            raised_now.append(alert)
        if is_raised != was_raised:
            changes.append(AlertChange(is_raised, alert))
    return tuple(raised_now), tuple(changes)


def most_severe(levels: Iterable[str]) -> str:
    """FAIL, WARN or OK, whichever of the levels is the most severe. Other levels are ignored."""
    found = set(levels)
    return FAIL if FAIL in found else WARN if WARN in found else "OK"


def _storage(watched: AlertInputs) -> RuleResult:
    limit = STORAGE_SHARE * watched.directory_bytes
    return RuleResult(watched.active_bytes > limit, round(watched.active_bytes / MEGABYTE, 3), round(limit / MEGABYTE, 3))


def _failing(watched: AlertInputs) -> RuleResult:
    return RuleResult(watched.failures_in_a_row >= FAILURES, watched.failures_in_a_row, FAILURES)


def _slow(watched: AlertInputs) -> RuleResult:
    mean = watched.search_mean_ms
    is_slow = mean > watched.search_limit_ms if mean is not None and watched.searches >= LEAST_SEARCHES else None
    return RuleResult(is_slow, round(mean or 0.0, 3), watched.search_limit_ms)


def _mismatch(watched: AlertInputs) -> RuleResult:
    return RuleResult(None if watched.mismatches is None else watched.mismatches > 0, watched.mismatches or 0, 0)


ALERTS = {
    "storage_high": AlertRule(WARN, _storage, "alert.storage_high", "alert.storage_high.next"),
    "index_failing": AlertRule(FAIL, _failing, "alert.index_failing", "alert.index_failing.next"),
    "search_slow": AlertRule(WARN, _slow, "alert.search_slow", "alert.search_slow.next"),
    "index_mismatch": AlertRule(FAIL, _mismatch, "alert.index_mismatch", "alert.index_mismatch.next"),
}
