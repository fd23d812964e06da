"""The words that are looked for before a pattern: a text that the pattern matches always contains one of them."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memorybank.decisions import sentence
from memorybank.text.prose import substance
from memorybank.text.prose.signs import SignWords, WordSigns
from memorybank.text.words.word_terms import DIGIT, MAY_BE_DIGITS

PATTERNS = {
    "refused": (sentence._REFUSED, sentence._SIGNS, sentence._REFUSES),
    "past": (sentence._PAST, sentence._SIGNS, sentence._TELLS_PAST),
    "firm": (sentence._FIRM, sentence._SIGNS, sentence._FIRM_WORD),
    "change": (sentence._CHANGES, sentence._SIGNS, sentence._CHANGE),
    "denial": (sentence._DENIES, sentence._SIGNS, sentence._DENIAL),
    "addition": (sentence._ADDS, sentence._SIGNS, sentence._ADDITION),
    "refused in Japanese": (sentence._REFUSED_JAPANESE, sentence._SIGNS, sentence._JAPANESE),
    "past in Japanese": (sentence._PAST_JAPANESE, sentence._SIGNS, sentence._JAPANESE),
    "firm in Japanese": (sentence._FIRM_JAPANESE, sentence._SIGNS, sentence._JAPANESE),
    "change in Japanese": (sentence._CHANGES_JAPANESE, sentence._SIGNS, sentence._JAPANESE),
    "denial in Japanese": (sentence._DENIES_JAPANESE, sentence._SIGNS, sentence._JAPANESE),
    "addition in Japanese": (sentence._ADDS_JAPANESE, sentence._SIGNS, sentence._JAPANESE),
    "telling in Japanese": (sentence._TELLS_JAPANESE, sentence._SIGNS, sentence._JAPANESE),
    "reason": (sentence._REASON, sentence._SIGNS, sentence._REASONS),
    **{f"left {number}": (pattern, sentence._SIGNS, sign) for number, (sign, pattern) in enumerate(sentence._LEFT)},
}


@pytest.mark.parametrize("name", PATTERNS)
@given(data=st.data())
def test_what_a_pattern_matches_has_its_sign(name, data):
    pattern, signs, bit = PATTERNS[name]
    text = data.draw(st.from_regex(pattern.pattern, alphabet=st.characters(codec="utf-8", max_codepoint=0x9FFF))).lower()
    if pattern.search(text):
        assert signs.of(text) & (bit | sentence._JAPANESE if signs is sentence._SIGNS else bit), text


@given(text=st.from_regex(substance._STATES.pattern, alphabet=st.characters(codec="utf-8", max_codepoint=0x9FFF)))
def test_what_states_something_has_one_of_the_words(text):
    if substance._STATES.search(text):
        assert substance._STATE_WORDS.may_be_in(text.lower()), text


def test_a_word_is_a_run_of_letters_or_begins_with_one():
    words = SignWords("never corrupt*")
    assert [words.may_be_in(text) for text in ("it never", "(never)", "neverland", "必ずneverと書く", "is corrupted", "café-never", "")] == [
        True, True, False, True, True, True, False
    ]  # fmt: skip


@given(data=st.data())
def test_a_sentence_with_a_reason_is_looked_at(data):
    text = data.draw(st.from_regex(sentence._REASON.pattern, alphabet=st.characters(codec="utf-8", max_codepoint=0x9FFF))).lower()
    if sentence._REASON.search(text):
        assert sentence._MAY_GIVE_REASON.search(text) or "、" in text


@given(data=st.data())
def test_the_words_for_something_else_are_found_before_what_is_left_in_japanese(data):
    text = data.draw(st.from_regex(sentence._LEFT[-2][1].pattern, alphabet=st.characters(codec="utf-8", max_codepoint=0x9FFF))).lower()
    if sentence._LEFT[-2][1].search(text):
        assert "から" in text
        assert sentence._MOVED_JAPANESE.search(text)


@pytest.mark.slow
@pytest.mark.parametrize("pattern", [rf"[{MAY_BE_DIGITS}]", DIGIT])
def test_a_digit_of_any_script_is_found(pattern):
    every = "".join(map(chr, range(0x110000)))
    digits = re.findall(r"\d", every)
    assert digits == [found for found in re.findall(pattern, every) if found in set(digits)]
    assert pattern != DIGIT or digits == re.findall(pattern, every)


def test_a_word_may_belong_to_several_groups_and_begin_as_one_of_them():
    signs = WordSigns("never not", "forbid* not")
    assert [signs.of(text) for text in ("it is", "never", "forbidden", "did not, never")] == [0, 1, 2, 3]
