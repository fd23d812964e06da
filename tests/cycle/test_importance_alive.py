"""Importance end to end: payloads as a host sends them pass through dialect, router, log and fold, and every factor of the formula varies.

An implementation whose inputs are never supplied gives every event the same score. So no test in this file builds a value after the payload by hand.
"""

import random

import pytest

from memorybank.clock import FixedClock
from memorybank.cycle import importance
from memorybank.cycle.base import describe
from memorybank.cycle.fold import cache
from memorybank.cycle.router import HookRouter
from memorybank.hosts.claude_code import ClaudeCode
from memorybank.log import events

from .conftest import NOW

FILES = [f"src/{name}.py" for name in ("tokens", "index", "ranking", "検索", "server", "cli")]
SAYS = (
    "The search misses Japanese words that the dictionary splits: find them in src/tokens.py.",
    "no, use pairs instead of a dictionary",
    "次は src/検索.py の順位を直して",
    "always run the tests first",
)
ANSWERS = (
    "Japanese words are split by the dictionary in src/ranking.py, which is why the search misses them.",
    "Pairs of letters replace the dictionary; src/server.py builds them when it starts.",
    "検索の順位は src/index.py の重みで決まり、日本語では長さの補正が抜けていた。",
    "The tests run before each commit now, as src/cli.py asks for.",
)


class Player:
    """One session of Claude Code, payload by payload, at its own times."""

    def __init__(self, layout, session, at):
        self.layout, self.session, self.at = layout, session, at
        self.dialect = ClaudeCode()
        self.calls = 0

    def fire(self, event, **fields):
        payload = {"session_id": self.session, "cwd": self.layout.repository, "hook_event_name": event, "permission_mode": "default", **fields}
        made = self.dialect.to_event(payload, {})
        assert made is not None
        router = HookRouter(describe(self.layout, FixedClock(self.at)), self.dialect.delivers)
        router.answer(made)
        router.finish(made)
        self.at += 7_000

    def call(self, tool, given, *, said="ok", failed="", took=120):
        self.calls += 1
        common = {"tool_name": tool, "tool_input": given, "tool_use_id": f"toolu_{self.session}_{self.calls}"}
        self.fire("PreToolUse", **common)
        if failed:
            self.fire("PostToolUseFailure", error=failed, is_interrupt=False, duration_ms=took, **common)
        else:
            answer = {"stdout": said, "stderr": "", "interrupted": False} if tool == "Bash" else {"type": "text", "file": {"content": said}}
            self.fire("PostToolUse", tool_response=answer, duration_ms=took, **common)


def session_of(layout, number, turns=4):
    chance = random.Random(number)
    player = Player(layout, f"session-{number}", NOW - (3 - number) * 3_600_000)
    player.fire("SessionStart", source="startup")
    for turn in range(turns):
        player.fire("UserPromptSubmit", prompt=SAYS[(turn + 2 * number) % len(SAYS)], prompt_id=f"p{number}-{turn}")
        for path in chance.sample(FILES, len(FILES)):
            player.call("Read", {"file_path": f"{layout.repository}/{path}"}, said=" ".join(chance.choices(SAYS, k=3)), took=chance.randint(2, 40))
            player.call("Edit", {"file_path": f"{layout.repository}/{path}", "old_string": f"return {chance.random()}", "new_string": "return pairs(text)"})
            failed = f"Exit code 1\nAssertionError: {path} expected {chance.randint(1, 99)}" if chance.random() < 0.4 else ""
            player.call("Bash", {"command": f"pytest tests/{path[4:]}", "description": "Run tests"}, failed=failed, took=chance.randint(200, 9_000))
        player.fire("Stop", last_assistant_message=ANSWERS[(turn + 2 * number) % len(SAYS)], stop_hook_active=False)
    player.fire("SessionEnd", reason="other")


@pytest.fixture(scope="module")
def played(shared_bank):
    """A bank after two sessions of one project. The tests only read it."""
    layout = shared_bank(git=True).layout
    for number in (1, 2):
        session_of(layout, number)
    cache.close()
    return describe(layout, FixedClock(NOW))


@pytest.mark.slow
def test_importance_lives_and_no_factor_is_constant(played):
    connection = cache.writable(played.layout)
    weights = played.settings.event_importance
    seen = {name: set() for name in importance.ImportanceFactors._fields}
    for (file,) in connection.execute("SELECT id FROM files").fetchall():
        places = connection.execute("SELECT offset FROM events WHERE file = ? AND event <> 'tool_before' ORDER BY offset", (file,)).fetchall()
        found = [importance.of_event(connection, file, offset) for (offset,) in places]
        assert len(found) >= 50
        for begin in range(0, len(found) - 49, 50):
            distinct = {round(importance.event_importance(factors, weights), 3) for factors in found[begin : begin + 50]}
            assert len(distinct) >= 10
        for factors in found:
            for name in seen:
                value = getattr(factors, name)
                assert 0 <= value <= 1
                seen[name].add(round(value, 3))
    assert {name: len(values) for name, values in seen.items() if len(values) < 2} == {}


@pytest.mark.slow
def test_the_line_on_disk_has_a_score_that_tells_events_apart(played):
    """The initial importance has only outcome, signal and cost, and still varies."""
    scores = {line.fields["importance_score"] for name in events.names(played.layout) for line in events.read(played.layout, name)}
    assert len(scores) >= 10 and all(0 <= score <= 1 for score in scores)
