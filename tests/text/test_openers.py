"""An answer starts with what it answers, without the usual opening phrases. English and Japanese."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memorybank.text.prose.openers import answer_first, only_opens


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        ("Done. The retry limit is 5.", "The retry limit is 5."),
        ("Done — the retry limit is 5.", "the retry limit is 5."),
        ("Perfect! Now I understand the problem: the cache key omits the tenant.", "the cache key omits the tenant."),
        ("All 37 tests pass and lint is clean.\n\nThe port is 8443.", "The port is 8443."),
        ("Tests pass. Committed as `1a2b3c4`. The port is 8443.", "The port is 8443."),
        ("Great question! Here's what I found:\n\n## Summary\n\n- `queue.toml` sets 40", "- `queue.toml` sets 40"),
        ("Here's a summary of all changes made:\n\n---\n\n### Cache\n\nIt lives 90 s.", "### Cache\n\nIt lives 90 s."),
        ("**Summary:** The disk is full.", "The disk is full."),
        ("All done. **The limit** is 5.", "**The limit** is 5."),
        ("I looked into the scheduler. The job starts at 02:14.", "The job starts at 02:14."),
        ("✅ ALL Feed/Podcast Validation Issues FIXED!\n\n🎉 Summary of Fixes Applied:\n\nThe post-processing is gone.", "The post-processing is gone."),
        ("🎉 CONCURRENT UPLOAD TEST: COMPLETE SUCCESS!\n\nThe lock is held for 3 s.", "The lock is held for 3 s."),
        ("Your Vue.js app with charts should now build successfully! The types were missing.", "The types were missing."),
        ("ログイン画面の修正が完了しました！\n\n原因はクッキーの期限です。", "原因はクッキーの期限です。"),
        ("✅ デプロイ成功！\n\n上限は5件です。", "上限は5件です。"),
        ("完了しました。すべてのテストが通りました。原因は3秒の待機です。", "原因は3秒の待機です。"),
        ("ご質問ありがとうございます。調査しました。上限は4096です。", "ご質問ありがとうございます。調査しました。上限は4096です。"),
        ("ありがとうございます。調査しました。結論から言うと、上限は4096です。", "上限は4096です。"),
        ("修正が完了しました！\n\n変更内容は以下の通りです。\n\n- `a.py`: 待機を3秒に", "- `a.py`: 待機を3秒に"),
        ("通知が遅れる、よくある原因と回避策を以下に示します。\n\n待機が3秒あるためです。", "待機が3秒あるためです。"),
        ("The causes and the workarounds are listed below. The port is 8443.", "The port is 8443."),
        ("以下は、負荷が高い場合に費用を下げるための分割案です。\n\n桟橋ごとに分けます。", "桟橋ごとに分けます。"),
        ("以下は、潮汐表を分割する案です。\n\n桟橋ごとに分けます。", "桟橋ごとに分けます。"),
        ("以下のような表を作成できます。列は三つです。", "列は三つです。"),
        ("具体的には、以下の修正を `tide.py` に加えました。\n\n- 上限を3にしました。", "- 上限を3にしました。"),
        ("承知しました。\n\n## まとめ\n\nポートは8443です。", "ポートは8443です。"),
    ],
)
def test_openers_are_skipped(text, answer):
    assert answer_first(text) == answer


@pytest.mark.parametrize(
    "text",
    [
        "Done.",
        "完了しました。",
        "All tests pass.",
        "",
        "All tests pass, but the export still times out after 30 s.",
        "The tests failed because `conftest.py` was removed.",
        "Yes, the index is rebuilt at 03:00.",
        "I have three ideas: a queue, a lock, a cron job.",
        "- first item\n- second item",
        "テストは3件通りましたが、1件は失敗しています。",
        "はい、再試行は3回です。",
        "以下のように`tide_rows`を修正し、上限を3にしました。",
        "次の潮汐表を保存します。",
        *(
            "5秒以下の値を指定すると失敗します。",
            "10MB以下の画像を受け付けます。",
            "src以下の生成物を毎晩削除します。",
            "docs以下に置きます。",
            "10秒以下に短縮しました。",
        ),
        "目次に港を追加しました。",
        *("以下のファイルは削除しないでください。", "以下のコマンドは本番で禁止です。", "以下の場合は保存されないことになります。", "以下の設定は不要です。"),
        "以下の書き方は避けてください。",
        *("以下のAPIは廃止しました。", "以下のディレクトリは読み取り専用です。", "以下の理由でRedisを採用しました。", "以下は古い情報です。"),
        *("以下のAPIは1分に10回まで呼び出しできます。", "以下が失敗する原因は、ポートが8443に固定されているためです。"),
    ],
)
def test_an_answer_stays_and_so_does_a_text_of_nothing_else(text):
    assert answer_first(text) == text


@given(
    st.lists(st.sampled_from(["Done. ", "Perfect! ", "完了しました。", "Here's a list:\n", "## Summary\n", "x = 3 ", "---\n", "**", "原因は"]), max_size=8).map(
        "".join
    )
)
def test_what_is_left_is_an_end_of_the_text_and_has_no_opener(text):
    answer = answer_first(text)
    assert text.strip().endswith(answer) and answer_first(answer) == answer
    assert bool(answer) == bool(text.strip())


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        ("The importer reads 100 rows.\n\nROLE: You are a parser developer\nTASK: port it", "The importer reads 100 rows."),
        ("Here is the text to paste.\n\nYou are an experienced Rust engineer.\nTask: port the parser.", "Here is the text to paste."),
        ("取り込みは100行ずつ読みます。\n\n役割：あなたは優秀なエンジニアです。移植してください。", "取り込みは100行ずつ読みます。"),
        ("ROLE: You are a parser developer\nTASK: port it", ""),
        ("完全におっしゃる通りです！鍵が古いままでした。", "鍵が古いままでした。"),
        ("You're right - I got confused by my own notes. The key was old.", "The key was old."),
        ("申し訳ありません。鍵が古いままでした。", "鍵が古いままでした。"),
    ],
)
def test_an_answer_ends_where_a_text_for_another_agent_begins(text, answer):
    assert answer_first(text) == answer


@pytest.mark.parametrize(
    "text",
    [
        "System: You are on Ubuntu 22.04, so the wheel is built with glibc 2.35.",
        "You are the reviewer of record, so the merge waits for you. The limit is 50.",
        "あなたはこのリポジトリの担当者ですので、承認が必要です。上限は50件です。",
        "The prompt of the reviewer is now:\n\n```\nYou are a strict code reviewer.\nTask: review\n```\n\nThe limit of loans is 50 in `loans.py`.",
        "I was mistaken: retries wait 30 s, not 3 s.\n\nThe job reads pages.",
    ],
)
def test_an_answer_that_speaks_to_its_reader_is_kept(text):
    assert answer_first(text) == text


@pytest.mark.parametrize(
    "headline",
    [
        "No, the webhook was never implemented!",
        "Yes, the endpoint is already implemented!",
        "The payment webhook isn't working!",
        "The tests are not passing yet.",
        "Warning: this deletes all rows that were created!",
        "Do not deploy on Fridays, the job at 17:00 removes what was updated!",
        "The limit is now 100 requests per minute and the change is deployed!",
        "The export writes a byte order mark so that Excel opens it, and it is working!",
        "Password reset endpoint with a signed token added!",
        "ログインはまだ完了していません！",
        "タイムアウトを90秒にして、アップロードに成功しました！",
        "キャッシュを消すまで完了しません！",
    ],
)
def test_a_shout_that_denies_or_tells_something_is_an_answer(headline):
    assert answer_first(f"{headline}\n\nThe job starts at 02:14.").startswith(headline)
    assert not only_opens(headline)
