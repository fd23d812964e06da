"""The score, exactly (Self-improving memory cycle, phase 3): four weights, boosts, our context match; and the evidence that comes first."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memorybank.config.cycle import CycleSettings, RecallSettings, RecallWeights
from memorybank.cycle.event import MAIN
from memorybank.cycle.recall import ranking
from memorybank.cycle.recall.chance import chance, chance_of
from memorybank.cycle.recall.query import QueryContext
from memorybank.cycle.recall.ranking import Memory, MemoryReader, evidence, rank
from memorybank.reasons.reason import Reason
from memorybank.visibility import Viewer
from tests.conftest import NOW

DAY = 86_400_000
VIEWER = Viewer(role="main", session="now", agent=MAIN)


def memory(name="note:a", days=0.0, importance=0.5, shared=(), matched=(), match=0.0, surprise=-50.0, **fields):
    made = Memory(name, name.partition(":")[0], 1, NOW - int(days * DAY), importance=importance, **fields)
    made.shared, made.matched, made.match, made.chance = shared, matched, match, surprise
    return made


def parts(made, query=None, viewer=VIEWER, settings=None):
    return ranking.recollect(made, query or QueryContext("prompt"), MemoryReader(viewer, settings or CycleSettings(), NOW)).parts


@pytest.mark.parametrize(
    ("fields", "expected"),
    [
        ({"importance": 1.0}, 0.4 + 0.3 + 0.1 + 0.05),
        ({"importance": 0.0, "days": 7}, 0.15 + 0.1 + 0.05),
        ({"importance": 0.5, "days": 14, "role": "main"}, 0.2 + 0.075 + 0.2 + 0.05),
        ({"importance": 0.5, "days": 70, "role": "reviewer"}, 0.2 + 0.3 / 1024 + 0.08 + 0.05),
        ({"importance": 0.5, "days": -3}, 0.2 + 0.3 + 0.1 + 0.05),
    ],
)
def test_the_formula_of_the_document(fields, expected):
    """importance·0.4 + recency·0.3 (halves every 7 days) + role_fit·0.2 (1, .5, .4) + outcome·0.1 (.5)."""
    assert sum(parts(memory(**fields)).values()) == pytest.approx(expected)


@pytest.mark.parametrize(
    ("made", "query", "viewer", "boosts"),
    [
        (memory(task="ABC-1"), QueryContext("prompt", task="ABC-1"), VIEWER, {"same_task": 0.2}),
        (memory(task=None), QueryContext("prompt", task=None), VIEWER, {}),
        (memory(agent="a1"), QueryContext("prompt"), Viewer("planner", "now", "a1"), {"same_task": 0.2}),
        (memory(agent="a1", task="T"), QueryContext("prompt", task="T"), Viewer("planner", "now", "a1"), {"same_task": 0.2}),
        (memory(agent=MAIN), QueryContext("prompt"), VIEWER, {}),
        (memory("problem:a", days=0.9), QueryContext("tool_before"), VIEWER, {"recent_failure": 0.3}),
        (memory("problem:a", days=1.1), QueryContext("tool_before"), VIEWER, {}),
        (memory("finding:a", days=0.9), QueryContext("tool_before"), VIEWER, {}),
        (memory(fingerprint="npm test"), QueryContext("tool_before", fingerprint="npm test"), VIEWER, {"success_pattern": 0.15}),
        (memory(fingerprint=None), QueryContext("tool_before", fingerprint=None), VIEWER, {}),
        (memory(match=0.5), QueryContext("prompt"), VIEWER, {"context_match": 0.25}),
        (memory(match=1.0), QueryContext("prompt"), VIEWER, {"context_match": 0.5}),
    ],
)
def test_boosts(made, query, viewer, boosts):
    """Same task or sub-agent +0.2 once; a problem that failed within 24 h +0.3; success pattern +0.15."""
    found = parts(made, query, viewer)
    assert {name: value for name, value in found.items() if name not in ("importance", "recency", "role_fit", "outcome")} == pytest.approx(boosts)


def test_order_is_by_the_unclamped_sum_and_what_is_shown_stops_at_one():
    better, good = memory("note:b", importance=1.0, match=1.0, shared=["file:a"]), memory("note:a", importance=1.0, match=0.9, shared=["file:a"])
    earned, _ = rank([good, better], QueryContext("prompt"), MemoryReader(VIEWER, CycleSettings(), NOW))
    assert [recollection.memory.memory for recollection in earned] == ["note:b", "note:a"]
    assert [recollection.score for recollection in earned] == [1.0, 1.0]
    assert earned[0].sum > earned[1].sum > 1.0


def test_equals_are_ordered_by_name_whatever_their_order():
    twins = [memory(f"note:{name}", shared=["file:a"]) for name in "cab"]
    for order in (twins, twins[::-1]):
        earned, _ = rank(order, QueryContext("prompt"), MemoryReader(VIEWER, CycleSettings(), NOW))
        assert [recollection.memory.memory for recollection in earned] == ["note:a", "note:b", "note:c"]


def test_a_fresh_unrelated_memory_of_the_same_role_has_a_high_score_and_no_evidence():
    unrelated = memory(importance=1.0, role="main")
    assert sum(parts(unrelated).values()) >= 0.75
    for moment in ("prompt", "tool_before", "failure", "session_start", "subagent_start"):
        assert rank([unrelated], QueryContext(moment), MemoryReader(VIEWER, CycleSettings(), NOW))[0] == []


@pytest.mark.parametrize(
    ("match", "words", "chance", "proven"),
    [
        (0.24, 3, -50.0, False),
        (0.25, 3, -3.1, True),
        (0.25, 3, -2.9, False),
        (0.40, 2, -0.1, True),
        (0.40, 2, 0.1, False),
        (1.00, 2, 0.9, True),
        (1.00, 2, 1.1, False),
        (1.00, 1, -50.0, False),
    ],
)
def test_evidence_by_words(match, words, chance, proven):
    """Enough of the query, and more than one word. The less matches, the less likely the match must be by chance."""
    assert (evidence(memory(match=match, matched=["w"] * words, surprise=chance), 0.25) is None) is proven


def test_an_anchor_in_common_is_evidence_by_itself():
    assert evidence(memory(shared=["file:a"]), 0.25) is None


@pytest.mark.parametrize("kind", ["finding", "problem", "rule", "files", "session"])
def test_what_is_known_was_judged_where_it_was_found(kind):
    assert evidence(memory(f"{kind}:a"), 0.25) is None


def test_an_episode_holds_many_words_and_needs_more_of_the_question():
    words = {"matched": ["a", "b"], "surprise": -50.0}
    assert str(evidence(memory("episode:a", match=0.49, **words), 0.25)) == "too little in common: 0.49 of the words"
    assert evidence(memory("episode:a", match=0.5, **words), 0.25) is None


def test_what_is_left_out_says_why():
    words = {"matched": ["a", "b"], "surprise": -50.0}
    candidates = [
        memory("note:best", match=1.0, **words),
        memory("note:little", match=0.3, **words),
        memory("note:word", match=0.8, matched=["a"]),
        memory("note:common", match=0.8, matched=["a", "b"], surprise=5.0),
        memory("note:nothing", match=0.1),
        memory("note:old", shared=["file:a"], importance=0.0, days=400, role="x"),
    ]
    _, near = rank(candidates, QueryContext("prompt"), MemoryReader(VIEWER, CycleSettings(), NOW))
    assert {one.memory.memory.partition(":")[2]: str(one.why) for one in near} == {
        "little": "another note matches far better: 0.30, compared to 1.00",
        "word": "one word in common is a coincidence",
        "common": "the match may be a coincidence: 0.80 of the words, and common ones",
        "nothing": "too little in common: 0.10 of the words",
        "old": "its score is below 0.3",
    }


def test_what_fits_better_comes_first_and_the_score_orders_what_fits_alike():
    def found(name, relevance, importance):
        made = memory(f"finding:{name}", importance=importance)
        made.relevance = relevance
        return made

    earned, _ = rank([found("a", 0.7, 1.0), found("b", 1.0, 0.2), found("c", 0.9, 0.6)], QueryContext("prompt"), MemoryReader(VIEWER, CycleSettings(), NOW))
    assert [one.memory.memory for one in earned] == ["finding:c", "finding:b", "finding:a"]


def test_below_the_least_score_nothing_is_shown_though_it_has_evidence():
    old = memory(importance=0.0, days=400, shared=["file:a"], role="x")
    earned, near = rank([old], QueryContext("prompt"), MemoryReader(VIEWER, CycleSettings(), NOW))
    assert earned == []
    assert [recollection.memory.memory for recollection in near] == ["note:a"]
    assert rank([old], QueryContext("prompt"), MemoryReader(VIEWER, CycleSettings(recall=RecallSettings(min_score=0.1)), NOW))[0] != []


def test_what_came_near_is_at_most_twelve_and_nothing_hidden():
    hidden = [memory(f"note:{number}", match=0.3, acl="session", session="other") for number in range(3)]
    seen = [memory(f"note:s{number}", match=0.3) for number in range(15)]
    _, near = rank([*hidden, *seen], QueryContext("prompt"), MemoryReader(VIEWER, CycleSettings(), NOW))
    assert [recollection.memory.memory for recollection in near] == sorted(f"note:s{number}" for number in range(15))[:12]


def test_beside_a_memory_that_holds_most_of_it_others_hold_much_of_it_too():
    """A memory with a shared anchor stays; the others came near."""
    words = {"matched": ["a", "b"], "surprise": -50.0}
    whole, much, little = (memory(f"note:{name}", match=match, **words) for name, match in (("a", 1.0), ("b", 0.83), ("c", 0.81)))
    touched = memory("note:d", match=0.0, shared=["file:a"])
    earned, near = rank([whole, much, little, touched], QueryContext("prompt"), MemoryReader(VIEWER, CycleSettings(), NOW))
    assert {recollection.memory.memory for recollection in earned} == {"note:a", "note:b", "note:d"}
    assert [recollection.memory.memory for recollection in near] == ["note:c"]
    assert len(rank([little], QueryContext("prompt"), MemoryReader(VIEWER, CycleSettings(), NOW))[0]) == 1


def test_words_in_a_title_prove_more_and_count_twice():
    common = memory("note:a", match=1.0, matched=["a", "b"], surprise=1.4)
    assert evidence(common, 0.25) == Reason("recall.by_chance", match=1.0)
    common.titled = 0.5
    assert evidence(common, 0.25) is None
    text = memory("note:b", match=1.0, matched=["a", "b"], surprise=-50.0)
    earned, near = rank([text, common], QueryContext("prompt"), MemoryReader(VIEWER, CycleSettings(), NOW))
    assert [recollection.memory.memory for recollection in (*earned, *near)] == ["note:a", "note:b"]
    assert near[0].why == Reason("recall.far_better", match=1.0, best=1.5)


def test_the_weights_are_those_of_the_settings():
    settings = CycleSettings(recall=RecallSettings(weights=RecallWeights(importance=1.0, recency=0.0, role_fit=0.0, outcome=0.0)))
    assert sum(parts(memory(importance=0.7), settings=settings).values()) == pytest.approx(0.7)


@given(st.lists(st.floats(0.0005, 0.9), min_size=1, max_size=8), st.integers(1, 100_000), st.data())
def test_the_bound_of_chance_is_never_below_the_truth(shares, count, data):
    """For independent words: the expected number of memories that match at least as surprisingly."""
    from itertools import product as subsets
    from math import exp, log

    held = data.draw(st.lists(st.booleans(), min_size=len(shares), max_size=len(shares)))
    surprise = sum(-log(share) for share, has in zip(shares, held, strict=True) if has)
    truth = 0.0
    for chosen in subsets((False, True), repeat=len(shares)):
        if sum(-log(share) for share, has in zip(shares, chosen, strict=True) if has) >= surprise - 1e-9:
            likely = 1.0
            for share, has in zip(shares, chosen, strict=True):
                likely *= share if has else 1 - share
            truth += likely
    assert exp(chance(chance_of(shares, count), surprise)) >= count * truth * (1 - 1e-6)
