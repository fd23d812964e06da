"""What is told at which moment (ADR 0031): at a call what names it, at a prompt what holds much of it, unasked what has a claim."""

import pytest

from memorybank.config.cycle import Budgets, CycleSettings
from memorybank.cycle.recall import moments, ranking
from memorybank.cycle.recall.query import QueryContext
from memorybank.cycle.recall.ranking import Memory, rank
from memorybank.visibility import Viewer
from tests.conftest import NOW
from tests.cycle.recalling import Remembering, before, failure, prompt

VIEWER = Viewer(role="main", session="now", agent="main")


def memory(name, shared=(), match=0.0, is_open=False, **fields):
    made = Memory(name, name.partition(":")[0], 1, NOW, importance=0.5, **fields)
    made.shared, made.match, made.open = shared, match, is_open
    return made


@pytest.mark.parametrize(
    ("made", "moment", "worth"),
    [
        (memory("session:s", shared=["file:a"], match=1.0), "tool_before", False),
        (memory("day:2025-09-01", match=1.0), "failure", False),
        (Memory("session:s", "note", 1, NOW, importance=1.0), "tool_before", False),
        (memory("note:a", match=0.3), "tool_before", True),
        (memory("lesson:a", shared=["file:a"]), "tool_before", True),
        (memory("lesson:a", match=1.0), "tool_before", False),
        (memory("lesson:a", match=1.0, author="human"), "tool_before", True),
        (memory("group:a", shared=["cmd:make"], is_open=True), "tool_before", True),
        (memory("group:a", shared=["file:a"], is_open=True), "tool_before", False),
        (memory("group:a", shared=["cmd:make"]), "tool_before", False),
        (memory("group:a", shared=["file:a"], is_open=True), "failure", True),
        (memory("session:s", match=0.5), "prompt", True),
        (memory("session:s", match=0.4), "prompt", False),
        (memory("group:a", match=0.4, shared=["file:a"]), "prompt", False),
        (memory("lesson:a", match=0.3), "prompt", True),
    ],
)
def test_what_is_worth_telling(made, moment, worth):
    assert moments.is_worth(made, QueryContext(moment), 0.25) is worth


@pytest.mark.parametrize(
    ("name", "fields", "claim", "frugal"),
    [
        ("note:a", {}, True, False),
        ("session:s", {}, True, False),
        ("group:a", {}, False, False),
        ("day:2025-09-01", {}, False, False),
        ("group:a", {"task": "ABC-1"}, True, True),
        ("together:", {}, True, True),
    ],
)
def test_what_has_a_claim_where_nothing_is_asked(name, fields, claim, frugal):
    """frugal: a session's tokens are limited."""
    made, query = memory(name, **fields), QueryContext("session_start", task="ABC-1")
    assert ranking.has_claim(made, query, VIEWER) is claim
    assert ranking.has_claim(made, query, VIEWER, frugal=True) is frugal
    limited = CycleSettings(budgets=Budgets(session_tokens=500))
    assert bool(rank([made], query, VIEWER, limited, NOW)[0]) is frugal


def test_of_several_summaries_the_best_is_told():
    several = [memory(f"session:{number}", match=0.5 + number / 10) for number in range(4)]
    for made in several:
        made.matched, made.telling, made.chance = ["a", "b"], 2, -50.0
    earned, near = rank(several, QueryContext("prompt"), VIEWER, CycleSettings(), NOW)
    assert [recollection.memory.memory for recollection in earned] == ["session:3"]
    assert len(near) == 3


@pytest.fixture
def remembering(bank, fixed_clock):
    """A note about uploads, found by words alone."""
    return Remembering(bank({"a.md": "# Upload retries\n\nUploads are retried with jitter.\n"}), fixed_clock).index()


def test_the_prompt_behind_a_call_was_asked_at_the_prompt(remembering):
    """Its words bring nothing up again at each call; those of the call itself do."""
    session = remembering.session("now")
    session.prompt("how are uploads retried?")
    assert remembering.ask(prompt("how are uploads retried?", session="other")) is not None
    assert remembering.ask(before("Bash", {"command": "ls src"})) is None
    assert remembering.ask(failure("Bash", {"command": "ls src"}, "ls: src: No such file"), "failure") is None
    assert remembering.ask(before("Bash", {"command": "bin/try", "description": "Retry the uploads"})) is not None
