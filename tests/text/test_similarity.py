"""Fingerprints find candidates for near-duplicates, and the similarity decides."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memorybank.text.words.similarity import BINS, EMPTY_BIN, fingerprint, folded, similarity

ENGLISH = "\n".join(f"Sentence number {n} says something of its own. It goes on for a while." for n in range(40))
JAPANESE = "".join(f"{n}番目の文はそれぞれ別のことを言う。続きもある。" for n in range(40))


def shared(a, b):
    return sum(x == y != EMPTY_BIN for x, y in zip(fingerprint(a), fingerprint(b), strict=True))


@pytest.mark.parametrize("body", [ENGLISH, JAPANESE])
def test_a_small_edit_keeps_most_bins_and_a_high_similarity(body):
    edited = body.replace("7", "seven", 1)
    assert shared(body, edited) >= 0.8 * BINS
    assert similarity(folded(body), folded(edited)) > 0.95


def test_other_texts_share_next_to_nothing():
    assert shared(ENGLISH, JAPANESE) == 0
    assert similarity(folded(ENGLISH), folded(JAPANESE)) < 0.3


def test_case_width_and_white_space_do_not_matter():
    assert fingerprint("Ｃａｃｈｅ  is\there") == fingerprint("cache is here")
    assert folded(" A\n\n b ") == "a b"


def test_long_bodies_are_compared_by_their_units():
    long = folded("\n".join(f"Line {n} of many. " for n in range(3000)))
    assert similarity(long, long) == 1.0
    assert similarity(long, "x") == 0.0


def test_an_empty_body_has_no_bins():
    assert fingerprint(" \n。\n") == (EMPTY_BIN,) * BINS


@given(st.text(max_size=40), st.text(max_size=40))
def test_similarity_is_symmetric_and_between_nought_and_one(a, b):
    assert similarity(a, b) == similarity(b, a)
    assert 0.0 <= similarity(a, b) <= 1.0
    assert similarity(a, a) == 1.0
