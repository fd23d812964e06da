"""Words that are hardly longer than an ending keep a stem."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memorybank.text.words.stem import stem

_ENDINGS = [*str.split("ness ful ment ement ation ational izer ousness able ible ing ed ies s e ll ion ive ize")]


@pytest.mark.parametrize(("word", "expected"), [("mentness", "ment"), ("ementness", "ement"), ("ableness", "abl")])
def test_an_ending_on_an_ending(word, expected):
    assert stem(word) == expected


@given(st.text("abeinostvy", max_size=4), st.lists(st.sampled_from(_ENDINGS), max_size=3))
def test_no_word_loses_itself(beginning, endings):
    word = beginning + "".join(endings)
    assert bool(stem(word)) is bool(word)
