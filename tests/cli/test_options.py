"""Instants on the command line: ISO dates, and offsets from now."""

import click
import pytest

from memorybank.bank import Bank
from memorybank.cli.call import CommandCall
from memorybank.cli.options import InstantType, ScaleType
from memorybank.clock import DAY, HOUR, parse
from memorybank.errors import UsageError


def convert(text, clock, **kind):
    context = click.Context(click.Command("x"), obj=CommandCall(clock=clock))
    return InstantType(**kind).convert(text, None, context)


@pytest.mark.parametrize(("text", "offset"), [("+60d", 60 * DAY), ("-7d", -7 * DAY), ("+2w", 14 * DAY), ("-12h", -12 * HOUR), ("+0d", 0)])
def test_offsets_count_from_now(text, offset, fixed_clock):
    assert convert(text, fixed_clock) == fixed_clock.now() + offset


@pytest.mark.parametrize("text", ["2025-09-17", "2025-09-17T12:30", "2025-09-17T12:30:00Z", "2025-09-17T21:30:00+09:00"])
def test_iso_dates_are_instants(text, fixed_clock):
    assert convert(text, fixed_clock) == parse(text)


def test_until_a_day_includes_that_day(fixed_clock):
    assert convert("2025-09-17", fixed_clock, end_of_day=True) == parse("2025-09-17T23:59:59.999Z")
    assert convert("2025-09-17T08:00Z", fixed_clock, end_of_day=True) == parse("2025-09-17T08:00Z")


@pytest.mark.parametrize("text", ["", "tomorrow", "2025-13-45", "60d", "+d", "+60y", "+9999999d", "+６d", "2025-9-1"])
def test_anything_else_is_a_usage_error_that_shows_the_forms(text, fixed_clock):
    with pytest.raises(click.UsageError, match="2025-09-17"):
        convert(text, fixed_clock)


@pytest.mark.parametrize("text", ["nan", "NaN", "-0.1", "10.1", "inf", "high"])
def test_the_scale_goes_from_0_to_10_and_nan_is_not_on_it(text):
    with pytest.raises(click.UsageError):
        ScaleType().convert(text, None, None)
    assert ScaleType().convert("7.5", None, None) == 7.5


def test_a_rating_that_is_no_number_makes_no_note(bank, run):
    scratch = bank({})
    assert run(scratch, "add", "Title", "--rating", "nan").code == 2
    with pytest.raises(UsageError):
        Bank.open(str(scratch.root)).notes.add("Title", rating=float("nan"))
    assert list(scratch.active.rglob("*.md")) == []
