"""Dates and times as people write them: in words of two languages, as offsets and in ISO 8601, by the zone of this machine."""

import time
from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memorybank import clock
from memorybank.clock import DAY, HOUR, FixedClock, isoformat, parse
from memorybank.text import instants
from memorybank.text.instants import GivenInstant

WEDNESDAY = parse("2025-09-17T12:34:56.789Z")


def day(words: str, now: int = WEDNESDAY) -> str | None:
    found = instants.read(words, FixedClock(now))
    return found and found.day


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ("today", "2025-09-17"), ("今日", "2025-09-17"), ("Yesterday", "2025-09-16"), ("昨日", "2025-09-16"), ("おととい", "2025-09-15"),
        ("monday", "2025-09-15"), ("wed", "2025-09-17"), ("thursday", "2025-09-11"), ("last wednesday", "2025-09-10"), ("last monday", "2025-09-15"),
        ("月曜日", "2025-09-15"), ("木曜", "2025-09-11"), ("先週の金曜日", "2025-09-12"),
        ("3 days ago", "2025-09-14"), ("  3   DAYS  ago ", "2025-09-14"), ("a week ago", "2025-09-10"), ("3日前", "2025-09-14"), ("３日前", "2025-09-14"),
        ("2週間前", "2025-09-03"), ("1 month ago", "2025-08-17"), ("7か月前", "2025-02-17"), ("this week", "2025-09-15"), ("先週", "2025-09-08"),
        ("this month", "2025-09-01"), ("先月", "2025-08-01"),
    ],
)  # fmt: skip
def test_words_are_days(words, expected):
    assert day(words) == expected
    found = instants.read(words, FixedClock(WEDNESDAY))
    assert isoformat(found.at) == f"{expected}T00:00:00.000Z" and found.end == found.at + DAY - 1


@pytest.mark.parametrize(
    ("words", "offset"), [("now", 0), ("2 hours ago", 2 * HOUR), ("an hour ago", HOUR), ("90 minutes ago", 1.5 * HOUR), ("2時間前", 2 * HOUR)]
)
def test_hours_count_back_exactly(words, offset):
    assert instants.read(words, FixedClock(WEDNESDAY)) == GivenInstant(WEDNESDAY - offset, "", WEDNESDAY - offset)


@pytest.mark.parametrize("words", ["", "tomorrow", "ago", "days ago", "3 day", "99999 months ago", "-3 days ago", "明日", "previous monday", "mondays"])
def test_other_words_are_not_dates(words):
    assert instants.read(words, FixedClock(WEDNESDAY)) is None


def test_a_month_that_is_shorter_ends_earlier():
    assert day("1 month ago", parse("2025-03-31T00:00:00Z")) == "2025-02-28"
    assert day("last month", parse("2025-01-31T00:00:00Z")) == "2024-12-01"


@given(st.text() | st.from_regex(instants._AGO.pattern), st.integers(0, 4_000_000_000_000))
def test_no_text_is_a_failure(text, now):
    found = instants.read(text, FixedClock(now))
    assert found is None or found.at <= found.end


ZONES = ("UTC", "Asia/Tokyo", "America/New_York", "Asia/Kathmandu", "Pacific/Apia", "America/Sao_Paulo", "Asia/Beirut", "Australia/Lord_Howe")


@pytest.fixture
def zone(monkeypatch):
    """Set the zone of the machine."""

    def set_zone(name: str) -> None:
        monkeypatch.setenv("TZ", name)

    yield set_zone
    monkeypatch.undo()
    time.tzset()


def test_a_day_is_one_of_this_machine(zone):
    """In Tokyo it is Thursday already; in New York the night when the clocks go back lasts an hour longer."""
    zone("Asia/Tokyo")
    found = instants.read("today", FixedClock(parse("2025-09-17T16:00:00Z")))
    assert (found.day, isoformat(found.at)) == ("2025-09-18", "2025-09-17T15:00:00.000Z")
    zone("America/New_York")
    found = instants.read("yesterday", FixedClock(parse("2025-11-03T16:00:00Z")))
    assert found.day == "2025-11-02" and found.end - found.at + 1 == 25 * HOUR


@pytest.mark.parametrize(
    ("name", "text", "begin", "hours"),
    [
        ("UTC", "2026-11-01", "2026-11-01T00:00:00.000Z", 24),
        ("Asia/Tokyo", "2026-11-01", "2026-10-31T15:00:00.000Z", 24),
        ("America/New_York", "2026-11-01", "2026-11-01T04:00:00.000Z", 25),
        ("Asia/Kathmandu", "2026-11-01", "2026-10-31T18:15:00.000Z", 24),
        ("America/Sao_Paulo", "2018-11-04", "2018-11-04T03:00:00.000Z", 23),  # its midnight was skipped
        ("Asia/Beirut", "2021-03-28", "2021-03-27T22:00:00.000Z", 23),  # so was this one, east of Greenwich
        ("Australia/Lord_Howe", "2025-10-05", "2025-10-04T13:30:00.000Z", 23.5),
    ],
)
def test_a_date_is_the_day_of_the_person_who_writes_it(zone, name, text, begin, hours):
    zone(name)
    found = instants.read(text, FixedClock(WEDNESDAY))
    assert (isoformat(found.at), found.day, found.end - found.at + 1) == (begin, text, hours * HOUR) and found.is_day


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("2025-09-17T09:00", "2025-09-17T00:00:00.000Z"),
        ("2025-09-17 09:00:00", "2025-09-17T00:00:00.000Z"),
        ("2025-09-17T09:00Z", "2025-09-17T09:00:00.000Z"),
        ("2025-09-17T09:00-02:00", "2025-09-17T11:00:00.000Z"),
    ],
)
def test_a_time_is_local_unless_it_states_its_offset(zone, text, expected):
    zone("Asia/Tokyo")
    found = instants.read(text, FixedClock(WEDNESDAY))
    assert isoformat(found.at) == expected and not found.is_day


def test_a_repeated_hour_means_the_first_and_a_skipped_one_the_offset_before(zone):
    zone("America/New_York")
    assert isoformat(instants.read("2025-11-02T01:30", FixedClock(WEDNESDAY)).at) == "2025-11-02T05:30:00.000Z"
    assert isoformat(instants.read("2025-03-09T02:30", FixedClock(WEDNESDAY)).at) == "2025-03-09T07:30:00.000Z"


@given(st.sampled_from(ZONES), st.datetimes(datetime(1975, 1, 1), datetime(2037, 1, 1)))
def test_local_times_agree_with_the_standard_library(name, local):
    """PEP 495 with fold=0 has the same rule: the first of two, and the offset before a gap."""
    place = ZoneInfo(name)

    def offset_at(at: int) -> int:
        return datetime.fromtimestamp(at / 1000, place).utcoffset() // timedelta(milliseconds=1)

    wall = int((local - datetime(1970, 1, 1)) / timedelta(milliseconds=1))
    expected = local.replace(tzinfo=place).timestamp()
    assert abs(clock.from_local(wall, offset_at) - expected * 1000) < 2


def test_offsets_count_from_now():
    assert [instants.read(text, FixedClock(WEDNESDAY)).at - WEDNESDAY for text in ("+60d", "-7d", "-12h", "+2w")] == [60 * DAY, -7 * DAY, -12 * HOUR, 14 * DAY]
    assert instants.read("-7x", FixedClock(WEDNESDAY)) is None and instants.read("+d", FixedClock(WEDNESDAY)) is None
