"""Instants: whole milliseconds since the epoch, and the one text form they have."""

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memorybank import clock

EARLIEST = int((datetime(1, 1, 1, tzinfo=UTC) - datetime(1970, 1, 1, tzinfo=UTC)) / timedelta(milliseconds=1))
LATEST = int((datetime(9999, 12, 31, 23, 59, 59, 999000, tzinfo=UTC) - datetime(1970, 1, 1, tzinfo=UTC)) / timedelta(milliseconds=1))


@given(st.integers(EARLIEST, LATEST))
def test_isoformat_agrees_with_datetime_and_parses_back(instant):
    text = clock.isoformat(instant)
    moment = datetime(1970, 1, 1, tzinfo=UTC) + timedelta(milliseconds=instant)
    assert text == moment.isoformat(timespec="milliseconds").replace("+00:00", "Z")
    assert clock.parse(text) == instant


@given(st.datetimes(timezones=st.timezones().map(lambda _: UTC) | st.just(UTC)), st.integers(-23 * 60, 23 * 60))
def test_offsets_are_taken_off(moment, minutes):
    sign = "-" if minutes < 0 else "+"
    text = f"{moment:%H:%M:%S}{sign}{abs(minutes) // 60:02d}:{abs(minutes) % 60:02d}"
    local = clock.parse(f"{moment.year:04d}-{moment.month:02d}-{moment.day:02d}T{text}")
    utc = clock.parse(f"{moment.year:04d}-{moment.month:02d}-{moment.day:02d}T{moment:%H:%M:%S}Z")
    assert local == utc - minutes * clock.MINUTE


@pytest.mark.parametrize(
    ("text", "same"),
    [
        ("2025-09-17", "2025-09-17T00:00:00Z"),
        ("2025-09-17T12:34", "2025-09-17T12:34:00Z"),
        ("2025-09-17 12:34:56", "2025-09-17T12:34:56Z"),
        ("2025-09-17t12:34:56.7891z", "2025-09-17T12:34:56.789Z"),
        ("2025-09-17T12:34:56+0900", "2025-09-17T03:34:56Z"),
        ("2024-02-29", "2024-02-29T00:00:00Z"),
        ("2000-02-29", "2000-02-29T00:00:00Z"),
    ],
)
def test_what_is_read(text, same):
    assert clock.parse(text) == clock.parse(same) is not None


@pytest.mark.parametrize(
    "text",
    ["", "2025", "2025-13-01", "2025-02-29", "1900-02-29", "2100-02-29", "0000-01-01", "2025-09-17T24:00", "2025-09-17T12:60", "2025-09-17T1",
     "2025-09-17X12:00", "２０２５-09-17",
     "2025-09-17T12:34:56+25:00", "2025-09-17T12:34:56+1", "2025-09-17T12:34:56.Z.", "yesterday", "2025/09/17"],
)  # fmt: skip
def test_what_is_no_date(text):
    assert clock.parse(text) is None


@given(st.text(max_size=40))
def test_parse_never_raises(text):
    clock.parse(text)


def test_stamp_and_day_are_for_file_names_and_counts():
    assert clock.stamp(1_758_112_496_789) == "20250917T123456Z"
    assert clock.day_of(1_758_112_496_789) == "2025-09-17"
