"""Pairs of notes, written before the rules: the earlier one is superseded, or it only looks so. `held_out.jsonl` was scored once, when the rules were done.

`subjects.jsonl` has statements of one shape under titles about one thing or two, `subjects_held_out.jsonl` those that were set apart from them.
"""

import json
from pathlib import Path

import pytest

from memorybank.clock import DAY, FixedClock, isoformat
from memorybank.config.settings import load
from memorybank.index import queries
from memorybank.index.decision_rows import Supersessions
from memorybank.index.fold import fold
from memorybank.index.working import open_index

FOLDER = Path(__file__).resolve().parents[1] / "data" / "superseded"
NOW = 1_758_112_496_789
FIRST = NOW - 200 * DAY


def cases(name):
    return [json.loads(line) for line in (FOLDER / f"{name}.jsonl").read_text(encoding="utf-8").splitlines()]


def note(case, which, at):
    """Return the text of a note of a case, with its title, its author and its date in the front matter."""
    text = case[which]
    front, body = ("", text)
    if text.startswith("---\n"):
        front, _, body = text[4:].partition("---\n")
    title = f"title: {json.dumps(case[f'{which}_title'])}\n" if f"{which}_title" in case else ""
    agent = "agent_created: main\n" if case.get(f"{which}_by") == "agent" else ""
    return f"---\n{front}{title}{agent}created: {isoformat(at)}\nupdated: {isoformat(at)}\n---\n{body}\n"


def superseded(bank, case):
    scratch = bank({"old.md": note(case, "old", FIRST), "new.md": note(case, "new", FIRST + case.get("days", 50) * DAY)})
    with open_index(scratch.layout, load(scratch.layout), FixedClock(NOW)) as index:
        fold(index)
        return Supersessions(index.connection).of_note(queries.id_of_indexed(index.connection, "old.md"))


@pytest.mark.parametrize("case", [*cases("development"), *cases("subjects")], ids=lambda case: case["about"])
def test_a_pair_is_judged_as_a_person_judges_it(bank, case):
    assert bool(superseded(bank, case)) == case["superseded"], case


def test_what_is_called_superseded_is_so(bank):
    """Of the pairs set apart, at least .95 of those called superseded are so; of those that are so, more than half are found."""
    judged = [(bool(superseded(bank, case)), case) for case in cases("held_out")]
    called = [case for is_called, case in judged if is_called]
    right = [case for case in called if case["superseded"]]
    assert len(right) >= 0.95 * len(called), [case for case in called if not case["superseded"]]
    assert len(right) > 0.5 * sum(case["superseded"] for _, case in judged)


def test_statements_about_different_things_never_replace_each_other(bank):
    """Of the pairs set apart, none is superseded that a person would keep, and at least ten of the twelve others are found."""
    judged = [(bool(superseded(bank, case)), case) for case in cases("subjects_held_out")]
    assert [case for is_called, case in judged if is_called and not case["superseded"]] == []
    assert sum(is_called for is_called, _ in judged) >= 10
