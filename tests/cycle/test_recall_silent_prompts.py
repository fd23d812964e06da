"""Prompts that recall stays silent at: common request words, parts of a path, log lines, questions about the agent's own actions, and mere confirmations."""

import pytest

from memorybank.cycle.know import findings, mentioned
from memorybank.summarize.confirming import says_nothing_new
from memorybank.text.words.compounds import parts_of
from tests.cycle.test_recall_mentioned import said as said
from tests.cycle.test_recall_mentioned import shown

FLAT = {"LEAST_SUM": 4.0}


@pytest.fixture
def lenient(monkeypatch):
    """Little in common is enough, so that only the reason under test keeps a memory back."""
    for name, value in FLAT.items():
        monkeypatch.setattr(findings, name, value)


@pytest.mark.parametrize(
    ("earlier", "asked"),
    [
        (
            ("add tests for it too", "`tests/ferry.py` has four tests; the timetable needs a fixed day, because the tide table is read from disk."),
            "add tests for this too",
        ),
        (
            ("テストコードも書いて", "`tests/ferry.py` に四件のテストを追加しました。潮汐表をディスクから読むため、日付を固定しています。"),
            "テストコードも作ってください",
        ),
    ],
    ids=["english", "japanese"],
)
def test_a_request_that_names_nothing_brings_no_earlier_one(said, lenient, earlier, asked):
    assert "ferry" not in shown(said(earlier), asked)


STAGES = [
    (f"Please carry out plans/harbour-step-{number}-{name}.md", f"`{name}_gate` was added, because the {name} needs a lock before the tide turns.")
    for number, name in (("31-04", "sluice"), ("42-03", "crane"), ("42-04", "winch"))
]


def test_of_requests_alike_the_last_one_is_brought(said):
    text = shown(said(*STAGES[::-1]), "Please carry out plans/harbour-step-31-05-anchor.md")  # the first of these sessions is the last one
    assert "winch_gate" in text
    assert "crane" not in text and "sluice" not in text


@pytest.mark.parametrize(
    ("asked", "is_shown"),
    [
        ("what limits `LIMIT_REPLICAS`?", True),
        ("did you set LIMIT_REPLICAS in the chart?", False),
        ("ok, have you already committed LIMIT_REPLICAS?", False),
        ("did you set LIMIT_REPLICAS? and then commit it?", False),
        ("did you ever find out why LIMIT_REPLICAS is not set?", True),
        ("LIMIT_REPLICAS はなぜ未設定ですか", True),
        ("LIMIT_REPLICAS は設定してくれましたか？", False),
    ],
)
def test_what_the_agent_itself_did_is_no_question_to_memory(said, asked, is_shown):
    earlier = ("add a limit for each token", "The rate is divided by `LIMIT_REPLICAS`; the chart does not set it yet, because nobody needed it.")
    assert ("nobody needed it" in shown(said(earlier), asked)) is is_shown


@pytest.mark.parametrize(
    ("log", "is_shown"),
    [
        ("[tide] loaded berth_rows\n[tide] 42 rows at 10:40\n[tide] done", False),
        ("[tide] started\nValueError: berth_rows is empty\n[tide] stopped", True),
    ],
)
def test_a_log_names_only_what_is_wrong(said, log, is_shown):
    earlier = ("sort the berths", "`berth_rows` stays empty until the gauge has reported, because the tide table is read first.")
    assert ("until the gauge has reported" in shown(said(earlier), f"the page is slow\n\n```\n{log}\n```")) is is_shown


def test_another_message_of_the_same_class_is_another_error(said):
    earlier = ("uploads fail", "`HarbourError: no bucket` came from the missing bucket `keel-files`, because the script never made it.")
    trace = "HarbourError: {} \n    at save (harbour.js:10:4)\n\nthe picture of the profile cannot be saved"
    assert "keel-files" not in shown(said(earlier), trace.format("mime type image/png is not supported"))


@pytest.mark.parametrize(
    ("earlier", "asked"),
    [
        (("free the port 3907", "The process on port 3907 (PID 20512) has been killed."), "free port 3907 please"),
        (("free the port 3907", "The process on port 3907 (PID 20512) has been killed."), "kill what's on port 3907"),
        (
            ("潮汐リファレンスを書いて", "潮汐リファレンスを書きました。"),
            "潮汐リファレンスも更新して",
        ),
    ],
    ids=["english", "with what", "japanese"],
)
def test_that_the_same_was_done_before_is_no_answer(said, lenient, earlier, asked):
    assert shown(said(earlier), asked) == ""


@pytest.mark.parametrize(
    ("earlier", "asked"),
    [
        (("drop the tide cache", "The tide cache has been removed."), "do we still use the tide cache?"),
        (("潮汐キャッシュを外して", "潮汐キャッシュを消しました。"), "潮汐キャッシュはまだ使っていますか？"),
    ],
    ids=["english", "japanese"],
)
def test_that_it_was_done_answers_how_things_are(said, earlier, asked):
    assert earlier[1] in shown(said(earlier), asked)


def test_what_the_agent_understood_of_the_request_is_no_answer(said, lenient):
    earlier = ("tide ids", "You want to change the berth planner so that it can accept a tide id instead of a berth name.")
    assert "You want" not in shown(said(earlier), "does the berth planner need a berth name if a tide id is given?")


@pytest.mark.parametrize(
    ("earlier", "asked"),
    [
        (
            ("what is the cause and how can it be solved?", "The crane stops because `load_cell` reports kilograms, so the limit is reached at once."),
            "what is the cause, and how can it be solved?",
        ),
        (
            ("発生している原因と解決方法を教えて", "`load_cell` がキログラムで返すため、上限にすぐ達してクレーンが止まります。"),
            "発生している原因と、解決方法は？",
        ),
    ],
    ids=["english", "japanese"],
)
def test_a_question_that_names_nothing_is_about_another_thing_each_time(said, lenient, earlier, asked):
    assert "load_cell" not in shown(said(earlier), asked)


@pytest.mark.parametrize(
    ("answer", "is_shown"),
    [
        ("Yes, the current implementation passes the tide id to the berth planner.", False),
        ("The berth planner passes no tide id, because the gauge reports it.", True),
        ("はい、現在の実装では berth planner に tide id を渡しています。", False),
        ("berth planner には tide id を渡しません。潮位計が報告するためです。", True),
    ],
)
def test_how_the_code_is_now_is_no_answer_later(said, answer, is_shown):
    earlier = ("does the berth planner get the tide id?", answer)
    assert (answer[-20:] in shown(said(earlier), "why does the berth planner lack the tide id?")) is is_shown


@pytest.mark.parametrize(
    ("earlier", "asked"),
    [
        (
            ("write the log of the harbour crane to a file", "`crane_log` keeps 7 files; the gauge writes to the same folder each hour."),
            "Print the yearly report of the harbour with the crane prices, the ferry discounts and the hours of the tide gauge in two columns.",
        ),
        (
            ("クレーンの記録を港のファイルに書いて", "`crane_log` は七つのファイルを残します。潮位計も同じ場所に毎時書きます。"),
            "港の年次報告を、クレーンの料金とフェリーの割引と潮位計の時間とともに二段組で印刷して",
        ),
    ],
    ids=["english", "japanese"],
)
def test_a_request_is_about_something_new_unless_most_of_it_was_asked_before(said, earlier, asked):
    assert "crane_log" not in shown(said(earlier), asked)


def test_grammar_in_hiragana_names_nothing(said):
    earlier = ("辞書に値を加えたい", "このように実装すると、あとからの抽出や更新が簡単になります。")
    assert shown(said(earlier), "列挙のような値を保管するのに、データベースを使わない運用もある？") == ""


STEPS = (
    ("tests", "The tests fail on a fresh checkout because the tide table must be downloaded first with `make tides`."),
    ("build", "The build fails with Node 22 because `harbour-gyp` has no binaries for it."),
    ("ビルド", "ビルドが Node 22 で失敗するのは、`harbour-gyp` にバイナリがないためです。"),
    ("マージ", "マージ先は `develop-harbour` です。main はすぐ本番に出るためです。"),
)


@pytest.mark.parametrize(
    ("earlier", "asked", "answer"),
    [
        (STEPS[0], "why do the tests fail?", "make tides"),
        (STEPS[1], "why does the build fail?", "harbour-gyp"),
        (STEPS[2], "なぜビルドが失敗する？", "harbour-gyp"),
        (STEPS[3], "どのブランチにマージする？", "develop-harbour"),
    ],
)
def test_a_question_about_the_tests_the_build_or_a_branch_names_something(said, earlier, asked, answer):
    assert answer in shown(said(earlier), asked)


LOCK = ("crane", "`crane_lock` must be taken before the gate opens, because the motor reverses.")
LOCK_JAPANESE = ("クレーン", "`crane_lock` は門が開く前に取る必要があります。モーターが逆転するためです。")


@pytest.mark.parametrize(
    ("earlier", "asked", "is_shown"),
    [
        (LOCK, "did you already move crane_lock?", False),
        (LOCK, "did you find out why crane_lock is needed?", True),
        (LOCK, "have you seen crane_lock fail?", True),
        (LOCK, "did you push? also why is crane_lock needed?", True),
        (LOCK_JAPANESE, "crane_lock はもう移動しましたか？", False),
        (LOCK_JAPANESE, "crane_lock が落ちる原因はもう分かった？", True),
        (LOCK_JAPANESE, "crane_lock の順番はもう決まりましたか？", True),
        (LOCK_JAPANESE, "crane_lock はもう使われなくなりましたか？", True),
    ],
)
def test_what_the_agent_found_or_decided_is_a_question_to_memory(said, earlier, asked, is_shown):
    text = shown(said(earlier), asked)
    assert ("motor reverses" in text or "逆転する" in text) is is_shown


@pytest.mark.parametrize(
    ("answer", "asked"),
    [
        ("Currently, the rate limit of the partner API is 100 requests per minute.", "what is the rate limit of the partner API?"),
        ("現在の設定では、パートナー API の上限は毎分 100 件です。", "パートナー API の上限は？"),
        ("現在の実装では返金は Stripe に送られず、経理が毎週行います。", "返金は Stripe に送られる？"),
        ("You want to run `make seed-harbour` before the berth tests, otherwise the table is empty.", "berth tests find an empty table"),
    ],
)
def test_a_limit_of_today_and_advice_are_answers(said, answer, asked):
    assert answer[-12:] in shown(said(("how does it work?", answer)), asked)


@pytest.mark.parametrize(
    ("answer", "asked"),
    [
        ("The old ferry tables have been dropped.", "are the old ferry tables still needed?"),
        ("古いフェリー表を削除しました。", "古いフェリー表はまだある？"),
    ],
    ids=["english", "japanese"],
)
def test_that_it_was_done_answers_a_question(said, answer, asked):
    assert answer[-8:] in shown(said(("tidy up", answer)), asked)


@pytest.mark.parametrize(
    ("answer", "message"),
    [
        ("`HarbourError` is raised when the tide table is older than a day, because old tables sank a boat.", "the tide table is old"),
        ("`HarbourError` は潮位表が一日より古いと出ます。古い表で船が沈んだためです。", "潮位表が古いです"),
    ],
    ids=["english", "japanese"],
)
def test_the_class_of_an_error_and_a_word_of_its_message_name_it(said, answer, message):
    assert answer[-8:] in shown(said(("crane", answer)), f"HarbourError: {message}\n    at plan (harbour.js:10:4)\n\nhelp")


@pytest.mark.parametrize("warning", ["WARN lock timeout on berth_rows", "警告: berth_rows がタイムアウトしました"], ids=["english", "japanese"])
def test_a_warning_in_a_log_says_what_is_wrong(said, warning):
    earlier = ("sort the berths", "`berth_rows` waits for a lock of the gauge, because two gauges report at once.")
    assert "two gauges report" in shown(said(earlier), f"the page is slow\n\n```\n[tide] started\n[tide] {warning}\n[tide] done\n```")


def test_a_long_run_of_characters_is_cut_in_linear_time():
    word = [chr(code) + chr(code + 1) for code in range(0x4E00, 0x4E00 + 4_000)]
    assert len(parts_of(word)) == 4_000


@pytest.mark.parametrize(
    ("fact", "asked", "value"),
    [
        ("The staging database is reset every night at 2.", "when is the staging database reset?", "every night"),
        ("ステージングのデータベースは毎晩 2 時に初期化されます。", "ステージングのデータベースはいつ初期化される？", "毎晩"),
    ],
    ids=["english", "japanese"],
)
def test_a_fact_that_a_person_stated_in_ordinary_words_answers_a_question(said, lenient, monkeypatch, fact, asked, value):
    monkeypatch.setattr(mentioned, "FULL", 0)  # as in a bank with many passages, where turns are not compared
    assert value in shown(said((fact, "Understood.")), asked)


@pytest.mark.parametrize(
    ("answer", "is_shown"),
    [
        ("The current implementation reads each berth twice. So the plan of berths takes 40 seconds.", True),
        ("The current implementation reads each berth twice. So the plan of berths takes long.", False),
        ("現在の実装では berth を二度読みます。そのため berth の計画に 40 秒かかります。", True),
        ("現在の実装では berth を二度読みます。そのため berth の計画が遅くなります。", False),
    ],
)
def test_a_value_that_follows_from_the_code_is_an_answer(answer, is_shown):
    assert says_nothing_new(answer, ()) is not is_shown
