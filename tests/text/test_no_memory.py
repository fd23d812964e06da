"""Requests for a session without memory: a sentence of its own, in English or Japanese, and not a sentence that only mentions it."""

import pytest

from memorybank.text.no_memory import is_asked


@pytest.mark.parametrize(
    "prompt",
    [
        "no memory in this session",
        "No memory in this session. Review the diff in src/cart.py",
        "Review src/cart.py.\n\nno memory for this session, please",
        "Please no memory in this session!",
        "memorybank: off",
        "memorybank:off\nfix the cart",
        "- memorybank: off",
        "`memorybank: off`",
        "このセッションでは記憶なし",
        "このセッションは記憶なしでお願いします。カートを直して",
        "カートを直して。このセッションでは記憶なしにしてください。",
    ],
)
def test_asked(prompt):
    assert is_asked(prompt)


@pytest.mark.parametrize(
    "prompt",
    [
        "",
        "is there no memory in this session?",
        "what does 'no memory in this session' do",
        "there is no memory leak in this session handler",
        "no memory in this session object is freed twice",
        "document the sentence: no memory in this session",
        "switch memorybank off in the tests",
        "> no memory in this session",
        "このセッションでは記憶なしと書くとどうなる？",
        "記憶なし",
        "```\nmemorybank: off\n```",
    ],
)
def test_not_asked(prompt):
    assert not is_asked(prompt)
