"""Sentences that say what to mind, and those that only report; requests that make something, and other prompts."""

import pytest

from memorybank.text.prompts.building import builds
from memorybank.text.prose.cautions import cautions, is_for_later


@pytest.mark.parametrize(
    "sentence",
    [
        "A raw ^ ends the ZPL field, and the printer drops the rest.",
        "GLS times have no offset and are read as Europe/Berlin.",
        "The webhook must answer within 5 seconds.",
        "Excel reads the file only with a byte order mark.",
        "References longer than 35 characters are truncated.",
        "Whoever adds a currency has to extend `rates.toml` too.",
        "Timestamps are in UTC.",
        "Bounding boxes do not exist yet; when somebody adds them, they will have the same problem.",
        "returns は件数でなく金額で突合する必要があります。",
        "$ はシェルで展開されるので注意してください。",
        "商品コードは文字列のまま扱わないと先頭のゼロが落ちます。",
        "時刻は UTC で届きます。",
        "1分に60件までしか受け付けません。",
        "返品のモデルを作るときは同じ対応が必要です。",
    ],
)
def test_what_to_mind_is_a_caution(sentence):
    assert cautions(sentence)


@pytest.mark.parametrize(
    "sentence",
    [
        "I added a test and all checks pass.",
        "The column is renamed in the schema and 11 templates.",
        "The readme still has to be updated.",
        "Must the column be renamed too?",
        "`parse(text)` — rejects lines without a colon",
        "The Edit tool isn't matching the indentation.",
        "検索を付けました。",
        "テストは全部通っています。",
        "READMEの更新がまだ必要です。",
        "3秒が0.2秒になりました。",
    ],
)
def test_a_report_is_none(sentence):
    assert not cautions(sentence)


def test_what_is_said_to_whoever_does_it_later():
    assert is_for_later("When somebody adds them, they have to be flipped.")
    assert is_for_later("店の営業日に合わせるとき、追加する場合は9時間足します。")
    assert not is_for_later("If you want, I can add a test.")


@pytest.mark.parametrize(
    "sentence",
    [
        "add a bbox to the stats output",
        "please make the sign printer print a second field",
        "can you read the elevation from the file as well",
        "we need an export for the accountant",
        "返品の日次モデルもほしいです",
        "returns を取り込む",
        "棚札に在庫数も送りたい",
        "CSVにメールアドレスの列を足して",
    ],
)
def test_a_request_to_make_something(sentence):
    assert builds(sentence)


@pytest.mark.parametrize(
    "sentence",
    ["which table has the returns?", "why is the label cut?", "thanks, that looks good", "run the tests", "これは何ですか？", "ありがとう、助かりました"],
)
def test_other_prompts(sentence):
    assert not builds(sentence)
