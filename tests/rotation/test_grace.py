"""The grace of a new bank ends to the millisecond, and unattended the longer of the bank's and the machine's holds."""

import pytest

from memorybank.bank import Bank
from memorybank.clock import DAY, FixedClock
from memorybank.config.settings import Settings
from memorybank.notes import date_record
from memorybank.notes.date_record import ADOPT, BankStart
from memorybank.rotation.grace import grace_since, unattended_grace

NOW = 1_758_112_496_789


def test_it_holds_until_fourteen_days_have_passed():
    start = BankStart(ADOPT, NOW)
    last = grace_since(start, Settings(), NOW + 14 * DAY - 1)
    assert last is not None and (last.began, last.until) == (NOW, NOW + 14 * DAY)
    assert grace_since(start, Settings(), NOW + 14 * DAY) is None


@pytest.mark.parametrize(
    ("adopted", "first_used", "expected"),
    [(3, 20, (ADOPT, 3)), (20, 3, ("here", 3)), (5, 3, ("here", 3)), (3, 5, (ADOPT, 3)), (20, 20, None), (None, None, ("here", 0))],
)
def test_unattended_the_longer_one_holds(bank, adopted, first_used, expected):
    """adopted, first_used: days ago; None for never. expected: why the grace holds, and how many days ago it began."""
    scratch = bank({"用語.md": "# 用語\n"} if first_used is not None else {}, days_old=300)
    if first_used is not None:
        Bank.open(str(scratch.root), clock=FixedClock(NOW - first_used * DAY)).index.sweep()
    if adopted is not None:
        date_record.begin(scratch.layout, ADOPT, FixedClock(NOW - adopted * DAY))
    with Bank.open(str(scratch.root), clock=FixedClock(NOW)).opened() as index:
        found = unattended_grace(index)
    assert (found and (found.why, (NOW - found.began) // DAY)) == expected
