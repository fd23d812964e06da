"""Samples of exposures: 0 without a use, 0.5 for a use, and more only by comparison with earlier sessions. The result does not depend on the order of folds."""

import pytest

from memorybank.cycle.finish import macro
from memorybank.cycle.fold import cache as caches
from memorybank.cycle.fold import logs
from memorybank.cycle.improve import occasions
from memorybank.cycle.improve.samples import Attempt, Baseline, attempt_of, of_use, points
from memorybank.cycle.rebuild import rebuild

from .conftest import MINUTE, NOW

ENOUGH = 60_000.0
FAILED_FIRST = Attempt(0, True, 3, 1_000)
AT_ONCE = Attempt(0, False, 1, 500)


def shown(memory="note:a.md", **fields):
    return {"memory": memory, "rank": 1, "score": 0.8, "parts": {"importance": 0.3}, "tokens": 20, "shown": True, **fields}


@pytest.fixture
def finished(base, cache):
    """finished() → the samples of all exposures, after finishing every session that is due."""

    def finish():
        logs.fold(base, cache, wait=True)
        macro.finish(base, cache, lambda: ENOUGH)
        return dict(cache.execute("SELECT memory, sample FROM exposures ORDER BY at, rank").fetchall())

    return finish


def test_used_is_a_half_unused_is_nothing_and_nothing_new_is_no_evidence(session, finished):
    work = session()
    work.read("src/known.py")
    work.expose(shown("used", anchors=["file:src/a.py"]), shown("unused", anchors=["file:src/never.py"]), shown("stale", anchors=["file:src/known.py"]))
    work.read("src/a.py")
    work.read("src/known.py")
    work.end()
    assert finished() == {"used": 0.5, "unused": 0.0, "stale": None}


def test_a_use_counts_at_the_end_of_its_turn_and_the_rest_at_the_end_of_the_session(base, cache, session):
    work = session()
    work.expose(shown("used", anchors=["file:src/a.py"]), shown("unused", anchors=["file:src/never.py"]))
    work.read("src/a.py")
    logs.fold(base, cache, wait=True)
    assert cache.execute("SELECT sample FROM exposures").fetchall() == [(None,), (None,)]
    work.turn_end("done")
    logs.fold(base, cache, wait=True)
    assert cache.execute("SELECT sample FROM exposures").fetchall() == [(0.5,), (None,)]


def earlier_sessions(session, count, *, failing=True):
    for number in range(count):
        work = session(f"earlier-{number}", at=NOW - (300 - 20 * number) * MINUTE)
        if failing:
            work.run("make wheel", error="Error: stale build", latency_ms=1_000)
            work.read(f"docs/{number}.md")
        work.run("make wheel", output="built", latency_ms=1_000)
        work.end()


@pytest.mark.parametrize(("earlier", "sample"), [(2, 0.5), (3, 1.0)])
def test_success_where_others_failed_is_worth_more_once_three_tried(session, finished, earlier, sample):
    earlier_sessions(session, earlier)
    work = session("later", at=NOW - 40 * MINUTE)
    work.expose(shown("problem:clean", anchors=["cmd:make wheel"]))
    work.run("make wheel", output="built", latency_ms=400)
    work.end()
    assert finished()["problem:clean"] == pytest.approx(sample)


def test_a_use_that_helped_nobody_stays_a_half(session, finished):
    earlier_sessions(session, 3)
    work = session("later", at=NOW - 40 * MINUTE)
    work.expose(shown("problem:clean", anchors=["cmd:make wheel"]))
    for _ in range(3):
        work.run("make wheel", error="Error: stale build", latency_ms=2_000)
    work.end()
    assert finished()["problem:clean"] == pytest.approx(0.5)


def test_a_failure_that_was_warned_of_and_stayed_away_is_worth_something(session, finished, cache):
    earlier_sessions(session, 3)
    finished()
    for name, fails in (("warned", False), ("met", True)):
        work = session(name, at=NOW - (60 if fails else 90) * MINUTE)
        work.expose(shown(name, anchors=["fails:make wheel", "file:clean.mk"]))
        work.read("clean.mk")
        work.run("make wheel", error="Error: stale build" if fails else None)
        work.end()
    samples = finished()
    assert samples["warned"] >= samples["met"] == 0.5


def test_points_are_those_of_the_design():
    failing = Baseline([FAILED_FIRST] * 3)
    assert points(AT_ONCE, failing, True) == pytest.approx((1.0 + 0.5 + 0.3 + 0.8, 2.6))
    assert points(FAILED_FIRST, failing, False) == pytest.approx((0.0, 2.6))
    assert points(AT_ONCE, Baseline([AT_ONCE] * 3), None) == (0.0, 0.5), "who never failed proves nothing by success, nor by fewer tries"
    assert points(None, failing, None) == (0.0, 0.0)
    assert of_use(AT_ONCE, failing, True) == 1.0 and of_use(None, failing, None) == 0.5
    assert of_use(AT_ONCE, Baseline([FAILED_FIRST] * 2), True) == 0.5, "two are no baseline"


def test_an_attempt_ends_with_its_first_success():
    calls = [(5, "unknown", None), (10, "failure", 90), (20, "failure", 80), (30, "success", 70), (40, "failure", 60)]
    attempt = attempt_of(calls)
    assert attempt is not None and (attempt.at, attempt.first_failed, attempt.tries, attempt.latency) == (10, True, 3, 70)
    assert attempt_of([(1, "unknown", 3)]) is None
    never = attempt_of([(1, "failure", 3)])
    assert never is not None and never.tries is None


def test_contribution_is_the_average_of_what_was_shown(session, finished, cache):
    for number in range(4):
        work = session(f"s{number}", at=NOW - (200 - number * 20) * MINUTE)
        work.expose(shown("good", anchors=[f"file:{number}.py"]), shown("bad", anchors=["file:never.py"]), shown("shadow", anchors=["file:no.py"], shown=False))
        work.read(f"{number}.py")
        work.end()
    finished()
    assert occasions.at_occasion(cache, "good", "prompt").average == 0.5
    assert occasions.at_occasion(cache, "bad", "prompt").average == pytest.approx(0.5 * 0.8**4)
    assert occasions.at_occasion(cache, "bad", "failure").average == 0.5, "what it was worth elsewhere says nothing here"
    assert occasions.at_occasion(cache, "shadow", "prompt").average == 0.5, "what was not shown earned nothing and lost nothing"


def test_a_rebuild_judges_alike(base, cache, session, finished):
    earlier_sessions(session, 4)
    work = session("later", at=NOW - 40 * MINUTE)
    work.expose(shown("problem:clean", anchors=["cmd:make wheel"]), shown("unused", anchors=["file:never.py"]))
    work.run("make wheel", output="built", latency_ms=400)
    work.end()
    before = finished()
    attempts = "SELECT * FROM attempts ORDER BY fingerprint, session, agent"
    known = cache.execute(attempts).fetchall()
    rebuild(base)
    again = caches.writable(base.layout)
    assert dict(again.execute("SELECT memory, sample FROM exposures ORDER BY at, rank").fetchall()) == before
    assert again.execute(attempts).fetchall() == known != []
    caches.close()
