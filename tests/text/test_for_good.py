"""Whether an answer of a person holds for good."""

import pytest

from memorybank.text.prompts.permissions import is_for_good


@pytest.mark.parametrize(
    "said",
    [
        "mirror, always.",
        "always the mirror",
        "Use the mirror from now on",
        "yes, always push to mirror",
        "please always run make gen first",
        "今後は mirror にプッシュして",
        "いつでも mirror でいい",
        "以後は mirror に",
        "次からは --env を付けて",
    ],
)
def test_an_order_that_is_meant_to_last(said):
    assert is_for_good(said)


@pytest.mark.parametrize(
    "said",
    [
        "use the mirror",
        "It always fails on Mondays.",
        "skip it, it always breaks",
        "you can always force it on this branch",
        "always mirror for now",
        "今回は mirror で",
        "そのテストはいつも落ちる",
        "3.2以降は動かない",
        "mirror に",
    ],
)
def test_what_holds_for_one_case_or_says_how_something_is(said):
    assert not is_for_good(said)
