"""What an answer says of its moment, what it only supposes, and what holds later, in English and Japanese."""

import pytest

from memorybank.text.prompts.questions import asks_for_open
from memorybank.text.prose.momentary import fails_now, is_momentary, is_supposed, lasting


@pytest.mark.parametrize(
    "sentence",
    [
        "The command that restores a backup is still missing.",
        "I can add a dry run if you want.",
        "Docs updated: Say when you want to start.",
        "使っているタグを教えてもらえれば、設定を固定します。",
        "The thumbnails are not resized yet.",
        "feature/oauth is ready to be merged.",
        "There is no documentation yet.",
        "Only the German locale is translated so far.",
        "The schema of `orders` is undecided; tell me which you prefer.",
        "Next: the invoice PDF.",
        "The migration of the old avatars is still pending.",
        "We never backfilled the rows from before March.",
        "`render_map` is only a stub.",
        "The search still lacks a limit.",
        "The permission check needs your approval.",
        "Let me know whether the colours are right.",
        "I could split the module into two.",
        "検索画面はまだ実装していません。",
        "次は権限の移行です。",
        "ログの保存期間をどうするか決めてください。",
        "添付ファイルの削除も追加しましょうか？",
        "レビュー待ちです。",
        "CSV の出力は実装中です。",
        "必要であれば古い画像を消すスクリプトも書けます。",
        "feature/login はマージできる状態です。",
        "The dark theme has no toggle yet.",
        "PR #88 is up and waiting for review.",
        "Do you want me to bump the version as well?",
        "The staging certificate has not been renewed.",
        "The changes are not committed.",
        "Not covered: uploads larger than 2 GB.",
        "決済のエラー処理はこれから作ります。",
        "コミットはまだしていません。",
        "管理画面は後回しにしました。",
        "マイグレーションは未適用です。",
        "次回は通知の続きから始めます。",
        "My recommendation: keep the queue in SQLite and add a git hook for the rest.",
        "Given that, I'd go with option B.",
        "Option B: one file per session.",
        "The cloud should adopt the project model wholesale.",
        "Want to dig into any section?",
        "One thing to confirm on your end: the local server has the login endpoint.",
        "設定はTOMLに移すのがおすすめです。",
        "案B: セッションごとにファイルを分けます。",
        "キューはSQLiteに残すほうがよいと思います。",
    ],
)
def test_the_state_of_a_moment_is_left_out(sentence):
    assert is_momentary(sentence)
    assert lasting(f"Avatars are cropped to 256 pixels.\n{sentence}") == "Avatars are cropped to 256 pixels."
    assert lasting(sentence, lambda said: False) == sentence


@pytest.mark.parametrize(
    "sentence",
    [
        "If the folder does not exist yet, it is created.",
        'The button "Next" opens the second page.',
        "It failed because the table did not exist yet when the trigger fired.",
        "From now on I'll write the release notes in Spanish.",
        "I can reproduce it with two tabs.",
        "The old cookie is still accepted so that nobody is logged out.",
        "The remaining bytes are padded with zeros.",
        "The `TODO` comments are listed by `make todo`.",
        "Rows stay in `pending` until the worker picks them up.",
        "It failed because the table did not exist yet when the trigger fired.",
        "We never retry POST requests.",
        "The old cookie is still accepted so that nobody is logged out.",
        "All remaining call sites have been migrated.",
        "キャッシュがまだない場合は作り直します。",
        "残り時間は秒で持ちます。",
        "未決済の注文は 30 日で消えます。",
        "残っていた警告はすべて解消しました。",
        "次のページはカーソルで取得します。",
        "待ち行列は Redis に置いています。",
        "対応中のチケットは色を変えて表示します。",
        "原因は時差でした。",
        "Unconfirmed accounts are deleted after seven days.",
        "Tokens left in the cache expire after an hour.",
        "We chose SQLite so far as no server is needed.",
        "The still images are rendered at night.",
        "Mails are queued for now-1h and later.",
        "The API returns 202 while the export is running.",
        "残りの在庫は毎時更新されます。",
        "明日の日付で締めるので、0時を過ぎると翌月になります。",
        "予定表は Google カレンダーから取得します。",
        "テストは Docker が必要です。",
        "Remaining agents are checked in alphabetical order.",
        "Each field is read alone, with the global value for whichever one is missing.",
    ],
)
def test_a_condition_a_cause_and_what_is_only_called_so_stay(sentence):
    assert not is_momentary(sentence)
    assert lasting(sentence) == sentence


@pytest.mark.parametrize(
    "sentence",
    [
        "It seems that the CDN strips the header.",
        "The timeout is probably caused by the proxy.",
        "I suspect the garbage collector.",
        "The Edit tool isn't matching the tab-based indentation.",
        "This might be because of the old driver.",
        "The string to replace was not found in the file.",
        "Apparently the font is loaded twice.",
        "My guess is that two jobs share the folder.",
        "The build server appears to have an older Node.",
        "Perhaps the index is missing.",
        "プロキシが原因かもしれません。",
        "古いドライバのせいのようです。",
        "メモリ不足と思われます。",
        "おそらくフォントが二重に読み込まれています。",
        "Edit ツールがタブを認識していません。",
        "キャッシュの期限が切れている可能性が高いです。",
        "証明書が古いようです。",
    ],
)
def test_a_supposed_cause_is_none(sentence):
    assert is_supposed(sentence)
    assert lasting(sentence, lambda said: False) == ""


@pytest.mark.parametrize(
    "sentence",
    [
        "The CDN strips the header because of a rule of 2019.",
        "The page seems small on phones, so the font is 18 px now.",
        "I think we should use Postgres.",
        "The export may be called twice.",
        "The tool tip shows the date.",
        "The value may be null.",
        "I would prefer a table per tenant.",
        "The test looks for the string to show.",
        "Users could be deleted by an admin.",
        "Edit mode is for admins only.",
        "The cause was the proxy: it drops idle connections after 60 s.",
        "プロキシは 60 秒で接続を切ります。",
        "テーブルを分けるべきと思います。",
        "原因は証明書の期限切れでした。",
        "このように設定してください。",
        "ようこそ画面は 3 秒で消えます。",
        "同じようにメールも送ります。",
        "A line like `package main` is likely a common beginning.",
        "It works by pairing odd and even indices.",
        "The confusing name was renamed to parse_all.",
        "The strange quoting comes from PowerShell, which escapes twice.",
        "奇妙な文字コードは Shift_JIS でした。",
        "謎の改行は CRLF が原因です。",
    ],
)
def test_a_fact_an_opinion_and_a_possibility_are_no_supposed_cause(sentence):
    assert not is_supposed(sentence)


@pytest.mark.parametrize(
    "said",
    [
        "It seems that the CDN strips the header. Confirmed: without its rule the header is there.",
        "I suspect the proxy.\n\nThe cause was the proxy: it drops idle connections after 60 s.",
        "プロキシが原因かもしれません。切断を再現しました。",
    ],
)
def test_what_a_later_sentence_confirms_stays(said):
    assert lasting(said) == said


def test_the_rest_of_a_text_keeps_its_form():
    said = "The mail goes out at 9. The footer is still missing.\n- one list\n- another list, not done yet\n\nRemaining:\n- pagination\n\nThe queue is Redis."
    assert lasting(said) == "The mail goes out at 9.\n- one list\n\n\nThe queue is Redis."


@pytest.mark.parametrize(
    ("prompt", "is_asked"),
    [
        ("what is still missing in the importer?", True),
        ("What's left of the migration", True),
        ("where were we with the invoices?", True),
        ("finish the rest of the exporter", True),
        ("残りは何ですか", True),
        ("移行はどこまで終わりましたか", True),
        ("why does the worker drop events?", False),
        ("add a column for the language", False),
        ("取り込みのテストを直して", False),
    ],
)
def test_a_prompt_may_ask_for_what_is_open(prompt, is_asked):
    assert asks_for_open(prompt) is is_asked


@pytest.mark.parametrize(
    "sentence",
    [
        "Yes — everything is pushed and clean: `On branch x`.",
        "Both commits are on `origin/cart`, and the epic is closed.",
        "the `triggers.py` file looks correct.",
        "Unfortunately, the error is still occurring.",
        "Is there anything else I can help with?",
        "Line 98 contradicts the plan.",
        "The image could be too large.",
    ],
)
def test_states_of_git_and_of_a_check_are_over(sentence):
    assert lasting(sentence) == ""


@pytest.mark.parametrize(
    "sentence",
    ["The cache is committed to git.", "All changes are committed by the bot every night.", "The queue is clean after each run because the hook empties it."],
)
def test_what_is_always_so_stays(sentence):
    assert lasting(sentence) == sentence


@pytest.mark.parametrize(
    "sentence",
    [
        "We went with option B: one file per session.",
        "I recommended B, and it is in now.",
        "Always run `make gen` first, I'd suggest it because the build reads its output.",
        "`resume` should never read the blob.",
        "案Bを採用しました。",
        "推奨値は30秒に固定されています。",
        "Plan B: the fallback queue holds orders for 24 hours.",
        "The client should consider 429 as a retry.",
        "Clients should switch to v2 before June.",
        "One thing to check: the port is 5433, not 5432.",
        "Proposal A was chosen: Redis.",
        "案1は採用済み",
        "It was decided to keep Postgres.",
    ],
)
def test_what_was_decided_is_no_proposal(sentence):
    assert not is_momentary(sentence)


def test_a_sentence_goes_with_the_one_that_names_its_subject():
    assert lasting("The worker keeps one lock. The dark theme has no toggle yet. It needs a cookie.") == "The worker keeps one lock."
    assert lasting("The worker keeps one lock. It needs a cookie. The dark theme has no toggle yet.") == "The worker keeps one lock. It needs a cookie."


def test_an_offer_of_nothing_in_particular_is_left_out_at_any_time():
    assert lasting("The lock is per worker. Is there anything else I can help you with?", lambda sentence: False) == "The lock is per worker."


@pytest.mark.parametrize(
    ("said", "rest"),
    [
        ("Let me know if you want more. This is the root cause: the pool holds 5 connections.", "This is the root cause: the pool holds 5 connections."),
        ("ほかに何かありますか？ これが原因でした：プールは5本です。", "これが原因でした：プールは5本です。"),
        ("The cache is still missing.\n\nIt reads the port from PORT.", "It reads the port from PORT."),
        ("画面のテストは未確認です。\n\nこれはPORTからポートを読みます。", "これはPORTからポートを読みます。"),
        ("I could write a backfill. This must run first because the index is empty.", "This must run first because the index is empty."),
        ("I could write a backfill. It would fill the column.", ""),
    ],
)
def test_a_cause_and_another_line_do_not_go_with_what_is_over(said, rest):
    assert lasting(said).strip() == rest


@pytest.mark.parametrize(
    "sentence",
    [
        "The migration tool is failing because it requires a valid connection string.",
        "The login is failing.",
        "The build succeeded, but now there's a runtime error in `clients`.",
        "The e2e job is still timing out.",
        "Unfortunately, the error is still occurring.",
        "移行ツールが失敗しています。接続文字列がないためです。",
        "ログインでエラーが出ています。",
    ],
)
def test_what_fails_in_the_midst_of_work_is_of_that_moment(sentence):
    assert is_momentary(sentence)


@pytest.mark.parametrize(
    "sentence",
    [
        "The export fails when the folder is read-only, because it writes beside the file.",
        "The import is failing whenever a row has no date.",
        "The login failed because the cookie had no domain; it has one now.",
        "A failing check stops the release.",
        "空の行があると取り込みは失敗します。",
        "日付がない場合は取り込みでエラーが出ています。",
    ],
)
def test_what_fails_under_a_condition_or_failed_is_not(sentence):
    assert not is_momentary(sentence)


@pytest.mark.parametrize(
    "sentence",
    [
        "Outgoing SMTP is blocked in the data centre, so mail goes through the Postmark API.",
        "`npm ci` is broken with Node 23, so the Dockerfile pins Node 22.",
        "Hot reload is broken in Docker on macOS, so `CHOKIDAR_USEPOLLING=1` is set in compose.yml.",
        "The mirror keeps timing out, so the image is pulled from ECR.",
        "The old exporter is never not crashing.",
        "You can either deploy with `make ship` or with the GitHub button, because both call `deploy.sh`.",
        "本番では外向き SMTP が停止しているので、メールは Postmark API で送ります。",
        "ミラーがタイムアウトしているため、イメージは ECR から取得します。",
        "夜間バッチ `nightly.py` は日曜に停止しています。",
        "IE11 では動作していません。",
        "この列は常に壊れています。",
        "古い端末はいつも固まっています。",
    ],
)
def test_what_fails_for_good_and_what_is_done_instead_stay(sentence):
    assert not is_momentary(sentence) and not fails_now(sentence)
    assert lasting(sentence) == sentence


@pytest.mark.parametrize(
    "sentence",
    [
        "The login is broken, so I can't test the cart.",
        "The worker is crashing, so nothing is sent.",
        "ログインが壊れているので、カートを確認できません。",
    ],
)
def test_a_failure_that_only_hinders_the_work_is_of_that_moment(sentence):
    assert fails_now(sentence)
