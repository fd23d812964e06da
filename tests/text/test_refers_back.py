"""What refers to an earlier time, in English and Japanese."""

import pytest

from memorybank.text.prompts.refers_back import referring


@pytest.mark.parametrize(
    "text",
    [
        "the list is slow again",
        "outlook still makes the button tiny",
        "same as last time, the item is prod-ro",
        "Why What Risk as always",
        "the flicker is back",
        "how did we receive the webhooks?",
        "we had this before",
        "また一覧が遅い",
        "前に直したときの関数あるでしょ",
        "返金ってどうやって受けてたんでしたっけ",
        "予約のときもそれだった",
        "同じエラーが出ます",
        "日本語でって前も言ったんですが",
        "i thought we agreed on that",
        "isn't that the channel thing all over again",
        "it is the one from last week",
        "このときどうやったっけ、同じにして",
        "batch の方です。昨日言ったやつ",
    ],
)
def test_it_refers(text):
    assert referring(text, is_first=True)


@pytest.mark.parametrize(
    "text",
    [
        "add a button to the list",
        "OpenSSL must not come back into the tree",
        "move the button back one row",
        "一覧にボタンを足して",
        "宿泊日が1日前になっている",
        "またはタグで絞り込む",
        "石けんの在庫を出して",
        "昨日のリリースを確認して",
    ],
)
def test_it_does_not(text):
    assert referring(text, is_first=True) == []


def test_a_prompt_about_many_things_does_not():
    assert referring("the list is slow again. " + "move the button. " * 60, is_first=True) == []


def test_of_a_long_prompt_the_sentence_that_refers_is_one_question():
    whole, sentence = referring("画面は別のコミットで。あと返金の通知ってどうやって受けてたんでしたっけ", is_first=False)
    assert "画面" in whole
    assert "画面" not in sentence
    assert "返金の通知" in sentence
    assert "っけ" not in sentence


@pytest.mark.parametrize("text", ["print a full example again", "I still do not understand it", "また一覧が遅い", "まだ落ちます"])
def test_within_a_session_again_means_a_moment_ago(text):
    assert referring(text, is_first=True)
    assert referring(text, is_first=False) == []


@pytest.mark.parametrize(
    "text", ["same as last time please", "how did we receive the webhooks?", "前に直したときの関数あるでしょ", "どうやって受けてたんでしたっけ"]
)
def test_last_time_means_an_earlier_session_everywhere(text):
    assert referring(text, is_first=False)
