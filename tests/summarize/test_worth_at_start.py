"""What the start of a session says of earlier ones is worth its place, in English, Japanese and languages whose ordinary words are not known."""

import pytest

from memorybank.clock import HOUR
from memorybank.cycle.know.gist import gist
from memorybank.summarize import listed
from memorybank.summarize.findings import carries, passes
from memorybank.text.commands.paths import shown
from memorybank.text.prose.momentary import lasting
from memorybank.text.prose.passages import with_subjects

AT = 1_758_067_200_000


def told(asked, answers):
    (line,) = (
        text
        for _, text in gist([(AT + n * HOUR // 10, one) for n, one in enumerate(asked)], [(AT + n * HOUR // 10 + 60, one) for n, one in enumerate(answers)])
    )
    return line


@pytest.mark.parametrize(
    ("sentence", "does"),
    [
        ("The app should be displaying normally now.", False),
        ("The build is now successful.", False),
        ("Your code is fine.", False),
        ("Listo.", False),
        ("El código está bien.", False),
        ("Los cambios realizados:", False),
        ("Want to look at any section?", False),
        ("Weather Tool (OpenWeatherMap API - 1000 calls/day free)", False),
        ("39,107 sales orders", False),
        ("ビルドが成功しました。", False),
        ("The disk was full there, not here.", True),
        ("The logs rotate daily.", True),
        ("The upload keeps its token for 6 hours.", True),
        ("La tecla ESC cerrará el carrito de compras.", True),
        ("Added `noRoot` for servers without sudo", True),
        ("Protocol: OTLP gRPC on port 4317", True),
        ("`inode/directory` → `*/`", True),
        ("ディスクが満杯でした。", True),
        ("トークンは6時間有効です。", True),
    ],
)
def test_a_sentence_carries_a_value_a_cause_a_restriction_or_a_rare_word(sentence, does):
    assert carries(sentence) == does


@pytest.mark.parametrize(
    ("asked", "answer"),
    [
        ("kill whatever is in port 3000", "The process running on port 3000 (PID 20512) has been killed."),
        ("ポート3000のプロセスを止めて", "ポート3000のプロセスを停止しました。"),
    ],
)
def test_what_only_confirms_a_request_is_not_its_result(asked, answer):
    assert listed.BETWEEN not in told([asked], [answer])


@pytest.mark.parametrize(
    ("first", "then"),
    [
        ("The migration tool is failing because it wants an Azure address.", "The seeds are loaded from `seed.sql` now."),
        ("移行ツールが失敗しています。", "シードは `seed.sql` から読むようにしました。"),
    ],
)
def test_a_failure_that_the_session_went_on_from_is_no_result(first, then):
    line = told(["Reset the shop database with its seeds", "And then?"], [first, then])
    assert "seed.sql" in line and "Azure" not in line and "失敗" not in line


def test_a_cause_in_the_past_stays():
    assert "Azure" in told(["Reset the shop database with its seeds", "And then?"], ["The tool failed because it wants an Azure address.", "Done."])


def test_ways_that_are_offered_go_with_their_items():
    kept = lasting(
        "The mount is gone from `compose.yml`.\n\nIf you need to seed data, you can either:\n- Create a `seed.sql` file\n- Use the seeds of Prisma",
        lambda _: False,
    )
    assert kept == "The mount is gone from `compose.yml`."


def test_plain_words_that_several_answers_repeat_are_no_result():
    line = told(
        ["Install the parser", "Review the parser"],
        ["Hold nothing back, mate. The parser needs Node 22.", "Hold nothing back, mate. `parse()` leaks a handle."],
    )
    assert "mate" not in line and "Node 22" in line


def test_a_sentence_about_everything_before_it_is_not_joined_to_the_line_above():
    assert with_subjects(["The user is NOT on the login page", "This allows proper error handling."], 200)[1:] == ["This allows proper error handling."]


SUMMARY = """\
Result: The tool was built for Azure. It works. Weather Tool (free); `seed.sql` was a folder, so Postgres refused it.
Wanted: cannot start the database; and now the login.
Changed: compose.yml (edited)
Failed and fixed: `make db` failed: no such file. It succeeded after compose.yml."""


def test_the_start_shows_what_tells_most_and_the_first_request():
    assert listed.at_start(SUMMARY).split("\n") == [
        "Result: The tool was built for Azure. `seed.sql` was a folder, so Postgres refused it.",
        "Wanted: cannot start the database",
        "Failed and fixed: `make db` failed: no such file. It succeeded after compose.yml.",
    ]


def test_files_stand_where_nothing_else_says_what_was_done():
    assert listed.at_start("Result: Done.\nWanted: Fix it.\nChanged: a.py (edited)") == "Wanted: Fix it.\nChanged: a.py (edited)"


def test_each_session_keeps_its_mark():
    text = "- Result: Done.\n  Commits: Write the lexer\n- Result: The cache held 2 rows.\n  Changed: a.py (edited)"
    assert listed.at_start(text) == "- Commits: Write the lexer\n- Result: The cache held 2 rows."


@pytest.mark.parametrize("text", ["A text of a person.\nWith two lines.", "- “Fix it” → It was red.\n- Write the lexer"])
def test_other_texts_stay_as_they_are(text):
    assert listed.at_start(text) == text


@pytest.mark.parametrize(
    ("path", "said"),
    [
        ("d:\\harbor new\\web\\layout\\Navbar.tsx", "layout/Navbar.tsx"),
        ("D:/shop/page.tsx", "shop/page.tsx"),
        ("src/layout/Navbar.tsx", "src/layout/Navbar.tsx"),
    ],
)
def test_a_path_with_a_drive_is_named_by_its_last_parts(path, said):
    assert shown(path) == said


@pytest.mark.parametrize(
    ("text", "shown_text"),
    [
        (
            "Result: Set `PATH=$HOME/bin; export PATH` in `.profile`, because cron has none.",
            "Result: Set `PATH=$HOME/bin; export PATH` in `.profile`, because cron has none.",
        ),
        ("Wanted: x y z\nResult: The retry waits 5 s; it then stops.", "Wanted: x y z\nResult: The retry waits 5 s; it then stops."),
        ('Result: The header says "a; b" because of `mux`.', 'Result: The header says "a; b" because of `mux`.'),
        ("結果: `cd /app; make` はコンテナで実行します。", "結果: `cd /app; make` はコンテナで実行します。"),
        ("結果: 再試行は5秒待ちます; その後は止まります。", "結果: 再試行は5秒待ちます; その後は止まります。"),
        ("Wanted: Use `a; b` in the pipeline", "Wanted: Use `a; b` in the pipeline"),
        ("Wanted: The retry waits 5 s; it then stops.", "Wanted: The retry waits 5 s; it then stops."),
        ("Result: The retry waits 5 s; nothing else waits. It ends.", "Result: The retry waits 5 s; nothing else waits."),
        ("Wanted: Please. Set the pool to 5.", "Wanted: Set the pool to 5."),
        ("Wanted: Hi! Can you split the parser?", "Wanted: Can you split the parser?"),
        ("Wanted: U.S. prices are rounded twice.", "Wanted: U.S. prices are rounded twice."),
        ("Wanted: Use the U.S. locale for prices.", "Wanted: Use the U.S. locale for prices."),
        ("Wanted: Fix it.", "Wanted: Fix it."),
        ("目的: こんにちは！ 接続プールの上限を5にしてください。", "目的: 接続プールの上限を5にしてください。"),
        ("目的: `a; b` をパイプラインで使う", "目的: `a; b` をパイプラインで使う"),
    ],
)
def test_a_semicolon_in_code_and_a_greeting_cut_nothing(text, shown_text):
    assert listed.at_start(text) == shown_text


@pytest.mark.parametrize(
    "result",
    [
        "I wrote the summary endpoint `/api/summary`, which returns totals per month in cents.",
        "The gateway has been updated and is now running on port 8081 with TLS.",
        "I'll proceed with Postgres, not MySQL.",
        "売上レポートを`/reports/sales`に作成しました。",
    ],
)
def test_a_feature_is_no_report(result):
    assert not passes(result)
