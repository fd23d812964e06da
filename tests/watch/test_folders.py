"""The ear of watchdog on a real file system. A test waits for an event to arrive, never for time to pass."""

import threading

import pytest
from watchdog.events import DirModifiedEvent, FileClosedNoWriteEvent, FileOpenedEvent

from memorybank.clock import Clock
from memorybank.errors import ResourceExhausted
from memorybank.watch import WatchedFolders

LONGEST = 120.0
"""Seconds within which any event arrives, also on a loaded machine."""


@pytest.fixture
def ear(bank):
    """ear(notes) → (scratch, an armed ear that has heard nothing)."""
    opened = []

    def arm(notes=()):
        scratch = bank(dict.fromkeys(notes, "# A\n"))
        (scratch.root / "config").mkdir()
        listening = WatchedFolders(scratch.layout, Clock())
        opened.append(listening)
        listening.arm()
        listening.clear()
        return scratch, listening

    yield arm
    for listening in opened:
        listening.close()


def heard(listening) -> bool:
    listening.wait(LONGEST)
    return listening.last_event_at is not None


@pytest.mark.parametrize(
    "happens",
    [
        lambda scratch: scratch.write("a.md", "# other\n"),
        lambda scratch: scratch.write("共有/深い/語.md", "# 語\n"),
        lambda scratch: (scratch.active / "a.md").unlink(),
        lambda scratch: (scratch.active / "a.md").rename(scratch.active / "b.md"),
        lambda scratch: scratch.configure("index", "{}"),
        lambda scratch: scratch.episodes({"date": "2025-09-01", "text": "x"}),
    ],
    ids=["edit", "a new folder", "delete", "rename", "settings", "episodes"],
)
def test_what_people_do_is_heard(ear, happens):
    scratch, listening = ear(["a.md"])
    happens(scratch)
    assert heard(listening)


def test_reading_is_not_heard(ear):
    """A look opens every folder and some notes: it must not hear itself, or it would look for ever."""
    scratch, listening = ear(["a.md", "shared/b.md"])
    real, heard_of, noted = listening.dispatch, set(), threading.Event()

    def noting(event):
        listening.last_event_at = None
        real(event)
        if listening.last_event_at is not None:
            heard_of.add(event.src_path)
            noted.set()  # after it is in the set, unlike the flag of the ear

    listening.dispatch = noting
    for path in scratch.active.rglob("*"):
        if path.is_file():
            path.read_bytes()
    (scratch.active / "end.md").write_text("x")
    noted.wait(LONGEST)
    assert heard_of and heard_of <= {str(scratch.active), str(scratch.active / "end.md")}, "what was read came before"


@pytest.mark.parametrize(("event", "expected"), [(FileOpenedEvent("a"), False), (FileClosedNoWriteEvent("a"), False), (DirModifiedEvent("a"), True)])
def test_only_what_changes_something_sets_the_flag(ear, event, expected):
    _, listening = ear()
    listening.close()
    listening.clear()
    listening.dispatch(event)
    assert (listening.last_event_at is not None) == expected


def test_a_folder_that_went_and_came_back_is_listened_to_again(ear):
    """A checkout of a branch without notes, and back."""
    scratch, listening = ear(["a.md"])
    (scratch.active / "a.md").unlink()
    scratch.active.rmdir()
    assert heard(listening)
    listening.arm()
    scratch.active.mkdir()
    listening.arm()
    listening.clear()
    scratch.write("new.md", "# N\n")
    assert heard(listening)


def test_a_system_that_lets_nobody_listen_is_a_typed_error(ear, monkeypatch):
    scratch, listening = ear()

    def refuse(*arguments, **options):
        raise OSError(28, "inotify watch limit reached")

    monkeypatch.setattr(listening._observer, "schedule", refuse)
    scratch.episodes()
    with pytest.raises(ResourceExhausted, match="inotify watch limit reached") as refused:
        listening.arm()
    assert "max_user_watches" in refused.value.next_step


def test_closing_what_was_never_armed_is_fine(bank):
    WatchedFolders(bank().layout, Clock()).close()


def test_a_long_wait_is_made_of_short_ones(bank, monkeypatch):
    """Python notices a Ctrl-C that arrives just before a wait only when the wait ends."""
    waits = []

    class Flag:
        def wait(self, seconds: float) -> bool:
            waits.append(seconds)
            return len(waits) == 70

    listening = WatchedFolders(bank().layout, Clock())
    monkeypatch.setattr(listening, "_flag", Flag())
    listening.wait(60.5)
    assert sum(waits) == 60.5 and max(waits) <= 1
    listening.wait(60.0)
    assert len(waits) == 70, "an event ends it"
