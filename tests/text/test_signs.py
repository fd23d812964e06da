"""The words that are looked for before a pattern: a text that the pattern matches always contains one of them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memorybank.decisions import sentence
from memorybank.text import substance
from memorybank.text.signs import WordSigns

PATTERNS = {
    "refused": (sentence._REFUSED, sentence._SIGNS, sentence._REFUSES),
    "past": (sentence._PAST, sentence._SIGNS, sentence._TELLS_PAST),
    "firm": (sentence._FIRM, sentence._SIGNS, sentence._FIRM_WORD),
    "change": (sentence._CHANGES, sentence._SIGNS, sentence._CHANGE),
    "denial": (sentence._DENIES, sentence._SIGNS, sentence._DENIAL),
    "reason": (sentence._REASON, sentence._SIGNS, sentence._REASONS),
    "states": (substance._STATES, substance._STATE_WORDS, 1),
    **{f"left {number}": (pattern, sentence._SIGNS, sign) for number, (sign, pattern) in enumerate(sentence._LEFT)},
}


@pytest.mark.parametrize("name", PATTERNS)
@given(data=st.data())
def test_what_a_pattern_matches_has_its_sign(name, data):
    pattern, signs, bit = PATTERNS[name]
    text = data.draw(st.from_regex(pattern.pattern, alphabet=st.characters(codec="utf-8", max_codepoint=0x9FFF))).lower()
    if pattern.search(text):
        assert signs.of(text) & (bit | sentence._JAPANESE if signs is sentence._SIGNS else bit), text


def test_a_word_may_belong_to_several_groups_and_begin_as_one_of_them():
    signs = WordSigns("never not", "forbid* not")
    assert [signs.of(text) for text in ("it is", "never", "forbidden", "did not, never")] == [0, 1, 2, 3]
