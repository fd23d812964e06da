"""What an earlier session said to mind about a thing is shown to whoever makes or changes it, in English and Japanese, and reports of what was done are not."""

import pytest

from memorybank.cycle.know import cautions
from tests.cycle.recalling import Remembering, before, prompt

ENGLISH = (
    ("invoices show the wrong total", "The rounding is done once per invoice now, because the tax office compares it; amounts are in cents, never floats."),
    (
        "the map of the jetties is empty on phones",
        "The viewport was missing. Anything that draws a berth polygon has to close the ring itself, or the renderer fills the whole harbour.",
    ),
    (
        "door codes stop working after midnight",
        "Codes are renewed at 04:00 now. The gate controller accepts at most 200 codes; with more it silently drops the oldest.",
    ),
    (
        "import the tide tables of the harbour office",
        "`tides.py` reads the yearly file. Heights are given in feet, and the last row of each month is a checksum line that must be skipped.",
    ),
    ("let people pay by card", "Payments go through Adyen. Refunds must carry the original psp reference, otherwise Adyen answers 422."),
    ("print berth signs", "The sign printer speaks EPL. A quotation mark inside a text field ends the field, and the printer then hangs. `signs.py` does it."),
    ("find the fault in Fiji", "Longitudes wrap in `offset()` now. Bounding boxes do not exist yet; when somebody adds them, they will have the same problem."),
    ("rename the column pier to jetty", "Renamed in the schema, the queries and 11 templates. The tests are green."),
    ("add a dark theme", "Colours are variables in theme.css. Two screens are still light, and the calendar must be looked at later."),
    ("refactor the price code", "I split `prices.py` into seasons and surcharges. No behaviour changed."),
)
JAPANESE = (
    ("値札の印刷がずれる", "原因は用紙でした。バーコードの左右には余白が10モジュール必要で、足りないとレジで読めません。"),
    ("レジの売上を毎晩取り込む", "取り込みは `pos_import.js` です。レジの締め時刻は26時表記なので、そのまま日付にすると翌日の売上になります。"),
    ("仕入先マスタを更新できるように", "`vendors.js` を追加しました。仕入先コードは先頭にゼロが付くので、数値として読むと桁が落ちます。"),
    ("ポイントの計算を入れて", "ポイントは100円ごとに1点です。酒類とたばこは対象外なので、部門コード31は必ず除いてください。"),
    ("電子棚札に価格を送る", "棚札のゲートウェイは1分に60件までしか受け付けず、超えた分は黙って捨てられます。送信は `tags.js` です。"),
    ("天気で発注量を補正したい", "気象APIの予報は3時間ごとで、時刻は UTC で届きます。"),
    ("FAXで発注する店がある", "FAXゲートウェイはA4縦だけを受け付けます。カラーで送ると1ページ目で止まるので注意してください。"),
    ("発注書のPDFが開けない", "フォントの埋め込みが抜けていました。直して、確認済みです。"),
    ("管理画面に検索を付けて", "部分一致の検索を付けました。インデックスも追加済みです。"),
)


@pytest.fixture(params=[ENGLISH, JAPANESE], ids=["english", "japanese"])
def either(request):
    return request.param


@pytest.fixture
def remembering(bank, fixed_clock):
    """remembering(sessions) → a bank in which each (request, answer) was a session."""

    def make(sessions):
        made = Remembering(bank({}), fixed_clock)
        for number, (request, answer) in enumerate(sessions):
            session = made.session(f"earlier-{number}", days_ago=40 - number)
            session.prompt(request)
            session.turn_end(answer)
            session.end()
        return made.fold()

    return make


def shown(remembering, event):
    injection = remembering.ask(event)
    return injection.text if injection is not None else ""


@pytest.mark.parametrize(
    ("sessions", "minded"),
    [
        (
            ENGLISH,
            {
                "add an invoice export for the accountant, one line per invoice with the amounts": "cents",
                "draw a polygon for every free berth on the start page": "close the ring",
                "show the height of the tide next to each booking": "in feet",
                "build a button that refunds a booking via adyen": "psp reference",
                "please make the sign printer also print a second field": "quotation mark",
                "add a bbox to the output of the track": "Bounding boxes",
            },
        ),
        (
            JAPANESE,
            {
                "値札にQRも追加して、バーコードの下に": "余白が10モジュール",
                "レジの時間帯別の売上も取り込んで集計してください": "26時",
                "酒類の値引きを実装して": "部門コード31",
                "気象APIから降水量も取得して保存": "UTC",
                "FAXの表紙をカラーのロゴ入りにして": "注意",
                "仕入先コードで絞り込みたい": "先頭にゼロ",
            },
        ),
    ],
    ids=["english", "japanese"],
)
def test_a_request_is_shown_what_to_mind_about_its_subject(remembering, sessions, minded):
    made = remembering(sessions)
    for number, (asks, caution) in enumerate(minded.items()):
        assert caution in shown(made, prompt(asks, session=f"now-{number}")), asks


@pytest.mark.parametrize(
    ("sessions", "requests"),
    [
        (
            ENGLISH,
            [
                "add a page with the opening hours of the office",
                "make the dark theme the default",
                "use ruff instead of flake8",
                "split seasons into a package of its own",
                "the calendar should start on mondays",
                "update the readme with the new commands",
                "translate the start page into dutch",
                "run the tests and commit",
            ],
        ),
        (
            JAPANESE,
            [
                "READMEに起動方法を書いて",
                "ログイン画面の色をもう少し濃くして",
                "管理画面の検索にクリアボタンを付けて",
                "発注書のPDFのフォントサイズを上げて",
                "依存パッケージを更新して",
                "会員登録のフォームにふりがなを追加して",
                "テストを実行してコミットして",
            ],
        ),
    ],
    ids=["english", "japanese"],
)
def test_a_request_about_something_else_is_shown_nothing(remembering, sessions, requests):
    made = remembering(sessions)
    for number, asks in enumerate(requests):
        assert shown(made, prompt(asks, session=f"now-{number}")) == "", asks


def test_a_caution_is_shown_once_in_a_context(remembering):
    made = remembering(ENGLISH)
    assert "psp reference" in shown(made, prompt("build a button that refunds a booking via adyen"))
    assert shown(made, prompt("and make adyen refunds possible for admins")) == ""


def test_in_a_larger_bank_one_name_in_common_is_not_enough(remembering, monkeypatch):
    monkeypatch.setattr(cautions, "_SMALL", 0)
    made = remembering(ENGLISH)
    assert shown(made, prompt("draw a polygon around the new office", session="now-1")) == ""
    assert "psp reference" in shown(made, prompt("build a button that refunds a booking via adyen", session="now-2"))


@pytest.mark.parametrize(
    ("sessions", "file", "caution"),
    [
        (ENGLISH, "src/tides.py", "must be skipped"),
        (ENGLISH, "src/signs.py", "quotation mark"),
        (ENGLISH, "src/newsletter.py", ""),
        (ENGLISH, "src/prices.py", ""),
        (JAPANESE, "js/tags.js", "60件"),
        (JAPANESE, "js/vendors.js", "先頭にゼロ"),
        (JAPANESE, "js/search.js", ""),
    ],
)
def test_an_edit_is_shown_what_was_said_next_to_the_name_of_its_file(remembering, sessions, file, caution):
    made = remembering(sessions)
    text = shown(made, before("Edit", {"file_path": f"{made.root()}/{file}", "old_string": "a", "new_string": "def length(x):\n    return x\n"}))
    assert caution in text if caution else text == ""
