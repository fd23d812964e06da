"""What is read of a long prompt: its beginning and its end, by sentences."""

import pytest

from memorybank.cycle.recall import query
from memorybank.text.prompts.sentences import ends, sentences
from memorybank.text.prompts.statements import statements

LONG = [f"I looked at part {number} of the shop yesterday, and it was still slow for me, also on the second try." for number in range(40)]
JAPANESE = [f"{number}番目の部分は古い値段を表示していて、夜になるとなぜそうなるのか誰にも分かりません。" for number in range(40)]


@pytest.mark.parametrize("text", ["", "Look at it.", "a" * 1_200, "\n".join(LONG[:10]), "値" * 400])
def test_a_prompt_of_moderate_length_is_read_as_it_is(text):
    assert ends(text) == text


@pytest.mark.parametrize(("said", "most"), [(LONG, 1_200), (JAPANESE, 1_200)])
def test_of_a_long_prompt_the_first_and_the_last_sentences_are_read(said, most):
    kept = sentences(ends(" ".join(said)))
    assert kept[0] == said[0] and kept[-1] == said[-1]
    assert kept == [sentence for sentence in said if sentence in kept], "complete sentences, in order"
    assert most - 250 <= len("".join(kept).encode()) <= most


def test_one_sentence_without_an_end_is_cut():
    assert len(ends("word " * 2_000)) == 800


@pytest.mark.parametrize("place", [0, 20, 40])
def test_a_rule_anywhere_in_a_long_prompt_is_kept(place):
    """What a person states is heard, however long the prompt is; only the search is for its ends."""
    said = [*LONG[:place], "Never push to main.", *LONG[place:]]
    assert [statement.text for statement in statements("\n".join(said))] == ["Never push to main."]


def test_the_words_of_a_long_prompt_are_those_of_its_ends():
    labels = [word.label for word in query.words(ends("\n".join(["replicaCount is wrong.", *LONG, "Why does LIMIT_ROWS exist?"])))]
    assert "replicacount" in labels and "limit_rows" in labels
    assert len(query.words(" ".join(f"word{number}x" for number in range(200)))) == query.MOST_WORDS
