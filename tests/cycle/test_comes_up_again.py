"""A question that was answered before comes up again: the text shown at the prompt contains what was found, and other prompts get nothing.

Twelve sessions on twelve days, each a question with a finding, in English and Japanese; then each question again, in other words.
"""

import pytest

from memorybank.cycle.recall import recollect
from tests.conftest import NOW
from tests.cycle.recalling import Remembering, prompt

ASKED_AND_FOUND = [
    (
        "The nightly sync of the warehouse stock dies around two in the morning. Can you find out why?",
        "**Cause.** The stock sync dies because the database closes connections that are idle for more than 900 seconds, and the aggregation"
        " step holds one open while it works. I set `pool_recycle` to 840 in `jobs/stock_sync.py`.\n\nThe sync has a regression test now.",
        "why does the stock synchronisation job lose its database connection at night?",
        "pool_recycle",
    ),
    (
        "Which port does the preview server of the design system listen on? The docs say 6006 and nothing answers there.",
        "The preview server of the design system listens on port 7411: `scripts/preview.mjs` overrides the default, since 6006 is taken by"
        " the old Storybook on the shared machines.\n\nI corrected `docs/preview.md`.",
        "what port is the design system preview on?",
        "7411",
    ),
    (
        "Customers in Brazil see their invoice total off by one cent. What is going on with the rounding?",
        "Rounding happens twice: `LineItem.total` rounds each line half even, and `Invoice.total` rounds the sum of the rounded lines again."
        " The tax office expects the sum to be rounded once, half up.\n\n- `billing/invoice.py` sums unrounded amounts now\n- 41 tests pass",
        "an invoice in Brazil is a cent too high again, how are we supposed to round totals?",
        "half up",
    ),
    (
        "Is it safe to bump the image library to version 3? I would like the AVIF support.",
        "Not yet. Version 3 of the image library drops the `progressive` flag of its JPEG encoder, and `media/thumbs.py` relies on it for the"
        " gallery. Stay on 2.9 until upstream issue 1182 is closed; AVIF works there behind `enable_avif`.",
        "can we upgrade the image library to get AVIF?",
        "1182",
    ),
    (
        "How long do we keep the audit trail of admin logins? Legal asks.",
        "Audit records of admin logins are kept 400 days: `retention.admin_login` in `config/audit.toml`. The purge job runs on Sundays and"
        " leaves records with a legal hold alone.",
        "for legal: how many days is the admin login audit retained?",
        "400 days",
    ),
    (
        "The websocket reconnect of the chat widget loops forever in Safari when the laptop wakes up.",
        "Safari fires `online` before the network is usable, so the widget reconnects at once, fails and starts over. The fix waits for a"
        " successful `HEAD /ping` before it reconnects, in `widget/reconnect.ts`.\n\nThe loop is gone in Safari 17.",
        "chat widget in Safari keeps reconnecting after sleep - what did we do about the reconnect loop?",
        "HEAD /ping",
    ),
    (
        "Why does the search index get rebuilt on every deploy? It takes 25 minutes.",
        "The deploy rebuilds the search index because the checksum of the synonyms file contains a timestamp: `make synonyms` writes the"
        " current date into its header. Passing `--no-header` makes the checksum stable, and a deploy takes 4 minutes.",
        "deploys rebuild the whole search index again, wasn't there something about the synonyms?",
        "--no-header",
    ),
    (
        "Please find out how the mobile app decides whether a user is premium. I have to move that to the backend.",
        "The mobile app treats a user as premium when the receipt has the entitlement `gold_2023`, in `app/entitlements.kt`; the trial is"
        " the separate entitlement `gold_trial`. The backend table `subscriptions` knows nothing of either.",
        "where does the mobile app check for premium users?",
        "gold_2023",
    ),
    (
        "在庫の同期ジョブが夜中に止まる原因を調べて。",
        "原因は在庫同期ジョブのロックファイルでした。再起動すると `/run/stock.lock` が残り、次の実行が開始前に終了します。起動時に24時間より古い"
        "ロックを消すように `jobs/lock.rb` を修正しました。",
        "在庫同期が夜に止まる件、前に何が原因だった？",
        "/run/stock.lock",
    ),
    (
        "請求書PDFの文字化けを直してほしい。特定の顧客だけで起きる。",
        "文字化けは外字が原因です。人名の「髙」などが埋め込みフォント IPAexGothic に含まれていないため、`pdf/fonts.py` のフォントを Noto Sans CJK に"
        "変更しました。テスト18件が通りました。",
        "請求書のPDFで顧客名が文字化けする。使うフォントは何にしたっけ？",
        "Noto Sans CJK",
    ),
    (
        "検証環境のメール送信が遅い理由は？",
        "検証環境のメール送信が遅いのは、送信サーバーへの逆引きDNSが5秒で時間切れになるためです。`smtp.local_hostname` に `stg-mail` を設定すると"
        "待ち時間がなくなります。",
        "検証環境でメールの送信に時間がかかるのはなぜ？設定は？",
        "stg-mail",
    ),
    (
        "管理画面の一覧で並び替えが効かないのはなぜ？",
        "一覧の並び替えは `updated_at` の索引が部分索引になっていて、削除済みの行を含む問い合わせでは使われないためでした。`db/migrate/0142_reindex.sql`"
        " で全行の索引に変更しました。",
        "管理画面の一覧の並び替えがまた効かない。以前はどう直した？",
        "0142_reindex",
    ),
]
UNRELATED = [
    "write a short poem about autumn leaves",
    "please commit this",
    "rename the variable in the loop to something clearer",
    "add a dark theme to the settings page",
    "what is the difference between a mutex and a semaphore?",
    "run the tests and tell me what fails",
    "translate the readme into French",
    "set up a linter for the shell scripts in this repository",
    "we need an export of the survey answers as CSV",
    "make the logo on the landing page a bit smaller",
    "explain how the garbage collector of Go works",
    "the login page looks broken on small screens, can you fix the layout?",
    "increase the timeout of the upload to two minutes",
    "add unit tests for the date parser",
    "カレーの作り方を教えて",
    "この関数の名前をもっと分かりやすくして",
    "READMEに導入手順を追記してほしい",
    "ログイン画面のボタンの色を青に変更して",
    "新しいブランチを作って変更をプッシュして",
    "Dockerの使い方を簡単に説明して",
]
LATER = ["Now add a regression test for it.", "Commit that, please."]
LATER_JAPANESE = ["テストも追加して。", "コミットして。"]


@pytest.fixture
def bank_of_twelve_days(bank, fixed_clock):
    made = Remembering(bank({"shared/release.md": "# Release calendar\n\nThe release train leaves every second Thursday.\n"}), fixed_clock)
    for number, (asked, found, _, _) in enumerate(ASKED_AND_FOUND):
        session = made.session(f"day-{number:02}", days_ago=14 - number)
        session.line("session_start", source="startup")
        session.prompt(asked)
        session.read(f"src/part{number}.py")
        session.edit(f"src/part{number}.py", "old", "new")
        session.turn_end(found)
        if number % 3 == 0:
            test, commit = LATER if asked.isascii() else LATER_JAPANESE
            session.prompt(test)
            session.edit(f"tests/test_part{number}.py")
            session.run(f"pytest -q tests/test_part{number}.py", output="1 passed")
            session.turn_end("The test passes." if asked.isascii() else "テストが通りました。")
            session.prompt(commit)
            session.run("git commit -am 'Fix it'", output="[main 1a2b3c4] Fix it")
            session.turn_end("Committed." if asked.isascii() else "コミットしました。")
        session.end()
    return made.fold().index()


def shown(remembering, text):
    draft, composed = recollect.preview(remembering.base, prompt(text), "prompt", NOW)
    draft.sources.close()
    return composed.injection.text if composed.injection is not None else ""


def test_what_was_found_stands_in_what_is_shown(bank_of_twelve_days):
    missing = [again for _, _, again, value in ASKED_AND_FOUND if value not in shown(bank_of_twelve_days, again)]
    assert len(missing) <= 1, missing


def test_the_same_words_bring_the_answer_and_not_the_question(bank_of_twelve_days):
    missing = [asked for asked, _, _, value in ASKED_AND_FOUND if value not in shown(bank_of_twelve_days, asked)]
    assert missing == []


def test_other_prompts_are_left_alone(bank_of_twelve_days):
    told = [text for text in UNRELATED if shown(bank_of_twelve_days, text)]
    assert len(told) <= 2, told


def test_the_second_session_knows_what_the_first_one_found(bank, fixed_clock):
    """In the few passages of a first session every word is common."""
    asked, found, again, value = ASKED_AND_FOUND[0]
    made = Remembering(bank(), fixed_clock)
    session = made.session("first", days_ago=1)
    session.prompt(asked)
    session.turn_end(found)
    session.end()
    made.fold().index()
    assert value in shown(made, asked)
    assert value in shown(made, again)
    assert [text for text in UNRELATED if shown(made, text)] == []


def decided(memory, at, asked, said):
    work = memory.session(f"decided-{at}", days_ago=at)
    work.prompt(asked)
    work.turn_end(said)
    memory.fold()


@pytest.fixture
def memory(bank, fixed_clock):
    return Remembering(bank({}), fixed_clock).index()


@pytest.mark.parametrize(
    ("said", "asked", "reason"),
    [
        (
            "The import of invoices handles the currency column now. Changed `app/invoices/import.py`, `schemas/json/invoice.json`,"
            " `tests/golden/invoice.json`, `locales/en/invoice.json` and `docs/invoices/import.md`; tests pass."
            " The invoices import uses streaming instead of one big response, because the"
            " Larch gateway closes connections after thirty seconds.",
            "Why does the invoices import use streaming? Could it not be one big response?",
            "Larch gateway",
        ),
        (
            "請求の取り込みで通貨の列を扱えるようになりました。`app/invoices/import.py`、`schemas/json/invoice.json`、`tests/golden/invoice.json`、`locales/ja/invoice.json`、"
            "`docs/invoices/import.md`、`fixtures/invoices/sample.csv`、`fixtures/invoices/large.csv` を変更し、試験も通っています。"
            "請求の取り込みは一括応答ではなく分割送信にしました。Larchの中継が三十秒で接続を切るためです。",
            "請求の取り込みはなぜ分割送信なのですか？一括応答ではだめですか。",
            "Larchの中継",
        ),
    ],
)
def test_a_question_for_a_reason_is_answered_by_the_sentence_that_gives_it(memory, said, asked, reason):
    decided(memory, 9, "Show the currency in the import.", said)
    assert reason in memory.ask(prompt(asked)).text


def test_a_reason_that_a_person_gave_in_a_sentence_of_its_own_stays_with_the_decision(memory):
    decided(memory, 9, "請求の取り込みは一括応答ではなく分割送信にしました。Larchの中継が三十秒で接続を切るためです。", "分かりました。")
    assert "Larchの中継" in memory.ask(prompt("請求の取り込みはなぜ分割送信なのですか？一括応答ではだめですか。")).text


def test_an_earlier_question_that_nobody_answered_is_not_shown_in_place_of_a_reason(memory):
    decided(memory, 9, "Remind me what we decided about hard deletion for the archive of parcels.", "I see nothing about it in the code.")
    assert memory.ask(prompt("Remind me what we decided about hard deletion for the archive of letters.")) is None
