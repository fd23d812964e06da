"""Sentences in people's own words (`tests/data/stated_in_own_words.tsv`), and the share that is kept.

Patterns that were read off sentences keep those sentences. What counts is the share of sentences that nobody looked at, so the parts `check` and `aside`
are only counted here, by thresholds and without naming a sentence.
"""

from pathlib import Path

import pytest

from memorybank.text.prompts.statements import statements

LINES = (Path(__file__).parents[1] / "data" / "stated_in_own_words.tsv").read_text(encoding="utf-8").splitlines()
SAID = [line.split("\t") for line in LINES if not line.startswith("#")]


def is_japanese(sentence: str) -> bool:
    return any("ぁ" <= sign <= "ヿ" for sign in sentence)


def kept(part: str, lasts: str, *, japanese: bool) -> list[bool]:
    chosen = [said for name, wanted, said in SAID if (name, wanted, is_japanese(said)) == (part, lasts, japanese)]
    assert len(chosen) >= 15
    return [bool(statements(said)) for said in chosen]


@pytest.mark.parametrize("japanese", [False, True], ids=["english", "japanese"])
@pytest.mark.parametrize("part", ["tune", "check", "more", "trades", "aside", "facts", "beside"])
def test_most_of_what_lasts_is_kept(part, japanese):
    found = kept(part, "yes", japanese=japanese)
    assert sum(found) >= 0.7 * len(found)


@pytest.mark.parametrize("japanese", [False, True], ids=["english", "japanese"])
@pytest.mark.parametrize("part", ["tune", "check", "more", "trades", "aside", "facts", "beside"])
def test_hardly_anything_of_the_moment_is_kept(part, japanese):
    found = kept(part, "no", japanese=japanese)
    assert sum(found) <= 0.1 * len(found)
