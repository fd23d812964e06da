"""Learning moves in bounded steps, on evidence alone, and never what is pinned. Wrong or hostile evidence cannot lead it out of its bounds."""

import random
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memorybank.config.cycle import CycleSettings, PolicySettings
from memorybank.cycle import policy
from memorybank.cycle.improve import occasions
from memorybank.cycle.improve.learning import FLOOR, STEP, JudgedExposure, propose, stepped, t_statistic

SETTINGS = CycleSettings()
VALUES = policy.values_of(SETTINGS)
WEIGHTS = [key for key in VALUES if key.startswith(policy.WEIGHTS)]
MOVABLE = {**VALUES, "top_k": 7, "min_score": 0.26, "min_match": 0.21}
"""Values from which every border can move in both directions."""


def proposed(judged, values=VALUES, exclusions=(), since=None, settings=SETTINGS):
    return propose(judged, values, exclusions, since or {}, settings)


def exposure(number, sample, *, importance=0.4, recency=0.2, **fields):
    parts = {"importance": importance, "recency": recency, "role_fit": 0.1, "outcome": 0.05}
    return JudgedExposure(f"group:{number}", fields.pop("rank", 1), sample, parts, anchored=True, **fields)


def telling(count, seed=1, sessions=20):
    """Return exposures whose importance predicts whether they are used, and whose recency does not."""
    chance = random.Random(seed)
    return [
        exposure(number, 0.5 if number % 2 else 0.0, importance=0.3 if number % 2 else 0.1, recency=chance.random(), session=f"s{number // 2 % sessions}")
        for number in range(count)
    ]


def test_a_weight_follows_what_its_part_has_to_do_with_uses():
    found = proposed(telling(60))
    assert found is not None and found.values["recall_weights.importance"] > VALUES["recall_weights.importance"]
    assert sum(found.values[key] for key in WEIGHTS) == pytest.approx(1, abs=1e-4)
    assert found.evidence["recall_weights.importance"]["exposures"] == 60
    assert any("recall_weights.importance 0.400 → " in reason and "used more often" in reason for reason in found.reasons)


@pytest.mark.parametrize(
    "judged",
    [[], telling(29), [exposure(number, 0.0) for number in range(200)], telling(200, sessions=8)],
    ids=["nothing", "too few", "nothing tells them apart", "eight sessions"],
)
def test_without_evidence_no_record(judged):
    assert proposed(judged) is None


def test_evidence_that_moved_a_value_is_used_up():
    """Exposures ranked before the last move no longer count, however often learning runs."""
    judged = telling(60)
    assert proposed(judged, since={"recall_weights": 1}) is None
    assert proposed([replace(one, version=1) for one in judged], since={"recall_weights": 1}) is not None


def test_shadows_count_for_weights_and_not_for_borders():
    """Among shown memories a high part compensates for a low one. The comparison is fair only together with the memories that were not shown."""
    held_back = [replace(one, shown=False) for one in telling(200)]
    found = proposed(held_back)
    assert found is not None and found.values["recall_weights.importance"] > VALUES["recall_weights.importance"]
    at_the_borders = [JudgedExposure(f"note:{number}", 7, 0.5, score=0.31, match=0.22, shown=False) for number in range(40)]
    assert proposed(at_the_borders, values=MOVABLE) is None
    assert proposed([replace(one, shown=True) for one in at_the_borders], values=MOVABLE) is not None


@pytest.mark.parametrize("key", ["top_k", "min_score", "min_match", "exclusions"])
def test_a_pinned_border_or_exclusion_stays_where_it_is(key):
    borders = [JudgedExposure(f"note:{number}", 7, 0.5, score=0.31, match=0.22) for number in range(40)]
    worthless = [JudgedExposure(f"m:{number}", 1, 0.0, anchored=True, occasion="finding@prompt", session=f"s{number % 20}") for number in range(140)]
    free, pinned = proposed([*borders, *worthless], values=MOVABLE), SETTINGS.policy
    assert free is not None and free.exclusions == ("finding@prompt",) and (key == "exclusions" or free.values[key] != MOVABLE[key])
    found = proposed([*borders, *worthless], values=MOVABLE, settings=CycleSettings(policy=PolicySettings(pin=(*pinned.pin, key))))
    assert found is not None and (found.exclusions == () if key == "exclusions" else found.values[key] == MOVABLE[key])


@pytest.mark.parametrize("pin", ["recall_weights", "recall_weights.importance"])
def test_a_pin_never_moves(pin):
    settings = CycleSettings(policy=PolicySettings(pin=(pin,)))
    found = proposed(telling(200), settings=settings)
    assert found is None or found.values["recall_weights.importance"] == VALUES["recall_weights.importance"]


def t_of(pairs, strata=None, clusters=None):
    return t_statistic(pairs, strata or [""] * len(pairs), clusters or [str(number) for number in range(len(pairs))])


def test_the_t_statistic_is_the_sum_of_the_clusters_in_its_standard_errors():
    """Computed by hand: the means are 2 and 3; the products of the deviations are 1·1, 0·0, 1·1, and then with the last two as one cluster."""
    assert t_of([(1, 2), (2, 3), (3, 4)]) == pytest.approx(2 / 2**0.5)
    assert t_of([(1, 2), (2, 3), (3, 4)], clusters=["a", "b", "b"]) == pytest.approx(2 / 2**0.5)
    assert t_of([(1, 1)] * 50) == 0 and t_of([]) == 0


def test_what_one_session_says_a_hundred_times_is_said_once():
    pairs = [(number % 2, number % 2) for number in range(400)]
    assert t_of(pairs) == pytest.approx(20)
    assert t_of(pairs, clusters=[f"s{number // 100}" for number in range(400)]) == pytest.approx(2)


def test_what_differs_between_moments_says_nothing_of_a_part():
    """At calls both series are high, at starts both are low; within each moment they are unrelated."""
    chance = random.Random(3)
    pairs = [(base + chance.random() / 10, base + chance.random() / 10) for base in (0.1, 0.8) for _ in range(60)]
    moments = ["session_start"] * 60 + ["tool_before"] * 60
    assert t_of(pairs) > 10 and abs(t_of(pairs, moments)) < 3


@given(
    st.dictionaries(st.sampled_from("abcdef"), st.floats(0.02, 1), min_size=2),
    st.lists(st.dictionaries(st.sampled_from("abcdef"), st.floats(-STEP, STEP)), max_size=30),
    st.sets(st.sampled_from("abcdef"), max_size=2),
)
def test_weights_keep_their_sum_and_stay_around_what_the_settings_say(weights, steps, fixed):
    total = sum(weights.values())
    configured = {name: weight / total for name, weight in weights.items()}
    moved = configured
    for step in steps:
        moved = stepped(moved, step, configured, fixed & weights.keys())
        assert sum(moved.values()) == pytest.approx(1, abs=1e-3)
        for name, weight in configured.items():
            assert min(weight, max(FLOOR, weight / 2)) - 1e-3 <= moved[name] <= max(weight * 2, FLOOR) + 1e-3
            assert name not in fixed or moved[name] == pytest.approx(weight, abs=1e-5)


@pytest.mark.parametrize(("share", "moved"), [(0.0, 6), (0.2, 7), (0.9, 8)])
def test_top_k_moves_one_notch_by_its_last_rank(share, moved):
    judged = [JudgedExposure(f"note:{number}", 7, 0.5 if number < share * 40 else 0.0, anchored=True) for number in range(40)]
    found = proposed(judged, values={**VALUES, "top_k": 7})
    assert (found.values["top_k"] if found else 7) == moved


@pytest.mark.parametrize(("share", "moved"), [(0.0, 0.28), (0.2, 0.26), (0.9, 0.24)])
def test_min_score_moves_one_notch_by_what_just_reached_it(share, moved):
    judged = [JudgedExposure(f"note:{number}", 1, 0.5 if number < share * 40 else 0.0, score=0.31, anchored=True) for number in range(40)]
    found = proposed(judged, values={**VALUES, "min_score": 0.26})
    assert (found.values["min_score"] if found else 0.26) == moved


@pytest.mark.parametrize(("share", "moved"), [(0.0, 0.23), (0.2, 0.21), (0.9, 0.19)])
def test_min_match_moves_one_notch_by_what_just_reached_it(share, moved):
    judged = [JudgedExposure(f"note:{number}", 1, 0.5 if number < share * 40 else 0.0, match=0.26) for number in range(40)]
    found = proposed(judged, values={**VALUES, "min_match": 0.21})
    assert (found.values["min_match"] if found else 0.21) == moved


def test_no_border_keeps_back_more_than_the_settings_say():
    """Even when everything was worthless: a threshold applies to all kinds, and a note that matches the question is shown."""
    worthless = [JudgedExposure(f"finding:{number}", 5, 0.0, match=0.26, score=0.31) for number in range(200)]
    assert proposed(worthless) is None
    assert proposed(worthless, values={**VALUES, "top_k": 5, "min_match": 0.24, "min_score": 0.29}).values == VALUES


def test_borders_have_limits():
    narrow = {**VALUES, "top_k": 1, "min_match": 0.6}
    worthless = [JudgedExposure(f"note:{number}", 1, 0.0, match=0.62) for number in range(80)]
    assert proposed(worthless, values=narrow) is None


def at(occasion, samples, sessions=6, **fields):
    return [
        JudgedExposure(f"{occasion}:{number}", 1, sample, occasion=occasion, anchored=True, session=f"s{number % sessions}", **fields)
        for number, sample in enumerate(samples)
    ]


FINDING, FILES = "finding@prompt", "files@prompt"


def test_a_worthless_occasion_is_left_out_and_a_used_one_is_not():
    found = proposed([*at(FINDING, [0.0] * 140), *at(FILES, [0.5, 0.0] * 70)])
    assert found is not None and found.exclusions == (FINDING,)
    assert found.reasons == [f"{FINDING} is left out: 0% of 140 memories of this kind were used"]
    assert proposed(at(FINDING, [0.0] * 100)) is None, "one in twenty could be used all the same"
    assert proposed(at(FINDING, [0.5] * 8 + [0.0] * 132)) is None
    assert proposed(at(FINDING, [0.0] * 190, sessions=5)) is None, "five odd sessions"


@pytest.mark.parametrize("occasion", ["note@prompt", "rule@session_start", "problem@tool_before", "episode@prompt", "note/-/planning"])
def test_what_people_wrote_and_what_failed_is_never_left_out(occasion):
    assert proposed(at(occasion, [0.0] * 200, sessions=20)) is None


def test_one_kind_is_judged_by_what_it_was_worth_at_one_moment():
    found = proposed([*at(FINDING, [0.0] * 140), *at("finding@failure", [0.5, 0.0] * 30), *at("files@tool_before", [0.0] * 20)])
    assert found is not None and found.exclusions == (FINDING,)


def test_what_would_have_been_used_is_shown_again():
    shadows = at(FINDING, [0.5] * 2 + [0.0] * 28, shown=False, excluded=True, version=3)
    found = proposed(shadows, exclusions=(FINDING, FILES), since={FINDING: 3})
    assert found is not None and found.exclusions == (FILES,)
    assert proposed(at(FINDING, [0.5] * 1 + [0.0] * 29, shown=False, excluded=True), exclusions=(FINDING,)) is None
    assert proposed(at(FINDING, [0.5] * 29, shown=False, excluded=True), exclusions=(FINDING,)) is None, "too few"
    assert proposed(at(FINDING, [0.5] * 30, shown=False), exclusions=(FINDING,)) is None, "these came near, no more"


def test_only_what_came_after_an_occasion_was_left_out_can_redeem_it():
    before = at(FINDING, [0.5] * 50, shown=False, excluded=True, version=2)
    assert proposed(before, exclusions=(FINDING,), since={FINDING: 3}) is None


def test_what_an_earlier_version_left_out_goes_with_the_next_change():
    found = proposed(at(FINDING, [0.0] * 140), exclusions=("note/-/planning", "lesson@tool_before/cmd", FILES))
    assert found is not None and found.exclusions == (FILES, FINDING)


@given(st.lists(st.tuples(st.booleans(), st.floats(0, 1), st.floats(0, 1), st.integers(1, 20), st.sampled_from([FINDING, FILES, "note@prompt"])), max_size=250))
def test_no_evidence_whatever_leads_out_of_bounds(rows):
    judged = [
        JudgedExposure(
            "m",
            rank,
            sample if used else 0.0,
            {"importance": part, "recency": 1 - part},
            part,
            occasion=occasion,
            session=f"s{number % 40}",
        )
        for number, (used, sample, part, rank, occasion) in enumerate(rows)
    ]
    values = VALUES
    for _ in range(5):
        found = proposed(judged, values=values)
        if found is None:
            return
        values = found.values
        for key in values:
            assert policy.fault(key, values[key]) == "", key
        assert all(abs(sum(value for key, value in values.items() if key.startswith(group)) - 1) < 1e-3 for group in (policy.WEIGHTS, policy.IMPORTANCE))
        assert 1 <= values["top_k"] <= 20 and 0.1 <= values["min_match"] <= 0.6


def average(samples):
    return occasions.worth_of([(sample, 0) for sample in samples]).average


def test_the_moving_average_starts_neutral_and_forgets():
    assert average([]) == 0.5
    assert average([0.0]) == pytest.approx(0.4)
    assert average([0.5] * 50) == 0.5, "used and nothing more stays neutral"
    assert average([0.0] * 5) > occasions.WORTHLESS > average([0.0] * 6)
    assert average([0.0] * 30 + [1.0] * 8) > 0.8


@given(st.lists(st.floats(0, 1), max_size=60))
def test_the_moving_average_stays_a_share(samples):
    assert 0 <= average(samples) <= 1
