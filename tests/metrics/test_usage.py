"""What the lines of the log of operations add up to."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memorybank.clock import DAY, HOUR, isoformat
from memorybank.metrics.usage import BOUNDS_SECONDS, fold

NOW = 1_758_112_496_789


def search(ms: float, at: int = NOW, **more):
    return {"kind": "search", "at": isoformat(at), "ms": ms, "ok": True, "hits": 1, **more}


def index(ok: bool = True, at: int = NOW, **more):
    return {"kind": "index", "at": isoformat(at), "ms": 5.0, "ok": ok, **more}


def test_nothing_recorded_is_nothing_known():
    usage = fold([], NOW, ".")
    assert (usage.lines, usage.search_mean_ms, usage.cache_hit_ratio, usage.raised) == (0, None, None, {})


def test_the_last_hour_and_the_last_day_are_counted_to_the_millisecond():
    entries = [search(1, NOW - HOUR), search(1, NOW - HOUR + 1), search(1, NOW), index(at=NOW - DAY), index(at=NOW - DAY + 1), index(False)]
    usage = fold(entries, NOW, ".")
    assert (usage.searches, usage.searches_last_hour) == (3, 2)
    assert (usage.index_updates, usage.index_updates_last_day) == (2, 1)


def test_lines_of_a_later_time_are_not_known_yet():
    """--as-of, and a clock that ran ahead once."""
    assert fold([search(1, NOW + 1)], NOW, ".").lines == 0


def test_the_mean_is_that_of_the_last_hundred_searches_that_went_well():
    entries = [search(9_000)] * 50 + [search(10)] * 100 + [search(7_000, ok=False)]
    usage = fold(entries, NOW, ".")
    assert usage.search_mean_ms == 10 and usage.searches == 151


def test_the_histogram_counts_each_search_once_at_its_smallest_bound():
    usage = fold([search(5), search(5.001), search(200), search(60_000)], NOW, ".")
    assert sum(usage.within_bounds) == 4 and usage.within_bounds[0] == usage.within_bounds[1] == usage.within_bounds[-1] == 1
    assert usage.within_bounds[BOUNDS_SECONDS.index(0.2)] == 1


def test_the_share_of_rows_that_were_right():
    entries = [search(1, looked=10, read=10), index(looked=10, read=0), index(looked=0, read=500, mode="full"), search(1), search(1, looked=3, read=5)]
    assert fold(entries, NOW, ".").cache_hit_ratio == 0.5


def test_failures_are_counted_since_the_last_success_and_of_one_worktree():
    other = {"tree": "../other/.claude/memory"}
    usage = fold([index(False), index(), index(False), index(True, **other), index(False)], NOW, ".")
    assert usage.failures_in_a_row == 2
    assert fold([index(False), index(False, **other)], NOW, other["tree"]).failures_in_a_row == 1


def test_an_alert_stands_from_its_first_rise_to_its_clearing():
    def alert(raised, at, **more):
        return {"kind": "alert", "at": isoformat(at), "id": "search_slow", "raised": raised, **more}

    assert fold([alert(True, NOW - 9), alert(True, NOW - 5)], NOW, ".").raised == {"search_slow": NOW - 9}
    assert fold([alert(True, NOW - 9), alert(False, NOW - 5)], NOW, ".").raised == {}
    assert fold([alert(True, NOW - 9, tree="x")], NOW, ".").raised == {}


JSON = st.recursive(st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(), lambda inner: st.lists(inner, max_size=3), max_leaves=4)
WORDS = st.sampled_from(["search", "index", "alert", isoformat(NOW)])
LINES = st.dictionaries(st.sampled_from(["kind", "at", "ms", "ok", "looked", "read", "tree", "id", "raised"]), JSON | WORDS)


@given(st.lists(LINES, max_size=8))
def test_a_line_of_any_shape_counts_or_does_not_and_never_stops_anything(entries):
    usage = fold(entries, NOW, ".")
    assert 0 <= usage.lines <= len(entries)
    assert usage.cache_hit_ratio is None or 0 <= usage.cache_hit_ratio <= 1


@pytest.mark.parametrize("ms", [True, float("inf"), -1.0, "5"])
def test_a_time_that_is_none_is_not_averaged(ms):
    usage = fold([search(4), search(ms)], NOW, ".")
    assert usage.search_mean_ms == 4 and usage.searches == 2
