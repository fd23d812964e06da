"""A program that the shell did not find by its name alone: how it was started elsewhere comes with the next call, failure and prompt."""

from contextlib import closing

import pytest

from memorybank.bank import known_items
from memorybank.cycle.fold import schema
from memorybank.cycle.recall.query import FAILURE
from memorybank.storage import database

from .conftest import NOW
from .recalling import Remembering, assert_gives_way_when_rejected, before, failure, prompt

MISSING = "(eval):1: command not found: kotare"
見つからない = "bash: kotare: コマンドが見つかりません"
GONE = "bash: env/bin/activate: No such file or directory"
消えた = "bash: env/bin/activate: そのようなファイルやディレクトリはありません"
方法 = "`kotare` は前回ここで名前だけでは失敗した。`source env/bin/activate && kotare` では動いた"
WAY = "`kotare` failed here when it was last run by its name alone; it ran as `source env/bin/activate && kotare`"


@pytest.fixture
def remembering(bank, fixed_clock):
    return Remembering(bank(), fixed_clock)


@pytest.fixture
def earlier(remembering):
    work = remembering.session(days_ago=2)
    work.prompt("build the tide table")
    return work


@pytest.fixture
def told(remembering):
    def ask(event, moment=None):
        injection = remembering.fold().preview(event, moment).injection
        return injection.text if injection is not None else ""

    return ask


def call(command, session="now"):
    return before("Bash", {"command": command}, session)


@pytest.mark.parametrize("error", [MISSING, 見つからない])
def test_it_comes_before_the_next_call_by_name(told, earlier, error):
    earlier.run("kotare build", error=error)
    earlier.run("source env/bin/activate && kotare build")
    assert WAY in told(call("cd app && kotare lint"))
    for known in ("source env/bin/activate && kotare lint", "env/bin/kotare lint", "echo kotare", "uv run kotare lint"):
        assert "kotare`" not in told(call(known))


def test_its_own_session_knows_and_who_found_it_since_needs_nothing(told, remembering, earlier):
    earlier.run("kotare build", error=MISSING)
    earlier.run("source env/bin/activate && kotare build")
    assert WAY not in told(call("kotare lint", "earlier"))
    later = remembering.session("later", days_ago=1)
    later.run("kotare --version")
    assert told(call("kotare lint")) == ""


def test_a_run_that_failed_for_another_reason_found_it(told, remembering, earlier):
    earlier.run("kotare build", error=MISSING)
    later = remembering.session("later", days_ago=1)
    later.run("kotare build", error="tide.toml: unknown key 'ebb'")
    assert told(call("kotare lint")) == ""


def test_where_errors_are_hidden_nothing_shows_that_it_was_found(told, remembering, earlier):
    earlier.run("kotare build", error=MISSING)
    later = remembering.session("later", days_ago=1)
    later.run("kotare --version 2>/dev/null; true")
    later.run("kotare --version || echo none")
    assert "`kotare` was not found here when it was last run" in told(call("kotare lint"))


def test_without_a_way_it_is_missing_until_it_is_installed(told, remembering, earlier):
    earlier.run("cat tides.json | kotare .", error="/bin/bash: line 1: kotare: command not found")
    assert "`kotare` was not found here when it was last run" in told(call("cat a.json | kotare .low"))
    remembering.session("later", days_ago=1).run("brew install kotare")
    assert told(call("cat a.json | kotare .low")) == ""


def test_it_is_forgotten_after_two_months(told, remembering):
    remembering.session(days_ago=70).run("kotare build", error=MISSING)
    assert told(call("kotare build")) == ""


def test_after_the_failure_comes_the_shortest_way_of_the_last_session(told, remembering, earlier):
    earlier.run("env/bin/kotare build")
    later = remembering.session("later", days_ago=1)
    later.run("export PATH=$HOME/.kotare/bin:$PATH && source b/env && kotare build")
    later.run("source b/env && kotare build")
    text = told(failure("Bash", {"command": "kotare lint"}, MISSING), FAILURE)
    assert "`kotare` ran here as `source b/env && kotare`" in text and "env/bin/kotare" not in text


@pytest.mark.parametrize(("asked", "shown"), [("can you use `kotare` for this?", WAY), ("この作業に `kotare` を使えますか？", 方法)])
def test_a_prompt_that_quotes_it_is_told(told, earlier, asked, shown):
    earlier.run("kotare build", error=MISSING)
    earlier.run("source env/bin/activate && kotare build")
    assert shown in told(prompt(asked))
    assert told(prompt(asked.replace("`", ""))) == ""


def test_pip_outside_of_an_environment(told, earlier):
    earlier.run("python3 -m pip install tides", error="error: externally-managed-environment\n\n× This environment is externally managed")
    earlier.run("source env/bin/activate && pip install -r requirements.txt")
    text = told(call("pip3 install --user tides"))
    assert "it ran as `source env/bin/activate && pip install` (error: externally-managed-environment)" in text
    assert told(call("pip3 list")) == ""


@pytest.mark.parametrize(
    ("lost", "ran", "asked", "way"),
    [
        ("pip install tides", "pip3 install tides", "pip install ebb", "`pip3`"),
        ("python -m tides", "python3 -m tides", "python harbour.py", "`python3`"),
    ],
)
def test_another_name_of_the_program_is_a_way(told, earlier, lost, ran, asked, way):
    earlier.run(lost, error=f"(eval):1: command not found: {lost.split()[0]}")
    earlier.run(ran)
    assert f"it ran as {way}" in told(call(asked))


def test_it_is_listed_with_its_sources(remembering, earlier):
    earlier.run("kotare build", error=MISSING)
    earlier.run("source env/bin/activate && kotare build")
    remembering.fold()
    with closing(database.open_writable(schema.path(remembering.scratch.layout), schema.TABLES, schema.VERSION)) as cache:
        cache.create_function("sees", 8, lambda *_row: True)
        (item,) = known_items.of_sessions(cache, "problem", NOW, every=True)
        sources = item.sources(cache, NOW)
    assert item.known.text == WAY and item.counts().code == "known.not_found"
    assert [source.said.fields["call"] for source in sources] == ["source env/bin/activate && kotare", "kotare"]


@pytest.mark.parametrize("error", [GONE, 消えた, MISSING, 見つからない])
def test_a_way_that_failed_since_is_not_told(told, remembering, earlier, error):
    earlier.run("kotare build", error=MISSING)
    earlier.run("source env/bin/activate && kotare build")
    remembering.session("later", days_ago=1).run("source env/bin/activate && kotare build", error=error)
    text = told(call("kotare lint"))
    assert "`kotare` was not found here when it was last run" in text and "activate" not in text
    remembering.session("last", days_ago=0.5).run("source env/bin/activate && kotare build")
    assert WAY in told(call("kotare lint"))


def test_after_the_failure_the_way_that_failed_is_not_told(told, earlier):
    earlier.run("source env/bin/activate && kotare build")
    command = "source env/bin/activate && kotare lint"
    assert "ran here as" not in told(failure("Bash", {"command": command}, MISSING), FAILURE)


def test_a_private_session_tells_no_way_and_misses_nothing_for_others(told, remembering, earlier):
    earlier.run("kotare build", error=MISSING, acl="session")
    assert told(call("kotare lint")) == ""
    earlier.run("kotare build", error=MISSING)
    earlier.run("source 極秘/acme && kotare build", acl="session")
    earlier.run("source secret/acme && kotare build", agent="agent-7")
    text = told(call("kotare lint"))
    assert "`kotare` was not found here when it was last run" in text and "acme" not in text


def test_a_module_of_the_project_depends_on_the_folder(told, earlier):
    earlier.edit("kotare/tides.py")
    earlier.run("python -m kotare build", error="/usr/bin/python3: No module named kotare")
    assert "not found" not in told(call("cd app && python -m kotare build"))


def test_who_rejects_it_is_not_told_another_way(remembering, earlier):
    earlier.run("kotare build", error=MISSING)
    earlier.run("source env/bin/activate && kotare build")
    remembering.fold()
    assert_gives_way_when_rejected(remembering, call("kotare lint"))
    remembering.session("later", days_ago=1).run("uv run kotare build")
    remembering.fold()
    assert not remembering.preview(call("kotare lint")).shown
    assert not remembering.preview(failure("Bash", {"command": "kotare lint"}, MISSING), FAILURE).shown


UNMET = "E   ModuleNotFoundError: No module named '{}'\ntests/test_tides.py:3: ModuleNotFoundError"


@pytest.mark.parametrize(
    ("lost", "error", "ran", "asked", "told_as"),
    [
        ("python -m pytest tests", UNMET.format("tidal"), "uv run python -m pytest tests", "python -m pytest -q", "uv run python -m pytest"),
        ("python 潮汐.py", UNMET.format("tidal"), "source .venv/bin/activate && python 潮汐.py", "python 月齢.py", "source .venv/bin/activate && python"),
        ("rspec spec", "cannot load such file -- tidal (LoadError)", "bundle exec rspec spec", "rspec spec/moon_spec.rb", "bundle exec rspec"),
    ],
)
def test_a_module_that_only_an_environment_has(told, earlier, lost, error, ran, asked, told_as):
    earlier.run(lost, error=error)
    assert told(call(asked)) == ""  # nobody knows another way
    earlier.run(ran)
    assert f"`{told_as}`" in told(call(asked))
    assert f"`{told_as}`" in told(failure("Bash", {"command": asked}, error.replace("tidal", "lunar")), FAILURE)


def test_a_module_that_was_found_since_and_one_of_the_project_say_nothing(told, remembering, earlier):
    earlier.run("pytest", error=UNMET.format("tidal"))
    earlier.run("uv run pytest")
    earlier.run("pytest", error=UNMET.format("app"))
    earlier.edit("app/tides.py")
    assert "it ran as `uv run pytest` (error: No module named 'tidal')" in told(call("pytest"))
    remembering.session("later", days_ago=1).run("pytest -q")
    assert told(call("pytest")) == ""
    assert "uv run" not in told(failure("Bash", {"command": "pytest"}, UNMET.format("app")), FAILURE)
