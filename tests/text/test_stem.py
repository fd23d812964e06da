"""Porter's stems, as in his own examples and in the reference vocabulary."""

import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memorybank.text.words.stem import _STEP_2, _STEP_3, _STEP_4, _shape, stem

PAIRS = str.split(
    """
caresses caress ponies poni ties ti caress caress cats cat feed feed agreed agre plastered plaster bled bled motoring motor sing sing
conflated conflat troubled troubl sized size hopping hop tanned tan falling fall hissing hiss fizzed fizz failing fail filing file
happy happi sky sky relational relat conditional condit rational ration valenci valenc hesitanci hesit digitizer digit conformabli conform
radicalli radic differentli differ vileli vile analogousli analog vietnamization vietnam predication predic operator oper feudalism feudal
decisiveness decis hopefulness hope callousness callous formaliti formal sensitiviti sensit sensibiliti sensibl triplicate triplic
formative form formalize formal electriciti electr electrical electr hopeful hope goodness good revival reviv allowance allow
inference infer airliner airlin gyroscopic gyroscop adjustable adjust defensible defens irritant irrit replacement replac
adjustment adjust dependent depend adoption adopt homologou homolog communism commun activate activ angulariti angular
homologous homolog effective effect bowdlerize bowdler probate probat rate rate cease ceas controll control roll roll
generalizations gener oscillators oscil yes ye say sai dying dy a a is is
"""
)


def test_words_that_programs_tell_apart_have_stems_of_their_own():
    assert stem("important") == stem("importance") != stem("imports")
    assert len({stem(word) for word in ("generic", "general", "generate")}) == 3 and stem("generators") == stem("generate")


@pytest.mark.parametrize(("word", "expected"), list(zip(PAIRS[::2], PAIRS[1::2], strict=True)))
def test_published_examples(word, expected):
    assert stem(word) == expected


def test_a_word_begins_with_its_stem_except_for_the_last_letter():
    """Snippets rely on it: they stem only words that begin like a stem they look for."""
    endings = (*_STEP_2, *_STEP_3, *_STEP_4, "ed", "ing", "eed", "s", "es", "ies", "sses", "y", "ion", "ll", "e")
    words = [*PAIRS, *(f"{beginning}{first}{last}" for beginning in PAIRS for first in endings for last in ("", "s", "ed", "ing", "y", "ly", "ness"))]
    assert [word for word in words if not word.startswith(stem(word)[:-1])] == []


@given(st.text("yab", max_size=12))
def test_a_y_after_a_consonant_is_a_vowel(word):
    sounds = ""
    for letter in word:
        sounds += {"a": "v", "b": "c"}.get(letter) or ("v" if sounds.endswith("c") else "c")
    assert _shape(word) == sounds


def test_a_pasted_run_of_y_is_not_read_again_for_each_of_them():
    def calls(word):
        made = []
        sys.setprofile(lambda frame, event, argument: made.append(event))
        try:
            _shape(word)
        finally:
            sys.setprofile(None)
        return len(made)

    assert calls("xy" * 4_000) == calls("xy" * 40) < 12
