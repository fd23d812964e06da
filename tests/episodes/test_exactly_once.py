"""Elastic injection over events: each event within the lookback is shown exactly once, by the raw log, by an episode, or by a few words about its session
(the two rules of the specification: no repetition, no gap).

The oracle does not use windows. The summarizers repeat the keys of the events they receive, so the texts show which events they cover.
"""

import shutil
import tempfile
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memorybank.episodes import archive, compaction, window
from memorybank.episodes.window import RawLog
from memorybank.storage.layout import Layout

from .worlds import DAY, HOUR, Repeats, World, keys_in

START = 1_757_894_400_000
"""2025-09-15, a Monday."""
SESSIONS = ("events/a", "events/b", "events/c", "chat/room")
ZONES = ("UTC", "Asia/Tokyo", "America/New_York")


DAYS = 36


def talk():
    """(session, day, hour, events, length of each)"""
    return st.tuples(st.sampled_from(SESSIONS), st.integers(0, DAYS - 1), st.integers(0, 23), st.integers(1, 4), st.sampled_from([10, 60, 60]))


def step():
    """One thing that happens later: (what, values)."""
    outcome = st.dictionaries(st.integers(0, DAYS), st.sampled_from(["permanent", "transient"]), max_size=4)
    return st.one_of(
        st.tuples(st.just("late"), talk()),
        st.tuples(st.just("update"), outcome, st.sampled_from(["extractive", "llm:m"])),
        st.tuples(st.just("update"), st.just({}), st.just("llm:m")),
        st.tuples(st.just("update"), st.just({}), st.just("llm:m")),
        st.tuples(st.just("compact")),
        st.tuples(st.just("compact")),
        st.tuples(st.just("edit"), st.integers(0, 30)),
        st.tuples(st.just("unfold"), st.integers(0, 5)),
        st.tuples(st.just("today"), st.sampled_from(SESSIONS), st.integers(1, 3)),
        st.tuples(st.just("tomorrow")),
    )


def speak(world, talks):
    """Append what was said. A chat is written in the order of time, so it gets no late messages."""
    for name, day, hour, count, length in talks:
        log = world.log(name)
        for number in range(count):
            at = START + day * DAY + hour * HOUR + number * 20 * 60_000
            if not name.startswith("chat/") or not log.events or log.events[-1].at <= at:
                log.add(at, length)


def play(world, steps):
    for what, *values in steps:
        if what == "late":
            speak(world, values)
        elif what == "update":
            outcome = {world.calendar.day_of(START + day * DAY): how for day, how in values[0].items()}
            world.update(Repeats(values[1], outcome), configured="llm:m")
        elif what == "compact":
            world.compact()
        elif what == "edit":
            edit(world, values[0])
        elif what == "unfold" and archive.names(world.layout):
            names = archive.names(world.layout)
            compaction.unfold(world.store, names[values[0] % len(names)])
        elif what == "today":
            for _ in range(values[1]):
                world.clock.instant += HOUR
                world.log(values[0]).add(world.clock.now())
        elif what == "tomorrow":
            world.clock.instant += DAY


def edit(world, number):
    """A person adds words to an entry."""
    entries = world.entries
    if entries:
        chosen = entries[number % len(entries)]
        world.store.change(
            lambda known: [entry.with_fields(summary=entry.summary + " (mine)") if entry.encoded == chosen.encoded else entry for entry in known]
        )


def raw_log(world, pick):
    """Return (Raw, the keys that it holds): a session from one of its events on, everything from an instant on, or nothing."""
    name, number, every = pick
    log = world.logs.get(name)
    if log is None or not log.events:
        return RawLog(world.clock.now(), world.today, ()), set()
    at = log.events[number % len(log.events)].at
    holding = list(world.logs.values()) if every else [log]
    keys = {event.key for each in holding for event in each.events if event.at >= at}
    return RawLog(at, world.calendar.day_of(at), None if every else (name,)), keys


@pytest.mark.slow
@given(
    st.lists(talk(), min_size=1, max_size=40),
    st.lists(step(), max_size=12),
    st.tuples(st.sampled_from(SESSIONS), st.integers(0, 100), st.booleans()),
    st.sampled_from([1, 3, 7, 14, 30]),
    st.sampled_from(ZONES),
    st.booleans(),
)
def test_every_event_inside_the_lookback_is_shown_exactly_once(talks, steps, pick, lookback, zone, archives_lost):
    before, compaction.MERGE_AFTER_DAYS = compaction.MERGE_AFTER_DAYS, 6
    folder = tempfile.mkdtemp(prefix="memorybank-window-")
    try:
        world = World(Layout(folder), zone, START + DAYS * DAY)
        speak(world, talks)
        play(world, steps)
        if archives_lost:
            for week in archive.names(world.layout):
                shutil.move(archive.path_of(world.layout, week), f"{folder}/{week}")
        raw, in_raw = raw_log(world, pick)
        logs = [log.read(date) for log in world.logs.values() for date in log.digests()]
        found = window.select(raw, lookback, world.entries, logs, lambda week: archive.unfolded(world.layout, week))
        shown = Counter(in_raw)
        shown.update(key for entry in found.entries for key in keys_in(entry.summary))
        shown.update(message.key for piece in found.pieces for message in piece.messages)
        boundary = date_number(world.calendar.day_of(raw.at))
        for log in world.logs.values():
            for event in log.events:
                date = world.calendar.day_of(event.at)
                wanted = int(event.key in in_raw or date_number(date) >= boundary - lookback)
                assert shown[event.key] == wanted, f"{event.key} of {date}: shown {shown[event.key]} times, not {wanted}"
    finally:
        compaction.MERGE_AFTER_DAYS = before
        shutil.rmtree(folder)


def date_number(date):
    from datetime import date as calendar_date

    return calendar_date.fromisoformat(date).toordinal()
