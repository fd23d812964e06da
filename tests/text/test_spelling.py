"""Slips between words are counted as rapidfuzz counts them."""

from hypothesis import given
from hypothesis import strategies as st
from rapidfuzz.distance import OSA

from memorybank.text.words.spelling import slips_between

words = st.text("abcdeß語", max_size=12)


@given(words, words, st.integers(1, 3))
def test_the_slips_are_those_of_optimal_string_alignment(word, other, most):
    assert slips_between(word, other, most) == OSA.distance(word, other, score_cutoff=most)


@given(words, st.data(), st.integers(1, 2))
def test_a_word_with_few_slips_is_always_recognised(word, data, most):
    """Random words are rarely similar, so these are made from one another."""
    slipped = [*word]
    for _ in range(most):
        at = data.draw(st.integers(0, len(slipped)))
        kind = data.draw(st.sampled_from(("insert", "delete", "swap", "replace")))
        if kind == "insert":
            slipped.insert(at, "x")
        elif kind == "swap":
            slipped[at : at + 2] = slipped[at : at + 2][::-1]
        else:
            slipped[at : at + 1] = ["x"] * (kind == "replace")
    assert slips_between(word, "".join(slipped), most) == OSA.distance(word, "".join(slipped), score_cutoff=most)
