"""Ticks: the verdicts of people and agents on memories count as uses, or remove derived memories at once. Unsigned ticks do not count."""

import json
from pathlib import Path

import pytest

from memorybank.cycle.fold import logs, ticked
from memorybank.cycle.improve import occasions
from memorybank.cycle.improve.rounds import evidence_until
from memorybank.log import ticks
from tests.conftest import DAY, NOW
from tests.cycle.conftest import Session

from .conftest import MINUTE
from .recalling import Remembering, prompt

SHOWN = {"memory": "answer:a.0", "kind": "finding", "rank": 1, "score": 0.5, "parts": {}, "match": 0.5, "why": [], "anchors": [], "terms": [], "tokens": 9}
QUESTION = "why did the flaky upload lose its idle connections at the proxy?"
ANSWER = "The flaky upload came from the proxy, which drops idle connections after 30 seconds."


def say(base, memory, verdict, at=NOW, by=ticks.PERSON):
    base.clock.instant = at
    ticks.append(base.layout, base.key(), memory, verdict, by, base.clock)


def exposed(session, *ats, memory="answer:a.0"):
    for number, at in enumerate(ats):
        session(f"s{number}", at=at).expose({**SHOWN, "memory": memory, "shown": True})


def samples(base, cache):
    """Return {instant of exposure: its worth} after folding everything."""
    logs.fold(base, cache, wait=True)
    return dict(cache.execute(f"SELECT at, {ticked.SAMPLE} FROM exposures", (ticked.EVER,)).fetchall())


def test_a_tick_judges_the_newest_exposure_before_it(base, cache, session):
    first, second, third = NOW - 50 * MINUTE, NOW - 40 * MINUTE, NOW - 10 * MINUTE
    exposed(session, first, second, third)
    say(base, "answer:a.0", ticks.HELPFUL, NOW - 20 * MINUTE)
    assert samples(base, cache) == {first: None, second: 1.0, third: None}
    say(base, "answer:a.0", ticks.WRONG, NOW)
    assert samples(base, cache) == {first: None, second: 1.0, third: 0.0}
    say(base, "answer:a.0", ticks.HELPFUL, NOW + MINUTE)
    assert samples(base, cache)[third] == 1.0, "the newest word counts"


def test_a_helpful_tick_lifts_and_a_wrong_one_lowers_what_the_memory_is_worth(base, cache, session):
    exposed(session, NOW - 50 * MINUTE)
    logs.fold(base, cache, wait=True)
    assert occasions.at_occasion(cache, "answer:a.0", "prompt").average == occasions.NEUTRAL
    say(base, "answer:a.0", ticks.HELPFUL)
    logs.fold(base, cache, wait=True)
    assert occasions.at_occasion(cache, "answer:a.0", "prompt").average == pytest.approx(0.6)
    assert occasions.at_occasion(cache, "answer:other", "prompt").average == occasions.NEUTRAL
    say(base, "answer:a.0", ticks.WRONG, NOW + MINUTE)
    logs.fold(base, cache, wait=True)
    assert occasions.at_occasion(cache, "answer:a.0", "prompt").average == pytest.approx(0.4)


def test_learning_sees_ticks_up_to_its_round_and_no_later_ones(base, cache, session):
    exposed(session, NOW - 50 * MINUTE)
    say(base, "answer:a.0", ticks.HELPFUL, NOW - 30 * MINUTE)
    logs.fold(base, cache, wait=True)
    cache.execute("INSERT INTO finished (session, covered_to, round, at, lines, head, steps) VALUES ('s0', 100000, 7, ?, 1, '', 'sync')", (NOW,))
    assert [one.sample for one in evidence_until(cache, 7)] == [1.0]
    say(base, "answer:a.0", ticks.WRONG, NOW + MINUTE)
    logs.fold(base, cache, wait=True)
    assert [one.sample for one in evidence_until(cache, 7)] == [1.0]


@pytest.mark.parametrize("fault", ["unsigned", "altered", "another bank's", "no verdict"])
def test_a_line_that_this_bank_did_not_sign_counts_for_nothing(base, cache, session, fault):
    from memorybank.log import lines

    exposed(session, NOW - 50 * MINUTE)
    say(base, "answer:a.0", ticks.HELPFUL)
    path = Path(ticks.path(base.layout))
    fields = {name: value for name, value in json.loads(path.read_text(encoding="utf-8")).items() if name != "crc"}
    path.unlink()
    if fault == "unsigned":
        del fields["signature"]
    elif fault == "altered":
        fields["verdict"] = ticks.WRONG
    elif fault == "no verdict":
        fields["verdict"] = "splendid"
    if fault == "another bank's":
        ticks.append(base.layout, b"x" * 32, "answer:a.0", ticks.HELPFUL, ticks.PERSON, base.clock)
    else:
        lines.append(str(path), (fields,), clock=base.clock)
    assert list(samples(base, cache).values()) == [None]


def test_ticks_before_or_after_the_exposures_fold_to_the_same(base, session):
    """The order of the two logs does not matter, and a new fold of everything gives the same rows."""
    from memorybank.cycle.fold import schema
    from memorybank.storage import database

    def rows(connection):
        return [connection.execute(f"SELECT * FROM {table} ORDER BY 1").fetchall() for table in ("ticks", "meta")]

    first = database.in_memory(schema.TABLES, schema.VERSION)
    say(base, "answer:a.0", ticks.HELPFUL)
    logs.fold(base, first, wait=True)
    exposed(session, NOW - 50 * MINUTE)
    logs.fold(base, first, wait=True)
    second = database.in_memory(schema.TABLES, schema.VERSION)
    logs.fold(base, second, wait=True)
    assert rows(first) == rows(second) and len(rows(first)[0]) == 1
    logs.fold(base, second, wait=True)
    assert rows(first) == rows(second), "twice equals once"
    first.close()
    second.close()


def test_a_log_that_was_cut_is_folded_anew(base, cache, session):
    exposed(session, NOW - 50 * MINUTE)
    say(base, "answer:a.0", ticks.HELPFUL)
    assert list(samples(base, cache).values()) == [1.0]
    Path(ticks.path(base.layout)).unlink()
    assert list(samples(base, cache).values()) == [None]


@pytest.fixture
def remembering(bank, fixed_clock):
    made = Remembering(bank(), fixed_clock)
    work = Session(made.scratch.layout, fixed_clock, "earlier", NOW - DAY)
    work.prompt("Why do uploads fail at times?")
    work.turn_end(ANSWER)
    work.end()
    return made.fold()


def test_a_derived_memory_that_is_marked_wrong_is_out_at_once_with_its_reason(remembering):
    (shown,) = [one.memory for one in remembering.preview(prompt(QUESTION)).shown if "30 seconds" in one.memory.text]
    say(remembering.base, shown.memory, ticks.WRONG)
    composed = remembering.fold().preview(prompt(QUESTION))
    assert shown.memory not in [one.memory.memory for one in composed.shown]
    assert [str(one.why) for one in composed.left_out if one.memory.memory == shown.memory] == ["marked wrong on 2025-09-17"]
    say(remembering.base, shown.memory, ticks.HELPFUL, NOW + MINUTE)
    assert shown.memory in [one.memory.memory for one in remembering.fold().preview(prompt(QUESTION)).shown]


def test_a_note_that_is_marked_wrong_only_bears_the_mark(remembering):
    remembering.note("planning/proxy.md", "# Idle connections\n\nThe proxy drops idle connections of a flaky upload after a while.\n").index()
    say(remembering.base, "note:planning/proxy.md", ticks.WRONG)
    shown = remembering.fold().preview(prompt(QUESTION)).shown
    assert "note:planning/proxy.md" in [one.memory.memory for one in shown]
