"""Why a memory is shown, in words that a person understands: no placeholder of a fingerprint, no signature, no name of a score part."""

import pytest

from memorybank.cycle.recall.query import QueryContext
from memorybank.cycle.recall.ranking import Memory, Recollection
from memorybank.cycle.recall.shown import reasons
from memorybank.reasons.reason import text_of

PARTS = {"importance": 0.2, "recency": 0.3, "role_fit": 0.2, "outcome": 0.05}


def memory(kind="finding", shared=(), matched=(), **fields):
    made = Memory(f"{kind}:a", kind, 1, 0, importance=0.5, **fields)
    made.shared, made.matched = shared, matched
    return made


@pytest.mark.parametrize(
    ("anchor", "told"),
    [
        ("file:src/設計.md", "src/設計.md"),
        ("cmd:npm test _", "npm test"),
        ("cmd:git log # --oneline _", "git log --oneline"),
        ("note:planning/a.md", "planning/a.md"),
    ],
)
def test_an_anchor(anchor, told):
    assert [text_of(one) for one in reasons(Recollection(memory(shared=[anchor]), PARTS), QueryContext("prompt"))] == [told]


def test_words_stand_as_they_were_asked():
    made = memory("note", matched=["retri", "再送"])
    assert reasons(Recollection(made, PARTS), QueryContext("prompt", text="How are retries made? 再送の上限")) == ["retries", "再送"]


@pytest.mark.parametrize(
    ("made", "parts", "told"),
    [
        (memory("rule", author="human"), PARTS, "what a person asked for"),
        (memory("session"), {**PARTS, "same_task": 0.2}, "the same task"),
        (memory("session"), PARTS, "its recency"),
        (memory("note"), {**PARTS, "recency": 0.1}, "its weight among the memories of this project"),
    ],
)
def test_without_anchors_and_words_it_is_said_what_it_is(made, parts, told):
    assert [text_of(one) for one in reasons(Recollection(made, parts), QueryContext("session_start"))] == [told]


def test_every_part_of_the_score_has_words():
    for name in ("importance", "recency", "role_fit", "outcome", "same_task", "recent_failure", "success_pattern"):
        assert reasons(Recollection(memory("note"), {name: 1.0}), QueryContext("session_start"))
