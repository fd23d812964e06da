"""The commands that worked in most of the last sessions stand at the start of the next one, in English and Japanese."""

from pathlib import Path

import pytest

from memorybank import Bank
from memorybank.cycle.know import rejected
from tests.cycle.recalling import Remembering, start

LINE = "usual commands here: "


@pytest.fixture
def remembering(bank, fixed_clock):
    return Remembering(bank({}), fixed_clock).index()


def worked(remembering, *sessions, **fields):
    """Each session is a list of commands; one that begins with `!` failed."""
    for number, commands in enumerate(sessions):
        session = remembering.session(f"before{number}", days_ago=10 - number * 0.1)
        session.prompt("Please continue with the next point.")
        for place, command in enumerate(commands):
            error = "Error 2" if command.startswith("!") else None
            session.run(command.removeprefix("!"), error=error, tool_use_id=f"{number}-{place}", **fields)
        session.end()
    return remembering.fold()


def usual(remembering, **fields):
    found = remembering.preview(start(**fields))
    text = found.injection.text if found.injection is not None else ""
    return [line.removeprefix(f"- {LINE}") for line in text.split("\n") if line.startswith(f"- {LINE}")]


def test_what_most_sessions_ran_is_named_the_most_frequent_first(remembering):
    worked(remembering, *[["make -s test", "mise run -f lint"]] * 3, ["make -s test", "git status", "cat Makefile", "python"], ["ls", "make -s docs"])
    assert usual(remembering) == ["`make -s test`, `mise run -f lint`"]


def test_two_sessions_are_no_custom(remembering):
    worked(remembering, ["make -s test"], ["make -s test"])
    assert usual(remembering) == []


def test_a_command_that_only_failed_is_not_usual(remembering):
    worked(remembering, *[["!rtk make -s test", "make -s lint"]] * 4)
    assert usual(remembering) == ["`make -s lint`"]


def test_what_every_agent_knows_is_left_out(remembering):
    worked(remembering, *[["git commit -m one", "mkdir -p build", "python -c pass", "curl localhost", "cd web && ls", "npm"]] * 5)
    assert usual(remembering) == []


def test_what_the_files_of_the_project_name_is_left_out(remembering):
    """An agent tries `make test` by itself. It does not guess an option, a folder, a file, or the program that runs it."""
    guessed = ["npm run build", "make test", "go vet"]
    worked(remembering, *[[*guessed, "cd web && npm run lint", "scripts/check", "uv run pytest"]] * 3)
    assert usual(remembering) == ["`cd web && npm run lint`, `scripts/check`, `uv run pytest`"]


def test_with_and_without_a_wrapper_it_is_one_command(remembering):
    commands = ("git status", "make -s test", "go vet ./...", "npm -s test", "git log", "make -s test")
    both = [*(f"rtk {command}" for command in commands), "git status", "make -s test", "npm -s test"]
    worked(remembering, *[both] * 3, ["rtk make -s test"])
    assert usual(remembering)[0].count("make -s test") == 1


@pytest.mark.parametrize("name", ["CLAUDE.md", "AGENTS.md", ".claude/CLAUDE.md"])
def test_what_the_host_loads_itself_is_not_repeated(remembering, name):
    worked(remembering, *[["make -s test", "make -s lint"]] * 3)
    path = Path(remembering.root()) / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("Run `make test` before a commit.\n", encoding="utf-8")
    assert usual(remembering) == ["`make -s lint`"]


def test_a_private_session_does_not_count(remembering):
    worked(remembering, *[["make -s test"]] * 3, acl="session", privacy="private", hold=True)
    assert usual(remembering) == []


def test_a_person_rejects_them_for_good(remembering):
    worked(remembering, *[["make -s test"]] * 3)
    (one,) = [one.memory for one in remembering.preview(start()).shown if one.memory.kind == "commands"]
    rejected.add(remembering.scratch.layout, one.memory, is_rejected=True, by=rejected.COMMAND, what="", clock=remembering.clock)
    assert usual(remembering) == []
    worked(remembering, *[["make -s docs"]] * 12)
    assert usual(remembering) == []


def test_a_person_sees_them_with_their_sources(remembering):
    worked(remembering, *[["make -s test"]] * 3)
    knowledge = Bank.open(remembering.scratch.layout.root, clock=remembering.clock).knowledge
    (one,) = knowledge.list("commands")
    assert (one.id, one.text, one.sessions) == ("commands:usual", "usual commands here: `make -s test`", 3)
    details = knowledge.show("commands:usual")
    assert [source.text for source in details.sources] == ["`make test` worked"] * 3
    assert one.japanese == "ここでよく使うコマンド: `make -s test`"


def test_a_command_is_named_with_the_arguments_that_it_always_has(remembering):
    worked(remembering, *[["docker compose up -d testdb", "npm run test -- --run"]] * 3, ["npm run test -- --run --bail"])
    assert usual(remembering) == ["`npm run test -- --run …`, `docker compose up -d testdb`"]


def test_arguments_that_do_not_fit_into_the_line_are_left_out(remembering):
    commands = [f"npm run {name} -- --config {name}.json --verbose" for name in ("build", "check", "stage")]
    worked(remembering, *[commands] * 3)
    assert usual(remembering) == ["`npm run build -- --config build.json --verbose`, `npm run check`, `npm run stage`"]


@pytest.mark.parametrize("alone", [0, 1])
def test_a_command_is_named_with_the_variables_without_which_it_fails(remembering, alone):
    worked(remembering, *[["!npm -s test", "TZ=UTC npm test -- --run"]] * 4, *[["npm -s test"]] * alone)
    assert usual(remembering) == ["`TZ=UTC npm test -- --run`"]


def test_a_command_that_works_alone_is_named_alone(remembering):
    worked(remembering, *[["!CI=1 npm -s test", "npm -s test"]] * 3, ["CI=1 npm -s test"])
    assert usual(remembering) == ["`npm -s test`"]


def test_a_command_that_fails_in_more_sessions_than_it_works_is_not_usual(remembering):
    worked(remembering, *[["make -s docs", "!make -s test"]] * 4, *[["make -s docs", "make -s test"]] * 3)
    assert usual(remembering) == ["`make -s docs`"]


def test_a_variable_stays_where_the_arguments_do_not_fit_and_no_secret_is_named(remembering):
    commands = [f"SHELF_TOKEN=ab12cd34ef npm run {name} -- --config settings/{name}.json --verbose --strict" for name in ("build", "check")]
    worked(remembering, *[commands] * 3)
    assert usual(remembering) == ["`SHELF_TOKEN=… npm run build`, `SHELF_TOKEN=… npm run check`"]
