"""Whether an index contains every note is known from one query."""

from contextlib import suppress

import pytest

from memorybank import git
from memorybank.bank import Bank
from memorybank.clock import FixedClock
from memorybank.config.settings import load
from memorybank.cycle import event as events
from memorybank.cycle.base import describe
from memorybank.cycle.event import Event
from memorybank.cycle.finish import upkeep
from memorybank.cycle.phases import organize
from memorybank.cycle.slices import WorkSlice
from memorybank.errors import LockTimeout
from memorybank.index import glance, readiness, working
from memorybank.index.schema import VERSION
from memorybank.index.working import open_index
from memorybank.log import operations
from memorybank.storage import database
from memorybank.storage.sqlite import sqlite3
from tests.conftest import NOW
from tests.cycle.test_slices import Machine


def of(layout):
    connection = database.open_reading(layout.database, VERSION)
    try:
        return readiness.of(connection)
    finally:
        if connection is not None:
            connection.close()


class Slow(Machine):
    """Every reading of the processor time costs 40 ms, so that a slice has time for one portion."""

    def cpu(self):
        self.seconds += 0.04
        return self.seconds


def test_without_an_index_nobody_knows_what_is_missing(bank):
    assert of(bank({"a.md": "# A\n"}).layout) == readiness.NO_INDEX and not readiness.NO_INDEX.is_ready


def test_an_index_that_lacks_notes_is_not_ready(bank):
    scratch = bank({"a.md": "# A\n"})
    with open_index(scratch.layout, load(scratch.layout), FixedClock(NOW)) as index:
        for waiting in (3, 1, 0):
            readiness.record(index.connection, waiting)
            assert readiness.is_ready(index.connection) == (waiting == 0)


def test_any_command_makes_it_ready(bank):
    scratch = bank({"a.md": "# A\n"})
    Bank.open(str(scratch.root)).search("a")
    assert of(scratch.layout).is_ready


def test_an_index_of_an_older_version_that_was_swept_is_ready(bank):
    scratch = bank({"a.md": "# A\n"})
    Bank.open(str(scratch.root)).index.update()
    with open_index(scratch.layout, load(scratch.layout), FixedClock(NOW)) as index:
        index.connection.execute("DELETE FROM meta WHERE name = 'waiting'")
    assert of(scratch.layout).is_ready


def test_slices_count_down_until_the_index_is_ready_and_a_sweep_follows(bank):
    scratch = bank({f"n{number:02}.md": f"# 覚え書き {number}\n" for number in range(30)})
    left = []
    while keys := glance.suspects(scratch.layout):
        base = describe(scratch.layout, Slow())
        upkeep.take_in(base, keys, WorkSlice(base, 10_000))
        left.append(of(scratch.layout).waiting)
        assert len(left) < 10, left
    assert left == sorted(left, reverse=True) and len(left) > 2 and left[-1] == 0
    with open_index(scratch.layout, load(scratch.layout), FixedClock(NOW)) as index:
        assert index.count() == 30
        assert index.connection.execute("SELECT 1 FROM meta WHERE name = 'swept_at'").fetchone()
    lines = [line for line in operations.read(scratch.layout) if line.get("mode") == upkeep.SLICE]
    assert [line["left"] for line in lines] == left and sum(line["read"] for line in lines) >= 30 and all("cpu_ms" in line for line in lines)


def test_a_note_that_no_slice_can_finish_is_left_to_a_command(bank):
    """Begun in a hook, it would be ended by the deadline of the process at every turn, and nothing would ever be taken in."""
    large = "# 大きな記録\n\n" + "One of many lines.\n" * 20_000
    scratch = bank({"large.md": large, **{f"n{number}.md": f"# {number}\n" for number in range(10)}})

    def take_in():
        base = describe(scratch.layout, FixedClock(NOW))
        keys = glance.suspects(scratch.layout)
        upkeep.take_in(base, keys, WorkSlice(base, 10_000))
        return keys

    assert "large.md" in take_in()
    for _ in range(2):
        assert take_in() == ["large.md"]
        assert of(scratch.layout).is_ready, "recall reads the index of the other notes"
    lines = [line for line in operations.read(scratch.layout) if line.get("mode") == upkeep.SLICE]
    assert len(lines) == 1, "a turn with nothing but the large note does nothing"
    assert [hit.key for hit in Bank.open(str(scratch.root)).search("lines").hits] == ["large.md"]
    assert glance.suspects(scratch.layout) == []
    (scratch.active / "large.md").unlink()
    assert take_in() == ["large.md"] and Bank.open(str(scratch.root)).search("lines").hits == ()


def test_a_bank_that_cannot_be_written_is_left_alone(bank, monkeypatch):
    scratch = bank({"a.md": "# A\n"})
    base = describe(scratch.layout, FixedClock(NOW))
    opened = working.open_index
    monkeypatch.setattr(working, "open_index", lambda *given, **named: opened(*given, **{**named, "frozen": True}))
    before = scratch.snapshot()
    upkeep.take_in(base, ["a.md"], WorkSlice(base, 10_000))
    assert scratch.snapshot() == before


def test_thousands_of_missing_notes_are_listed_without_examining_them(bank, monkeypatch):
    scratch = bank({f"f{number % 3}/n{number:02}.md": f"# {number}\n" for number in range(20)})
    monkeypatch.setattr(glance, "MANY", 5)
    monkeypatch.setattr(glance, "_READY", 4)
    everything = [f"f{number % 3}/n{number:02}.md" for number in range(20)]
    assert glance.suspects(scratch.layout) == sorted(everything)
    with open_index(scratch.layout, load(scratch.layout), FixedClock(NOW)) as index:
        upkeep.fold(index, only=["f0/n00.md"], portion=True)
    (scratch.active / "f0" / "n03.md").unlink()
    (scratch.active / "f0" / "folder.md").mkdir()
    listed = glance.suspects(scratch.layout, ["f2/n05.md", "f0/n00.md", "f0/never.md"])
    assert listed == ["f2/n05.md", *(key for key in sorted(everything) if key not in ("f2/n05.md", "f0/n00.md", "f0/n03.md"))]


def test_a_slice_does_not_wait_for_a_slow_git_and_does_not_ask_it_again(bank, monkeypatch):
    """A note that is indexed without its date in git would keep the date of the clone."""
    scratch = bank({f"n{number:02}.md": f"# {number}\n" for number in range(3)}, git=True)
    scratch.git("add", "-A")
    scratch.git("-c", "user.name=x", "-c", "user.email=x@x", "commit", "-qm", "notes", "--date", "2020-01-01T00:00:00Z")
    asked = []
    real = git.run

    def slow(repository, *arguments, seconds=None):
        asked.append(arguments[0])
        if seconds is not None:
            raise LockTimeout("git did not answer")
        return real(repository, *arguments)

    monkeypatch.setattr(git, "run", slow)
    for _ in range(2):
        base = describe(scratch.layout, FixedClock(NOW))
        with suppress(LockTimeout):
            upkeep.take_in(base, glance.suspects(scratch.layout), WorkSlice(base, 10_000))
    assert asked == ["ls-tree"] and of(scratch.layout) == readiness.NO_INDEX
    Bank.open(str(scratch.root)).index.update()
    with open_index(scratch.layout, load(scratch.layout), FixedClock(NOW)) as index:
        assert {note.date_source for note in index.notes()} <= {"git", "recorded"} and index.count() == 3
    assert of(scratch.layout).is_ready


@pytest.mark.parametrize("is_edited", [True, False])
def test_the_end_of_a_turn_opens_the_index_once(bank, monkeypatch, is_edited):
    """Each connection reads the schema, and the last one that is closed deletes the files that the next one creates."""
    scratch = bank({"a.md": "# A\n", "b.md": "# B\n"}, git=True)
    Bank.open(str(scratch.root)).index.update()
    if is_edited:
        scratch.write("a.md", "# A, edited\n", days_old=0)
    opened, connect = [], sqlite3.connect

    def connected(path, *arguments, **options):
        opened.append(path)
        return connect(path, *arguments, **options)

    monkeypatch.setattr(sqlite3, "connect", connected)
    base = describe(scratch.layout, FixedClock(NOW))
    organize.take_in_notes(base, Event(events.TURN_END, "claude-code", "Stop", "s1"), 60_000)
    assert len(opened) == 1
    with open_index(scratch.layout, load(scratch.layout), FixedClock(NOW)) as index:
        assert index.note("a.md").title == ("A, edited" if is_edited else "A")
