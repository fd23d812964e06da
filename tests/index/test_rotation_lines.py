"""The few lines of the rotation log that plans need are found by their places, and read there each time."""

import pytest

from memorybank.bank import Bank
from memorybank.index import rotation_lines
from memorybank.log import lines, rotation


@pytest.fixture
def rotated(bank, fixed_clock):
    """(scratch, Bank) in which two notes were archived, and one of them came back."""
    scratch = bank({"planning/old.md": "old\n" * 200, "shared/古いメモ.md": "古い。\n" * 200}, days_old=90)
    opened = Bank.open(str(scratch.root), clock=fixed_clock)
    opened.rotation.execute(opened.rotation.plan(), yes=True)
    opened.archive.restore(opened.archive.list()[0].id)
    return scratch, opened


@pytest.fixture
def searched(monkeypatch):
    """From where the log was searched, in order."""
    found, real = [], lines.containing
    monkeypatch.setattr(lines, "containing", lambda path, *parts, offset=0: found.append(offset) or real(path, *parts, offset=offset))
    return found


def known(opened: Bank) -> tuple:
    with opened.opened() as index:
        state = rotation_lines.state(index)
    return sorted(state.rotations), [each.end for each in state.rotations.values()], state.restored


def oracle(scratch) -> tuple:
    """What the entire log says."""
    state = rotation.read(scratch.layout)
    return sorted(state.rotations), [each.end for each in state.rotations.values()], state.restored


def test_they_say_what_the_entire_log_says_and_only_its_end_is_searched_again(rotated, searched):
    scratch, opened = rotated
    assert known(opened) == oracle(scratch) and len(known(opened)[2]) == 1
    assert known(opened) == oracle(scratch)
    assert searched[-1] == lines.size(rotation.path(scratch.layout)), "the log ends with such a line"


def test_lines_that_came_are_added(rotated, fixed_clock):
    scratch, opened = rotated
    before = known(opened)
    scratch.write("planning/新しい.md", "x\n" * 99, days_old=90)
    fixed_clock.instant += 5_000
    opened.rotation.execute(opened.rotation.plan(ignore_grace=True), yes=True)
    assert known(opened) == oracle(scratch) != before


def test_another_log_is_searched_from_its_beginning(rotated, searched):
    """Such as one that a restored backup brought, in which every line begins elsewhere."""
    scratch, opened = rotated
    known(opened)
    path = scratch.root / "log/rotation.jsonl"
    path.write_bytes(lines.encode({"kind": "restored", "at": "2025-09-01T00:00:00.000Z", "path": "planning/別.md"}) + path.read_bytes())
    searched.clear()
    assert known(opened) == oracle(scratch) and "planning/別.md" in known(opened)[2] and searched[0] == 0


def test_a_line_that_was_altered_counts_no_more(rotated):
    scratch, opened = rotated
    assert known(opened)[2]
    path = scratch.root / "log/rotation.jsonl"
    path.write_bytes(path.read_bytes().replace(b'"kind":"restored"', b'"kind":"restareD"'))
    assert known(opened) == oracle(scratch) and not known(opened)[2]


def test_a_log_that_is_gone_says_nothing(rotated):
    scratch, opened = rotated
    known(opened)
    (scratch.root / "log/rotation.jsonl").unlink()
    assert known(opened) == ([], [], {})


def test_nothing_is_written_for_who_may_only_read(rotated, fixed_clock):
    scratch, _ = rotated
    before = scratch.snapshot()
    assert known(Bank.open(str(scratch.root), clock=fixed_clock, read_only=True)) == oracle(scratch)
    assert scratch.snapshot() == before
