"""A prompt is shown what earlier sessions said about the code and the errors in it, and the earlier turn that it refers to."""

from contextlib import closing

import pytest

from memorybank.cycle.fold import schema
from memorybank.cycle.know import cautions, named, rejected, turns
from memorybank.cycle.know.search import Rarity
from memorybank.cycle.recall import recollect
from memorybank.storage import database
from tests.cycle.recalling import Remembering, prompt

WEBHOOK = (
    "make the webhook safe against repeated deliveries",
    "Note that `send_confirmation.delay` is still called inside the transaction, so the mail may be queued although it rolls back.",
)
LOCKS = (
    "一括処理のデッドロックを調べて",
    "在庫行を日付の古い順にロックするようにしました。順番が違う処理が残っていると、また P2034 が出ます。",
)
OTHERS = (
    ("Rewrite the introduction of the tone guide.", "`docs/tone.md` begins with an example now, because readers skip the rules."),
    ("Sort the fields of the admin page.", "The fields of the admin page are sorted by name, because people look for them there."),
    ("フッターの電話番号を変えて", "フッターの電話番号を変えました。英語の画面も同じ番号です。"),
    ("ログの書式を JSON にして", "ログは JSON で出ます。時刻は UTC のままなので、読むときに変換してください。"),
)
TRACE = """support sent this:

Traceback (most recent call last):
  File "/app/apps/notifications/tasks.py", line 14, in {function}
    invoice = Invoice.objects.get(pk=number)
  File "/app/.venv/lib/python3.12/site-packages/django/db/models/query.py", line 649, in {library}
    raise self.model.DoesNotExist(
apps.billing.models.Invoice.DoesNotExist: Invoice matching query does not exist.

whats going on"""
LOG = """一括の更新でエラーになります

```
2026-06-24T03:21:55.310Z  error  POST /admin/calendar 500
    at closeRange (/var/task/apps/web/.next/server/chunks/881.js:1:2210)
  code: '{code}'
```"""


@pytest.fixture
def said(bank, fixed_clock):
    """said(session, …, asks) → a bank in which each tuple of requests and answers was a session."""

    def make(*sessions):
        remembering = Remembering(bank({}), fixed_clock)
        for number, texts in enumerate((*sessions, *OTHERS)):
            session = remembering.session(f"earlier-{number}", days_ago=2 + number)
            for request, answer in zip(texts[::2], texts[1::2], strict=True):
                session.prompt(request)
                session.turn_end(answer)
            session.end()
        now = remembering.session("now")
        now.line("session_start", source="startup")
        return remembering.fold()

    return make


def shown(remembering, text):
    injection = remembering.ask(prompt(text))
    return "" if injection is None else injection.text


def test_a_function_in_a_pasted_trace_brings_what_was_said_about_it(said):
    text = shown(said(WEBHOOK), TRACE.format(function="send_confirmation", library="get"))
    assert "is still called inside the transaction" in text
    assert "session earlier-" in text


def test_a_function_of_a_library_in_it_does_not(said):
    assert "transaction" not in shown(said(WEBHOOK), TRACE.format(function="resend", library="send_confirmation"))


def test_the_code_of_an_error_in_a_pasted_log_does_too(said):
    assert "日付の古い順" in shown(said(LOCKS), LOG.format(code="P2034"))
    assert "日付の古い順" not in shown(said(LOCKS), LOG.format(code="P1001"))


def test_a_pasted_message_brings_what_was_done_when_a_person_told_of_it(said):
    told = (
        'The client resumes a pull and complains about "unexpected status code 200 OK", please find out where.',
        "`serve_blob` ignored the header of cached blobs. It answers 206 now, and `tests/range.rs` pins that.",
    )
    pasted = 'Staging is unhappy. From the node:\n\nJun 24 04:12:09 node-3 runtime[118]: level=info error="failed to do request: {}" host=example'
    assert "`serve_blob` ignored the header" in shown(said(told), pasted.format("unexpected status code 200 OK"))
    assert "serve_blob" not in shown(said(told), pasted.format("connection refused by peer"))


@pytest.mark.parametrize(
    ("session", "asks", "finding"),
    [
        (
            ("add a limit for each token", "The rate is divided by `LIMIT_REPLICAS`; the chart does not set it yet, because nobody needed it."),
            "Now the chart: set LIMIT_REPLICAS from replicaCount",
            "The rate is divided by `LIMIT_REPLICAS`",
        ),
        (
            ("締め処理を見てください", "`close_month` は返品を含めるため、評価額より先に請求書を締めます。"),
            "close_month を夜間に移してください",
            "評価額より先に請求書を締めます",
        ),
    ],
    ids=["english", "japanese"],
)
def test_a_name_of_code_in_a_small_bank_is_rare_by_its_nature(said, session, asks, finding):
    assert finding in shown(said(session), asks)


@pytest.mark.parametrize(
    "answer",
    [
        "Best solution: Move `send_confirmation.delay` behind the transaction, because the mail may be queued although it rolls back.",
        "対応案: `send_confirmation.delay` をトランザクションの後に移す、巻き戻ってもメールが積まれるため。",
    ],
    ids=["english", "japanese"],
)
def test_what_was_only_considered_is_not_brought_by_a_name(said, answer):
    assert "send_confirmation.delay" not in shown(said((WEBHOOK[0], answer)), TRACE.format(function="send_confirmation", library="get"))


def test_a_name_in_many_passages_does_not_say_which_is_meant(said):
    many = tuple(("change the rows", f"`ledger_rows` has column number {number} now, because the report number {number} needs it.") for number in range(20))
    assert shown(said(*many), "rename ledger_rows please") == ""


@pytest.mark.parametrize(
    ("answer", "asks"),
    [
        ("`files_touched` stays empty there, because the shell is not tracked.", "Please write {} into the metadata."),
        ("シェルは追跡されないため、`files_touched` は空のままです。", "{} を書き出してください"),
    ],
    ids=["english", "japanese"],
)
def test_of_many_names_a_passage_must_contain_more_than_one(said, answer, asks):
    counts = ("count the sessions", "`session_count` and `session_ids` grow, and `merged_rows` too, because the folder is shared.")
    session = ("look at the shell", answer)
    assert "files_touched" in shown(said(session, counts), asks.format("files_touched, session_count"))
    text = shown(said(session, counts), asks.format("session_count, session_ids, merged_rows, files_touched"))
    assert "stays empty" not in text and "空のまま" not in text


@pytest.mark.parametrize(
    ("answer", "about", "passing"),
    [
        (
            "The nightly ledger calls `send_mails` before the rollback, so that letters of the harbour office may be queued twice.",
            "Does send_mails queue the letters of the harbour office twice?",
            "Please rename the variable in the footer of the admin page, as in send_mails, and sort the imports by their length.",
        ),
        (
            "夜間の台帳は `send_mails` を巻き戻しの前に呼ぶので、港湾局の書簡が二重に積まれることがあります。",
            "send_mails は港湾局の書簡を二重に積みますか",
            "管理画面の下部の変数名を send_mails のように直して、取り込み順を長さの順に並べてください",
        ),
    ],
    ids=["english", "japanese"],
)
def test_among_many_passages_a_prompt_that_names_a_thing_in_passing_does_not_ask_about_it(said, monkeypatch, answer, about, passing):
    remembering = said(("look at the ledger", answer))
    asked = {text: prompt(text, session=f"session-{number}") for number, text in enumerate((about, "send_mails?", passing))}
    assert all(remembering.preview(event).shown for event in asked.values()), "among few, a name is rare by its nature"
    monkeypatch.setattr(named, "SMALL", 0)
    monkeypatch.setattr(cautions, "_SMALL", 0)
    assert [text for text, event in asked.items() if remembering.preview(event).shown] == [about, "send_mails?"]


def test_a_pasted_plan_says_itself_what_it_needs(said):
    plan = "Implement the following plan:\n\n# Confirmations\n\n## Context\n\nCall send_confirmation after the commit.\n\n## Steps\n\n1. Move it."
    assert "transaction" not in shown(said(WEBHOOK), plan)


SLOW = (
    "GET /harbours/availability takes 4s for Port Ellen.",
    "Port Ellen has 412 berths, and the endpoint makes two queries for each berth: annotate them.",
    "do it, with a test",
    "It takes 0.09 s now; a test pins it at 2 queries.",
)
REFUND = (
    "返金が Stripe に届くか手元で見たい。通知を受けられるようにして",
    "`stripe listen --forward-to localhost:3100` で受けられるようにしました。",
)


@pytest.mark.parametrize(
    ("session", "asks", "finding"),
    [
        (SLOW, "availability for port ellen is slow again, 6 sec. not a joke :)", "two queries for each berth"),
        (REFUND, "画面の方は別のコミットでお願いします。あと返金の通知って手元でどうやって受けてたんでしたっけ", "stripe listen"),
    ],
    ids=["english", "japanese"],
)
def test_what_comes_again_brings_the_earlier_turn(said, session, asks, finding):
    text = shown(said(session), asks)
    assert finding in text
    assert "session earlier-" in text


def test_a_later_turn_about_the_same_is_shown_with_it(said):
    session = (
        "the accountants want the bookings as a csv",
        "`/admin/bookings` writes the csv as UTF-8 with a BOM.",
        "the accountants say that the BOM breaks their import",
        "The csv is Shift_JIS without a BOM now.",
    )
    text = shown(said(session), "the bookings of last year for the accountants as csv, like last time")
    assert text.index("UTF-8 with a BOM") < text.index("Shift_JIS without a BOM")


@pytest.mark.parametrize(
    ("stated", "answer", "asks", "first", "then"),
    [
        (
            "Retag the grader image, tags are always the date plus the short sha.",
            "`latest` still needs the rights of an admin of the registry.",
            "the tags of the grader image went wrong again, short sha please",
            "the user said: “Retag the grader image, tags are always the date plus the short sha.”",
            "Then: `latest` still needs",
        ),
        (
            "送料無料の判定は必ず税込でクーポン適用後の金額で行ってください。",
            "`retry` は三回です。",
            "送料無料の判定がまた変です。クーポン適用後の金額だったはず",
            "利用者の発言：「送料無料の判定は必ず税込でクーポン適用後の金額で行ってください。」",
            "その後：`retry` は三回です。",
        ),
        (
            "ついでに送料無料の判定も決まったのでメモ：税込でクーポン適用後の金額。",
            "`retry` は三回です。",
            "送料無料の判定がまた変です。クーポン適用後の金額だったはず",
            "利用者の発言：「ついでに送料無料の判定も決まったのでメモ：税込でクーポン適用後の金額。」",
            "その後：`retry` は三回です。",
        ),
    ],
    ids=["english", "japanese", "of another thing"],
)
def test_what_a_person_stated_comes_before_what_was_answered(said, stated, answer, asks, first, then):
    text = shown(said((stated, answer)), asks)
    assert text.index(first) < text.index(then)


@pytest.mark.parametrize("asks", ["same as last time, item is ellen-ro", "which one became the last session there?"])
def test_a_word_for_an_earlier_time_alone_does_not_mean_the_last_session(said, asks):
    assert "tone.md" not in shown(said(), asks)


@pytest.mark.parametrize("asks", ["run the tests again", "try again please", "port 8000 is still open", "もう一度テストを回して", "また後で見ます"])
def test_other_things_are_done_again_without_it(said, asks):
    assert shown(said(SLOW, REFUND), asks) == ""


def test_within_a_session_again_means_a_moment_ago(said):
    remembering = said(SLOW)
    remembering.session("now").prompt("look at the mails please")
    assert shown(remembering, "the port is slow again, ellen") == ""


def test_without_a_reference_a_turn_needs_more_in_common(said):
    remembering = said(SLOW)
    assert shown(remembering, "add ellen to the list of harbours of the port") == ""


def test_where_we_left_off_is_the_last_turn_that_tells_something(said):
    session = (
        "昨日のデッドロックを直して",
        "ロックの順番を日付の昇順にしたので、デッドロックはもう起きません。テストも追加しました。",
        "バッチの方は明日やる",
        "明日の残作業は `expire.go` の更新を日付の昇順にすることと、件数に上限を付けることです。",
        "コミットして",
        "コミットしました。",
    )
    assert "残作業は `expire.go`" in shown(said(session), "昨日の続きからお願いします")


def test_a_rejected_turn_is_not_shown_and_the_reason_is_given(said, fixed_clock):
    remembering = said(WEBHOOK)
    asks = prompt(TRACE.format(function="send_confirmation", library="get"))
    (one,) = remembering.preview(asks).shown
    rejected.add(remembering.base.layout, one.memory.memory, is_rejected=True, by=rejected.COMMAND, what="", clock=fixed_clock)
    composed = recollect.preview(remembering.base, asks, asks.name, fixed_clock.now())[1]
    assert [left.why.code for left in composed.left_out if left.memory.memory == one.memory.memory] == ["recall.rejected"]
    assert one.memory.memory not in {other.memory.memory for other in composed.shown}


@pytest.mark.parametrize("text", ["キャンセル", "日本語", "closeRange", "LIMIT_REPLICAS"])
def test_a_word_counts_once_however_many_terms_it_has(said, text):
    with closing(database.open_reading(schema.path(said(SLOW).base.layout), schema.VERSION)) as connection:
        rarity = Rarity(connection, 1_000)
        words = turns.QuestionWords(rarity, text)
        assert len(words.terms) > 1
        assert 0 < words.mass < rarity.sum(words.terms)


def test_two_words_count_twice(said):
    with closing(database.open_reading(schema.path(said(SLOW).base.layout), schema.VERSION)) as connection:
        rarity = Rarity(connection, 1_000)
        assert turns.QuestionWords(rarity, "在庫 請求").mass == rarity.sum(["在庫", "請求"])
        assert turns.QuestionWords(rarity, "ellen harbour").mass == rarity.sum(["ellen", "harbour"])
