"""A note with both sides of a git conflict is not shown, whether or not the index knows about the conflict, and what it says replaces nothing."""

import pytest

from memorybank.clock import DAY, isoformat
from memorybank.reasons.reason import text_of
from tests.conftest import NOW
from tests.cycle.recalling import Remembering, prompt

QUESTION = "on which weekday is the staging database reset?"
WHOLE = "# Reset of the staging database\n\nThe staging database is reset on Mondays.\n"
CONFLICT = WHOLE.replace("The staging", "<<<<<<< HEAD\nThe staging").replace("Mondays.", "Mondays.\n=======\nIt is reset on Fridays.\n>>>>>>> topic")


@pytest.fixture
def memory(bank, fixed_clock):
    return Remembering(bank({}), fixed_clock).note("shared/reset.md", WHOLE).index()


def test_it_is_left_out_and_the_reason_says_why(memory):
    assert "Mondays" in memory.preview(prompt(QUESTION)).injection.text
    memory.note("shared/reset.md", CONFLICT).index()
    composed = memory.preview(prompt(QUESTION))
    assert composed.injection is None
    assert {one.memory.key: text_of(one.why) for one in composed.left_out} == {"shared/reset.md": "its file has both sides of a git conflict"}


def test_it_is_left_out_before_the_index_is_up_to_date(memory):
    memory.note("shared/reset.md", CONFLICT)
    assert memory.preview(prompt(QUESTION)).injection is None


def test_a_missing_note_still_has_its_own_reason(memory):
    (memory.scratch.active / "shared/reset.md").unlink()
    assert [text_of(one.why) for one in memory.preview(prompt(QUESTION)).left_out] == ["its note is missing"]


def test_markers_in_fenced_code_are_an_example(memory):
    memory.note("shared/reset.md", f"{WHOLE}\n```\n{CONFLICT}```\n").index()
    assert "Mondays" in memory.ask(prompt(QUESTION)).text


@pytest.mark.parametrize(("begin", "end"), [("", ""), ("<<<<<<< HEAD\n\n", "\n=======\n\n>>>>>>> topic\n")])
def test_what_it_says_replaces_nothing(bank, fixed_clock, begin, end):
    memory = Remembering(bank({}), fixed_clock)
    for key, days, text in (("old", 90, WHOLE), ("new", 10, WHOLE.replace("Mondays.\n", f"Tuesdays.\n{end}").replace("The staging", f"{begin}The staging"))):
        at = isoformat(NOW - days * DAY)
        memory.note(f"shared/{key}.md", f"---\ncreated: {at}\nupdated: {at}\n---\n{text}")
    text = memory.index().ask(prompt(QUESTION)).text
    assert ("Mondays" in text and "superseded" not in text) == bool(begin)
