"""The view of earlier sessions: each passage is decided about once, and what may not be shown is listed with its reason."""

from contextlib import closing

import pytest

from memorybank.cycle.fold import schema
from memorybank.cycle.know.earlier import Earlier
from memorybank.reasons.reason import Reason
from memorybank.storage import database
from tests.cycle.recalling import Remembering

ANSWER = "The mast of the harbour crane needs a second inspector, because the first one signs the plan. The paint is next."
REFUSED = Reason("recall.over")


@pytest.fixture
def connection(bank, fixed_clock):
    remembering = Remembering(bank({}), fixed_clock)
    work = remembering.session("said", days_ago=3)
    work.prompt("Who signs for the harbour crane?")
    work.turn_end(ANSWER)
    work.end()
    remembering.fold()
    with closing(database.open_reading(schema.path(remembering.base.layout), schema.VERSION)) as cache:
        cache.create_function("sees", 8, lambda *row: True)
        yield cache


def answers(earlier):
    return earlier.selected("kind = 'answer' ORDER BY p.id", ())


def test_a_passage_that_several_searches_find_is_decided_about_once_and_shortened_in_each(connection, fixed_clock):
    asked = []

    def decide(passage):
        asked.append(passage.id)
        return None, passage.text.partition(" The paint")[0]

    earlier = Earlier(connection, "now", fixed_clock.now(), decide)
    for _ in range(3):
        for passage in answers(earlier):
            passage.matched = list(passage.terms)
            assert earlier.shows(passage)
            assert "paint" not in passage.text and "paint" not in passage.matched
            assert "paint" in passage.terms, "a passage does not rank as if it said little else"
    assert len(asked) == len(set(asked)) == len(answers(earlier))


def test_what_a_search_finds_and_may_not_be_told_is_kept_with_its_reason(connection, fixed_clock):
    earlier = Earlier(connection, "now", fixed_clock.now(), lambda passage: (REFUSED, passage.text))
    (passage,) = answers(earlier)
    assert not earlier.shows(passage) and not earlier.refused, "a search only passed it by"
    assert not earlier.finds(passage)
    assert [one.why for one in earlier.refused.values()] == [REFUSED] and list(earlier.refused) == [passage.memory]
