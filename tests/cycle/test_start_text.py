"""The few tokens that every start costs: which problems and rules get them, in which words, and what waits for a prompt that continues earlier work."""

from pathlib import Path

import pytest

from memorybank.config.cycle import Budgets, CycleSettings
from memorybank.cycle.recall import opening
from memorybank.injection import utf16
from memorybank.text.untrusted.fence import PREFACE
from tests.cycle.recalling import Remembering, prompt, start

WITHOUT_EPISODES = CycleSettings(budgets=Budgets(episodes=0))
LEDGER = "The nightly export of `ledger_rows` stopped because `LedgerWriter` kept its lock until midnight."
帳簿 = "夜間の書き出しが止まった原因は、`LedgerWriter` が `ledger_rows` のロックを離さなかったためです。"
SPLIT = "Please split the big {} into a parser, a printer and a cutter for the quarterly statements of our three Norwegian branch offices."
分割 = "{}を、四半期報告の読み取りと解析と印字のために、ノルウェーの三つの支店ごとに分割してください。"


@pytest.fixture
def memory(bank, fixed_clock):
    return Remembering(bank({}), fixed_clock, WITHOUT_EPISODES).index()


def talk(memory, name, *turns, days_ago=1.0):
    session = memory.session(name, days_ago=days_ago)
    for asked, answered in turns:
        session.prompt(asked)
        session.turn_end(answered)
    session.end()
    memory.fold()


def failing(memory, call, worked, sessions):
    for number in range(sessions):
        session = memory.session(f"{call}{number}", days_ago=1)
        session.run(call, error=f"Error: {call} is unknown", tool_use_id=f"{call}{number}")
        session.run(worked, output="ok")
    memory.fold()


def lines(injection):
    return [line for line in injection.text.split("\n") if line.startswith("- ")] if injection is not None else []


def shown(injection):
    return injection.text if injection is not None else ""


@pytest.mark.parametrize(("tables", "most"), [(("billing",) * 5, 420), (("parser", "ledger", "planner", "gateway", "billing"), 540)])
def test_a_start_is_short_whatever_is_known(memory, tables, most):
    """The lines that stand in every start are agents' tokens in every session: 80 for problems, about 105 in all; 135 with many different rules."""
    for call in ("build", "check", "deploy", "release", "publish"):
        failing(memory, f"wrapper {call} --target production-{call}", f"{call} --target production-{call}", 2)
    for number, name in enumerate(tables):
        talk(memory, f"s{number}", (f"Never rename the public tables of the {name} without asking the team of that name first.", "Understood."))
    found = memory.ask(start())
    body = found.text.partition(opening.HEADING)[2]
    assert utf16(body) <= most + 40
    problems = [line for line in lines(found) if "fails here" in line]
    assert problems and sum(map(utf16, problems)) <= 320
    assert len(lines(found)) > len(problems), "problems leave room for rules"
    assert utf16(found.text) <= len(PREFACE) + most + 130


@pytest.mark.parametrize(
    ("asked", "said"),
    [("did you add tests for the new functions?", "did you add tests"), ("新しい関数のテストも書いてください。", "テストも書いて")],
)
def test_what_people_keep_asking_for_is_shown_from_the_third_session_on(memory, asked, said):
    for number, is_shown in enumerate((False, False, True)):
        talk(memory, f"s{number}", (asked, "Done."))
        assert (said in shown(memory.ask(start(session=f"later{number}")))) == is_shown


@pytest.mark.parametrize(
    ("said", "is_shown"),
    [
        ("It should never try to create a branch without a base commit.", False),
        ("The publisher should never create a branch without a base commit.", True),
        ("これは必ず基準のコミットがあるときだけ作成すること。", False),
        ("枝は必ず基準のコミットがあるときだけ作成すること。", True),
        ("The branch must never hold the logs of these commits.", False),
        ("The branch must never hold the logs of two commits.", True),
    ],
)
def test_a_rule_that_only_its_conversation_explains_is_not_shown_at_a_start(memory, said, is_shown):
    talk(memory, "earlier", (said, "Understood."))
    assert (said in shown(memory.ask(start()))) == is_shown


OF_ONE_TASK = "Use the striped style for the rows of the totals table instead of the plain one."
一度の依頼 = "合計の表の行は、無地ではなく `striped` を使って縞模様にしてほしい。"


@pytest.mark.parametrize("said", [OF_ONE_TASK, 一度の依頼])
def test_what_was_said_once_waits_for_a_second_session(memory, said):
    """What does not say itself that it lasts is an order for one task more often than not, and a start repeats it for months."""
    talk(memory, "first", (said, "Done."))
    assert said not in shown(memory.ask(start(session="between")))
    talk(memory, "same", (said, "Done."), (said, "Done again."))
    assert said in shown(memory.ask(start(session="after")))


@pytest.mark.parametrize(
    "said",
    [
        "Always use the striped style for the rows of a table.",
        "Commit messages start with the number of the ticket.",
        "I prefer small functions over comments.",
        "表の行には常に `striped` を使って縞模様にしてほしい。",
        "コミットメッセージは日本語で書いてください。",
        "長い関数より短い関数のほうが好きです。",
    ],
)
def test_what_says_that_it_lasts_is_shown_from_the_next_session_on(memory, said):
    talk(memory, "first", (said, "Understood."))
    assert said in shown(memory.ask(start()))


@pytest.mark.parametrize(
    ("said", "line", "is_shown"),
    [
        ("Never push to `main` without a review, please.", "- **Never** push to `main` without review.", False),
        ("we should always run `make fmt` together with `make lint`", "Always run `make fmt` together with `make lint`.", False),
        ("mainに直接プッシュするのは禁止です。", "- main への直接プッシュは禁止", False),
        ("Never push to `main` without a review, please.", "- Reviews are in `docs/review.md`.\n- Nobody pushes at night.", True),
        ("mainに直接プッシュするのは禁止です。", "- main は保護されている", True),
    ],
)
def test_a_rule_in_the_instructions_that_the_host_loads_is_not_repeated(memory, said, line, is_shown):
    """Where it applies, at a call, it is shown all the same: agents forget what they read at the start."""
    talk(memory, "earlier", (said, "Understood."))
    assert said[:20] in shown(memory.ask(start(session="before")))
    (Path(memory.root()) / "CLAUDE.md").write_text(f"# Project\n\n{line}\n", encoding="utf-8")
    assert (said[:20] in shown(memory.ask(start()))) == is_shown


def test_lines_compete_by_what_speaks_for_them_and_by_their_length(memory):
    """A person's order and a request of many sessions displace what was once said about the product at length."""
    long_one = "Every total of the overview must be computed on the server, since the browser rounds the amounts of the third quarter."
    talk(memory, "product", (long_one, "Understood."), days_ago=1)
    talk(memory, "order", ("Never edit the generated schema by hand.", "Understood."), days_ago=9)
    for number in range(4):
        talk(memory, f"tests{number}", ("did you add tests for it?", "Yes."), days_ago=9)
    assert [line.partition('"')[2].rstrip('"') for line in lines(memory.ask(start()))][:3] == [
        "did you add tests for it?",
        "Never edit the generated schema by hand.",
        long_one,
    ]


@pytest.mark.parametrize(
    "binding",
    ["one line for each entry of the log, no signatures and no links to tickets.", "宿泊者の一覧は触らないで、法律で三年は残すのでキャッシュも禁止。"],
    ids=["English", "Japanese"],
)
def test_what_binds_a_kind_of_things_comes_before_a_shorter_fact(memory, binding):
    fact = "コミットメッセージは英語です。"
    talk(memory, "fact", (fact, "Understood."), days_ago=1)
    talk(memory, "binding", (binding, "Understood."), days_ago=3)
    assert [line.partition('"')[2].rstrip('"') for line in lines(memory.ask(start()))] == [binding, fact]


@pytest.mark.parametrize(
    ("complete", "fragment"),
    [("コミットメッセージは日本語でお願いします。", "日本語で"), ("lint は必ず mise 経由で", "mise 経由で")],
    ids=["another", "the same"],
)
def test_a_fragment_is_not_shown_at_a_start_and_does_not_stand_for_its_rule(memory, complete, fragment):
    talk(memory, "first", (complete, "はい。"), days_ago=3)
    talk(memory, "second", (fragment, "はい。"), days_ago=1)
    assert [line for line in lines(memory.ask(start())) if fragment in line] == [f'- "{complete}"']


def test_requests_that_share_no_words_need_one_session_more(memory):
    asked = (
        "please put the new version into the install snippet of the README",
        "update the docs of the retention job",
        "write about backups in the documentation",
    )
    for number, request in enumerate((*asked, "add a warning to the docs")):
        assert "asked for" not in shown(memory.ask(start(session=f"later{number}")))
        talk(memory, f"s{number}", (request, "Done."))
    assert "asked for in 4 sessions" in shown(memory.ask(start(session="last")))


@pytest.mark.parametrize(
    ("asked", "ended", "again"),
    [
        (
            (
                "explain both options before you change anything",
                "show me the plan before you start coding",
                "let's discuss it together before you implement it",
            ),
            "From now on just do it, no need to ask me first.",
            "explain both options before you change anything",
        ),
        (
            ("実装する前に方針を説明してください", "まず計画を見せてください", "いきなり実装しないで、先に設計案を出して"),
            "今後は確認なしで実装していいです。",
            "実装する前に方針を説明してください",
        ),
    ],
    ids=["english", "japanese"],
)
def test_a_practice_that_was_given_up_is_not_shown_until_it_is_asked_for_again(memory, asked, ended, again):
    for number, request in enumerate(asked):
        talk(memory, f"s{number}", (request, "Done."), days_ago=9 - number)
    before = shown(memory.ask(start(session="now")))
    assert any(request in before for request in asked)
    talk(memory, "ends", (ended, "Fine."), days_ago=5)
    after = shown(memory.ask(start(session="later")))
    assert not any(request in after for request in asked)
    for number in range(3):
        talk(memory, f"again{number}", (again, "Done."), days_ago=3 - number)
    assert again in shown(memory.ask(start(session="last")))


@pytest.mark.parametrize(
    ("sayings", "point"),
    [
        (
            ["can you add tests for it?", "can you walk through the parser and the printer of the reports, and also add some more tests for the language?"],
            '"… and also add some more tests for the language?"',
        ),
        (
            ["テストも書いてください。", "今日の変更をすべて見直してから、まず失敗するテストを書いて、それから実装を直してください。"],
            '"… まず失敗するテストを書いて、それから実装を直してください。"',
        ),
    ],
)
def test_a_long_saying_is_shown_from_the_clause_that_names_its_theme(memory, sayings, point):
    for number in range(12):
        talk(memory, f"s{number}", (sayings[number == 0], "Done."))
    assert point in shown(memory.ask(start()))


@pytest.mark.parametrize("answer", [LEDGER, 帳簿])
@pytest.mark.parametrize(
    ("asked", "is_shown"),
    [
        (SPLIT.format("letters of the mailer"), False),
        (分割.format("メール送信の本文"), False),
        ("Continue where we left off.", True),
        ("前回の続きをお願いします。", True),
    ],
)
def test_the_result_of_earlier_work_waits_for_a_prompt_that_continues_it(memory, answer, asked, is_shown):
    talk(memory, "earlier", ("Why did the nightly export stop?", answer))
    assert "LedgerWriter" not in shown(memory.ask(start()))
    found = memory.ask(prompt(asked))
    assert ("session:earlier" in (found.sources if found is not None else ())) == is_shown


def test_a_later_prompt_continues_earlier_work_too_and_its_result_is_shown_once(memory):
    talk(memory, "earlier", ("Why did the nightly export stop?", LEDGER))
    memory.session("now").prompt("Rename the mailer.")
    assert memory.ask(prompt("Continue where we left off.")).sources == ("session:earlier",)
    assert memory.ask(prompt("Pick up where we left off, please.")) is None


def test_what_an_answer_says_is_not_shown_again_as_the_result_of_its_session(memory):
    talk(memory, "earlier", ("Why did the nightly export stop?", LEDGER))
    found = memory.ask(prompt("Last session: why did the nightly export of ledger_rows by LedgerWriter stop at midnight with its lock?"))
    assert found.text.count("kept its lock until midnight") == 1


@pytest.mark.parametrize("age", [1, 400])
def test_work_of_long_ago_is_not_continued(memory, age):
    talk(memory, "earlier", ("Why did the nightly export stop?", LEDGER), days_ago=age)
    assert ("kept its lock" in shown(memory.ask(prompt("Continue where we left off.")))) == (age == 1)


@pytest.mark.parametrize(
    ("first", "again", "told"),
    [
        ("`make check` is failing", "when running make check I get two errors", "it failed for the user in 2 sessions"),
        (
            "手元で `make check` を実行するとエラーになります",
            "`make check` がまだ失敗しています、確認してください",
            "利用者が実行して2セッションで失敗した",
        ),
    ],
    ids=["English", "Japanese"],
)
def test_a_check_that_a_person_runs_after_the_agent_is_known_once_it_failed_twice(memory, first, again, told):
    talk(memory, "s1", (first, "Fixed."), days_ago=3)
    assert "make check" not in shown(memory.ask(start(session="between")))
    talk(memory, "s2", (again, "Fixed."), days_ago=1)
    assert told in shown(memory.ask(start(session="last")))
    assert "make check" in shown(memory.ask(start(session="last too")))


@pytest.mark.parametrize(
    ("first", "again", "ending"),
    [
        ("`make check` is failing, so drop the staging table", "when running make check I get two errors", "stop running make check"),
        ("`make check` が失敗しています", "make check が失敗しているので検証用の表を消して", "make check はもう実行しないで"),
    ],
    ids=["English", "Japanese"],
)
def test_a_report_is_quoted_without_what_else_it_says_and_over_when_a_person_says_so(memory, first, again, ending):
    talk(memory, "s1", (first, "Fixed."), days_ago=6)
    talk(memory, "s2", (again, "Fixed."), days_ago=5)
    held = shown(memory.ask(start(session="between")))
    (line,) = [line for line in held.split("\n") if line.startswith("- ") and "`make check`" in line and "2" in line]
    assert "staging" not in line and "検証用" not in line
    talk(memory, "s3", (ending, "Understood."), days_ago=2)
    assert line not in shown(memory.ask(start(session="last")))


def test_a_failing_check_that_nobody_reported_for_months_is_over(memory):
    talk(memory, "s1", ("`make check` is failing", "Fixed."), days_ago=90)
    talk(memory, "s2", ("`make check` が失敗しています", "Fixed."), days_ago=80)
    assert "make check" not in shown(memory.ask(start()))
