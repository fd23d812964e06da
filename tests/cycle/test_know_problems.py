"""Problems: calls that fail again and again in several sessions, with what makes them work. Counted from logs as hooks write them."""

import pytest

from memorybank.cycle.fold import logs
from memorybank.cycle.know import problems
from memorybank.text.commands import forms, refusals

from .conftest import MINUTE, NOW

PRIVATE = {"acl": "session", "privacy": "private", "hold": True}


def nobody_else(*_row):
    return False


@pytest.fixture
def known(base, cache):
    """known(own="now") → the problems that a session finds. sees: who may see a failure that is not public, as `ranking.MemoryReader.sees` decides."""

    def find(own="now", sees=nobody_else, now=NOW):
        logs.fold(base, cache, wait=True)
        cache.create_function("sees", 8, sees)
        return problems.find(cache, own, now)

    return find


@pytest.fixture
def sessions(session):
    """sessions(3) → this many sessions, each an hour after the one before."""

    def make(count, prefix="s"):
        return [session(f"{prefix}{number}", at=NOW - (count - number) * 60 * MINUTE) for number in range(count)]

    return make


def told(found):
    return [(problem.form, problem.how, problem.remedy, problem.failed, problem.remedied) for problem in found]


def instead(work, failing="rtk bun run test", working="bun run test"):
    work.run(failing, error="error: unrecognized subcommand 'bun'")
    work.run(working)


def first(work, failing="git commit -m x", preparation="rm -rf tmp/clones", error="pre-commit hook failed: tmp/clones"):
    work.run(failing, error=error)
    work.run(preparation)
    work.run(failing)


def test_a_failure_that_recurs_names_the_command_that_works(known, sessions):
    for work in sessions(3):
        instead(work)
    (problem,) = known()
    assert told([problem]) == [("rtk bun run test", "instead", "bun run test", 3, 3)]
    assert problem.said == "error: unrecognized subcommand 'bun'" and NOW - 61 * MINUTE < problem.at < NOW
    assert problem.shown("en") == "`rtk bun run test` fails here (3 sessions): use `bun run test`"
    assert problem.shown("ja") == "`rtk bun run test` はここでは失敗する（3セッション）: `bun run test` を使う"
    assert problem.shown_at_call("en") == f"{problem.shown('en')} (error: unrecognized subcommand 'bun')"
    assert problem.shown_at_call("ja") == f"{problem.shown('ja')}（エラー: unrecognized subcommand 'bun'）"


def test_a_failure_that_recurs_names_what_to_run_first(known, sessions):
    for work in sessions(2):
        first(work)
    (problem,) = known()
    assert told([problem]) == [("git commit", "first", "rm -rf tmp/clones", 2, 2)]
    assert problem.shown("en") == "`git commit` can fail here (2 sessions): run `rm -rf tmp/clones` first"


@pytest.mark.parametrize(
    ("errors", "said"),
    [
        (("error: no such option: --fix",) * 5, " (error: no such option: --fix)"),
        (("error: no such option: --fix",) * 4 + ("error: config not found",), ""),
        (("error: config not found",) + ("error: no such option: --fix",) * 4, " (error: no such option: --fix)"),
        (("fatal: cannot read /home/ann/app/config.toml",) * 3, ""),
        (("エラー: 設定ファイルがありません",) * 3, " (error: エラー: 設定ファイルがありません)"),
    ],
)
def test_the_error_is_named_if_it_is_nearly_always_the_same_and_names_no_path_of_this_machine(known, sessions, errors, said):
    for work, error in zip(sessions(len(errors)), errors, strict=True):
        work.run("toolx check all", error=error)
        work.run("check all")
    (problem,) = known()
    assert problem.shown_at_call("en") == problem.shown("en") + said


def test_once_is_a_coincidence_however_often_it_failed(known, session):
    work = session()
    for _ in range(5):
        instead(work)
        first(work)
    assert known() == []


def test_a_failure_that_nothing_mended_is_no_problem(known, sessions):
    """Nobody can do anything about it."""
    for work in sessions(4):
        work.run("make", error="make: *** [all] Error 2")
        work.run("pytest -q", error="1 failed")
        work.run("pytest -q")
    assert known() == []


@pytest.mark.parametrize(("one", "other"), [("sudo", "doit"), ("doit", "sudo")])
def test_the_remedy_that_worked_in_most_sessions_is_told(known, sessions, one, other):
    for number, work in enumerate(sessions(5)):
        instead(work, "make wheel", f"{one if number < 2 else other} make wheel")
    assert told(known()) == [("make wheel", "instead", f"{other} make wheel", 5, 3)]


def test_a_test_that_is_run_in_between_by_chance_is_no_remedy(known, sessions):
    """It ran before one in four commits that failed, but also in every other session."""
    for number, work in enumerate(sessions(8)):
        first(work, preparation="bun run test" if number < 2 else f"tool{number} fix")
        work.run("bun run test")
    assert known() == []


def test_what_runs_rarely_and_before_this_call_is_a_remedy(known, sessions):
    """The same share, but of a command that hardly any other session ran."""
    for number, work in enumerate(sessions(8)):
        first(work, preparation="bun run codegen" if number < 2 else f"tool{number} fix")
    for work in sessions(20, "other"):
        work.run("bun run test")
    assert told(known()) == [("git commit", "first", "bun run codegen", 8, 2)]


def test_a_wrapper_is_learned_from_history_and_a_problem_of_what_it_runs_is_one(known, sessions):
    """`rtk git commit` and `git commit` fail for the same reason: neither is proven alone."""
    one, two = sessions(2)
    first(one, "rtk git commit -m x")
    first(two, "git commit -m x")
    assert known() == [], "nobody knows yet what `rtk` is"
    for work in (one, two):
        for command in ("git status", "bun run test", "ls src", "cargo build"):
            work.run(f"rtk {command}")
            work.run(command)
    assert told(known()) == [("git commit", "first", "rm -rf tmp/clones", 2, 2)]


def test_a_remedy_counts_with_and_without_a_wrapper(known, sessions, cache):
    """Agents run `rtk git commit` today and `git commit` tomorrow: it is one remedy, shown as it is run most."""
    three = sessions(3)
    for work in three:
        for command in ("git status", "bun run test", "ls src", "cargo build"):
            work.run(f"rtk {command}")
            work.run(command)
    for work, working in zip(three, ("git commit", "rtk git commit", "rtk git commit"), strict=True):
        work.line("tool_after", tool="Skill", inputs={"other": {"skill": "commit"}}, status="failure", error="Unknown skill: commit")
        work.run(f"{working} -m x")
    (problem,) = known()
    assert told([problem]) == [("Skill commit", "instead", "rtk git commit", 3, 3)]
    assert [one.is_remedied for one in problems.occurrences(cache, problem, NOW)] == [True, True, True]


@pytest.mark.parametrize(
    ("commands", "found"),
    [
        (["git", "bun", "cargo", "cargo"], {"rtk"}),
        (["git", "bun", "git", "bun"], {"rtk"}),
        (["git", "git", "git", "git", "git", "git"], set()),
        (["git", "test", "git", "test", "test", "test"], set()),
        (["git", "bun", "cargo"], set()),
        (["git", "bun", "cargo", "new", "old", "list", "show"], set()),
    ],
    ids=["three known programs, six times", "two programs", "one program", "one program and a usual subcommand", "too rarely", "mostly words of its own"],
)
def test_a_wrapper_is_a_word_that_several_known_programs_follow(base, cache, session, commands, found):
    work = session()
    for program in ("git", "bun", "cargo", "test"):
        work.run(f"{program} run")
        work.run(f"{program} test")
    for command in (*commands, *(["git", "bun"] if len(commands) == 4 else [])):
        work.run(f"rtk {command} x")
    logs.fold(base, cache, wait=True)
    assert problems.wrappers(cache) == found


def test_calls_that_fail_for_the_word_before_them_are_one_problem(known, sessions):
    """Its sessions are those of all these calls together."""
    one, two, three = sessions(3)
    for work in (one, two):
        instead(work)
    for work in (two, three):
        instead(work, "rtk bun run lint", "bun run lint")
    (problem,) = known()
    assert told([problem]) == [("rtk bun …", "instead", "bun …", 3, 3)]
    assert problem.concerns(["rtk bun run build"]) and problem.concerns(["git add", "rtk bun install"]) and problem.concerns(["rtk bun"])
    assert not problem.concerns(["rtk bunx run"]) and not problem.concerns(["bun run test"]) and not problem.concerns(["rtk git status"])


def test_other_problems_of_one_program_stay_apart(known, sessions):
    for work in sessions(2):
        instead(work)
        for task in ("lint", "build"):
            first(work, f"bun run {task}", "bun run codegen", "types are missing")
    assert told(known()) == [
        ("bun run build", "first", "bun run codegen", 2, 2),
        ("bun run lint", "first", "bun run codegen", 2, 2),
        ("rtk bun run test", "instead", "bun run test", 2, 2),
    ]


def test_a_problem_concerns_its_own_call_alone(known, sessions):
    for work in sessions(2):
        instead(work)
    (problem,) = known()
    assert problem.concerns(["rtk bun run test"]) and not problem.concerns(["rtk bun run lint"])


def test_those_that_cost_most_sessions_come_first(known, sessions):
    for number, work in enumerate(sessions(4)):
        instead(work)
        if number < 3:
            first(work)
    assert [problem.failed for problem in known()] == [4, 3]


def test_the_session_that_asks_does_not_count(known, sessions):
    for work in sessions(2):
        instead(work)
    assert known("s0") == [] and known("s1") == []
    assert len(known("another")) == 1


def test_what_fails_later_is_not_known_yet(known, sessions):
    """A replay asks as of an instant."""
    for work in sessions(2):
        instead(work)
    assert known(now=NOW - 90 * MINUTE) == []


def test_a_remedy_keeps_its_id_whatever_is_counted(known, session, sessions):
    for work in sessions(2):
        instead(work)
    (before,) = known()
    instead(session("later", at=NOW - MINUTE))
    (after,) = known()
    assert after.memory == before.memory and after.remedied == before.remedied + 1


def test_failures_that_only_their_own_session_may_see_teach_nobody(known, sessions):
    for work in sessions(3):
        work.run("rtk bun run test", error="error: unrecognized subcommand", **PRIVATE)
        work.run("bun run test", **PRIVATE)
    assert known() == []


def test_what_only_some_may_see_is_counted_for_these_alone(known, sessions):
    """One public session and one of a private scope prove a problem only for those who may see both."""
    one, two = sessions(2)
    instead(one)
    two.run("rtk bun run test", error="error: unrecognized subcommand", **PRIVATE)
    two.run("bun run test", **PRIVATE)
    assert known() == []
    assert told(known(sees=lambda _kind, _at, acl, *_: acl == "session")) == [("rtk bun run test", "instead", "bun run test", 2, 2)]


def test_a_remedy_of_another_scope_is_never_told(known, sessions):
    """Everybody may see the failure, but only one session may see what fixed it."""
    for work in sessions(3):
        work.run("make", error="make: *** [all] Error 2")
        work.run("rm -rf private/cache", **PRIVATE)
        work.run("make")
    assert known() == []


def test_what_ends_one_error_of_a_call_that_fails_for_many_reasons_is_no_remedy_of_the_call(known, sessions):
    """`make schema` ends "schema is old"; to run it before each test would help with nothing else."""
    for number, work in enumerate(sessions(9)):
        if number < 3:
            first(work, failing="pytest -q", preparation="make schema", error=f"error: schema of orders is version {number}, reader wants 9")
        else:
            work.run("pytest -q", error=f"AssertionError: {'abcdefghi'[number]}{'jklmnopqr'[number]} differs")
            work.run("pytest -q")
    assert known() == []


def refuse(work, piped=False):
    said = "cat: illegal option -- A\nusage: cat [-belnstuv] [file ...]"
    work.run("cat -A a.ts | sed -n 1p", output=said) if piped else work.run("cat -A a.ts", error=said)


@pytest.fixture
def refused_at(known, cache):
    """refused_at("cat -A b") → what is known at a call with this command."""

    def find(command, now=NOW, **options):
        known(**options)
        called = [*forms.of_command(command), *refusals.forms_of(command)]
        return [problem for problem in problems.find(cache, "now", now, called) if problem.concerns(called)]

    return find


@pytest.mark.parametrize("piped", [False, True])
def test_an_option_that_does_not_exist_is_known_at_the_next_call_with_it(refused_at, session, piped):
    """Once is enough: the call will be refused again. In a pipe the exit status says nothing, so the output is read."""
    refuse(session("earlier"), piped)
    (problem,) = refused_at("cd src && cat -nA b.ts | head")
    assert problem.shown_at_call("en") == "`cat -A` does not work here (error: cat: illegal option -- A)"
    assert problem.shown_at_call("ja") == "`cat -A` はここでは使えない（エラー: cat: illegal option -- A）"
    assert not refused_at("cat b.ts")
    assert not refused_at("ls -A")


def test_a_start_names_what_was_refused_in_three_sessions(known, sessions):
    for number, work in enumerate(sessions(3), 1):
        refuse(work)
        assert [problem.form for problem in known()] == (["cat -A"] if number == 3 else [])


def test_a_refusal_of_long_ago_is_forgotten(refused_at, session):
    """Programs are installed and updated."""
    refuse(session("earlier"))
    assert refused_at("cat -A b", now=NOW + 50 * 24 * 60 * MINUTE)
    assert not refused_at("cat -A b", now=NOW + 70 * 24 * 60 * MINUTE)


SEPARATOR = "The token '&&' is not a valid statement separator in this version."
区切り = "トークン '&&' は、このバージョンでは有効なステートメント区切りではありません。"


@pytest.mark.parametrize("error", [SEPARATOR, 区切り])
def test_what_the_shell_does_not_know_is_one_problem_whatever_the_command_was(refused_at, known, sessions, error):
    for number, work in enumerate(sessions(3)):
        work.run(f"cd app{number} && pnpm build", error=f"At line:1 char:9\n{error}\n    + FullyQualifiedErrorId : InvalidEndOfLine")
        work.run(f"cd app{number}; pnpm build" if number == 1 else "cd app9")
    (problem,) = refused_at("git add . && git commit")
    assert problem.shown("en") == "`&&` does not work here: use `;`" and problem.failed == 3
    assert problem.shown_at_call("ja").startswith("`&&` はここでは使えない: `;` を使う（エラー: ")
    assert [one.form for one in known()] == ["&&"]
    assert not refused_at("git add .; git commit")


@pytest.mark.parametrize("folder", ["a", "在庫"])
def test_a_remedy_is_waited_for_until_the_end_of_the_turn(refused_at, sessions, folder):
    for work in sessions(2):
        work.run(f"mkdir {folder} && cd b", error=SEPARATOR)
        work.run("Get-Location")
        work.run(f"mkdir {folder}; cd b")
    (problem,) = refused_at("git add . && git commit")
    assert problem.remedy == ";"


@pytest.mark.parametrize("outcome", [{}, {"error": "1 test failed"}])
def test_what_another_shell_understood_is_no_problem(refused_at, sessions, outcome):
    """On one machine, one session may run in PowerShell and the next in bash."""
    one, two, three = sessions(3)
    for work in (one, two):
        work.run("cd app && pnpm build", error=SEPARATOR)
        work.run("cd app; pnpm build")
    assert refused_at("git add . && git commit")
    three.run("cd app && pnpm test", **outcome)
    assert not refused_at("git add . && git commit")


@pytest.mark.parametrize("quoted", [SEPARATOR, 区切り])
def test_a_document_that_quotes_an_error_teaches_nothing(refused_at, sessions, quoted):
    for work in sessions(3):
        work.run("cd docs && cat shells.md", output=quoted)
        work.run("cd docs; cat shells.md")
    assert not refused_at("git add . && git commit")


def test_a_program_that_was_missing_in_two_sessions_is_known(refused_at, sessions):
    one, two = sessions(2)
    for work in (one, two):
        work.run("git log | grep cart", error="grep : The term 'grep' is not recognized as the name of a cmdlet")
        work.run("git log | Select-String cart")
    (problem,) = refused_at("pnpm ls | grep react")
    assert problem.shown("en") == "`grep` does not work here: use `Select-String`"
    assert not refused_at("jq . b.json") and not refused_at("pnpm ls")


@pytest.mark.parametrize("argument", ["cart", "在庫"])
def test_a_rejected_refusal_stays_rejected_when_its_remedy_becomes_known(refused_at, sessions, argument):
    one, two = sessions(2)
    for work in (one, two):
        work.run(f"git log | grep {argument}", error="grep : The term 'grep' is not recognized as the name of a cmdlet")
    (before,) = refused_at("pnpm ls | grep react")
    two.run(f"git log | Select-String {argument}")
    (after,) = refused_at("pnpm ls | grep react")
    assert (before.remedy, after.remedy) == ("", "Select-String") and before.memory == after.memory


def test_what_replaced_a_word_in_a_private_session_stays_there(refused_at, sessions):
    missing = "grep : The term 'grep' is not recognized as the name of a cmdlet"
    one, two, three = sessions(3)
    for work, fields in ((one, {}), (two, {}), (three, PRIVATE)):
        work.run("git log | grep cart", error=missing, **fields)
    three.run("git log | Select-String cart", **PRIVATE)
    (problem,) = refused_at("pnpm ls | grep react")
    assert problem.shown("en") == "`grep` does not work here" and problem.failed == 2


def test_a_refusal_in_a_private_session_stays_there(refused_at, session):
    work = session("private")
    work.run("cat -A a.ts", error="cat: illegal option -- A", **PRIVATE)
    assert not refused_at("cat -A b.ts")


def test_a_sub_command_that_does_not_exist_keeps_its_remedy(known, sessions):
    for work in sessions(2):
        instead(work)
    assert [problem.how for problem in known()] == ["instead"]


def test_a_problem_with_a_remedy_comes_before_a_refused_option(known, sessions):
    for number, work in enumerate(sessions(4)):
        refuse(work)
        if number < 2:
            instead(work)
    assert [problem.how for problem in known()] == ["instead", "refused"]


@pytest.mark.parametrize(
    ("commands", "advised"),
    [
        (["docker compose up -d testdb"] * 3, "docker compose up -d testdb"),
        (["docker compose up -d testdb", "docker compose up -d testdb", "docker compose up -d cache"], "docker compose up -d …"),
        (["docker compose up --wait testdb", "docker compose up", "docker compose up -d"], "docker compose up"),
    ],
)
def test_the_remedy_is_the_command_that_worked_each_time(known, sessions, commands, advised):
    for work, command in zip(sessions(3), commands, strict=True):
        first(work, failing="pytest tests/test_orders.py", preparation=command, error="psycopg2.OperationalError: Connection refused")
    (problem,) = known()
    assert problem.remedy == "docker compose up" and problem.memory == "problem:af069020", "its id is that of the form, as before"
    assert problem.shown("en") == f"`pytest` can fail here (3 sessions): run `{advised}` first"
    assert problem.shown("ja") == f"`pytest` はここでは失敗することがある（3セッション）: 先に `{advised}`"


def test_what_replaces_a_call_keeps_its_arguments(known, sessions):
    for work in sessions(2):
        instead(work, failing="rtk bun run test --coverage", working="bun run test --coverage")
    (problem,) = known()
    assert problem.advised == "bun run test --coverage" and problem.remedy == "bun run test"


def test_a_remedy_that_ran_twice_in_a_session_is_shown_as_far_as_both_agree(known, sessions):
    for work in sessions(2):
        work.run("pytest", error="psycopg2.OperationalError: Connection refused")
        work.run("docker compose up -d testdb")
        work.run("docker compose up -d cache")
        work.run("pytest")
    (problem,) = known()
    assert problem.advised == "docker compose up -d …"
