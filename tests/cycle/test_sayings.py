"""The sayings by which an expectation is shown: the most typical one, then those that add most to it."""

import pytest

from memorybank.cycle.fold.stated import Stated
from memorybank.cycle.know.sayings import sayings, shortest
from memorybank.text.prompts.stated import EXPECTATION, Statement
from memorybank.text.words.terms import content_terms


def theme(said):
    """Return a theme: each saying in as many sessions as given."""
    found = []
    for text, sessions in said.items():
        for number in range(sessions):
            found.append(Stated(number, f"{text}-{number}", Statement(EXPECTATION, text, ""), content_terms(text)))
    return found


@pytest.mark.parametrize(
    ("typical", "alike", "adding"),
    [
        ("can you add a test for this?", "can you add a test for this too?", "don't test what the standard library already does"),
        ("テストも追加してください", "テストも必ず追加してください", "標準ライブラリの動作だけを確かめる検査は不要、振る舞いを検査する"),
    ],
    ids=["english", "japanese"],
)
def test_the_second_saying_adds_to_the_first_and_does_not_repeat_it(typical, alike, adding):
    chosen = sayings(theme({typical: 6, alike: 3, adding: 2}))
    assert len(chosen) == 2 and chosen[0] in (typical, alike) and chosen[1] == adding


def test_a_theme_of_few_sessions_has_one_saying_and_one_of_many_more():
    said = {"please always add a test": 1, "never mock the clock of the parser": 1}
    assert len(sayings(theme(said))) == 1
    assert len(sayings(theme({text: 6 for text in said}))) == 2


def test_a_complaint_stands_only_where_every_saying_is_one():
    order, complaint = "always add a test", "again you forgot to add the test"
    assert sayings(theme({order: 3, complaint: 9}))[0] == order
    assert sayings(theme({complaint: 9})) == [complaint]


def test_sayings_of_a_start_share_its_characters():
    said = ["can you add a test for this scenario?", *(f"only test what users of part {number} really see and never its inner state" for number in range(3))]
    few, many = shortest(said, theme(dict.fromkeys(said, 1)), 4), shortest(said, theme(dict.fromkeys(said, 1)), 30)
    assert len(few) == 1 and 1 < len(many) < len(said) and sum(map(len, many)) <= 190
