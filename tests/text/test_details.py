"""Sentences that only detail the request of their prompt are not kept; what lasts, or applies to a kind that recurs, is, in English and Japanese."""

import pytest

from memorybank.text.prompts.details import details
from memorybank.text.prompts.sentences import sentences
from memorybank.text.prompts.statements import statements

DETAILS = [
    "yes please, only for the importer",
    "yep pls only for guests",
    "update jest and babel, one commit each",
    "bump the actions - one commit each",
    "upgrade jest and babel, a separate commit each",
    "convert the notebooks to scripts, one PR each",
    "extract the parsers into modules, one module per format",
    "add a retry to the mailer. max 4 attempts, no jitter",
    "在庫の月次モデルを作って。金額は税込で",
    "キューも足して。modeはprivateで",
    "ブランチを切って調べて。名前はfix/mailで",
    "PRを出して。タイトルは「夜間バッチの前倒し」で",
    "会員登録のAPIを書いて。レスポンスはJSONで、日付はISO8601で",
    "検索APIを追加して。件数は20件までで",
    "cronに1本追加。時刻は4:30で",
    "雛形を作って。ライセンスはMITで",
    "コマンドを書いてくれる？エンコードはUTF-8で",
    "メール通知を止めて。対象は管理者だけで",
    "帳票を出力できるようにして。用紙はA4でお願いします",
    "jestとbabelを上げて、コミットは別々で",
    "jestとbabelを上げて。コミットは別々で",
]
LASTING = [
    "update jest and babel. always one commit per dependency",
    "one commit per change",
    "add the endpoint. commit messages in English please",
    "rename it. variable names in English please",
    "fix the cron. never push to main",
    "upgrade node. from now on one commit per package",
    "rename the module. no abbreviations in variable names",
    "add an export. we only use tabs",
    "yes, but never on main",
    "金額は税込で扱うこと",
    "在庫の月次モデルを作って。金額は必ず税込で",
    "在庫の月次モデルを作って。今後も金額は税込で",
    "在庫の月次モデルを作って。ルール：金額は税込で",
    "在庫の月次モデルを作って。うちでは金額はすべて税込で扱います",
    "不具合を直して。コミットメッセージは英語で",
    "関数を足して。変数名はキャメルケースで",
    "テストも足して。外部APIはモックしないで",
    "ブランチを切って直して。mainには直接コミットしないで",
    "スクリプトを書いて。コミットは機能ごとに分けて",
    "コミットメッセージは英語で",
]


@pytest.mark.parametrize("prompt", DETAILS)
def test_what_details_the_request_of_its_prompt_states_nothing(prompt):
    assert statements(prompt) == []


@pytest.mark.parametrize("prompt", LASTING)
def test_what_lasts_or_holds_for_a_kind_that_recurs_is_kept(prompt):
    assert statements(prompt) != []


@pytest.mark.parametrize("said", ["amounts in cents. add a csv export", "金額は税込で。在庫の月次モデルを作って"])
def test_only_what_follows_a_request_details_it(said):
    assert details(sentences(said)) == set()


@pytest.mark.parametrize("said", ["update jest and babel. one commit each. max 3 attempts", "帳票を作って。用紙はA4で。向きは横で"])
def test_a_request_has_several_details(said):
    assert details(sentences(said)) == {1, 2}


@pytest.mark.parametrize("prompt", ["add a report. headers in English. Always.", "モデルを作って。金額は税込で。今後も。"])
def test_a_detail_lasts_if_the_next_sentence_says_so(prompt):
    assert len(statements(prompt)) == 1


@pytest.mark.parametrize(
    ("before", "prompt"),
    [
        ("upgrade jest and babel", "and one commit each"),
        ("port the widget to react", "only named exports in it"),
        ("請求書の出力を作って", "あと、金額は税抜で"),
        ("CSVの取込を作って", "文字コードはUTF-8で"),
        ("通知を実装して", "あと時刻はJSTで"),
    ],
)
def test_what_details_the_request_before_states_nothing(before, prompt):
    assert statements(prompt, before) == []


@pytest.mark.parametrize(
    ("before", "prompt"),
    [
        ("write the export", "always headers in English"),
        ("write a script", "and commit messages in English"),
        ("what does the importer do?", "headers in English please"),
        ("請求書の出力を作って", "今後、金額は必ず税抜で"),
        ("検索欄を追加して", "コミットメッセージは英語で"),
    ],
)
def test_what_lasts_is_kept_after_a_request(before, prompt):
    assert len(statements(prompt, before)) == 1
