"""A short reply is about the option that it chooses; what is attached to a prompt gives it no words."""

import pytest

from memorybank.cycle.recall.at_prompt import _MAY_CHOOSE
from memorybank.text.prompts.attached import without_attached
from memorybank.text.prompts.choosing import chosen

OPTIONS = """Two ways are open.

1. Keep the retry queue in Redis
2. **Move the retry queue to Postgres** - one service less

A) Deploy today
B) Wait for the load test

Shall I write the migration first?"""
選択肢 = """どちらにしますか。

1️⃣ README に利用規約を書く
2️⃣ 先に負荷試験をする
選択肢A: 本番に反映する
選択肢B: 検証環境で試す

移行スクリプトを先に書きましょうか？"""


@pytest.mark.parametrize(
    ("reply", "said", "option"),
    [
        ("2", OPTIONS, "Move the retry queue to Postgres** - one service less"),
        ("option 1 please", OPTIONS, "Keep the retry queue in Redis"),
        ("let's go with B", OPTIONS, "Wait for the load test"),
        ("ok, do 2.", OPTIONS, "Move the retry queue to Postgres** - one service less"),
        ("yes please", OPTIONS, "Shall I write the migration first?"),
        ("1をお願いします", 選択肢, "README に利用規約を書く"),
        ("２", 選択肢, "先に負荷試験をする"),
        ("Aで進めたい", 選択肢, "本番に反映する"),
        ("選択肢Bが良いです。", 選択肢, "検証環境で試す"),
        ("はい、お願いします", 選択肢, "移行スクリプトを先に書きましょうか？"),
    ],
)
def test_a_reply_is_about_what_it_chooses(reply, said, option):
    assert chosen(reply, lambda: said) == option
    assert _MAY_CHOOSE.search(reply) is not None


@pytest.mark.parametrize(
    "reply",
    [
        "3",
        "2 tests still fail",
        "A test is missing",
        "1は完了しました",
        "3件失敗しました",
        "why 2?",
        "no",
        "C",
        "1ではなく",
        "Bではなく別の案で",
        "2で失敗した",
    ],
)
def test_a_reply_that_chooses_nothing_is_its_own_question(reply):
    assert chosen(reply, lambda: OPTIONS) == ""


def test_the_last_message_is_read_only_for_a_choice():
    def read():
        raise AssertionError("read")

    assert chosen("the header overlaps the menu", read) == ""


@pytest.mark.parametrize(
    ("prompt", "left"),
    [
        (r"& 'c:\Users\me\Pictures\Screenshots\Screenshot 2025-11-10 103107.png'", ""),
        ("メニューが重なる'/mnt/c/Users/me/Pictures/スクリーンショット 2025-11-11.png'", "メニューが重なる"),
        (r"see /Users/me/Desktop/Screenshot\ 2025-11-11\ at\ 10.00.png please", "see  please"),
        ("[Image #1] the header overlaps", " the header overlaps"),
        ("[Image: source: /var/folders/xy/paste.png]", ""),
        ("replace /home/me/shop/public/logo.png", "replace /home/me/shop/public/logo.png"),
        ("always save it as /tmp/out/screenshot.png", "always save it as /tmp/out/screenshot.png"),
        ("/repo/docs/画面/home.png に移動して", "/repo/docs/画面/home.png に移動して"),
        ("add docs/screenshots/start.png to the README", "add docs/screenshots/start.png to the README"),
    ],
)
def test_a_screenshot_gives_no_words(prompt, left):
    assert without_attached(prompt) == left
