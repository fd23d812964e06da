"""Several sentences of one rule: each that constrains is kept, and one without an object of its own together with the sentence that has it."""

import pytest

from memorybank.text.prompts.objectless import lacks_object
from memorybank.text.prompts.statements import statements

RUNS = {
    "日本語のエラーメッセージは必ず app/messages.py にだけ書いてください。ルーターに直接書かないこと。翻訳会社がそのファイルだけを見るからです。": [
        "日本語のエラーメッセージは必ず app/messages.py にだけ書いてください。ルーターに直接書かないこと。",
    ],
    "API のエラーは必ず errors.ts に定義してください。コンポーネントに直接書かないこと。": [
        "API のエラーは必ず errors.ts に定義してください。コンポーネントに直接書かないこと。",
    ],
    "テストデータは tests/fixtures に置いてください。コードに直接書かないこと。": [
        "テストデータは tests/fixtures に置いてください。コードに直接書かないこと。",
    ],
    "消費税は税率ごとに1回だけ丸めると決まっています。明細ごとに丸めるのは禁止です。": [
        "消費税は税率ごとに1回だけ丸めると決まっています。",
        "明細ごとに丸めるのは禁止です。",
    ],
    "Error messages always live in app/messages.py. Never write them into the routers. The translators only look at that file.": [
        "Error messages always live in app/messages.py. Never write them into the routers.",
    ],
    "All SQL goes into queries/. Please don't put it in the handlers.": [
        "All SQL goes into queries/. Please don't put it in the handlers.",
    ],
    "Put every feature flag in flags.toml. Never hard-code them.": [
        "Put every feature flag in flags.toml. Never hard-code them.",
    ],
    "Never run migrations by hand. Always use make migrate.": [
        "Never run migrations by hand.",
        "Always use make migrate.",
    ],
    "ログの文言は必ず英語で書いてください。日本語は入れないこと。": [
        "ログの文言は必ず英語で書いてください。",
        "日本語は入れないこと。",
    ],
    "Thanks, that helps. Never write them into the routers.": [
        "Never write them into the routers.",
    ],
}
CUSTOMS = [
    "We don't deploy on Fridays, by the way, nobody is on call on Saturday.",
    "We don't deploy on Fridays.",
    "we never deploy on a Friday",
    "We do not merge on weekends",
    "By the way, we don't release on Fridays.",
    "we don't work on the main branch directly",
    "We never restart the broker during business hours.",
    "We don't run migrations during the day.",
    "We don't touch the vendor folder.",
    "金曜日はデプロイしません。",
    "金曜はリリースしない",
    "うちは金曜にデプロイしません",
    "週末はマージしません。",
    "営業時間中はデータベースを再起動しません",
    "18時以降は本番に反映しません。",
]
PASSING = [
    "We don't deploy today.",
    "We don't merge it yet.",
    "We don't touch the schema in this PR.",
    "We don't run into that on Linux.",
    "we don't get any rows back",
    "We don't see the button on Fridays.",
    "We don't render the list on the first load.",
    "We never got an answer.",
    "we don't change it",
    "今日はデプロイしません。",
    "まだリリースしません",
    "ボタンを押しても保存しません。",
    "サーバーが起動しません。",
    "土曜日に届くメールが表示されません",
]


@pytest.mark.parametrize(("prompt", "kept"), RUNS.items())
def test_each_sentence_of_a_rule_is_kept_with_its_object(prompt, kept):
    assert [one.text for one in statements(prompt)] == kept


@pytest.mark.parametrize("custom", CUSTOMS)
def test_what_a_team_does_not_do_is_a_constraint(custom):
    assert [one.kind for one in statements(custom)] == ["constraint"]


@pytest.mark.parametrize("sentence", PASSING)
def test_what_does_not_happen_today_or_in_the_product_is_none(sentence):
    assert statements(sentence) == []


@pytest.mark.parametrize(
    "prompt",
    [
        "tests/test_worker.py fails about one time in ten in CI. Find out why.",
        "`make check` is failing since the upgrade. Please fix it.",
        "`make check` が失敗します。原因を調べてください。",
    ],
)
def test_a_fault_that_is_to_be_repaired_is_no_fact(prompt):
    assert statements(prompt) == []
    assert len(statements(prompt.partition(". ")[0].partition("。")[0])) == 1


@pytest.mark.parametrize(
    "sentence",
    ["Don't put that file under git.", "レビューなしでマージしないでください", "公開APIは変更しないこと", "依存パッケージを増やさないで"],
)
def test_an_order_that_names_what_it_is_about_stands_alone(sentence):
    assert not lacks_object(sentence)
