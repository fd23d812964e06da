"""Orders that people type in a hurry: in few words, after a request, or with a wrong sign. What is shown is what they typed."""

import pytest

from memorybank.text.prompts.objects import limits
from memorybank.text.prompts.spelling import repaired
from memorybank.text.prompts.statements import statements


@pytest.mark.parametrize(
    ("prompt", "kept"),
    [
        ("the fork, always", "the fork, always"),
        ("port 8081, always.", "port 8081, always."),
        ("pnpm、必ず。", "pnpm、必ず。"),
        ("fix the tests, and never edit the snapshots by hand", "never edit the snapshots by hand"),
        ("keep out of vendor, it gets overwritten", "keep out of vendor, it gets overwritten"),
        ("terraform apply is for CI only", "terraform apply is for CI only"),
        ("generatedディレクトリは触らないで", "generatedディレクトリは触らないで"),
        ("適用は必ず鈴木さんが行います", "適用は必ず鈴木さんが行います"),
        ("これからpytestは-x付きで実行してください", "これからpytestは-x付きで実行してください"),
        ("これからは英語で書いてください", "これからは英語で書いてください"),
        ("nver push to main, open a PR", "nver push to main, open a PR"),
        ("alwyas run make lint before a commit", "alwyas run make lint before a commit"),
        ("dont' push without asking", "dont' push without asking"),
        ("mainにプッシュしなでください", "mainにプッシュしなでください"),
    ],
)
def test_an_order_is_heard_as_it_was_typed(prompt, kept):
    assert [said.text for said in statements(prompt)] == [kept]


@pytest.mark.parametrize(
    "prompt",
    [
        "yes, always",
        "it hangs, always",
        "same error, always",
        "red, always red in CI",
        "fix the tests, and then run them",
        "newer push to main failed",
        "stay out of the way",
        "エラー、必ず出る",
        "絶対これが原因です",
        "英語で書いてください",
        "これからデプロイしてください",
    ],
)
def test_no_order_is_heard(prompt):
    assert statements(prompt) == []


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("nver push to main", "never push to main"),
        ("please alwyas lint", "please always lint"),
        ("ok, dno't push", "ok, don't push"),
        ("編集しなでください", "編集しないでください"),
        ("a newer release", "a newer release"),
        ("he was never asked", "he was never asked"),
        ("the lever is stuck", "the lever is stuck"),
        ("頭をなでてください", "頭をなでてください"),
    ],
)
def test_only_words_that_begin_an_order_are_repaired(typed, meant):
    assert repaired(typed) == meant


def test_a_mistyped_order_limits():
    assert limits("nver push to main")
