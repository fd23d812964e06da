#!/usr/bin/env python3
"""Generate the event logs of many sessions below a bank: the same events for the same seed.

    python scripts/bench/sessions.py DIR --events 100000 [--seed 1] [--oldest-days 400]

Sessions have prompts (two of five in Japanese), reads, edits, commands that fail and are fixed, turn ends and a session end.
Every event goes through RECORD like that of a hook: `cycle.phases.line.fields_of`, then the log's entry point.
"""

import argparse
import json
import os
import random
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import interpreter  # noqa: F401  # first: the program continues under an interpreter that has the libraries

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
sys.path.insert(1, os.path.dirname(os.path.dirname(sys.path[0])))

import vocabulary

from memorybank.clock import FixedClock
from memorybank.cycle import base as bases
from memorybank.cycle import event as events
from memorybank.cycle.event import Event
from memorybank.cycle.phases.line import Surroundings, fields_of
from memorybank.log import events as log
from memorybank.storage.layout import Layout, describe

DAY = 86_400_000
STEP = 20_000
"""Milliseconds between two events of a session."""
CALLS = (20, 110)
"""Minimum and maximum number of tool calls of a session; each call makes two lines."""
JAPANESE_SHARE = 0.4
FAILURE_SHARE = 0.12
FILES = 2_000
_ERRORS = ("AssertionError: {0} is not {1}", "ModuleNotFoundError: No module named '{0}'", "error: {0} expected {1}", "TypeError: {0}() missing '{1}'")
_COMMANDS = ("pytest -q {0}", "python -m {1} check {0}", "git diff {0}", "ruff check {0}", "npm run {1}", "cargo test {1}", "make {1}", "grep -rn {1} {0}")


class Sessions:
    """Generates sessions one after the other. Session `n` depends on the seed and on the sessions before it."""

    def __init__(self, seed: int, repository: str) -> None:
        self.chance = random.Random(f"sessions {seed}")
        self.english = vocabulary.english(seed)
        self.japanese = vocabulary.japanese(seed)
        self.repository = repository
        words = self.english.ranked(300, 300 + FILES)
        self.files = [f"src/area_{number % 60:02d}/{word}.py" for number, word in enumerate(words)]
        self.number = 0

    def session(self, begins: int) -> list[Event]:
        """Return its events, the first one at `begins` (ms)."""
        self.number += 1
        name = f"bench-{self.number:06d}"
        chance, at = self.chance, begins
        made = [self._event(name, events.SESSION_START, at, source="startup")]
        calls = chance.randint(*CALLS)
        while calls > 0:
            at += STEP
            made.append(self._event(name, events.PROMPT, at, prompt=self._prompt(), strong_id=f"{name}-prompt-{len(made)}"))
            touched = self._some_files()
            for _ in range(min(calls, chance.randint(3, 14))):
                calls -= 1
                at += STEP
                made += self._call(name, at, touched, len(made))
            at += STEP
            made.append(self._event(name, events.TURN_END, at, last_message=self._words(60), status=events.SUCCESS))
        made.append(self._event(name, events.SESSION_END, at + STEP, reason="other"))
        return made

    def _call(self, session: str, at: int, touched: list[str], number: int) -> Iterator[Event]:
        """Return the intent and the result of one tool call."""
        chance, path = self.chance, self.chance.choice(touched)
        fails = chance.random() < FAILURE_SHARE
        kind = chance.random()
        if kind < 0.35:
            tool, inputs = "Read", {"file_path": path}
        elif kind < 0.6:
            tool, inputs = "Edit", {"file_path": path, "old_string": self._words(8), "new_string": self._words(12)}
        else:
            tool, inputs = "Bash", {"command": chance.choice(_COMMANDS).format(path, self._word()), "description": self._words(5)}
        common = {"tool": tool, "inputs": inputs, "tool_use_id": f"{session}-{number}", "strong_id": f"{session}-{number}"}
        yield self._event(session, events.TOOL_BEFORE, at, **common)
        result = {"status": events.FAILURE, "error": chance.choice(_ERRORS).format(self._word(), self._word())} if fails else {"status": events.SUCCESS}
        said = {"output": self._words(chance.randint(5, 160)), "latency_ms": chance.randint(5, 9_000)}
        yield self._event(session, events.TOOL_AFTER, at + STEP // 2, **common, **result, **said)

    def _event(self, session: str, name: str, at: int, **fields: object) -> Event:
        return Event(host="claude-code", name=name, session_id=session, at=at, cwd=self.repository, **fields)  # type: ignore[arg-type]

    def _some_files(self) -> list[str]:
        """Return files that are worked on together: neighbours, popular ones more often."""
        first = self.files.index(self.popular_file())
        return self.files[first : first + 5]

    def popular_file(self) -> str:
        """Return a file, with a probability in proportion to how often it is worked on."""
        return self.files[int(len(self.files) * self.chance.random() ** 2)]

    def _prompt(self) -> str:
        return f"{self._words(self.chance.randint(4, 30))} ({self.chance.choice(self.files)})"

    def _word(self) -> str:
        return self.english.draw(self.chance, 1)[0]

    def _words(self, count: int) -> str:
        if self.chance.random() < JAPANESE_SHARE:
            return "を".join(self.japanese.draw(self.chance, max(2, count // 2))) + "。"
        return " ".join(self.english.draw(self.chance, count))


def generate(bank: Path, count: int, seed: int, oldest_days: float) -> int:
    """Append sessions until there are `count` lines, with starts spread evenly over the days. Return the number of lines."""
    layout: Layout = describe(str(bank))
    repository = os.path.dirname(os.path.dirname(str(bank)))
    sessions = Sessions(seed, repository)
    now = time.time_ns() // 1_000_000
    lines = 0
    while lines < count:
        begins = int(now - oldest_days * DAY * (1 - lines / count)) - 4 * 3_600_000
        base = bases.describe(layout, FixedClock(begins))
        lines += append(base, sessions.session(begins))
    return lines


def append(base: bases.CycleContext, happened: list[Event]) -> int:
    """Append the events of one session to its log. Return their number."""
    entries = [fields_of(base, event, Surroundings(base, event)) for event in happened]
    log.EventWriter(base.layout, base.key(), base.clock, base.settings.record.cut_characters).append(happened[0].session_id, entries)
    return len(entries)


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("bank", type=Path, help="the folder of the bank, e.g. /some/where/.claude/memory")
    parser.add_argument("--events", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--oldest-days", type=float, default=400.0)
    options = parser.parse_args()
    started = time.monotonic()
    lines = generate(options.bank.resolve(), options.events, options.seed, options.oldest_days)
    print(json.dumps({"events": lines, "seconds": round(time.monotonic() - started, 1)}))


if __name__ == "__main__":
    main()
