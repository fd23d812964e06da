"""What agents did and were shown, as the facade tells it: outcomes, weeks, sessions and their turns, and what needs a person."""

import pytest

from memorybank import Bank, NotFound
from memorybank.log import ticks
from tests.claims.conftest import PlantedRepository
from tests.conftest import DAY, NOW
from tests.cycle.conftest import Session

KEY = "note:planning/proxy.md"


def shown(memory: str, rank: int = 1, **more: object) -> dict:
    return {"memory": memory, "rank": rank, "score": 1.0, "parts": {}, "match": 0, "why": ["file:src/upload.py", "proxy"], "anchors": [], "tokens": 9,
            "shown": True, "kind": "note", "terms": [], **more}  # fmt: skip


@pytest.fixture
def worked(bank, fixed_clock):
    """Two sessions of this week, one of last month. In the newest, the agent touched the file of the first note and nothing of the second one."""
    scratch = bank({"planning/proxy.md": "# The proxy\n\nSee `src/upload.py`.\n", "shared/b.md": "# B\n\nNothing.\n"})
    for name, at in (("old", NOW - 40 * DAY), ("earlier", NOW - 3 * DAY)):
        work = Session(scratch.layout, fixed_clock, name, at)
        work.prompt("Do the thing with the proxy.")
        work.expose(shown(KEY))
        work.turn_end("Done as always.")
        work.end()
    work = Session(scratch.layout, fixed_clock, "newest", NOW - DAY)
    work.prompt("Why does the upload stop?")
    work.expose(shown(KEY, anchors=["file:src/upload.py"], why=["file:src/upload.py", "stop"]), shown("note:shared/b.md", 2, anchors=["file:src/nothing.py"]))
    work.run("pytest -q", error="AssertionError: 1 is not 2")
    work.edit("src/upload.py")
    work.run("pytest -q")
    work.turn_end("The proxy cut it.")
    work.end()
    return Bank.open(str(scratch.root), clock=fixed_clock)


def test_a_week_counts_what_was_shown_and_what_came_of_it(worked):
    week = worked.activity.week()
    assert (week.sessions, week.shown, week.helped) == (2, 3, 1) and week.outcomes["used"] == 1
    assert [(each.title, each.counts.shown, each.counts.good) for each in week.memories] == [("The proxy", 2, 1), ("B", 1, 0)]
    assert worked.activity.week(days=60).shown == 4
    assert worked.activity.week(until="2025-01-01").shown == 0


@pytest.mark.parametrize(("verdict", "helped"), [(ticks.HELPFUL, 2), (ticks.WRONG, 0)])
def test_a_mark_of_a_person_is_the_outcome_of_the_latest_time_only(worked, verdict, helped):
    """A mark says more than what was observed; earlier times keep their own outcome."""
    worked.knowledge.tick(KEY, verdict)
    worked.knowledge.tick("note:shared/b.md", verdict)
    outcomes = [each.exposure.outcome for each in worked.activity.times_shown(KEY)[0]]
    assert outcomes[0] == verdict and verdict not in outcomes[1:]
    assert worked.activity.week().helped == helped


def test_sessions_come_with_their_results_page_by_page(worked):
    page, total = worked.activity.sessions(limit=2)
    assert total == 3 and [each.session for each in page] == ["newest", "earlier"]
    newest = page[0]
    assert newest.request == "Why does the upload stop?" and (newest.prompts, newest.calls, newest.failures, newest.edited) == (1, 3, 1, 1)
    assert (newest.shown, newest.helped) == (2, 1)
    assert [each.session for each in worked.activity.sessions(first=2, limit=2)[0]] == ["old"]
    assert worked.activity.session("new") == newest
    with pytest.raises(NotFound):
        worked.activity.session("nobody")


def test_a_turn_has_its_prompt_reasons_calls_and_end(worked):
    [turn] = worked.activity.turns("newest")
    assert turn.prompt == "Why does the upload stop?" and turn.answer == "The proxy cut it." and list(turn.edited) == ["src/upload.py"]
    first = turn.shown[0]
    assert (first.title, first.exposure.outcome, first.why) == ("The proxy", "used", ("src/upload.py", "stop"))
    assert [call.error for call in turn.failures] == ["AssertionError: 1 is not 2"]


def test_a_bank_without_sessions_has_nothing_to_tell(bank, fixed_clock):
    empty = Bank.open(str(bank().root), clock=fixed_clock)
    assert empty.activity.week().shown == 0 and empty.activity.sessions() == ([], 0) and empty.attention.needed().count == 0


def test_what_needs_a_person_is_each_of_its_parts(tmp_path):
    made = PlantedRepository(tmp_path / "planted")
    made.commit(0, add=["src/main.py", "src/parser.py"])
    made.commit(10, delete=["src/parser.py"])
    made.note("planning/a.md", "# A\n\nParsed by `src/parser.py`.\n", 5)
    made.note("planning/b.md", "# B\n\nSuperseded by [c](c.md).\n", 5)
    made.note("planning/c.md", "# C\n\nThree retries.\n", 5)
    found = Bank.open(str(made.active.parent))
    needed = found.attention.needed()
    assert len(needed.conflicts) == 1 and needed.conflicts == tuple(found.decisions.superseded())
    assert dict(needed.outdated) == {"gone": 1} and needed.trust == found.trust.status() and needed.suppressed == found.policy.suppressed()
    assert needed.count == 2 + (needed.trust.state != "trusted")


def test_a_prompt_that_has_nothing_in_common_says_so(worked):
    verdict = worked.memory.why("planning/proxy.md", "How do we paint the fence?")
    assert not verdict.is_shown and verdict.judged is None and verdict.why[0].code == "recall.no_word_of_it"
    assert worked.memory.why("planning/proxy.md", "What does the proxy do with src/upload.py?").is_shown
    with pytest.raises(NotFound):
        worked.memory.why("planning/nothing.md", "proxy")
