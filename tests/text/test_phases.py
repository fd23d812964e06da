"""The phase or step of a plan that a prompt asks to go on with, however and wherever it names it, in English and Japanese."""

import pytest

from memorybank.text.prompts.phases import phase_in


@pytest.mark.parametrize(
    ("prompt", "work", "step"),
    [
        ("is the index branch merged? if not merge it. then phase 3 of the archive plan", "archive", 3),
        ("phase3 plz", "", 3),
        ("ok lets do phase three of the mail archive now, tests first", "mail archive", 3),
        ("did we finish phase 1? if so go on with phase 2", "", 2),
        ("rebase onto main first; after that phase 2 of the search plan", "search", 2),
        ("step-4 pls", "", 4),
        ("phase II please", "", 2),
        ("lets do the third phase of the billing plan", "billing", 3),
        ("Please start on step 3 (packing) today.", "packing", 3),
        ("step2 of the tile import, on a branch tiles-proj", "tile import", 2),
        ("is it merged? then the next step of the tile import", "tile import", 0),
        ("予約step3いこう", "予約", 3),
        ("step4先にやる。SMSの文面は短くしてね", "", 4),
        ("ログ見て問題なければマージ。そのあとステップ3進めて", "", 3),
        ("mainにマージして、phase 2やって", "", 2),
        ("マージ終わったら予約のstep 3に進んで", "予約", 3),
        ("会員カード移行、phase3に着手して", "会員 カード 移行", 3),
        ("配送のstep2から再開したい", "配送", 2),
        ("フェーズ２お願い", "", 2),
        ("第二段階に進んでください", "", 2),
        ("3つ目のフェーズお願いします", "", 3),
        ("ステップ5（通知）の実装をお願いします", "通知", 5),
        ("カード移行の次のフェーズお願いします", "カード 移行", 0),
    ],
)
def test_a_phase_that_is_asked_for(prompt, work, step):
    found = phase_in(prompt)
    assert found is not None and (found.work, found.step) == (work, step)


@pytest.mark.parametrize(
    "prompt",
    [
        "step through the debugger and tell me why render is called twice",
        "phase of the moon widget shows the wrong icon, fix it",
        "the build stops in step 3 with exit code 2, why?",
        "add a step 2 label to the signup wizard",
        "in a first phase the users will only see the banner, write the text for it",
        "what was decided in phase 1 about the keys?",
        "one step at a time please: first list the files",
        "rename phase two to rollout in the docs",
        "the next step of the loop is skipped when i is 0",
        "write the release notes, phase 2 users will read them",
        "what's next?",
        "手順を2回繰り返すテストを足して",
        "CIのステップ3が落ちる、原因を調べて",
        "ステップ数を3に増やして",
        "2段階認証を有効にして",
        "工程3の写真が表示されないので直してください",
        "フェーズ1で決めたキーの形式は何でしたか",
        "2番目のステップの説明文を短くして",
        "第3四半期の売上を集計して",
        "ステップ1から順に番号を振って",
    ],
)
def test_one_that_is_only_mentioned_is_not(prompt):
    assert phase_in(prompt) is None
