"""`log list --limit` and `log tail` show what they showed when they read every log, and read the newest logs only."""

import os
from itertools import islice

import pytest

from memorybank import clock as time_of
from memorybank.clock import DAY, HOUR, MINUTE
from memorybank.log import events, lines, organize, sessions
from memorybank.log.organize import OrganizeStep

NOW = 1_758_112_496_789
MANY = 30


def write(layout, clock, name, at, *, events_of=("session_start", "prompt", "tool_after"), written_at=None, ends=False):
    """Write the log of a session whose last line is of the instant `at` (ms)."""
    names = (*events_of, *(("session_end",) if ends else ()))
    made = [
        {"id": f"{name}-{place}", "event": event, "session_id": name, "host": "claude-code", "timestamp": time_of.isoformat(at - (len(names) - place) * MINUTE)}
        for place, event in enumerate(names, 1)
    ]
    path = events.path_of(layout, name)
    lines.append(path, made, clock=clock, durable=False)
    os.utime(path, ns=((written_at or at) * 1_000_000,) * 2)
    return os.path.getsize(path)


@pytest.fixture
def layout(bank, fixed_clock):
    """A bank with a session each day, the newest yesterday; every third one ended."""
    layout = bank().layout
    for number in range(MANY):
        write(layout, fixed_clock, f"s{number:02}", NOW - (number + 1) * DAY, ends=number % 3 == 0)
    return layout


@pytest.fixture
def opened(monkeypatch):
    """The names of the logs that were read."""
    found = []
    for name in ("complete_lines", "newest_first"):
        real = getattr(lines, name)

        def counting(path, *arguments, real=real):
            found.append(os.path.basename(path))
            return real(path, *arguments)

        monkeypatch.setattr(lines, name, counting)
    return found


def test_a_limit_gives_the_first_ones_of_all(layout):
    every = sessions.listing(layout)
    assert [one.session_id for one in every] == [f"s{number:02}" for number in range(MANY)]
    for limit in (0, 1, 4, MANY, MANY + 5):
        assert sessions.listing(layout, limit) == every[:limit]


def test_only_the_newest_logs_are_read(layout, opened):
    assert len(sessions.listing(layout, 3)) == 3
    assert set(opened) - {"organize.jsonl"} == {"s00.jsonl", "s01.jsonl", "s02.jsonl"}
    opened.clear()
    assert [fields["session_id"] for fields in sessions.newest(layout, 5)] == ["s01", *["s00"] * 4]
    assert set(opened) == {"s00.jsonl", "s01.jsonl"}


def test_the_newest_lines_count_and_not_the_dates_of_files(layout, fixed_clock):
    """An import writes events of long ago today; a purge rewrites an old log."""
    write(layout, fixed_clock, "imported", NOW - 90 * DAY, written_at=NOW)
    write(layout, fixed_clock, "purged", NOW - 3 * DAY - HOUR, written_at=NOW - MINUTE)
    write(layout, fixed_clock, "ahead", NOW - DAY + MINUTE, written_at=NOW - DAY - 30 * MINUTE)
    every = sessions.listing(layout)
    assert [one.session_id for one in every[:2]] == ["ahead", "s00"] and every[-1].session_id == "imported"
    for limit in range(MANY):
        assert sessions.listing(layout, limit) == every[:limit]
    newest = [line.fields["id"] for name in events.names(layout) for line in events.read(layout, name)]
    assert {fields["id"] for fields in sessions.newest(layout, len(newest))} == set(newest)


@pytest.mark.parametrize("count", [0, 1, 2, 7, 50, 500])
def test_the_newest_lines_are_those_of_all_logs(layout, fixed_clock, count):
    write(layout, fixed_clock, "imported", NOW - 90 * DAY, written_at=NOW)
    read = (line.fields for name in events.names(layout) for line in events.read(layout, name))
    expected = sorted(read, key=lambda fields: fields["timestamp"])
    found = sessions.newest(layout, count)
    assert [fields["timestamp"] for fields in found] == [fields["timestamp"] for fields in expected[len(expected) - min(count, len(expected)) :]]


def test_a_session_without_a_reported_end_is_finished_when_a_round_covers_it(layout, fixed_clock):
    size = os.path.getsize(events.path_of(layout, "s01"))
    later = [OrganizeStep(f"s{number:02}", organize.SYNC, NOW - number * DAY, 1, 1, "", {}) for number in range(3, 9)]
    organize.append(layout, [OrganizeStep("s01", organize.SYNC, NOW - DAY, size, 3, "", {}), *later], fixed_clock)
    assert [one.state for one in sessions.listing(layout, 3)] == ["finished", "finished", "open"]
    assert [one.state for one in islice(sessions.listing(layout), 5)] == ["finished", "finished", "open", "finished", "open"]
    organize.append(layout, [OrganizeStep("s01", organize.SYNC, NOW, size - 1, 2, "", {})], fixed_clock)
    assert sessions.listing(layout, 2)[1].state == "open", "the latest round counts, as ever"
