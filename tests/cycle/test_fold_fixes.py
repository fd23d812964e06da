"""The edits after which a failed command worked are kept with its error, and shown when the same command ends in the same error."""

import pytest

from memorybank.cycle.fold import kinds, logs
from memorybank.cycle.recall import query

from .recalling import Remembering, failure

NO_KETTLE = "error: no kettle configured in this kitchen"


@pytest.fixture
def fixes(base, cache):
    def kept():
        logs.fold(base, cache, wait=True)
        return cache.execute("SELECT heading, text FROM passages WHERE kind = 'fix' ORDER BY id").fetchall()

    return kept


def test_an_edit_before_the_same_command_works_is_the_fix(session, fixes):
    work = session()
    work.run("sh ./brew.sh", error=NO_KETTLE)
    work.edit("kettle.toml", "descale = false", "descale = true")
    assert fixes() == []
    work.run("sh ./brew.sh")
    assert fixes() == [(NO_KETTLE, "`kettle.toml`: `descale = false` → `descale = true`")]


def test_an_edit_of_a_file_that_the_error_names_is_none(session, fixes):
    """A linter or compiler says itself which file is wrong, and the next error names another one."""
    work = session()
    work.run("ruff check .", error="src/app.py:1:1: F401 `os` imported but unused")
    work.edit("src/app.py", "import os", "")
    work.run("ruff check .")
    assert fixes() == []


def test_edits_after_which_the_same_error_came_again_fixed_nothing(session, fixes):
    work = session()
    work.run("make tea", error=NO_KETTLE)
    work.edit("cups.toml", "cups = 1", "cups = 2")
    work.run("make tea", error=NO_KETTLE)
    work.edit("kettle.toml", "descale = false", "descale = true")
    work.run("make tea")
    assert fixes() == [(NO_KETTLE, "`kettle.toml`: `descale = false` → `descale = true`")]


def test_each_error_of_one_command_has_the_edits_that_ended_it(session, fixes):
    work = session()
    work.run("make tea", error="error: the water tank is empty")
    work.edit("tank.toml", "litres = 0", "litres = 2")
    work.run("make tea", error=NO_KETTLE)
    work.edit("kettle.toml", "descale = false", "descale = true")
    work.run("make tea")
    assert [text.partition(":")[0] for _, text in fixes()] == ["`tank.toml`", "`kettle.toml`"]


def test_each_error_of_one_test_run_has_the_edits_that_ended_it(session, fixes):
    """The tests have similar names and fail with different errors. Of the lines that an edit added, the one about the error is quoted."""

    def failed(name, why):
        return f"  1) test {name} (Shop.CartTest)\n     test/cart_test.exs:4\n     ** (RuntimeError) {why}\n\n3 tests, 1 failure"

    work = session()
    work.run("mix test", error=failed("opens the cart", "no :kettle_key configuration found in Shop.Endpoint."))
    work.edit("config/test.exs", "import Config", 'import Config\n  server: false,\n  kettle_key: "steam"')
    work.run("mix test", error=failed("closes the cart", "Shop.Live requires steam_html as a test dependency."))
    work.edit("mix.exs", "deps: []", "deps: [{:steam_html, only: :test}]")
    work.run("mix test")
    assert fixes() == [
        ("** (RuntimeError) no :kettle_key configuration found in Shop.Endpoint.", '`config/test.exs`: added `kettle_key: "steam"`'),
        ("** (RuntimeError) Shop.Live requires steam_html as a test dependency.", "`mix.exs`: `deps: []` → `deps: [{:steam_html, only: :test}]`"),
    ]


@pytest.mark.parametrize("agent", [{"agent_id": "sub-1", "agent_role": "reviewer"}, {"status": "failure", "error": "not found"}])
def test_another_agents_edit_or_a_failed_one_is_none(session, fixes, agent):
    work = session()
    work.run("make tea", error=NO_KETTLE)
    work.edit("kettle.toml", "descale = false", "descale = true", **agent)
    work.run("make tea")
    assert fixes() == []


def test_what_was_noted_is_forgotten_when_the_failure_ends(base, cache, session):
    work = session()
    work.run("npm test", error="npm: command not found")
    work.edit("kettle.toml", "descale = false", "descale = true")
    work.run("corepack npm test")
    logs.fold(base, cache, wait=True)
    assert cache.execute("SELECT count(*) FROM steps_since").fetchone() == (0,)
    assert cache.execute("SELECT count(*) FROM passages WHERE kind = 'fix'").fetchone() == (0,), "another command was the remedy"


def test_it_is_shown_for_the_same_error_only(bank, fixed_clock):
    remembering = Remembering(bank({}), fixed_clock).index()
    work = remembering.session("earlier")
    work.run("sh ./brew.sh", error=NO_KETTLE)
    work.edit("kettle.toml", "descale = false", "descale = true")
    work.run("sh ./brew.sh")
    call = {"command": "sh ./brew.sh"}
    remembering.fold()
    assert remembering.ask(failure("Bash", call, "error: the cup is full of milk"), query.FAILURE) is None
    assert remembering.ask(failure("Bash", {"command": "make tea"}, "error: no kettle configured in that bathroom"), query.FAILURE) is None
    shown = remembering.ask(failure("Bash", call, NO_KETTLE), query.FAILURE)
    assert "it worked after `kettle.toml`: `descale = false` → `descale = true` (it had failed with: error: no kettle configured" in shown.text


def test_it_is_not_shown_to_a_session_that_has_edited_the_file_itself(bank, fixed_clock):
    """What it changed causes the error, and the edit that ended it then may be the one that it takes back."""
    remembering = Remembering(bank({}), fixed_clock).index()
    work = remembering.session("earlier")
    work.run("sh ./brew.sh", error=NO_KETTLE)
    work.edit("kettle.toml", "descale = false", "descale = true")
    work.run("sh ./brew.sh")
    for name, edited in (("other", "cups.toml"), ("same", "kettle.toml")):
        work = remembering.session(name)
        work.prompt("Brew without descaling.")
        work.edit(edited, "descale = true", "descale = false")
    remembering.fold()
    asked = [remembering.ask(failure("Bash", {"command": "sh ./brew.sh"}, NO_KETTLE, session=name), query.FAILURE) for name in ("other", "same")]
    assert asked[0] is not None and asked[1] is None


def test_the_command_that_was_run_before_the_same_command_works_is_the_fix(session, fixes):
    work = session()
    work.run("make tea", error="error: port 5300 already in use by samovar")
    work.run("git stash")
    work.run("bin/free-port samovar 2>&1 | tail -20")
    work.run("ls -l")
    work.run("make tea")
    assert fixes() == [("error: port 5300 already in use by samovar", "`bin/free-port samovar`")]


def test_a_command_next_to_an_edit_is_not_the_fix(session, fixes):
    work = session()
    work.run("make tea", error=NO_KETTLE)
    work.edit("kettle.toml", "descale = false", "descale = true")
    work.run("make clean-cups")
    work.run("make tea")
    assert fixes() == [(NO_KETTLE, "`kettle.toml`: `descale = false` → `descale = true`")]


@pytest.mark.parametrize("error", ["error: lock of samovar held by process {}", "エラー: samovar のロックが残っています (プロセス {})"])
def test_steps_after_which_the_same_error_came_again_with_another_number_fixed_nothing(session, fixes, error):
    work = session()
    work.run("make tea", error=error.format(4117))
    work.edit("cups.toml", "cups = 1", "cups = 2")
    work.run("make tea", error=error.format(983))
    work.run("bin/unlock samovar")
    work.run("make tea")
    assert [text for _, text in fixes()] == ["`bin/unlock samovar`"]


def remembering_a_fix(bank, fixed_clock, error):
    """Return a bank in which an earlier session met this error and fixed it by `bin/free-port samovar`."""
    remembering = Remembering(bank({}), fixed_clock).index()
    work = remembering.session("earlier")
    work.run("make tea", error=error)
    work.run("bin/free-port samovar")
    work.run("make tea")
    remembering.fold()
    return remembering


def test_the_command_is_shown_for_the_same_error(bank, fixed_clock):
    remembering = remembering_a_fix(bank, fixed_clock, "error: port 5300 already in use by samovar")
    shown = remembering.ask(failure("Bash", {"command": "make tea"}, "error: port 8125 already in use by samovar"), query.FAILURE)
    assert "it worked after `bin/free-port samovar` (it had failed with: error: port 5300" in shown.text


def test_it_is_shown_after_another_command_if_the_line_is_the_same(bank, fixed_clock):
    remembering = remembering_a_fix(bank, fixed_clock, '  File "cups.py", line 4\nerror: port 5300 already in use by samovar')
    shown = remembering.ask(failure("Bash", {"command": "sh ./brew.sh"}, "error: port 811 already in use by samovar\nsugar = 2"), query.FAILURE)
    assert "bin/free-port samovar" in shown.text
    assert remembering.ask(failure("Bash", {"command": "make tea"}, "error: port 811 already in use by percolator"), query.FAILURE) is None


def test_a_line_that_says_only_that_something_failed_finds_no_fix(bank, fixed_clock):
    remembering = Remembering(bank({}), fixed_clock).index()
    work = remembering.session("earlier")
    work.run("make tea", error="FAIL\nERROR task failed")
    work.edit("kettle.toml", "descale = false", "descale = true")
    work.run("make tea")
    remembering.fold()
    assert remembering.ask(failure("Bash", {"command": "make tea"}, "FAIL\nERROR task failed"), query.FAILURE) is None


@pytest.mark.parametrize("verdict", ["FAIL example.com/shop/kettle 5.340s", "FAIL\texample.com/shop/kettle\t0.012s\nFAIL", "FAIL example.com/shop/薬缶 5.340s"])
def test_the_line_with_which_a_package_ends_finds_no_fix(bank, fixed_clock, verdict):
    remembering = Remembering(bank({}), fixed_clock).index()
    work = remembering.session("earlier")
    work.run("go test ./kettle", error=verdict)
    work.edit("shop/heating/boiler.go", "cold", "hot")
    work.run("go test ./kettle")
    remembering.fold()
    assert remembering.ask(failure("Bash", {"command": "go test ./kettle"}, verdict), query.FAILURE) is None


NO_TERMINAL = "the input device is not a TTY"
QUERY = "docker compose exec {}db psql -U shop -c 'select count(*) from {}'"


def test_the_form_in_which_the_command_worked_is_the_fix(session, fixes):
    work = session()
    work.prompt("How many harbours have no berths?")
    work.run(QUERY.format("", "harbours"), error=NO_TERMINAL)
    work.run(QUERY.format("-T ", "harbours") + " | tail -3")
    assert fixes() == [(NO_TERMINAL, "→ `docker compose exec -T db psql -U shop -c 'select count(*) from harbours'`")]


def test_an_edit_in_between_is_the_fix_even_if_the_command_changed(session, fixes):
    work = session()
    work.run("make tea", error=NO_KETTLE)
    work.edit("kettle.toml", "descale = false", "descale = true")
    work.run("make tea CUPS=2")
    assert fixes() == [(NO_KETTLE, "`kettle.toml`: `descale = false` → `descale = true`")]


def test_the_form_that_worked_in_a_later_turn_is_none(session, fixes):
    work = session()
    work.prompt("How many harbours have no berths?")
    work.run(QUERY.format("", "harbours"), error=NO_TERMINAL)
    work.prompt("And how many boats?")
    work.run(QUERY.format("-T ", "boats"))
    assert fixes() == []


def test_the_command_of_a_failure_is_kept_until_it_is_repaired(base, cache, session):
    work = session()
    work.run(QUERY.format("", "harbours"), error=NO_TERMINAL)
    logs.fold(base, cache, wait=True)
    assert cache.execute("SELECT command FROM failures").fetchone()[0].startswith("docker compose exec db")
    work.run(QUERY.format("-T ", "harbours"))
    logs.fold(base, cache, wait=True)
    assert cache.execute("SELECT command FROM failures").fetchone() == ("",)


@pytest.fixture
def remembering(bank, fixed_clock):
    return Remembering(bank({}), fixed_clock)


def corrected(remembering, error=NO_TERMINAL):
    work = remembering.session("before", days_ago=2)
    work.prompt("How many harbours have no berths?")
    work.run(QUERY.format("", "harbours"), error=error)
    work.run(QUERY.format("-T ", "harbours"))
    work.end()
    remembering.fold()


@pytest.mark.parametrize(
    ("error", "said"),
    [
        (NO_TERMINAL, "this worked: {} (it had failed with: {})"),
        ("エラー: 標準入力が端末ではありません", "成功した形: {}（以前のエラー: {}）"),
    ],
)
def test_the_same_error_is_answered_by_the_form_that_worked(remembering, error, said):
    corrected(remembering, error)
    found = remembering.ask(failure("Bash", {"command": QUERY.format("", "boats")}, f"Exit code 1\n{error}"), query.FAILURE)
    assert said.format("`docker compose exec -T db psql -U shop -c 'select count(*) from harbours'`", error) in found.text
    other = failure("Bash", {"command": QUERY.format("", "boats")}, 'Error response from daemon: container "db" is restarting')
    assert remembering.ask(other, query.FAILURE) is None


@pytest.mark.parametrize("said", ["Please don't use -T, the script needs the terminal.", "docker では -T を使わないでください。"])
def test_a_form_that_a_person_spoke_against_is_left_out(remembering, said):
    corrected(remembering)
    later = remembering.session("later", days_ago=1)
    later.prompt(said)
    later.end()
    remembering.fold()
    assert remembering.ask(failure("Bash", {"command": QUERY.format("", "boats")}, NO_TERMINAL), query.FAILURE) is None


ENCODE = "app/services/{}.rb:{}:in `encode': U+{} from UTF-8 to Shift_JIS (Encoding::UndefinedConversionError)"


def test_an_error_at_run_time_keeps_the_edit_of_the_file_that_it_names(session, fixes):
    """Its line says where it stopped, not what to change."""
    work = session()
    work.run("bin/rails runner export", error=ENCODE.format("freee_export", 21, "301C"))
    work.edit("app/services/freee_export.rb", 'encode("Shift_JIS")', 'encode("CP932")')
    work.run("bin/rails runner export")
    assert [text for _, text in fixes()] == ['`app/services/freee_export.rb`: `encode("Shift_JIS")` → `encode("CP932")`']


def shown_after(bank, fixed_clock, earlier, error, command="bin/rails runner export"):
    remembering = Remembering(bank({}), fixed_clock).index()
    work = remembering.session("earlier")
    work.run(command, error=earlier)
    work.edit("app/services/freee_export.rb", 'encode("Shift_JIS")', 'encode("CP932")')
    work.run(command)
    found = remembering.fold().ask(failure("Bash", {"command": command}, error), query.FAILURE)
    return found is not None and "CP932" in found.text


@pytest.mark.parametrize(
    ("earlier", "error", "is_shown"),
    [
        (ENCODE.format("freee_export", 21, "301C"), ENCODE.format("shipping_orders", 14, "2460"), True),
        (ENCODE.format("freee_export", 21, "301C"), ENCODE.format("shipping_orders", 14, "2460").replace("Shift_JIS", "EUC-JP"), False),
        ("Error: the probe was found\nError: timed out while waiting for the target", "Error: timed out while waiting for the target", False),
        (
            "Error: timed out while waiting for the target\nError: the probe was lost",
            "Error: the probe was lost\nError: timed out while waiting for the target",
            True,
        ),
        (
            "エラー: 倉庫のファイルを変換できません\nエラー: 文字が Shift_JIS にありません",
            "エラー: 文字が Shift_JIS にありません\nエラー: 倉庫のファイルを変換できません",
            True,
        ),
        (
            "エラー: 倉庫のファイルを変換できません\nエラー: 文字が Shift_JIS にありません",
            "エラー: 倉庫のファイルを変換できません\nエラー: 容量が足りません",
            False,
        ),
    ],
)
def test_both_lines_of_an_error_count_but_not_the_place_where_it_stopped(bank, fixed_clock, earlier, error, is_shown):
    assert shown_after(bank, fixed_clock, earlier, error) == is_shown


@pytest.mark.parametrize(
    ("error", "is_shown"), [("Error: no bucket of the harbour store in the region fal...", True), ("Error: no key of the harbour store in the reg...", False)]
)
def test_of_a_line_that_a_program_cut_the_rest_is_unknown(bank, fixed_clock, error, is_shown):
    earlier = "Error: no bucket of the harbour store in the region falkland of the south"
    assert shown_after(bank, fixed_clock, earlier, error) == is_shown


def test_a_command_over_several_lines_is_shown_as_one(session, fixes):
    work = session()
    work.run("docker compose exec db psql -l", error="the input device is not a TTY")
    work.run("docker compose exec -T \\\n  db psql -l")
    assert [text for _, text in fixes()] == ["→ `docker compose exec -T db psql -l`"]


@pytest.mark.parametrize(
    "error", ["src/cart.ts:3:1 lint/noUnusedImports: this import is unused", "src/cart.ts:3:1 lint/noUnusedImports: 使われていない import です"]
)
def test_what_stages_commits_lists_or_shows_ends_no_error_also_behind_a_wrapper(session, fixes, error):
    """The wrapper is not known yet: it runs for the first time."""
    work = session()
    work.run("rtk git commit -m 'cart: add up'", error=error)
    for command in ("rtk git add src/cart.ts src/tax.ts", "rtk ls -la src", "rtk git status", "rtk cat src/cart.ts"):
        work.run(command)
    work.run("rtk git add src/cart.ts src/tax.ts && rtk git commit -m 'cart and tax: add up'")
    assert fixes() == []


def test_the_variable_with_which_a_commit_worked_is_the_fix(session, fixes):
    work = session()
    work.run("git commit -m 'cart: add up'", error=NO_KETTLE)
    work.run("git add kettle.toml && LEFTHOOK_EXCLUDE=kettle git commit -m 'cart: add up'")
    assert [text.strip("`") for _, text in fixes()] == [
        f"{kinds.WORKED_AS}`git add kettle.toml && LEFTHOOK_EXCLUDE=kettle git commit -m 'cart: add up'".strip("`")
    ]


@pytest.mark.parametrize(
    ("ran", "kept"), [("cd infra && bin/start-samovar", "`cd infra && bin/start-samovar`"), ("cd . && bin/start-samovar", "`bin/start-samovar`")]
)
def test_a_command_that_ended_an_error_keeps_the_folder_in_which_it_ran(session, fixes, ran, kept):
    work = session()
    work.run("make tea", error="error: connection to samovar refused")
    work.run(ran)
    work.run("make tea")
    assert [text for _, text in fixes()] == [kept]


def failed_test(left, right, cause=""):
    return (
        f"test lists_every_samovar ... FAILED\nthread 'lists_every_samovar' (29821) panicked at tests/samovar.rs:6:5:\n{cause}"
        f"assertion `left == right` failed\n  left: {left}\n right: {right}"
    )


def compared(left, right, cause=""):
    return f"FAIL: test_samovar_一覧 (tests.test_samovar.ListTest)\n{cause}AssertionError: {left} != {right}\nFAILED (failures=1)"


@pytest.mark.parametrize("looked", ["bun test src/kettle.test.ts", "sh ./brew.sh --help", "pytest tests/test_kettle.py"])
def test_a_test_run_or_help_in_between_fixed_nothing(session, fixes, cache, looked):
    work = session()
    work.run("sh ./brew.sh green", error="error: missing required argument 'kettle' 急須がありません")
    work.run(looked)
    work.run("sh ./brew.sh green")
    assert fixes() == [] and cache.execute("SELECT * FROM remedies WHERE remedy LIKE '%help%' OR remedy LIKE '%test%'").fetchall() == []
