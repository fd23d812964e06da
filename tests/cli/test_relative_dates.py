"""Words about time, in two languages: always relative to the clock that the command is given."""

import json
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memorybank.cli import relative_dates
from memorybank.clock import DAY, HOUR, FixedClock, isoformat, parse

WEDNESDAY = parse("2025-09-17T12:34:56.789Z")


def day(words: str, now: int = WEDNESDAY) -> str | None:
    found = relative_dates.read(words, FixedClock(now))
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
    found = relative_dates.read(words, FixedClock(WEDNESDAY))
    assert isoformat(found.at) == f"{expected}T00:00:00.000Z" and found.end == found.at + DAY - 1


@pytest.mark.parametrize(
    ("words", "offset"), [("now", 0), ("2 hours ago", 2 * HOUR), ("an hour ago", HOUR), ("90 minutes ago", 1.5 * HOUR), ("2時間前", 2 * HOUR)]
)
def test_hours_count_back_exactly(words, offset):
    assert relative_dates.read(words, FixedClock(WEDNESDAY)) == (WEDNESDAY - offset, "", WEDNESDAY - offset)


@pytest.mark.parametrize("words", ["", "tomorrow", "ago", "days ago", "3 day", "99999 months ago", "-3 days ago", "明日", "previous monday", "mondays"])
def test_other_words_are_not_dates(words):
    assert relative_dates.read(words, FixedClock(WEDNESDAY)) is None


def test_a_month_that_is_shorter_ends_earlier():
    assert day("1 month ago", parse("2025-03-31T00:00:00Z")) == "2025-02-28"
    assert day("last month", parse("2025-01-31T00:00:00Z")) == "2024-12-01"


@given(st.text() | st.from_regex(relative_dates._AGO), st.integers(0, 4_000_000_000_000))
def test_no_text_is_a_failure(text, now):
    found = relative_dates.read(text, FixedClock(now))
    assert found is None or found.at <= found.end


def test_a_day_is_one_of_this_machine(monkeypatch):
    """In Tokyo it is Thursday already; in New York the night when the clocks go back lasts an hour longer."""
    monkeypatch.setenv("TZ", "Asia/Tokyo")
    found = relative_dates.read("today", FixedClock(parse("2025-09-17T16:00:00Z")))
    assert (found.day, isoformat(found.at)) == ("2025-09-18", "2025-09-17T15:00:00.000Z")
    monkeypatch.setenv("TZ", "America/New_York")
    found = relative_dates.read("yesterday", FixedClock(parse("2025-11-03T16:00:00Z")))
    assert found.day == "2025-11-02" and found.end - found.at + 1 == 25 * HOUR
    monkeypatch.undo()
    time.tzset()


def test_every_command_with_an_instant_takes_words(bank, run):
    scratch = bank({"old.md": "# Old\n"})
    scratch.write("new.md", "# New\n", days_old=1)
    assert [note["key"] for note in json.loads(run(scratch, "list", "--since", "昨日", "--format", "json").out)] == ["new.md"]
    assert [note["key"] for note in json.loads(run(scratch, "list", "--until", "3 days ago", "--format", "json").out)] == ["old.md"]
    assert [note["key"] for note in json.loads(run(scratch, "list", "--since", "yesterday", "--until", "yesterday", "--format", "json").out)] == ["new.md"]
    for arguments in (
        ["score", "--as-of"],
        ["rotate", "--dry-run", "--as-of"],
        ["archive", "list", "--since"],
        ["log", "show", "3f0c", "--since"],
        ["episodes", "update", "--dry-run", "--since"],
    ):
        assert run(scratch, *arguments, "last week").code in (0, 3), arguments
        assert run(scratch, *arguments, "some day").code == 2
    refused = run(scratch, "list", "--since", "soon")
    assert refused.code == 2 and "yesterday" in refused.err
    assert run(scratch, "episodes", "show", "2 hours ago").code == 2
