"""In a bank of a few sessions a question needs little in common with an earlier turn: one name, or concepts; and the turn is shown with what followed it."""

import pytest

from memorybank.cycle.know import followed, in_other_words, mentioned, turns
from tests.cycle.recalling import Remembering, prompt

BAUD = ("what speed does the Fennel logger talk at", "The logger talks at 57600 baud, 8N1, as set in `port_cfg.h`.")
FASTER = ("fennel: double the speed of the port and adapt the script", "`port_cfg.h` says 115200 baud now and `tools/dump.py` matches.")
LEAK = ("find out what eats the memory in the Mallow editor", "The undo stack holds full copies of the document, about 1.2 GB after 500 steps.")
NO_LEAK = (
    "are you sure? the document is tiny",
    "I have to correct myself: the stack only holds differences. `PreviewCache` never drops the pages of closed tabs.",
)
OTHERS = (
    ("make the footer sticky on phones", "The footer stays at the bottom on phones, and the page got 72px of padding for it."),
    ("sort the country list by name", "The country list is sorted by name, with the accents of each language."),
)
SENSOR = ("ひばりの温度センサの送信間隔っていくつ", "送信間隔は60秒です。`config.h` の `TX_INTERVAL` で決まっています。")
SLOWER = ("ひばり、電池がもたないので送信を減らして", "`TX_INTERVAL` を600秒に変更しました。電池は14か月もつ見込みです。")
FONTS = ("つくし帳の起動が遅い。原因は?", "起動時にフォントを6種類読み込んでいるのが原因です。合計で1.4秒かかっています。")
NO_FONTS = ("ほんとに?フォントは2つのはずだけど", "訂正します。遅いのは `MigrationRunner` が毎回全バージョンを確認しているためでした。")


@pytest.fixture
def shown(bank, fixed_clock):
    """shown(session, …, asks) → the text at a prompt, after sessions that each consist of (request, answer), …."""

    def ask(*sessions: tuple[tuple[str, str], ...], asks: str) -> str:
        remembering = Remembering(bank({}), fixed_clock)
        for number, said in enumerate(sessions):
            session = remembering.session(f"earlier-{number}", days_ago=30 - number)
            for request, answer in said:
                session.prompt(request)
                session.turn_end(answer)
            session.end()
        remembering.fold()
        injection = remembering.ask(prompt(asks, session="now"))
        return injection.text if injection is not None else ""

    return ask


@pytest.mark.parametrize(
    ("sessions", "asks", "answer"),
    [
        (((BAUD,), *((one,) for one in OTHERS)), "how fast do i have to open the serial line for fennel?", "57600 baud"),
        (((LEAK, NO_LEAK), (OTHERS[0],)), "mallow grows and grows in RAM, didn't we look at that once?", "`PreviewCache`"),
        (((SENSOR,), (OTHERS[1],)), "ひばり、データを送ってくる頻度どれくらい?", "60秒"),
        (((FONTS, NO_FONTS),), "つくし帳、立ち上がりが重かった理由もう一回教えて", "`MigrationRunner`"),
    ],
    ids=["a name", "a name and what followed", "a name in hiragana", "a name in hiragana and what followed"],
)
def test_one_name_in_common_is_enough_for_a_question(shown, sessions, asks, answer):
    assert answer in shown(*sessions, asks=asks)


@pytest.mark.parametrize(
    ("sessions", "asks", "answer"),
    [
        (((BAUD,), (OTHERS[0],), (FASTER,)), "how fast do i have to open the line for fennel?", "115200 baud"),
        (((SENSOR,), (OTHERS[0],), (SLOWER,)), "ひばりのセンサー、どのくらいの頻度で送ってくる?", "600秒"),
    ],
)
def test_what_a_later_session_made_of_it_is_shown_too(shown, sessions, asks, answer):
    assert answer in shown(*sessions, asks=asks)


@pytest.mark.parametrize(
    "asks",
    [
        "fennel: bump the version to 2.1 and tag it",
        "add a pause menu to the game",
        "what is the difference between a mutex and a semaphore?",
        "ひばりのロゴを新しいものに差し替えて",
        "Pythonのデコレータの書き方を教えて",
    ],
)
def test_a_request_or_a_question_about_something_else_finds_nothing(shown, asks):
    assert shown((BAUD,), (SENSOR,), (OTHERS[1],), asks=asks) == ""


@pytest.mark.parametrize(
    ("said", "asks", "answer"),
    [
        (
            ("the invoice pdf misses the yen sign", "The font had no such glyph. I embedded `NotoSansJP`."),
            "what did we do about the broken bills?",
            "NotoSansJP",
        ),
        (("通知が二重に届く", "キューの再送が原因でした。`dedupe_key` で防ぎます。"), "お知らせが2通来るやつ、前にどう直したっけ？", "dedupe_key"),
        (("sessions expire too soon", "`SESSION_TTL` is three hours now."), "放っておくとログアウトされる件、結局何時間にしたんだっけ", "SESSION_TTL"),
    ],
    ids=["english", "japanese", "across languages"],
)
def test_a_question_about_what_was_finds_its_answer_in_other_words(shown, said, asks, answer):
    assert answer in shown((OTHERS[0],), (said,), (OTHERS[1],), asks=asks)


@pytest.mark.parametrize(
    ("sessions", "asks", "answer"),
    [
        (
            (
                ("limit the public api", "60 requests a minute for each key, in a token bucket."),
                ("raise the api limit, the partner needs more", "It is 240 requests a minute for each key."),
            ),
            "how many calls per minute may a client make now",
            "240",
        ),
        (
            (
                ("貸出冊数の上限", "1人10冊までです。`MAX_LOANS` にあります。"),
                ("冊数、夏休みは増やしたい", "`MAX_LOANS` を15にしました。9月に戻すかは館長が決めます。"),
            ),
            "1人何冊まで借りられる？今",
            "15",
        ),
    ],
)
def test_a_question_for_a_value_finds_the_latest(shown, sessions, asks, answer):
    assert answer in shown((sessions[0],), (OTHERS[0],), (sessions[1],), (OTHERS[1],), asks=asks)


@pytest.mark.parametrize(
    ("said", "asks", "answer"),
    [
        (("drop the old soap importer", "I deleted packages/soap-import and its fixtures."), "where does the soap stuff live?", "deleted"),
        (("who may change schedules", "Guests see the temperatures; only an owner changes them."), "can visitors edit the weekly plan", "owner"),
        (("boiler relay clicks", "It is because the controller switched at the target."), "why does the heating not react at the set value?", "switched"),
        (("深夜割増の時間帯", "22時から翌5時までを25%増しで計算します。"), "夜働くと割増は何時から？", "22時"),
        (("急にAPIが固まった", "全員分の行をロックしていました。"), "サーバーが応答しなくなったのはなぜだった？", "ロックして"),
        (("指紋の打刻機の連携を外して", "drivers/finger を消しました。"), "指紋の読み取り機のコードはどこ？", "消しました"),
    ],
)
def test_a_question_for_a_place_a_person_a_time_or_a_reason_finds_it(shown, said, asks, answer):
    assert answer in shown((OTHERS[0],), (said,), (OTHERS[1],), asks=asks)


@pytest.mark.parametrize(
    "asks", ["how many units were sold in may?", "who designed the illustrations for newcomers?", "健康診断の結果はどこ？", "社員旅行の行き先はどこでしたっけ"]
)
def test_one_word_of_several_is_not_enough_among_many_turns(shown, asks):
    turns_of_others = [((f"make item {number} green", f"Item {number} is green."),) for number in range(30)]
    others = (("unit tests on the host", "`make test` compiles it."), ("first day", "docs/newcomers.md"), ("有給の計算", "社員の表は `leave.csv` にあります。"))
    assert shown(*turns_of_others, *((one,) for one in others), asks=asks) == ""


def test_a_question_about_what_is_needs_two_concepts(shown):
    billing = ("the invoice pdf misses the yen sign", "The font had no such glyph. I embedded `NotoSansJP`.")
    assert shown((OTHERS[0],), (billing,), asks="which library should write our bills?") == ""
    assert "NotoSansJP" in shown((OTHERS[0],), (billing,), asks="which typeface do our bills have?")


def test_among_many_passages_neither_is_asked(shown, monkeypatch):
    for module in (turns, followed, mentioned):
        monkeypatch.setattr(module, "SMALL", 0)
    monkeypatch.setattr(in_other_words, "like", None)
    assert shown((BAUD,), (OTHERS[0],), asks="how fast do i have to open the serial line for fennel?") == ""


def test_a_turn_about_something_else_does_not_follow(shown):
    text = shown((LEAK, OTHERS[0]), asks="remind me what eats the memory of mallow")
    assert "undo stack" in text
    assert "72px" not in text


FIRST_DAY = (
    "get the tests of fennel running and tell me what is in here",
    "Plain `pytest` fails because only the Makefile of fennel sets PYTHONPATH. Modules: tariffs by zone, zebra labels, tracking, sqlite store, ntfy pings.",
)
OUTBOX = (
    "callbacks get lost when fennel is redeployed",
    "Callbacks no longer leave at once: `put_scan()` writes them to an outbox (migration 002, sqlite) in one transaction, and a drain thread posts them.",
)


def test_a_turn_of_another_session_follows_only_if_it_is_about_what_is_shown(shown):
    text = shown((FIRST_DAY,), (OUTBOX,), asks="how do i run pytest for fennel?")
    assert "Makefile" in text
    assert "outbox" not in text


def test_a_report_that_names_many_things_is_about_none_of_them_alone(shown):
    report = "grafana, loki, the vector agent, minio and the fennel pods restart in a loop since the kernel patch, any idea?"
    assert shown((BAUD,), (OTHERS[0],), asks=report) == ""


@pytest.mark.parametrize(
    ("said", "asks"),
    [
        (
            ("run the tests first. also, never edit schema/books.gen.json by hand, it is generated from ledgerly", "The 12 tests pass with `make check`."),
            "how many requests an hour does the API of ledgerly allow?",
        ),
        (
            ("まずテストを動かして。それと schema/books.gen.json は ledgerly から生成されるので、絶対に手で編集しないで", "テストは `make check` で通ります。"),
            "ledgerlyのAPIは1時間に何回まで？",
        ),
    ],
)
def test_a_question_that_names_what_a_rule_names_does_not_bring_what_was_answered_next_to_it(shown, said, asks):
    assert "make check" not in shown((said,), (OTHERS[0],), asks=asks)


INSTALLED = ("インストールして", "`npm install` とビルドを実行し、`bundle/gemini.js`（2.2MB）を生成しました。ログは `_docs/install.md` にあります。")
REALTIME = ("統計の画面を足して", "リアルタイムの統計表示を `StatsPanel` に追加し、値は 500ms ごとに更新されます。")


@pytest.mark.parametrize(
    ("asks", "answer"),
    [
        ("インストール", ""),
        ("拡張機能をインストールして", ""),
        ("メインの処理とサブの処理をリアルタイムに協調させて", ""),
        ("リアルタイムの統計表示は何msごとに更新される?", "500ms"),
        ("インストールのログはどこにある?", "install.md"),
    ],
)
def test_one_long_word_of_katakana_is_one_word_in_common(shown, asks, answer):
    text = shown((INSTALLED,), (REALTIME,), (OTHERS[0],), asks=asks)
    assert answer in text and bool(text) == bool(answer)


@pytest.mark.parametrize(
    ("asks", "is_shown"),
    [
        ("which typeface do our bills have?", True),
        ("and which typeface do our bills have?", False),
        ("so, what did we do about the broken bills?", True),
        ("請求書の書体は何？", True),
        ("それで、請求書の書体は何？", False),
    ],
)
def test_a_reply_in_a_conversation_is_not_compared_in_other_words(bank, fixed_clock, asks, is_shown):
    remembering = Remembering(bank({}), fixed_clock)
    session = remembering.session("earlier", days_ago=9)
    session.prompt("the invoice pdf misses the yen sign")
    session.turn_end("The font had no such glyph. I embedded `NotoSansJP`.")
    session.end()
    current = remembering.session("now")
    current.prompt("make the footer sticky")
    current.turn_end("The footer stays at the bottom.")
    remembering.fold()
    shown = remembering.ask(prompt(asks, session="now"))
    assert (shown is not None and "NotoSansJP" in shown.text) == is_shown


@pytest.mark.parametrize(("heading", "is_shown"), [("Files affected", False), ("変更したファイル", False), ("Where the packages are listed", True)])
def test_a_list_of_changed_files_answers_nothing(shown, heading, is_shown):
    renamed = "`set_option` is `set_flag` now, because the parser reads it."
    said = ("rename the option", f"{renamed}\n\n**{heading}**:\n- `dot_zebra/roles/base/tasks/main.yml` (3 occurrences)")
    text = shown((said,), (OTHERS[0],), (OTHERS[1],), asks="Please setup installation of `just` in zebra @dot_zebra/roles/base/tasks/main.yml")
    assert ("occurrences" in text) == is_shown
