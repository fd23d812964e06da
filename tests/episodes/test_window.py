"""The edges of the window, and the digests by which a day counts as covered."""

from memorybank.episodes import window
from memorybank.episodes.daylog import digests
from memorybank.episodes.entry import DAY, WEEK, made
from memorybank.episodes.window import RawLog

from .worlds import HOUR

SUNDAY = 1_758_412_800_000
"""2025-09-21, the last day of its week."""


def entry(date, kind=DAY):
    return made(date, f"what happened: {date}", "2025-10-01T00:00:00Z", kind=kind, by="extractive", covers=[])


def test_a_merged_week_that_ends_on_the_day_of_the_boundary_is_replaced_by_its_days():
    """The raw log shows the boundary's own day, so the week as a whole would repeat it."""
    days = [entry(f"2025-09-{number}") for number in range(15, 22)]
    found = window.select(RawLog(SUNDAY + 8 * HOUR, "2025-09-21"), 30, [entry("2025-09-15~2025-09-21", WEEK)], [], lambda _: days)
    assert [one.date for one in found.entries] == [f"2025-09-{number}" for number in range(15, 21)]
    complete = window.select(RawLog(SUNDAY + 32 * HOUR, "2025-09-22"), 30, [entry("2025-09-15~2025-09-21", WEEK)], [], lambda _: days)
    assert [one.date for one in complete.entries] == ["2025-09-15~2025-09-21"]


def test_a_days_digest_covers_its_date_and_all_its_messages():
    last = {digests(date, keys)[-1] for date in ("2025-09-17", "2025-09-18") for keys in (["a", "b"], ["x", "b"], ["b"])}
    assert len(last) == 6
    assert digests("2025-09-17", ["a", "b", "c"])[:2] == digests("2025-09-17", ["a", "b"])
