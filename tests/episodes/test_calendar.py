"""The day of an instant in the bank's zone agrees with the standard library, whoever is asked for the zone."""

import os
import time
from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

import pytest

from memorybank.config import zones
from memorybank.episodes.dates import LocalCalendar

DAYS = [datetime(2025, 1, 15), datetime(2025, 7, 15), datetime(2025, 3, 9), datetime(2025, 11, 2), datetime(1969, 12, 31)]


@pytest.fixture
def machine(monkeypatch):
    """Set the zone of the machine."""
    yield lambda name: monkeypatch.setenv("TZ", name)
    monkeypatch.undo()
    time.tzset()


@pytest.mark.parametrize("of_the_machine", [False, True], ids=["another zone", "the machine's"])
@pytest.mark.parametrize("zone", ["Asia/Tokyo", "America/New_York", "Asia/Kathmandu", "Pacific/Kiritimati", "Pacific/Pago_Pago", "Europe/London"])
def test_a_day_begins_at_midnight_of_its_zone(zone, of_the_machine, machine):
    machine(zone if of_the_machine else "Asia/Dubai")
    if zones.is_local(zone, os.environ) != of_the_machine:
        pytest.skip("this machine has no zone files outside of Python")
    calendar = LocalCalendar(zone)
    for day in DAYS:
        midnight = day.replace(tzinfo=ZoneInfo(zone))
        at = int(midnight.timestamp() * 1000)
        assert (calendar.day_of(at), calendar.day_of(at - 1)) == (day.date().isoformat(), (day - timedelta(days=1)).date().isoformat())
        assert calendar.stamp(at) == midnight.isoformat(timespec="seconds")
        assert calendar.instant(day.isoformat()) == at
