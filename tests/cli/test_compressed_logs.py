"""Compressed event logs change nothing that is derived from them: a rebuilt cache is the same, and hooks, imports, exports and statistics go on."""

import json
import os
import shutil
import sqlite3
from pathlib import Path

import pytest

from memorybank.bank import Bank
from memorybank.clock import DAY, FixedClock
from memorybank.cycle.base import describe
from memorybank.cycle.event import Event
from memorybank.cycle.fold import cache, schema
from memorybank.cycle.rebuild import rebuild
from memorybank.cycle.router import HookRouter
from memorybank.log import events
from tests.conftest import NOW

SESSIONS = 4


@pytest.fixture(scope="module")
def played(shared_bank, tmp_path_factory):
    """(a bank with sessions of two months ago, in English and Japanese, a copy of it)"""
    scratch = shared_bank({"shared/kettle.md": "# Kettle\n\nThe kettle boils over.\n"})
    for number in range(SESSIONS):
        play(scratch, f"s{number}", NOW - (60 + number) * DAY)
    cache.close()
    return scratch, shutil.copytree(scratch.repository, tmp_path_factory.mktemp("played") / "repository")


@pytest.fixture
def lived(played):
    """That bank as it was before any test, at the same path, because its logs name it."""
    scratch, copy = played
    shutil.rmtree(scratch.repository)
    shutil.copytree(copy, scratch.repository)
    return scratch


def play(scratch, session, at, count=6):
    clock = FixedClock(at)
    router = HookRouter(describe(scratch.layout, clock), frozenset())
    common = {"host": "claude-code", "session_id": session, "cwd": str(scratch.repository)}
    found = []
    for number in range(count):
        given = ({"command": f"make 湯沸かし{number}"}, f"make: *** kettle{number}.c:{number} missing separator {'y' * 300}")
        for event in (
            Event(name="prompt", prompt=f"From now on always descale kettle{number} first. なぜ湯沸かし{number}は溢れるのか?", **common),
            Event(name="tool_after", tool="Bash", inputs=given[0], status="failure", error=given[1], tool_use_id=f"{session}-{number}", **common),
            Event(name="turn_end", last_message=f"Kettle{number} boils over because its lid is stuck. 蓋が原因です。", **common),
        ):
            clock.instant += 60_000
            found.append(router.answer(event))
            router.finish(event)
    path = events.path_of(scratch.layout, session)
    os.utime(path, ns=(clock.instant * 1_000_000,) * 2)
    return found


def tables(scratch):
    """Every row of every table that is folded from the logs."""
    cache.close()
    connection = sqlite3.connect(schema.path(scratch.layout))
    try:
        names = [name for (name,) in connection.execute("SELECT name FROM sqlite_schema WHERE type = 'table' AND sql NOT LIKE '%VIRTUAL%' ORDER BY name")]
        return {name: sorted(map(repr, connection.execute(f"SELECT * FROM {name}"))) for name in names if not name.startswith("passage_text")}
    finally:
        connection.close()


def opened(scratch, clock):
    return Bank.open(str(scratch.root), clock=clock)


def logs(scratch):
    return sorted(path.name for path in Path(events.folder(scratch.layout)).iterdir())


def rebuilt(scratch, clock):
    rebuild(describe(scratch.layout, clock))
    return tables(scratch)


def test_a_rebuild_gives_the_same_cache(lived, fixed_clock):
    before = rebuilt(lived, fixed_clock)
    report = opened(lived, fixed_clock).rotation.maintain().to_json()["compressed_logs"]
    assert report["logs"] == SESSIONS and report["bytes_before"] > 3 * report["bytes_after"]
    assert logs(lived) == [f"s{number}.jsonl.zst" for number in range(SESSIONS)]
    assert rebuilt(lived, fixed_clock) == before
    assert sum(map(len, before.values())) > 100


def test_the_cache_stays_as_it_is_while_logs_are_compressed(lived, fixed_clock):
    """Sizes and offsets do not change, so no fold begins again."""

    def folded(found):
        """The rows of the old logs, without their last column: the new session retires the old ones."""
        return {row.rsplit(", ", 1)[0] for row in found["files"] if "'new.jsonl'" not in row}

    before = rebuilt(lived, fixed_clock)
    opened(lived, fixed_clock).rotation.maintain()
    play(lived, "new", fixed_clock.instant)
    assert folded(tables(lived)) == folded(before)


def test_a_session_goes_on_after_two_months(lived, fixed_clock):
    opened(lived, fixed_clock).rotation.maintain()
    play(lived, "s0", fixed_clock.instant, count=1)
    fixed_clock.instant += DAY // 2
    bank = opened(lived, fixed_clock)
    assert [check.state for check in bank.log.verify()] == ["whole"] * SESSIONS
    assert "s0.jsonl" in logs(lived) and bank.rotation.maintain().compressed_logs.logs == 0
    folded = rebuilt(lived, fixed_clock)
    fixed_clock.instant += 60 * DAY
    assert opened(lived, fixed_clock).rotation.maintain().compressed_logs.logs == 1
    assert rebuilt(lived, fixed_clock) == folded


def test_everything_that_reads_sessions_answers_the_same(lived, fixed_clock, run):
    def answers():
        said = [run(lived, *words, "--format", "json") for words in (["log", "list"], ["log", "show", "s1"], ["log", "verify"], ["episodes", "list"])]
        assert [each.code for each in said] == [0] * len(said)
        return [json.loads(each.out) for each in said]

    assert run(lived, "episodes", "update").code == 0
    before = answers()
    assert run(lived, "maintain").code == 0
    assert len([name for name in logs(lived) if name.endswith(".zst")]) == SESSIONS
    assert answers() == before
    assert run(lived, "doctor", "--format", "json").code == 0


@pytest.mark.parametrize(("days", "count"), [(0, 0), (31, SESSIONS), (61, 2), (3_650, 0)])
def test_a_person_chooses_the_age_or_switches_it_off(lived, fixed_clock, days, count):
    lived.configure("cycle", f'{{"memory": {{}}, "record": {{"compress_days": {days}}}}}')
    assert opened(lived, fixed_clock).rotation.maintain().compressed_logs.logs == count


def test_maintain_says_it_and_does_it_once(lived, run):
    assert f"{SESSIONS} event logs compressed" in run(lived, "maintain").out
    assert "event logs compressed" not in run(lived, "maintain").out
