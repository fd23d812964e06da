"""What an agent is about to do, in English and Japanese."""

import pytest

from memorybank.text.prose.plans import plans


@pytest.mark.parametrize(
    "sentence",
    [
        *(
            "Let me check the log.",
            "OK, now I'll rename the column.",
            "Then I need to restart the worker.",
            "Run the tests again.",
            "- Let's verify that the lint passes:",
        ),
        *("次に移行スクリプトを書きます。", "まずログを見ましょう。", "もう一度テストを実行してください。", "設定を確認してみます。"),
    ],
)
def test_a_next_step_is_a_plan(sentence):
    assert plans(sentence)


@pytest.mark.parametrize(
    "sentence",
    [
        *("The worker needs a restart.", "It runs the tests again after a failure.", "Now the export has a limit.", "Letters are sorted."),
        *(
            "これからは UTC で保存します。",
            "これから回答は日本語でお願いします",
            "次に実行されるのは移行です。ログは残ります。",
            "まず失敗するテストを書いてください",
            "まずキャッシュを確認し、なければ表から読み、10分間保存します。",
        ),
    ],
)
def test_what_is_so_or_is_asked_for_is_none(sentence):
    assert not plans(sentence)
