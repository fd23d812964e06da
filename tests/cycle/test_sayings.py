"""The sayings by which an expectation is shown: the most typical one, then those that add most to it."""

import pytest

from memorybank.cycle.fold.stated import Stated
from memorybank.cycle.know.rules import Rule
from memorybank.cycle.know.sayings import sayings, shortest
from memorybank.cycle.know.standing import WITHOUT_SUBJECT, why_not
from memorybank.text.prompts.stated import EXPECTATION, Statement
from memorybank.text.prompts.themes import DISCUSS
from memorybank.text.words.terms import content_terms


def theme(said, subject=""):
    """Return a theme: each saying in as many sessions as given."""
    found = []
    for text, sessions in said.items():
        for number in range(sessions):
            found.append(Stated(number, f"{text}-{number}", Statement(EXPECTATION, text, subject), content_terms(text)))
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


@pytest.mark.parametrize(
    ("order", "wish", "moment"),
    [
        ("explain both options before you change anything", "Can we first think hard together about the cache of the shop?", "don't write any code yet"),
        ("実装する前に方針を説明してください", "キャッシュについて一緒に考えてから決めたい", "まだコードは書かないで"),
    ],
    ids=["english", "japanese"],
)
def test_of_wishes_to_discuss_a_start_shows_one_that_says_what_comes_first(order, wish, moment):
    found = theme({wish: 3, moment: 3, order: 1}, DISCUSS)
    assert sayings(found) == [order]
    assert why_not(Rule(EXPECTATION, sayings(found), found), "") is None
    of_the_moment = theme({moment: 9}, DISCUSS)
    assert why_not(Rule(EXPECTATION, sayings(of_the_moment), of_the_moment), "") is WITHOUT_SUBJECT
