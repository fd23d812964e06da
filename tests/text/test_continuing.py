"""What only asks to go on with earlier work, and what sounds like it, in English and Japanese."""

import pytest

from memorybank.text.prompts.continuing import continued_by


@pytest.mark.parametrize(
    ("prompt", "work", "step"),
    [
        ("go on", "", 0),
        ("ok, continue please", "", 0),
        ("Carry on with phase 1", "", 1),
        ("phase 2 now", "", 2),
        ("phase two now. on a branch feature/import pls", "", 2),
        ("good morning, keep going", "", 0),
        ("let's start phase 3 of the billing plan", "billing", 3),
        ("continue with the invoice export", "invoice export", 0),
        ("what's next?", "", 0),
        ("whats left", "", 0),
        ("what was the next step?", "", 0),
        ("is anything left of the search plan?", "search", 0),
        ("anything still open?", "", 0),
        ("what remains to do?", "", 0),
        ("where were we with the importer?", "importer", 0),
        ("the next phase please", "", 0),
        ("now the rest", "", 0),
        ("proceed", "", 0),
        ("Let us continue where we left off last time.", "", 0),
        ("continue with last week's parser work", "parser", 0),
        ("step 4 please", "", 4),
        ("続けて", "", 0),
        ("続けてください。", "", 0),
        ("続きお願い", "", 0),
        ("おはようございます。続きをお願いします", "", 0),
        ("移行の続き、次は何だっけ", "移行", 0),
        ("フェーズ2やりましょう。ブランチ feature/load で", "", 2),
        ("次は何をやりますか？", "", 0),
        ("検索の改修、残りは何がある？", "検索 改修", 0),
        ("あと何が残ってる？", "", 0),
        ("昨日の作業を再開して", "", 0),
        ("ステップ3に進んで", "", 3),
        ("どこまでやったっけ", "", 0),
        ("了解、それで進めてください", "", 0),
        ("在庫の集計は、次何でしたっけ", "在庫 集計", 0),
        ("第2段階お願いします", "", 2),
        ("じゃあ、次お願いします", "", 0),
    ],
)
def test_a_prompt_that_continues(prompt, work, step):
    found = continued_by(prompt)
    assert found is not None and (found.work, found.step) == (work, step)


@pytest.mark.parametrize(
    "prompt",
    [
        "continue the loop when the value is empty",
        "the build stops at step 3 with an error",
        "move on the map is slow",
        "use next.js for the page",
        "what's left in the cache after a restart is wrong",
        "add a button that goes on to the next page",
        "the next release needs a changelog, write it",
        "part of the test fails, why?",
        "is anything wrong with the parser?",
        "rest of the api returns 404",
        "go on vacation mode in settings does not work, fix the toggle and add a test",
        "where is the config read?",
        "what is the plan of the database for this query?",
        "resume the upload after a lost connection",
        "proceed only if the lock is free: write that check",
        "go ahead, you may use sudo this time",
        "型エラーが消えるまで続けて",
        "ログを読んだら次に進んで",
        "続けてエラーが3回出ます",
        "続きを読むボタンを追加して",
        "次の関数を直して",
        "残りの容量を表示して",
        "次は税率の計算を直してください",
        "進めてもらった移行の件、件数が合いません",
        "フェーズ2のテストが落ちます",
        "手順1で止まる原因を調べて",
        "あとで見ます",
        "再開ボタンが動かない",
        "どこまでが公開APIか一覧にして",
        "第3四半期の売上を集計して",
        "残高は何桁で丸めている？",
    ],
)
def test_a_prompt_with_a_request_of_its_own_continues_nothing(prompt):
    assert continued_by(prompt) is None
