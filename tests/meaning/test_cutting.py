"""A text is cut into passages of whole paragraphs, each after the title; nothing is lost, and each knows its lines."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memorybank.meaning.cutting import LONGEST, MOST_PASSAGES, cost, cut

ENGLISH = "The connection pool was exhausted after the release, because each worker opened fifty connections. "
JAPANESE = "接続プールはリリースのあとで枯渇しました。各ワーカーが五十本の接続を開いていたためです。"


def test_a_short_note_is_one_passage_with_its_title_once():
    assert cut("Pool", "# Pool\n\nSet it to 20.\n") == [((2, 2), "Pool\n\nSet it to 20.")]
    assert cut("Pool", "# Other\n\nSet it to 20.\n") == [((0, 2), "Pool\n\n# Other\nSet it to 20.")]


@pytest.mark.parametrize("body", ["", "\n\n", "# Pool\n"])
def test_a_note_without_words_is_its_title(body):
    assert cut("Pool", body) == [((0, 0), "Pool")]


@pytest.mark.parametrize("sentence", [ENGLISH, JAPANESE])
@pytest.mark.parametrize("between", ["\n\n", "\n", ""])
def test_long_texts_are_cut_to_what_a_model_reads(sentence, between):
    """Paragraphs, lines of one paragraph, and one endless line."""
    found = cut("T", between.join([sentence] * 60))
    assert len(found) > 3 and all(cost(passage.text) <= LONGEST + cost("T\n\n") + len(sentence) for passage in found)
    assert sum(passage.text.count(sentence.strip()) for passage in found) == 60


def test_a_section_begins_a_passage():
    body = "# One\n\n" + ENGLISH * 8 + "\n\n## Two\n\nShort end.\n"
    assert [passage.text.split("\n")[2] for passage in cut("T", body)] == ["# One", "## Two"]


def test_a_huge_text_has_a_limit():
    assert len(cut("T", "\n\n".join([ENGLISH * 12] * (MOST_PASSAGES + 5)))) == MOST_PASSAGES


@given(st.text(alphabet="ab。 .\n#日本\r", max_size=400), st.integers(1, 40))
def test_every_line_with_words_is_in_a_passage(text, times):
    body = text * times
    lines = body.split("\n")
    found = cut("title", body)
    covered = {at for passage in found for at in range(passage.lines[0], passage.lines[1] + 1)}
    assert all(0 <= passage.lines[0] <= passage.lines[1] < len(lines) for passage in found)
    if len(found) < MOST_PASSAGES:
        assert {at for at, line in enumerate(lines) if line.strip()} <= covered or not body.strip()
