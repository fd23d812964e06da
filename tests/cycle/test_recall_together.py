"""What goes together, and what requests like this one led to: counted over the calls that this reader may see, and only what is news."""

import pytest

from memorybank.config.cycle import Budgets, CycleSettings
from memorybank.cycle.fold import schema, turns
from memorybank.cycle.recall import together
from memorybank.storage import database
from memorybank.text.anchors import of_error
from tests.cycle.recalling import Remembering, before, failure, prompt, start

FILES = ("src/billing/export.py", "tests/billing/test_export.py", "schemas/billing.json")
DAYS = (9, 6, 3)


@pytest.fixture
def remembering(bank, fixed_clock):
    return Remembering(bank(), fixed_clock)


def work(remembering, name, days_ago, files=FILES, asked="Please export the monthly ledger as CSV", **fields):
    session = remembering.session(name, days_ago=days_ago)
    session.prompt(asked)
    for path in files:
        session.edit(path, **fields)
    session.run("pytest -q tests/billing", fingerprint="pytest -q tests/billing", output="3 passed", **fields)
    session.end()
    return session


OTHERS = (
    "upload retries with jitter",
    "the login page on small screens",
    "写真の回転を直して",
    "検索の並び順を変えて",
    "rename the deploy script",
    "通知の文言を短く",
)


def others(remembering):
    """Turns about something else: in a bank of one subject every word is common."""
    session = remembering.session("others", days_ago=12)
    for number, asked in enumerate(OTHERS * 2):
        session.prompt(asked)
        session.edit(f"other/{number}.py")
    session.end()


def worked(remembering, **fields):
    others(remembering)
    for number, days in enumerate(DAYS):
        work(remembering, f"s{number}", days, **fields)
    return remembering.fold()


def told(injection):
    return injection.text if injection is not None else ""


def test_a_file_brings_what_was_touched_with_it(remembering):
    found = worked(remembering).ask(before("Edit", {"file_path": FILES[0]}))
    assert f"together:file:{FILES[0]}" in found.sources
    assert f"{FILES[1]} (3/3)" in found.text
    assert f"{FILES[2]} (3/3)" in found.text
    assert "`pytest -q tests/billing` (3/3)" in found.text
    assert f"[counted in earlier sessions; 2025-09-14; seen in the work of tools; recalled for {FILES[0]}]" in found.text


def test_it_speaks_the_language_of_the_person(remembering):
    remembering = worked(remembering, asked="月次の台帳を書き出して")
    session = remembering.session("now")
    session.prompt("台帳の書き出しを直して")
    assert f"{FILES[0]} と一緒に扱われるもの: " in told(remembering.ask(before("Edit", {"file_path": FILES[0]})))


def test_the_line_of_the_log_names_what_would_be_a_use(remembering):
    worked(remembering).ask(before("Edit", {"file_path": FILES[0]}))
    (line,) = remembering.lines("now")
    exposure = next(exposure for exposure in line["exposures"] if exposure["memory"].startswith("together:"))
    assert exposure["shown"] is True
    assert set(exposure["anchors"]) == {f"file:{FILES[1]}", f"file:{FILES[2]}", "cmd:pytest -q tests/billing"}
    assert exposure["why"] == [f"file:{FILES[0]}"]


def test_what_this_conversation_touched_named_or_was_told_is_no_news(remembering):
    worked(remembering)
    session = remembering.session("now")
    session.prompt(f"also update {FILES[2]}")
    session.edit(FILES[1])
    remembering.fold()
    first = told(remembering.ask(before("Edit", {"file_path": FILES[0]})))
    assert "pytest -q" in first
    assert f"{FILES[1]} (" not in first
    assert f"{FILES[2]} (" not in first
    assert "together:" not in str(remembering.ask(before("Edit", {"file_path": "schemas/billing.json"})))
    assert remembering.ask(before("Edit", {"file_path": FILES[0]})) is None


def test_what_happened_seldom_is_not_told(remembering):
    worked(remembering)
    work(remembering, "once", 1, files=(FILES[0], "docs/odd.md"))
    found = told(remembering.fold().ask(before("Edit", {"file_path": FILES[0]})))
    assert f"{FILES[1]} (3/4)" in found
    assert "docs/odd.md" not in found


def test_a_look_around_belongs_to_nothing(remembering):
    for number, days in enumerate(DAYS):
        session = work(remembering, f"s{number}", days)
        session.at -= 30_000
        session.run("git status", output="clean")
    assert "git status" not in told(remembering.fold().ask(before("Edit", {"file_path": FILES[0]})))


def test_an_error_brings_what_was_done_after_it(remembering):
    for number, days in enumerate(DAYS):
        session = remembering.session(f"s{number}", days_ago=days)
        session.prompt("run the tests")
        anchors = ["cmd:make check", *of_error("Bash", "KeyError: 'ledger'")]
        session.line("tool_after", tool="Bash", inputs={"command": "make check"}, status="failure", error="KeyError: 'ledger'", anchors=anchors)
        session.edit("config/ledger.toml")
    found = told(remembering.fold().ask(failure("Bash", {"command": "make check"}, "KeyError: 'ledger'"), "failure"))
    assert "config/ledger.toml" in found


@pytest.mark.parametrize(
    "scope",
    [{"acl": "session"}, {"acl": "agent", "role": "explorer"}, {"privacy": "private", "agent": "a9"}, {"privacy": "agent-only", "role": "explorer"}],
)
def test_what_the_reader_may_not_see_is_not_counted(remembering, scope):
    worked(remembering, hold=True, **scope)
    assert told(remembering.ask(before("Edit", {"file_path": FILES[0]}))) == ""
    assert FILES[0] not in told(remembering.ask(prompt("Please export the ledger of the month as CSV")))
    assert FILES[0] not in told(remembering.ask(start()))


@pytest.mark.parametrize(
    ("asked", "text"),
    [
        ("Please export the monthly ledger as CSV", "the monthly ledger has a wrong column in its CSV"),
        ("月次の台帳を CSV で書き出して", "月次台帳の列がおかしい"),
    ],
)
def test_a_request_brings_what_one_like_it_led_to(remembering, asked, text):
    found = worked(remembering, asked=asked).ask(prompt(text))
    assert any(source.startswith("together:turn:") for source in found.sources)
    assert f"{FILES[0]} (3/3)" in found.text


def test_a_request_about_something_else_brings_nothing(remembering):
    remembering = worked(remembering)
    for text in ("write a poem about the sea at night", "カレーの作り方を教えて", "please go on", "the monthly newsletter of our tennis club"):
        assert remembering.ask(prompt(text)) is None, text


def test_going_on_belongs_to_the_turn_before(remembering):
    others(remembering)
    session = remembering.session("s0", days_ago=2)
    session.prompt("Please export the monthly ledger as CSV")
    session.prompt("ok, go on")
    session.edit(FILES[0])
    remembering.fold()
    assert FILES[0] in told(remembering.ask(prompt("the export of the monthly ledger as CSV")))


def test_a_call_of_a_narrower_cell_is_not_kept_with_its_turn(remembering):
    session = remembering.session("s0", days_ago=2)
    session.prompt("Please export the monthly ledger as CSV")
    session.edit(".env.production", acl="session", privacy="private", hold=True)
    session.edit(FILES[0])
    remembering.fold()
    connection = database.open_reading(schema.path(remembering.scratch.layout), schema.VERSION)
    assert [row[0] for row in connection.execute("SELECT anchor FROM turn_anchors")] == [f"file:{FILES[0]}"]
    connection.close()


def test_a_turn_keeps_the_first_things_touched(remembering):
    session = remembering.session("s0", days_ago=2)
    session.prompt("rename the ledger everywhere")
    for number in range(40):
        session.edit(f"src/m{number:02}.py")
    remembering.fold()
    connection = database.open_reading(schema.path(remembering.scratch.layout), schema.VERSION)
    rows = connection.execute("SELECT anchor, place FROM turn_anchors ORDER BY place").fetchall()
    connection.close()
    assert rows == [(f"file:src/m{number:02}.py", number) for number in range(turns.MOST_ANCHORS)]


def test_a_session_starts_with_what_most_sessions_touch(remembering):
    worked(remembering)
    found = told(remembering.ask(start()))
    assert "most sessions here touch " in found
    assert "`pytest -q tests/billing` (3/4)" in found


def test_where_tokens_are_limited_nothing_is_guessed_at_the_start(bank, fixed_clock):
    """What was counted and what failed last is told for a quarter of them; the rest is kept for what will be asked."""
    limited = Remembering(bank({"a.md": "# Upload retries\n\nThree times.\n"}), fixed_clock, CycleSettings(budgets=Budgets(session_tokens=1_000))).index()
    worked(limited)
    sources = limited.ask(start()).sources
    assert not any(source.startswith("note:") for source in sources)
    assert "together:" in sources


def test_every_name_stands_in_the_text(remembering):
    """Long paths: as many as fit, and the line of the log names no others."""
    others(remembering)
    files = [f"src/a_rather_long_folder_name/another_folder/module_{number:02}_of_many.py" for number in range(9)]
    for number, days in enumerate(DAYS):
        work(remembering, f"s{number}", days, files=files)
    found = told(remembering.fold().ask(before("Edit", {"file_path": files[0]})))
    (line,) = remembering.lines("now")
    exposure = next(exposure for exposure in line["exposures"] if exposure["memory"].startswith("together:") and exposure["shown"])
    assert 2 <= len(exposure["anchors"]) < 6
    assert all(anchor.partition(":")[2] in found for anchor in exposure["anchors"])


def test_a_command_of_many_sessions_does_not_belong_to_what_was_touched_once(remembering):
    for number in range(5):
        session = remembering.session(f"s{number}", days_ago=9 - number)
        session.prompt("another piece of work")
        session.edit(f"lib/{number}.py")
        session.edit(f"tests/{number}.py")
        session.run("bd sync", output="synced")
        session.run(f"bin/check {number}", fingerprint=f"bin/check {number}", output="ok")
    found = told(remembering.fold().ask(before("Edit", {"file_path": "lib/3.py"})))
    assert "tests/3.py (1/1), `bin/check 3` (1/1)" in found
    assert "bd sync" not in found


def test_the_newest_sessions_are_found_without_sorting_all_there_ever_were(remembering):
    """Every session start asks. A plan that sorts or groups reads every call of every session first."""
    work(remembering, "one", 3)
    remembering.fold()
    connection = database.open_reading(schema.path(remembering.base.layout), schema.VERSION)
    connection.create_function("sees", 8, lambda *_: True)
    plan = [row[3] for row in connection.execute(f"EXPLAIN QUERY PLAN {together._SESSIONS}", ("own", "main", 0))]
    assert plan and not [step for step in plan if "TEMP B-TREE" in step or "SCAN" in step]
