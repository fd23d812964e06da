"""Each sentence of a prompt is compared alone, what people know counts as an answer, and a prompt that refers to an earlier time needs less in common."""

from contextlib import closing

import pytest

from memorybank.cycle.fold import schema
from memorybank.cycle.know import findings, rejected, sentence
from memorybank.cycle.know.earlier import Earlier
from memorybank.storage import database
from tests.cycle.recalling import Remembering, prompt

KEYS = (
    "add the missing labels of the compare page",
    "The labels are in `messages/en.json` too. A new wording needs both i18n files, because `i18n:check` fails otherwise.",
)
KEYS_JAPANESE = (
    "比較ページの項目を足して",
    "`en.json` にも同じ項目を入れました。文言を増やすときは i18n の両方の言語に入れる必要があります。",
)
ASKED = "will the importer run on staging once deployed?"
IMPORTER = (ASKED, "Staging has no beat process, so the schedule never fires there.")
MAIL = (
    "レビューの準備をして。review appはSidekiq動いてないから注文確認メールが来ないのは気にしなくてよい。",
    "準備しました。",
)
LIMIT = (
    "Compute the filter in one interrupt, and no, overclocking to 480 is not possible, half of the boards are silicon rev Y.",
    "The filter runs in one interrupt.",
)
OTHERS = (
    ("Rewrite the introduction of the tone guide.", "`docs/tone.md` begins with an example now, because readers skip the rules."),
    ("Sort the fields of the admin page.", "The fields of the admin page are sorted by name, because people look for them there."),
    ("フッターの電話番号を変えて", "フッターの電話番号を変えました。英語の画面も同じ番号です。"),
    ("ログの書式を JSON にして", "ログは JSON で出ます。時刻は UTC のままなので、読むときに変換してください。"),
)
MANY_WISHES = (
    "Looks good, thanks. Next build a page /plans/compare?ids=a,b,c, three plans at most, side by side in a table."
    " The header stays as wide as the window, and the prices are per night. The wording: i18n."
)
MANY_WISHES_JAPANESE = "いいね。続けて、プラン一覧の隣に表を作って。最大3件、横並びで。見出しは窓の幅いっぱい、価格は一泊あたり。文言は i18n で"


@pytest.fixture
def said(bank, fixed_clock):
    """said(session, …, **fields) → a bank in which each tuple of requests and answers was a session; the fields are those of its first one."""

    def make(*sessions, **fields):
        remembering = Remembering(bank({}), fixed_clock)
        for number, texts in enumerate((*sessions, *OTHERS)):
            session = remembering.session(f"earlier-{number}", days_ago=2 + number)
            given = fields if number == 0 else {}
            for request, answer in zip(texts[::2], texts[1::2], strict=True):
                session.prompt(request, **given)
                session.turn_end(answer, **given)
            session.end()
        remembering.session("now").line("session_start", source="startup")
        return remembering.fold()

    return make


def shown(remembering, text):
    injection = remembering.ask(prompt(text))
    return "" if injection is None else injection.text


def passages_about(remembering, text):
    with closing(database.open_reading(schema.path(remembering.base.layout), schema.VERSION)) as connection:
        connection.create_function("sees", 8, lambda *row: True)
        return sentence.said_about(Earlier(connection, "now", remembering.clock.now()), [text])


@pytest.mark.parametrize(
    ("session", "asks", "finding"),
    [(KEYS, MANY_WISHES, "`i18n:check` fails"), (KEYS_JAPANESE, MANY_WISHES_JAPANESE, "両方の言語に入れる必要")],
    ids=["english", "japanese"],
)
def test_one_sentence_of_many_is_enough(said, session, asks, finding):
    text = shown(said(session), asks)
    assert finding in text
    assert "session earlier-" in text


@pytest.mark.parametrize("asks", ["Thanks. The wording of the header is fine.", "いいね。文言はそのままで。"], ids=["english", "japanese"])
def test_one_rare_word_of_a_sentence_is_not(said, asks):
    assert shown(said(KEYS, KEYS_JAPANESE), asks) == ""


def test_a_sentence_about_much_else_is_not_either(said):
    asks = "Compare the wording of the i18n library with the glossary of the translators, the brochure of the hotel and the menu of the restaurant."
    assert shown(said(KEYS), asks) == ""


def test_an_order_is_not_answered_by_a_question_that_somebody_asked(said):
    remembering = said(IMPORTER)
    assert [one.text for one in passages_about(remembering, "has the importer been deployed?")] == [ASKED]
    assert passages_about(remembering, "the importer must be deployed") == []


def test_a_routine_step_names_no_subject(said):
    remembering = said(("commit and push the branch", "Pushed."))
    assert passages_about(remembering, "commit and push the branch") == []


@pytest.mark.parametrize("fields", [{"acl": "session"}, {"privacy": "agent-only", "agent": "agent-7", "role": "explorer"}], ids=["acl", "sub-agent"])
def test_what_the_reader_may_not_see_is_not_shown(said, fields):
    assert "i18n:check" not in shown(said(KEYS, **fields), MANY_WISHES)


def test_nor_what_a_person_rejected_and_the_reason_is_given(said, fixed_clock):
    remembering = said(KEYS)
    asks = prompt(MANY_WISHES)
    (one,) = remembering.preview(asks).shown
    rejected.add(remembering.base.layout, one.memory.memory, is_rejected=True, by=rejected.COMMAND, what="", clock=fixed_clock)
    composed = remembering.preview(asks)
    assert [left.why.code for left in composed.left_out if left.memory.memory == one.memory.memory] == ["recall.rejected"]
    assert one.memory.memory not in {other.memory.memory for other in composed.shown}


@pytest.mark.parametrize(
    ("session", "asks", "finding"),
    [
        (MAIL, "注文確認メールの件名を変えたけど、review app では届かない。コードが悪い？", "Sidekiq動いてない"),
        (LIMIT, "what does overclocking the boards to 480 gain, is the silicon fast enough?", "480 is not possible"),
    ],
    ids=["japanese", "english"],
)
def test_a_limit_that_a_person_stated_is_an_answer(said, session, asks, finding):
    assert finding in shown(said(session), asks)


def answers(remembering, question, **asks):
    with closing(database.open_reading(schema.path(remembering.base.layout), schema.VERSION)) as connection:
        connection.create_function("sees", 8, lambda *row: True)
        return [one.text for one in findings.answering(Earlier(connection, "now", remembering.clock.now()), question, **asks)[0]]


@pytest.mark.parametrize(
    ("session", "question"),
    [
        (("look at the ledger", "The nightly invoices are late because the ledger waits for the tariff."), "late invoices in the harbour office of the east"),
        (("棚卸を見て", "棚卸の数量が合わないのは、返品を翌日に計上するためです。"), "棚卸の数量の件、倉庫の担当者にも連絡したい"),
    ],
    ids=["english", "japanese"],
)
def test_who_refers_to_an_earlier_time_needs_less_in_common(said, session, question):
    remembering = said(session)
    assert answers(remembering, question) == []
    assert answers(remembering, question, recalls=True) == [session[1]]


@pytest.mark.parametrize(
    ("asks", "finding"),
    [
        ("tell me again which logic flags the second window and blocks it while one is active", "ConcurrentWarningShown"),
        ("警告のときに出力を止める仕組みどうやったっけ", "警告を出力"),
    ],
)
def test_such_a_prompt_is_recognised(said, asks, finding):
    remembering = said(
        ("explain the warning", "The prompt is blocked once: `checkConcurrentSessions` sets `ConcurrentWarningShown` when another session is active."),
        ("重複の確認", "重複があるときは警告を出力して処理を止めます。`check_twice` が担当です。"),
    )
    assert finding in shown(remembering, asks)


def test_the_second_answer_is_nearly_as_good_as_the_first(said):
    remembering = said(
        ("look at the ledger", "The nightly invoices of the harbour are late because the ledger waits for the tariff import."),
        ("look at the kiosk", "The nightly invoices of the harbour are printed at the kiosk because the office has no tray."),
    )
    assert len(answers(remembering, "nightly invoices of the harbour, ledger and tariff, kiosk and office")) == 2
    assert len(answers(remembering, "nightly invoices of the harbour, ledger waits, tariff import, kiosk and office, tray")) == 1


CHANCE = {
    "english": (
        (
            "look at the harbour",
            "The nightly invoices wait for the harbour tariff, so the ledger, kiosk, gantry crane, lighthouse, museum and tram stay closed on Sunday.",
        ),
        "are the nightly invoices with the harbour tariff right after the move?",
    ),
    "japanese": (
        ("棚卸を見て", "棚卸の数量は返品の計上を待つので、倉庫の担当者は翌朝の点検と帳票の印刷と配送の手配を日曜日に行いません。"),
        "棚卸の数量と返品の計上は移転後に合っていますか",
    ),
}
NAMED = {
    "english": (
        (
            "look at the harbour",
            "The nightly invoices of `tariff_import` wait for the harbour, so the ledger, the kiosk and the gantry crane stay closed on Sunday.",
        ),
        "are the nightly invoices of tariff_import right after the harbour moved?",
    ),
    "japanese": (
        ("棚卸を見て", "棚卸の数量は `stock_sync` の計上を待つので、倉庫の担当者は翌朝の点検と帳票の印刷と配送の手配を日曜日に行いません。"),
        "棚卸の数量と stock_sync の計上は移転後に合っていますか",
    ),
}


@pytest.fixture
def filled(said):
    """filled(session, …) → a bank with more than `SMALL` passages about other things."""

    def make(*sessions):
        others = [f"The lamp {number}a and the bench {number}b are painted in colour {number}c of the park {number}d." for number in range(findings.SMALL)]
        talk = [text for at in range(0, len(others), 20) for text in (f"paint {at}", "\n\n".join(others[at : at + 20]))]
        return said(*sessions, tuple(talk))

    return make


@pytest.mark.slow
@pytest.mark.parametrize("language", CHANCE)
def test_among_many_passages_words_in_common_may_be_chance(said, filled, language):
    session, question = CHANCE[language]
    assert answers(said(session), question) == [session[1]]
    assert answers(filled(session), question) == []


@pytest.mark.slow
@pytest.mark.parametrize("language", NAMED)
def test_among_many_passages_a_name_in_common_is_no_chance(filled, language):
    session, question = NAMED[language]
    assert answers(filled(session), question) == [session[1]]


def test_among_many_passages_one_that_says_hardly_anything_else_answers(filled):
    session = ("look at the harbour", "The nightly invoices wait for the harbour tariff.")
    assert answers(filled(session), CHANCE["english"][1]) == [session[1]]


REVIEWED = {
    "english": (
        "Missing field causes lost tariffs. The struct session.HarbourTariff lacks the field AddedPerBerth that exists in ledger.HarbourTariff. When the state"
        " is saved through tariffFromLedger, the map AddedPerBerth is lost, so that estimateSelfBerths always returns 0 and counts the berths of the owner as"
        " berths of guests, which makes the nightly invoices too high in the harbour report.",
        "`tariffFromLedger` maps AddedPerBerth of the harbour tariff and the berths of the nightly invoices now, and `estimateSelfBerths` reads it.",
        "`tariffFromLedger` drops AddedPerBerth of the harbour tariff because `estimateSelfBerths` counted the berths of the nightly invoices twice.",
    ),
    "japanese": (
        "項目が欠けているため港湾料金が失われます。構造体 session.HarbourTariff には ledger.HarbourTariff にある AddedPerBerth がありません。状態を"
        " tariffFromLedger で保存すると、バースごとの加算を持つ AddedPerBerth の対応表が失われ、estimateSelfBerths は常に 0 を返します。"
        "その結果、所有者のバースが来客のバースとして数えられ、夜間請求の金額が港湾の月次報告で高くなります。"
        "変換のときに項目を引き継ぐか、報告の側で台帳の値を読み直すことを検討してください。期日は来週の水曜で、月次報告の締めに間に合わせたいとのことです。"
        "なお、検証環境の台帳は先週の値のままなので、動作確認には手元の台帳を使ってください。急ぎではありません。",
        "ledger.go の `tariffFromLedger` は港湾料金のバースと夜間請求を対応付けるようになりました。",
        "`tariffFromLedger` が港湾料金のバースを落とすのは、夜間請求で二重に数えられていたためです。",
    ),
}


@pytest.mark.slow
@pytest.mark.parametrize("language", REVIEWED)
def test_among_many_passages_a_description_of_code_brings_reasons_and_no_reports(said, filled, language):
    """The agent is about to read the code. Of it, some earlier report of a change always has the names."""
    description, report, reason = REVIEWED[language]
    for text, is_shown in ((report, False), (reason, True)):
        session = ("look at the ledger", text)
        assert text in shown(said(session), description)
        assert (text in shown(filled(session), description)) == is_shown


def test_a_remark_within_a_turn_answers_only_a_question_for_a_reason(bank, fixed_clock):
    remembering = Remembering(bank({}), fixed_clock)
    session = remembering.session("earlier", days_ago=2)
    session.prompt("look at the invoices")
    session.turn_end("Done.", remarks=[{"text": "The nightly invoices are late because the ledger waits for the harbour tariff."}])
    session.end()
    remembering.fold()
    assert answers(remembering, "late nightly invoices, ledger and harbour tariff") == []
    assert len(answers(remembering, "why are the nightly invoices late, is it the ledger or the harbour tariff?", why=True)) == 1


STATED = ("the demo database is emptied every friday evening", "Done.")
STATED_JAPANESE = ("デモのDBは毎週金曜の夜に空になります。", "了解です。")


@pytest.mark.parametrize(
    ("session", "asks", "said_by"),
    [
        (STATED, "may I leave the sample orders for the fair in the demo database?", "the user said: “the demo database is emptied"),
        (STATED_JAPANESE, "展示会の注文サンプルをデモのDBに残してもいい？", "利用者の発言：「デモのDBは毎週金曜"),
    ],
    ids=["english", "japanese"],
)
def test_a_fact_that_a_person_stated_needs_less_in_common_and_no_answer(said, session, asks, said_by):
    text = shown(said(session), asks)
    assert said_by in text or (session[1] != "Done." and session[0] in text)


@pytest.mark.parametrize("remark", ["the demo database looks odd", "look at the demo database"])
def test_what_states_nothing_lasting_does_not(said, remark):
    assert shown(said((remark, "Done.")), "may I leave the sample orders for the fair in the demo database?") == ""


def test_nor_does_one_word_of_a_stated_fact(said):
    assert shown(said(STATED), "which database does the fair use for the tickets?") == ""
