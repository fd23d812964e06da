"""What is left to do, and what only sounds so: reports, promises and suppositions, in English and Japanese."""

import pytest

from memorybank.summarize import sentences
from memorybank.text.prose.open_points import names_open, without_open_sections


@pytest.mark.parametrize(
    "sentence",
    [
        "Left of the plan: phase 4 (README, man page)",
        "Phase 2 (the cli) is next.",
        "The importer does not read `<time>` yet.",
        "The retry queue is still missing.",
        "Two of the remaining five tests fail on Windows.",
        "Next: the export of invoices.",
        "I filed the flaky test as #214.",
        "The follow-up is to drop the old column.",
        "The remaining files were added to the TODO list.",
        "The parser still needs a limit for nested lists.",
        "returns のスキーマはまだです。",
        "フェーズ2は完了、次は並行稼働です。",
        "残りは監視の設定だけです。",
        "一部だけ対応しました。残りは明日です。",
        "残課題は README の更新です。",
        "これから負荷試験に着手します。",
        "今後の対応として、古い列の削除が必要です。",
        "未対応の3件は課題に追加しました。",
        "権限の確認がまだ終わっていません。",
        "エラー処理は未実装のままです。",
        "Still open in this phase: the warning on stderr for old files.",
    ],
)
def test_work_that_is_left_is_open(sentence):
    assert names_open(sentence)


@pytest.mark.parametrize(
    "sentence",
    [
        "The remaining tests are green now.",
        "All remaining call sites have been migrated.",
        "I fixed the remaining warnings.",
        "Nothing is left to do.",
        "There are no open questions.",
        "From now on I will list the remaining steps first.",
        "I'll keep that in mind for the remaining phases.",
        "The export may not be there yet at two o'clock.",
        "The known bug in the parser is fixed.",
        "The button opens the dialog.",
        "The parser refuses a file whose trailer is missing.",
        "It exits with 3 if the lock is missing.",
        "在庫がまだない場合は0を返します。",
        "わかりました。今後のコミットメッセージは英語で書きます。",
        "これからは税抜で統一します。",
        "次回から確認してから消すようにします。次は気をつけます。",
        "残りのテストも直しました。",
        "残っていた警告はすべて解消しました。",
        "未対応だった3件に対応しました。",
        "未解決の問題はありません。",
        "3:20 のままだと途中で CSV が書きかけになります。",
        "前日の CSV がまだ出ていない可能性があります。",
        "目次は自動で作られます。",
        "課題は解決しました。",
    ],
)
def test_what_is_done_promised_or_supposed_is_not_open(sentence):
    assert not names_open(sentence)


@pytest.mark.parametrize(
    "line",
    [
        "2時台は、前日の CSV が出ていません。",
        "2.5 GB of memory are needed.",
        "404 is returned for unknown ids.",
        "3割が失敗します。",
        "2026-10-09 is the first day.",
        "10.20.8.0/24 is the new subnet.",
        ".env is not read.",
        "-x stops at the first failure.",
        "--force overwrites the file.",
        "1つ目の原因はロックです。",
    ],
)
def test_the_number_that_begins_a_sentence_is_no_list_mark(line):
    assert sentences.cut(line) == [line]


@pytest.mark.parametrize(
    "line", ["- It works.", "2. It works.", "3) It works.", "* It works.", "## It works.", "> It works.", "- **It works.**", "1. 2. It works.", "-> It works."]
)
def test_list_marks_are_left_out(line):
    assert sentences.cut(line) == ["It works."]


@pytest.mark.parametrize(
    ("answer", "done"),
    [
        ("Done.\n\n### Next Steps\nThe remaining tasks are:\n- tracing\n\nThey are ready.\n\n### Files\n- a.py", "Done.\n\n### Files\n- a.py"),
        ("Fixed.\n\nNext steps:\n1. docs\n2. release\n\nThe cache keeps 5 entries.", "Fixed.\n\nThe cache keeps 5 entries."),
        ("**What's left:**\n- x\n\n**Summary**\n- done", "**Summary**\n- done"),
        ("対応しました。\n\n## 残タスク\n- 画面\n\n## 変更点\n- API", "対応しました。\n\n## 変更点\n- API"),
        ("直しました。\n\n次のステップ：\n- デプロイ\n\n上限は5件です。", "直しました。\n\n上限は5件です。"),
    ],
)
def test_a_section_of_what_is_left_is_no_result(answer, done):
    assert without_open_sections(answer) == done


@pytest.mark.parametrize(
    "answer", ["The next step is to deploy. It works.", "Next: deploy on Friday.\nThe limit is 5.", "## Remaining budget\n- 5", "残りの日数は5日です。"]
)
def test_what_only_mentions_such_words_stays(answer):
    assert without_open_sections(answer) == answer
