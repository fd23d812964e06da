"""Learning excludes occasions of derived kinds, and drops what an earlier version excluded."""

import pytest

from memorybank.config.cycle import CycleSettings, PolicySettings
from memorybank.cycle import policy
from memorybank.cycle.improve import learning
from memorybank.cycle.improve.learning import JudgedExposure

OLD = ("note/-/planning", "group/bash/-")


def judged(occasion, sample, score=0.9, count=132):
    """Return exposures of twelve sessions, eleven in each: enough for the interval to be certain of less than one use in twenty."""
    kind, _, moment = occasion.partition("@")
    return [
        JudgedExposure(
            f"{kind}:{number}",
            1,
            sample,
            {},
            score=score,
            match=0.9,
            anchored=False,
            occasion=occasion,
            shown=True,
            version=1,
            session=f"s{number % 12}",
            moment=moment,
            excluded=False,
        )
        for number in range(count)
    ]


def proposed(exposures, before=(), settings=None):
    settings = settings or CycleSettings()
    return learning.propose(exposures, policy.values_of(settings), before, {}, settings)


def test_an_occasion_that_is_hardly_ever_used_is_excluded_and_old_patterns_go():
    found = proposed(judged("finding@prompt", 0.0), OLD)
    assert found.exclusions == ("finding@prompt",)
    assert found.evidence["exclusions.finding@prompt"]["used"] == 0.0


@pytest.mark.parametrize("occasion", ["note@prompt", "rule@session_start", "problem@tool_before", "episode@prompt"])
def test_what_people_wrote_or_stated_and_what_fails_is_never_excluded(occasion):
    assert proposed(judged(occasion, 0.0)) is None


def test_fewer_exposures_prove_nothing():
    assert proposed(judged("finding@prompt", 0.0, count=100)) is None


def test_old_patterns_alone_are_no_reason_for_a_record():
    assert proposed(judged("finding@prompt", 0.5), OLD) is None


def test_exclusions_that_are_pinned_stay_but_for_old_patterns():
    pinned = CycleSettings(policy=PolicySettings(pin=("exclusions",)))
    exposures = judged("finding@prompt", 1.0, score=0.31)  # just above the least score, which falls
    found = proposed(exposures, (*OLD, "files@prompt"), pinned)
    assert found.exclusions == ("files@prompt",) and "min_score" in found.evidence
