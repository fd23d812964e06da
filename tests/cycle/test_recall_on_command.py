"""What an agent found out about how a command must be run is shown before another session runs it in another way."""

import pytest

from memorybank.cycle.know import rejected
from tests.cycle.recalling import Remembering, before


@pytest.fixture
def memory(bank, fixed_clock):
    return Remembering(bank({}), fixed_clock).index()


def found_out(memory, command, answer, days_ago=0, **scope):
    work = memory.session("earlier", days_ago=days_ago)
    work.prompt("Look at the tests, please.", **scope)
    work.run(command, **scope)
    work.turn_end(answer, **scope)
    memory.fold()


def at(memory, command, session="now"):
    injection = memory.ask(before("Bash", {"command": command}, session=session))
    return injection.text if injection is not None else ""


@pytest.mark.parametrize(
    "answer", ["The tests of the queue only work with `--workers=1`, they share a table.", "待ち行列のテストは `--workers=1` を付けないと落ちます。"]
)
def test_an_option_belongs_to_the_command_that_had_it(memory, answer):
    found_out(memory, "vitest run queue --workers=1", answer)
    assert "--workers=1" in at(memory, "vitest run queue")
    assert at(memory, "vitest run queue") == ""  # once in a conversation
    assert at(memory, "vitest run queue --workers=1", "two") == ""
    assert at(memory, "npm run build", "three") == ""


def test_advice_about_one_thing_is_not_shown_at_calls_about_another(memory):
    found_out(memory, "vitest run -p tests/queue.ts --workers=1", "These tests only work with `--workers=1`, they share a table.")
    assert at(memory, "vitest run -p tests/totals.ts", "one") == ""
    assert "--workers" in at(memory, "vitest run -p tests/queue.ts", "two")


@pytest.mark.parametrize(
    "answer", ["Plain `schema dump` only sees the main database, `bin/dump` has all.", "素の `schema dump` は主データベースだけを見ます。bin/dump を使います。"]
)
def test_a_command_that_does_less_than_one_expects(memory, answer):
    found_out(memory, "schema dump", answer)
    assert "schema dump" in at(memory, "schema dump --out a.sql")
    assert at(memory, "schema load", "two") == ""


def test_age_does_not_make_it_less_true(memory):
    found_out(memory, "schema dump", "Plain `schema dump` only sees the main database.", days_ago=200)
    assert "schema dump" in at(memory, "schema dump")


def test_a_command_that_never_ran_in_the_session_is_no_finding(memory):
    found_out(memory, "ls", "Plain `schema dump` only sees the main database.")
    assert at(memory, "schema dump") == ""


def test_what_only_its_session_may_see_is_not_shown_to_another(memory):
    found_out(memory, "redis-cli -p 6380 ping", "Plain `redis-cli ping` fails, port 6379 is not ours but 6380.", acl="session", privacy="private", hold=True)
    assert at(memory, "redis-cli -p 6379 ping") == ""


def test_a_rejected_finding_is_not_shown(memory):
    found_out(memory, "schema dump", "Plain `schema dump` only sees the main database.")
    found = memory.preview(before("Bash", {"command": "schema dump"}))
    rejected.add(memory.scratch.layout, found.shown[0].memory.memory, is_rejected=True, by=rejected.COMMAND, what="", clock=memory.clock)
    composed = memory.preview(before("Bash", {"command": "schema dump"}))
    assert composed.shown == [] and [one.why.code for one in composed.left_out] == ["recall.rejected"]


@pytest.mark.parametrize(
    "answer", ["Port 6379 belongs to another stack, so the queue listens on 6380.", "6379 は別のスタックが使っているので、こちらは 6380 です。"]
)
def test_an_answer_that_names_two_ports_is_about_calls_with_the_one_that_was_not_used(memory, answer):
    found_out(memory, "redis-cli -p 6380 ping", answer)
    assert "6380" in at(memory, "redis-cli -h localhost -p 6379 ping", "one")
    assert at(memory, "redis-cli -h localhost -p 6380 ping", "two") == ""
