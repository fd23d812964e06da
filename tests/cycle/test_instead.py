"""A call that fails here and what worked instead at once: with a variable, in another form, or with another program that does the same."""

import pytest

from memorybank.cycle.fold import logs
from memorybank.cycle.know import problems, variables
from memorybank.cycle.recall import query
from tests.cycle.recalling import Remembering, before, failure, start

from .conftest import MINUTE, NOW


@pytest.fixture
def known(base, cache):
    """known() → the problems that a new session finds."""
    cache.create_function("sees", 8, lambda *_row: False)

    def find():
        logs.fold(base, cache, wait=True)
        return problems.find(cache, "now", NOW)

    return find


@pytest.fixture
def sessions(session):
    """sessions(3) → this many sessions, each an hour after the one before."""
    return lambda count: [session(f"s{number}", at=NOW - (count - number) * 60 * MINUTE) for number in range(count)]


def repeated(works, failing, working, error="error: cannot find package `shelf`", between=()):
    for number, work in enumerate(works):
        work.prompt(f"Please repair number {number}.")
        work.run(failing, error=error)
        for command in between:
            work.run(command)
        work.run(working)


def told(found):
    return [(problem.form, problem.advised) for problem in found]


@pytest.mark.parametrize(
    ("failing", "working", "form"),
    [
        ("pytest tests/test_shelf.py", "make test", "pytest"),
        ("pytest tests/test_shelf.py", "python -m pytest tests/test_shelf.py", "pytest"),
        ("pytest", "uv run pytest", "pytest"),
        ("python -m pytest tests", "just test", "python -m pytest"),
        ("go test ./...", "make test", "go test"),
        ("npx jest", "npm run test:unit", "npx jest"),
        ("yarn test", "pnpm test", "yarn test"),
        ("gradle test", "./gradlew test", "gradle test"),
        ("tsc --noEmit", "npm run typecheck", "tsc"),
        ("eslint src", "npm run lint", "eslint"),
        ("cargo fmt", "make format", "cargo fmt"),
        ("docker-compose up", "docker compose up", "docker-compose up"),
        ("git push", "git push company main", "git push"),
        ("rails test", "SHELF_DB=sqlite rails test", "rails test"),
        ("make test", "env SHELF_DB=sqlite make test", "make test"),
        ("make test", "export SHELF_DB=sqlite && make test", "make test"),
    ],
)
def test_what_worked_at_once_in_two_sessions_is_the_remedy(known, sessions, failing, working, form):
    repeated(sessions(2), failing, working)
    (problem,) = known()
    assert problem.form == form and problem.how == "instead"
    assert problem.advised.split()[-1] == working.split()[-1] or problem.advised in working


def test_once_is_a_coincidence(known, sessions):
    repeated(sessions(1), "pytest", "make test")
    assert known() == []


@pytest.mark.parametrize(
    ("failing", "working"),
    [
        ("npm test", "npx vitest run src/cart.test.ts"),  # passes a part
        ("eslint src", "npm run typecheck"),
        ("pip install -r requirements.txt", "npm install"),
        ("docker build .", "cargo build"),
        ("bun run lint", "bun run lint:fix"),
        ("python", "make test"),
        ("uv run python report.py", "make report"),
        ("make test", "SKIP_SLOW=1 make test"),
        ("git commit -m one", "HUSKY=0 git commit -m one"),
        ("cat notes.txt", "make test"),
    ],
)
def test_what_does_something_else_or_gets_past_a_check_is_no_remedy(known, sessions, failing, working):
    repeated(sessions(3), failing, working)
    assert known() == []


@pytest.mark.parametrize("between", [["pip install shelf"], ["make gen"], ["sed -i s/a/b/ app.py"]])
def test_after_something_was_changed_the_other_command_proves_nothing(known, sessions, between):
    repeated(sessions(3), "go test ./...", "make test", between=between)
    assert known() == []


def test_an_edit_in_between_may_have_repaired_it(known, sessions):
    for work in sessions(3):
        work.run("go test ./...", error="--- FAIL: TestShelf")
        work.edit("shelf.go")
        work.run("make test")
    assert known() == []


def test_a_call_that_works_as_often_as_it_fails_needs_no_other_command(known, sessions):
    """A test that fails before its code is written, while another one passes."""
    for work in sessions(4):
        work.run("go test ./...", error="--- FAIL: TestShelf")
        work.run("npm test")
        work.edit("shelf.go")
        work.run("go test ./...")
    assert [problem for problem in known() if problem.how == "instead"] == []


def test_the_failed_call_may_still_be_repaired_by_an_edit(known, sessions, cache):
    (work,) = sessions(1)
    work.run("go test ./...", error="shelf.go:3: undefined: total")
    work.run("make test")
    work.edit("shelf.go")
    work.run("go test ./...")
    known()
    assert cache.execute("SELECT mended IS NOT NULL FROM failures").fetchone() == (1,)


def test_what_another_person_asked_for_later_is_no_remedy(known, sessions):
    for work in sessions(3):
        work.prompt("Run the tests of the shelf.")
        work.run("go test ./...", error="--- FAIL: TestShelf")
        work.prompt("And those of the page?")
        work.run("npm test")
    assert known() == []


@pytest.mark.parametrize(
    ("working", "advised"),
    [
        (["TZ=Asia/Tokyo npm test"] * 3, "TZ=Asia/Tokyo npm test"),
        (["TZ=Asia/Tokyo npm test", "TZ=UTC npm test", "TZ=UTC npm test"], "TZ=… npm test"),
        (["SHELF_TOKEN=abcdefgh12 npm test"] * 3, "SHELF_TOKEN=… npm test"),
        (["SHELF_HOME=/home/ann/shelf npm test"] * 3, "SHELF_HOME=… npm test"),
        (["SHELF_HOME=$PWD/shelf npm test"] * 3, "SHELF_HOME=… npm test"),
        (["SHELF_NAME='old books' npm test -- -q"] * 3, "SHELF_NAME='old books' npm test -- -q"),
        (["cd web && CI=1 npm test"] * 3, "cd web && CI=1 npm test"),
    ],
)
def test_a_variable_is_named_with_its_value_if_that_is_the_same_everywhere_and_no_secret(known, sessions, working, advised):
    for work, command in zip(sessions(3), working, strict=True):
        repeated([work], "cd web && npm test" if "cd web" in command else "npm test", command)
    (problem,) = known()
    assert problem.advised == advised
    assert problem.shown("en") == f"`npm test` fails here (3 sessions): use `{advised}`"
    assert problem.shown("ja") == f"`npm test` はここでは失敗する（3セッション）: `{advised}` を使う"


def test_a_call_with_the_variables_that_it_needs_is_not_the_one_that_fails(known, sessions, cache):
    repeated(sessions(2), "npm test", "CI=1 TZ=UTC npm test")
    (problem,) = known()
    for command, has_all in (
        ("TZ=UTC CI=1 npm test -- -q", True),
        ("export CI=1 TZ=Asia/Tokyo; npm test", True),
        ("CI=1 npm test", False),
        ("npm test --ci=1", False),
    ):
        assert variables.has_what_it_lacked(cache, problem.form, problem.remedy, problem.command, command) == has_all


@pytest.fixture
def remembering(bank, fixed_clock):
    return Remembering(bank({}), fixed_clock)


def played(remembering, failing, working, error):
    for number in range(3):
        work = remembering.session(f"before{number}", days_ago=5 - number)
        work.prompt("次の項目をお願いします。")
        work.run(failing, error=error, tool_use_id=f"{number}-a")
        work.run(working, tool_use_id=f"{number}-b")
        work.end()
    return remembering.fold()


def lines(injection):
    return [line for line in injection.text.split("\n") if line.startswith("- `")] if injection is not None else []


@pytest.mark.parametrize(
    ("failing", "working", "call", "error", "shown"),
    [
        ("pytest a.py", "make test", "pytest b.py -q", "No module named 'shelf'", "`pytest` fails here (3 sessions): use `make test`"),
        ("npm test", "CI=1 npm test", "npm test -- b", "エラー: CI が設定されていません", "`npm test` fails here (3 sessions): use `CI=1 npm test`"),
    ],
)
def test_it_is_shown_before_the_call_fails(remembering, failing, working, call, error, shown):
    played(remembering, failing, working, error)
    (line,) = lines(remembering.ask(before("Bash", {"command": call})))
    assert line.startswith(f"- {shown}")


def test_a_call_as_it_works_is_left_alone_also_when_it_fails(remembering):
    played(remembering, "npm test", "CI=1 npm test", "Error: CI is not set")
    assert lines(remembering.ask(before("Bash", {"command": "CI=1 npm test"}))) == []
    assert lines(remembering.ask(failure("Bash", {"command": "CI=1 npm test"}, "1 test failed"), query.FAILURE)) == []


def test_the_start_names_the_problem_and_the_usual_command_as_it_works(remembering):
    played(remembering, "npm test", "CI=1 npm test", "Error: CI is not set")
    text = remembering.ask(start()).text
    assert "- `npm test` fails here (3 sessions): use `CI=1 npm test`" in text
    assert "- usual commands here: `CI=1 npm test`" in text


@pytest.mark.parametrize("script", ["scripts/lint.sh", "ツール/検査.sh"])
def test_a_script_that_an_interpreter_runs_is_what_fails(known, sessions, script):
    """Another script of the same interpreter works, and the interpreter is not what fails."""
    works = sessions(2)
    repeated(works, f"bash {script}", f"LINT_BASE=HEAD bash {script}", error="LINT_BASE: unbound variable")
    for work in works:
        work.run("bash scripts/other.sh")
    assert told(known()) == [(f"bash {script}", f"LINT_BASE=HEAD bash {script}")]


UNITTEST, SET = "python -m unittest", "SHOP_SETTINGS=test"
NOT_SET = "KeyError: 'SHOP_SETTINGS'"


@pytest.mark.parametrize(
    ("failing", "working", "error", "expected"),
    [
        # the variable
        ([UNITTEST] * 3, [f"{SET} {UNITTEST}", "make test | tail", f"{SET} {UNITTEST} shop.tests.x"], NOT_SET, f"{SET} {UNITTEST}"),
        ([UNITTEST] * 2, [f"CI=1 SHOP_SETTINGS=test {UNITTEST}", f"SHOP_SETTINGS=test {UNITTEST}"], NOT_SET, f"SHOP_SETTINGS=test {UNITTEST}"),
        ([UNITTEST] * 2, [f"SHOP_SETTINGS=test {UNITTEST}", f"SHOP_SETTINGS=ci {UNITTEST} -q"], NOT_SET, f"SHOP_SETTINGS=… {UNITTEST}"),
        ([UNITTEST] * 2, [f"export {SET} && {UNITTEST}", f"env {SET} {UNITTEST} a.b"], NOT_SET, f"{SET} {UNITTEST}"),
        (["python manage.py test"] * 2, ["DB_PORT=1 python manage.py test"] * 2, "接続できません", "DB_PORT=1 python manage.py test"),
        # the wrapper
        (["pytest a.py", "pytest b.py"], ["uv run pytest a.py", "uv run pytest -q b.py"], "No module named 'shelf'", "uv run pytest"),
        # the argument
        (["python scripts/check.py"] * 2, ["python scripts/check.py shop/templates"] * 2, "check: no directory", "python scripts/check.py shop/templates"),
        (["bash scripts/release.sh"] * 2, ["bash scripts/release.sh 1.2.0", "bash scripts/release.sh 1.3.0"], "VERSION?", "bash scripts/release.sh …"),
        (["scripts/検査.sh"] * 2, ["scripts/検査.sh shop/雛形"] * 2, "フォルダを指定してください", "'scripts/検査.sh' 'shop/雛形'"),
        # the option
        (["mytool sync"] * 2, ["mytool sync --profile=dev", "mytool sync --profile=dev -q"], "error: no profile chosen", "mytool sync --profile=dev"),
    ],
)  # fmt: skip
def test_what_the_commands_that_worked_have_in_common_is_the_remedy(known, sessions, failing, working, error, expected):
    works = sessions(len(failing))
    for work, failed, worked in zip(works, failing, working, strict=True):
        repeated([work], failed, worked, error=error)
    found = [problem.advised for problem in known()]
    assert len(found) == 1 and (found[0] == expected or found[0].startswith(f"{expected} "))


@pytest.mark.parametrize(
    ("failing", "working", "error"),
    [
        (["npm test"] * 2, ["npm test -- --shard=1", "npm test -- --shard=2"], "1 test failed"),  # checks less
        ([UNITTEST] * 2, [f"{UNITTEST} shop.tests.a", f"{UNITTEST} shop.tests.b"], "FAILED (failures=1)"),  # other tests
        (["pytest"] * 2, ["pytest -x", "pytest --lf"], "1 failed"),
        (["mytool sync"] * 2, ["mytool sync --force"] * 2, "error: remote differs"),  # gets past a check
        (["mytool sync"] * 2, ["mytool sync -v"] * 2, "error: remote differs"),  # the same, and says more
        (["mytool sync"] * 2, ["mytool sync"] * 2, "error: connection reset"),  # a retry that worked
        (["mytool sync -a", "mytool sync -b"], ["mytool sync -c", "mytool sync -c"], "error: no profile"),  # another option instead
        (["mytool sync"] * 2, ["mytool sync --profile=dev", "mytool sync --region=eu"], "error: no profile chosen"),  # nothing in common
        (["python scripts/check.py"] * 2, ["python scripts/check.py a", "python scripts/other.py a"], "check: no directory"),
        ([UNITTEST] * 2, [f"SHOP_SETTINGS=test {UNITTEST}", f"SHOP_DEBUG=1 {UNITTEST}"], NOT_SET),
        (["cargo build"] * 2, ["cargo build --features=cli"] * 2, "error[E0432]: unresolved import"),  # an error in the code
    ],
)  # fmt: skip
def test_another_difference_each_time_is_no_remedy(known, sessions, failing, working, error):
    for work, failed, worked in zip(sessions(2), failing, working, strict=True):
        repeated([work], failed, worked, error=error)
    assert told(known()) == []


def test_an_argument_that_ended_different_errors_is_no_remedy(known, sessions):
    for work, error in zip(sessions(2), ("error: disk is full", "error: remote hung up"), strict=True):
        repeated([work], "bash scripts/sync.sh", "bash scripts/sync.sh a", error=error)
    assert known() == []


def test_a_script_that_works_without_its_argument_as_often_is_no_problem(known, sessions):
    for number, work in enumerate(sessions(4)):
        if number < 2:
            repeated([work], "bash scripts/sync.sh", "bash scripts/sync.sh a", error="sync: no target")
        else:
            work.run("bash scripts/sync.sh")
    assert known() == []


def test_before_a_call_the_lacking_argument_is_named_and_a_call_with_one_is_left_alone(remembering):
    played(remembering, "python scripts/check.py", "python scripts/check.py shop/雛形", "check: フォルダがありません")
    (line,) = lines(remembering.ask(before("Bash", {"command": "python scripts/check.py"})))
    assert line == "- `python scripts/check.py` fails here (3 sessions): use `python scripts/check.py 'shop/雛形'` (error: check: フォルダがありません)"
    assert lines(remembering.ask(before("Bash", {"command": "python scripts/check.py shop/other"}))) == []
