"""Alerts rise, stand and clear."""

import pytest

from memorybank.metrics.alerts import ALERTS, Alert, AlertInputs, judge, most_severe

NOW = 1_758_112_496_789
MB = 1_048_576
CALM = AlertInputs(active_bytes=0, directory_bytes=100 * MB, failures_in_a_row=0, searches=50, search_mean_ms=20.0, search_limit_ms=200.0, mismatches=0)
TROUBLE = {
    "storage_high": ({"active_bytes": 80 * MB + 1}, {"active_bytes": 80 * MB}),
    "index_failing": ({"failures_in_a_row": 3}, {"failures_in_a_row": 2}),
    "search_slow": ({"search_mean_ms": 200.1}, {"search_mean_ms": 200.0}),
    "index_mismatch": ({"mismatches": 1}, {"mismatches": 0}),
}
"""Alert → (what raises it, what just does not)."""


def test_nothing_stands_where_nothing_is_wrong():
    assert judge(CALM, {}, NOW) == ((), ())


@pytest.mark.parametrize("name", ALERTS)
def test_each_alert_rises_at_its_limit_stands_and_clears(name):
    over, under = TROUBLE[name]
    [alert], [change] = judge(CALM._replace(**over), {}, NOW)
    assert (alert.id, alert.since, alert.level) == (name, NOW, ALERTS[name].level) and change == (True, alert)
    [standing], changes = judge(CALM._replace(**over), {name: NOW - 5}, NOW)
    assert standing.since == NOW - 5 and changes == ()
    assert judge(CALM._replace(**under), {}, NOW) == ((), ())
    standing, [cleared] = judge(CALM._replace(**under), {name: NOW - 5}, NOW)
    assert standing == () and not cleared.raised and cleared.alert.since == NOW - 5


@pytest.mark.parametrize(("name", "unknown"), [("search_slow", {"searches": 9, "search_mean_ms": 999.0}), ("index_mismatch", {"mismatches": None})])
def test_what_nobody_can_judge_is_as_it_was(name, unknown):
    """Too few searches, or another process that updates the index just now."""
    assert judge(CALM._replace(**unknown), {}, NOW) == ((), ())
    [standing], changes = judge(CALM._replace(**unknown), {name: NOW - 5}, NOW)
    assert standing.id == name and changes == ()


def test_an_alert_says_what_is_wrong_and_what_to_do():
    for name, (over, _) in TROUBLE.items():
        [alert], _ = judge(CALM._replace(**over), {}, NOW)
        assert str(alert.message) and "memorybank" in str(alert.next_step), name
    assert set(Alert("search_slow", "WARN", NOW, 1.0, 2.0).to_json()) == {"id", "level", "since", "value", "limit"}


def test_the_gravest_level():
    assert [most_severe(levels) for levels in ((), ("UNKNOWN", "OK"), ("WARN", "UNKNOWN"), ("WARN", "FAIL"))] == ["OK", "OK", "WARN", "FAIL"]
