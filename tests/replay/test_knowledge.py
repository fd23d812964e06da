"""Rules, findings and reasons: what was said again in another session, in handwritten histories."""

import pytest

from memorybank.replay.knowledge import knowledge
from memorybank.replay.sources import of_history

from .told import DAY, NOW, Told

ANSWER = "The swatch drifts: `paletteCache` ignores `gammaCurve` when dithering."


@pytest.fixture
def wanted(history):
    """wanted(*sessions) → {(kind, session): words}."""

    def found(*told):
        events = of_history(str(history(*told))).events
        return {(wanted.kind, wanted.session): set(wanted.ways[0].words) for wanted in knowledge(events)}

    return found


def turn(number, prompt, closing="Done."):
    return Told(f"s{number}", NOW + number * DAY).prompt(prompt).tell("turn_end", last_message=closing).tell("session_end", reason="other")


def test_a_rule_is_wanted_when_a_person_says_it_again(wanted):
    found = wanted(turn(0, "Never rewrite vendored fonts."), turn(1, "Look at it. You should never rewrite the vendored fonts!"))
    assert found == {("rule", "s1"): {"never", "rewrit", "vendor", "font"}}


def test_two_words_make_a_rule_only_when_several_sessions_said_them(wanted):
    said = [turn(number, f"Colour {number}. Please update the glossary and translate it") for number in range(3)]
    assert wanted(*said[:2]) == {}
    assert wanted(*said) == {("rule", "s2"): {"glossari", "translat"}}


@pytest.mark.parametrize(
    "again",
    [
        "Why were the vendored fonts rewritten in the nightly build of May?",  # a question of facts
        "```\nNever rewrite vendored fonts: exit=1\n```",  # pasted
        "Never rewrite vendored fonts. " * 30,  # a plan
        "Never rename exported colours.",  # another rule
    ],
)
def test_what_is_no_order_or_not_the_same_is_no_rule(wanted, again):
    assert wanted(turn(0, "Never rewrite vendored fonts."), turn(1, again)) == {}


def test_a_finding_is_wanted_by_the_rare_words_that_the_prompt_lacks(wanted):
    found = wanted(turn(0, "why does it drift", ANSWER), turn(1, "the swatch looks wrong", ANSWER))
    assert found == {("finding", "s1"): {"drift", "palettecach", "ignor", "gammacurv", "dither"}}


def test_words_that_many_sessions_say_find_nothing(wanted):
    assert wanted(*(turn(number, f"question {number}", ANSWER) for number in range(4))) == {}


def test_a_session_does_not_repeat_itself_and_is_told_once(wanted):
    told = Told("s0", NOW)
    for _ in range(2):
        told.prompt("why").tell("turn_end", last_message=ANSWER)
    assert wanted(told) == {}


def test_a_reason_is_wanted_before_a_closing_sentence_or_a_commit_says_it_again(wanted):
    first = turn(0, "drop it", "Removed. We pin heddle below 4 because treadle cannot lift it.")
    commit = Told("s1", NOW + DAY).run('git commit -m "Pin heddle again, otherwise the treadle jams"').end()
    assert wanted(first, commit) == {("reason", "s1"): {"pin", "heddl", "treadl"}}
