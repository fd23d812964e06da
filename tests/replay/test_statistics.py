"""Intervals compared with published values, and with the simple formulas that they become in simple cases."""

from math import inf, isclose, sqrt
from statistics import mean, stdev

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memorybank.cycle.improve.interval import wilson
from memorybank.replay.statistics import (
    BETTER,
    INCONCLUSIVE,
    LEAST_CLUSTERS,
    WORSE,
    Interval,
    Ratio,
    difference,
    quotient,
    student,
    verdict,
)


@pytest.mark.parametrize(
    ("successes", "trials", "low", "high"), [(81, 263, 0.2553, 0.3662), (15, 148, 0.0624, 0.1605), (0, 20, 0.0, 0.1611), (1, 29, 0.0061, 0.1718)]
)
def test_wilson_gives_the_published_intervals(successes, trials, low, high):
    """Newcombe 1998, "Two-sided confidence intervals for the single proportion", table I, method 3."""
    found = wilson(successes, trials)
    assert (round(found.low, 4), round(found.high, 4)) == (low, high)
    assert found.value == successes / trials


def test_wilson_says_nothing_of_nothing():
    assert wilson(0, 0) is None


@given(st.integers(1, 500), st.floats(0, 1))
def test_wilson_holds_the_rate_and_stays_a_rate(trials, share):
    found = wilson(share * trials, trials)
    assert 0 <= found.low <= found.value + 1e-12
    assert found.value - 1e-12 <= found.high <= 1


@pytest.mark.parametrize(("degrees", "quantile"), [(1, 12.706), (2, 4.303), (5, 2.571), (10, 2.228), (20, 2.086), (30, 2.042), (120, 1.980), (299, 1.968)])
def test_students_quantiles_are_those_of_every_table(degrees, quantile):
    assert round(student(degrees), 3) == quantile


def test_with_clusters_of_one_trial_a_difference_is_the_paired_t_interval():
    ones, others = [1, 0, 1, 1, 0, 1, 1, 1], [0, 0, 1, 0, 0, 1, 0, 1]
    gaps = [one - other for one, other in zip(ones, others, strict=True)]
    spread = student(7) * stdev(gaps) / sqrt(8)
    found = difference([Ratio(one, 1) for one in ones], [Ratio(other, 1) for other in others])
    assert isclose(found.value, mean(gaps))
    assert isclose(found.low, mean(gaps) - spread)
    assert isclose(found.high, mean(gaps) + spread)


def test_what_hangs_together_in_a_session_counts_once():
    """The same sessions with every count multiplied by ten give no more certainty than before."""
    ones, others = [(1, 4), (0, 3), (2, 5), (1, 2)], [(0, 4), (1, 3), (1, 5), (0, 2)]
    plain = difference([Ratio(*one) for one in ones], [Ratio(*other) for other in others])
    often = difference([Ratio(10 * above, 10 * below) for above, below in ones], [Ratio(10 * above, 10 * below) for above, below in others])
    assert all(isclose(one, other) for one, other in zip(plain, often, strict=True))


def test_a_quotient_is_the_ratio_of_the_rates_between_its_ends():
    found = quotient([Ratio(3, 4), Ratio(2, 4), Ratio(4, 4)], [Ratio(1, 4), Ratio(1, 4), Ratio(2, 4)])
    assert isclose(found.value, 9 / 4)
    assert 0 < found.low < found.value < found.high
    assert isclose(found.low * found.high, found.value**2)
    assert quotient([Ratio(0, 4)], [Ratio(1, 4)]) is None


def test_one_session_separates_nothing():
    found = difference([Ratio(4, 4)], [Ratio(0, 4)])
    assert (found.low, found.high) == (-inf, inf)
    assert difference([Ratio(0, 0)], [Ratio(1, 1)]) is None


@pytest.mark.parametrize(
    ("interval", "clusters", "word"),
    [
        (Interval(0.2, 0.1, 0.3), LEAST_CLUSTERS, BETTER),
        (Interval(0.2, 0.1, 0.3), LEAST_CLUSTERS - 1, INCONCLUSIVE),
        (Interval(-0.2, -0.3, -0.1), LEAST_CLUSTERS, WORSE),
        (Interval(0.2, 0.0, 0.4), LEAST_CLUSTERS, INCONCLUSIVE),
        (None, 300, INCONCLUSIVE),
    ],
)
def test_verdicts(interval, clusters, word):
    assert verdict(interval, clusters) == word


@pytest.mark.slow
def test_ninety_five_of_a_hundred_intervals_hold_the_truth():
    """Sessions of unequal length with correlated rates, drawn with a fixed seed."""
    from random import Random

    chance = Random(7)
    held = 0
    for _ in range(400):
        ones, others = [], []
        for _ in range(60):
            size, habit = chance.randint(1, 12), chance.random() * 0.4
            ones.append(Ratio(sum(chance.random() < habit + 0.2 for _ in range(size)), size))
            others.append(Ratio(sum(chance.random() < habit for _ in range(size)), size))
        found = difference(ones, others)
        held += found.low <= 0.2 <= found.high
    assert 0.92 <= held / 400 <= 0.98
