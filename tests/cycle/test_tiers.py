"""Tiers: what stands for a memory at which age."""

import itertools

import pytest

from memorybank.config.cycle import CycleSettings, EventImportance, Organize
from memorybank.cycle import tiers
from memorybank.cycle.fold import logs
from memorybank.cycle.importance import Factors, user_signal
from memorybank.cycle.tiers import COLD, HOT, WARM

from .conftest import NOW

DAY = 86_400_000
ORGANIZE = CycleSettings().organize


@pytest.mark.parametrize(("days", "expected"), [(-1, HOT), (0, HOT), (7, HOT), (7.999, HOT), (8, WARM), (30, WARM), (30.999, WARM), (31, COLD), (4000, COLD)])
def test_hot_to_the_seventh_day_warm_to_the_thirtieth_then_cold(days, expected):
    assert tiers.tier(NOW - int(days * DAY), NOW, ORGANIZE) == expected


def test_the_borders_are_the_settings():
    settings = Organize(hot_days=1, warm_days=2)
    assert [tiers.tier(NOW - days * DAY, NOW, settings) for days in range(4)] == [HOT, HOT, WARM, COLD]


def test_what_recall_may_show_of_each_tier():
    """The whole table: kind, tier, importance, protected."""
    shown = {
        (kind, level, importance, protected)
        for kind, level, importance, protected in itertools.product(
            ("group", "lesson", "session", "day", "month"), (HOT, WARM, COLD), (0.2, 0.6), (False, True)
        )
        if tiers.showable(kind, level, importance, protected=protected)
    }
    unprotected = {key[:3] for key in shown if not key[3]}
    assert unprotected == {
        *(("group", HOT, importance) for importance in (0.2, 0.6)),
        ("group", WARM, 0.6),
        *(("lesson", level, importance) for level in (HOT, WARM, COLD) for importance in (0.2, 0.6)),
        *(("session", level, importance) for level in (HOT, WARM) for importance in (0.2, 0.6)),
        *(("day", WARM, importance) for importance in (0.2, 0.6)),
        *(("month", COLD, importance) for importance in (0.2, 0.6)),
    }
    assert {("group", COLD, 0.2, True), ("group", WARM, 0.2, True)} <= shown, "a failure with its fix stays recallable for ever"


def known(outcome, novelty, signal, weights):
    return tiers.known_importance(Factors(outcome, 0.0, 0.0, novelty, user_signal(signal), 0.0), weights)


def test_the_least_important_hot_groups_leave_early(base, cache, session):
    """Capacity 200: of 12 groups in a store for 5, the failures stay and the repeated successes are warm."""
    work = session()
    for number in range(6):
        work.run(f"make {number}", error=f"error: {number} broke")
        work.run(f"same words {number}")
    logs.fold(base, cache, wait=True)
    weights = EventImportance()
    assert tiers.hot_floor(cache, NOW, ORGANIZE, weights) == 0.0
    floor = tiers.hot_floor(cache, NOW, Organize(hot_capacity=5), weights)
    rows = cache.execute("SELECT status, outcome, novelty, signal FROM memories WHERE kind = 'group'").fetchall()
    stay = [status for status, outcome, novelty, signal in rows if known(outcome, novelty, signal, weights) >= floor]
    assert len(stay) >= 5 and stay.count("failure") >= 4
    assert not tiers.showable("group", HOT, 0.5, protected=False, early=True)
    assert tiers.showable("group", HOT, 0.6, protected=False, early=True)
    assert tiers.showable("day", HOT, 0.5, protected=False, early=True)
    assert not tiers.showable("day", COLD, 0.5, protected=False, early=True), "a crowded week brings no old day back: its month stands for it"
    assert tiers.hot_floor(cache, NOW + 9 * DAY, Organize(hot_capacity=5), weights) == 0.0
