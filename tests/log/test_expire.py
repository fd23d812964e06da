"""Old complete texts are blanked: prompts, closing messages and remarks, nothing else, and the chain still verifies."""

import os
from functools import partial
from pathlib import Path

import pytest

from memorybank import Bank
from memorybank.clock import DAY, FixedClock, isoformat
from memorybank.cycle.base import describe
from memorybank.cycle.event import Event
from memorybank.cycle.fold import cache
from memorybank.cycle.router import HookRouter
from memorybank.log import chain, events, sessions
from memorybank.log import lines as log_lines
from memorybank.log.purge import expire

from . import written
from .written import NOW, event_line

OLD, NEW = NOW - 31 * DAY, NOW - 29 * DAY
BEFORE = NOW - 30 * DAY


append = partial(written.append, session="s")


def a_turn(at, number=1):
    """Each text names its kind and its turn."""
    when = isoformat(at)
    remarks = [{"after": "t1", "text": f"remark {number} because"}]
    call = {"tool": "Bash", "inputs": {"command": f"command {number}"}, "outputs": {"text": f"output {number}"}, "error": "error"}
    said = {"inputs": {"text": f"prompt {number}"}, "lessons": [f"never lesson {number}"], "anchors": [f"file:named{number}.py"]}
    return [
        event_line(number * 10, "prompt", timestamp=when, **said),
        event_line(number * 10 + 1, "tool_after", timestamp=when, **call),
        event_line(number * 10 + 2, "turn_end", timestamp=when, outputs={"text": f"closing {number}"}, remarks=remarks),
    ]


def path_of(layout):
    return Path(events.path_of(layout, "s"))


def test_old_texts_go_and_everything_else_stays(layout):
    append(layout, [*a_turn(OLD, 1), *a_turn(NEW, 2)])
    before = list(log_lines.read(str(path_of(layout))))
    blanked = expire(layout, BEFORE, FixedClock(NOW))
    after = list(log_lines.read(str(path_of(layout))))
    assert (blanked.lines, blanked.fields, blanked.signed_again) == (2, 3, 0)
    data = path_of(layout).read_text(encoding="utf-8")
    assert [text for text in ("prompt 1", "closing 1", "remark 1") if text in data] == []
    kept = ("never lesson 1", "named1.py", "command 1", "output 1", "prompt 2", "closing 2", "remark 2")
    assert [text for text in kept if text not in data] == []
    assert [(one.offset, one.end) for one in after] == [(one.offset, one.end) for one in before]
    assert [sessions.purged_fields(one.fields) for one in after] == [["inputs"], [], ["outputs", "remarks"], [], [], []]
    check = chain.check(layout)[0]
    assert (check.state, check.purged) == ("whole", 3)


def test_the_border_is_the_very_instant(layout):
    append(layout, [*a_turn(BEFORE - 1, 1), *a_turn(BEFORE, 2)])
    expire(layout, BEFORE, FixedClock(NOW))
    data = path_of(layout).read_text(encoding="utf-8")
    assert "closing 1" not in data and "closing 2" in data


def test_twice_equals_once_and_young_files_are_not_written(layout):
    append(layout, a_turn(OLD))
    expire(layout, BEFORE, FixedClock(NOW))
    once = path_of(layout).read_bytes(), os.stat(path_of(layout)).st_ino
    assert expire(layout, BEFORE, FixedClock(NOW)).lines == 0
    assert (path_of(layout).read_bytes(), os.stat(path_of(layout)).st_ino) == once
    append(layout, a_turn(NOW, 2))
    assert chain.check(layout)[0].state == "whole", "the chain goes on"


def test_what_waits_in_the_spool_is_blanked_too(layout, impatient_clock):
    from memorybank.storage import appending

    os.makedirs(path_of(layout).parent)
    with appending.Appending(str(path_of(layout)), FixedClock(NOW), 1.0):
        assert append(layout, a_turn(OLD), impatient_clock) is None
    expire(layout, BEFORE, FixedClock(NOW))
    append(layout, a_turn(NOW, 2))
    data = path_of(layout).read_text(encoding="utf-8")
    assert "closing 1" not in data and "command 1" in data and "closing 2" in data
    assert chain.check(layout)[0].state == "whole"


def test_a_line_without_a_time_stays(layout):
    append(layout, [{**entry, "timestamp": "some day"} for entry in a_turn(OLD)])
    assert expire(layout, BEFORE, FixedClock(NOW)).lines == 0


@pytest.fixture
def lived(bank, fixed_clock):
    """() → a folded bank in which a cause was stated 31 days ago and one day ago."""

    def make(days):
        scratch = bank({})
        scratch.configure("cycle", f'{{"memory": {{}}, "record": {{"text_days": {days}}}}}')
        now = fixed_clock.instant
        for number, at in enumerate((now - 31 * DAY, now - DAY)):
            base = describe(scratch.layout, FixedClock(at))
            router = HookRouter(base, frozenset())
            for event in (
                Event(host="claude-code", name="prompt", session_id=f"s{number}", prompt=f"why does kettle{number} boil over again?"),
                Event(host="claude-code", name="turn_end", session_id=f"s{number}", last_message=f"Kettle{number} boils over because its lid is stuck."),
            ):
                router.answer(event)
                router.finish(event)
        cache.close()
        return scratch

    return make


def everything(scratch):
    """Every byte of the logs and of the cycle's cache. Session notes are notes, so they stay."""
    cache.close()
    found = [path for folder in ("log", "cache") for path in (scratch.root / folder).rglob("*") if path.is_file()]
    return b"\0".join(path.read_bytes().lower() for path in found if not path.name.startswith("bank."))


def test_maintain_blanks_them_and_makes_the_cache_again(lived, fixed_clock):
    scratch = lived(30)
    bank = Bank.open(str(scratch.root), clock=fixed_clock)
    assert b"kettle0" in everything(scratch)
    report = bank.rotation.maintain()
    assert (report.blanked_texts, report.to_json()["blanked_texts"]) == (2, 2)
    assert b"kettle0" not in everything(scratch) and b"kettle1 boils over because" in everything(scratch)
    assert bank.rotation.maintain().blanked_texts == 0


@pytest.mark.parametrize("days", [0, 32])
def test_by_default_and_before_their_time_they_stay(lived, fixed_clock, days):
    scratch = lived(days)
    before = everything(scratch).count(b"kettle0")
    assert Bank.open(str(scratch.root), clock=fixed_clock).rotation.maintain().blanked_texts == 0
    assert everything(scratch).count(b"kettle0") >= before > 0
