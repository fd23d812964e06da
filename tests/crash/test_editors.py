"""I6: what somebody else saves during a run is never lost or overwritten, whenever and however it is saved."""

import os

import pytest

from memorybank.clock import DAY, FixedClock
from memorybank.config.settings import Settings
from memorybank.editing import bookmarking
from memorybank.rotation.maintain import prune_backups
from memorybank.rotation.undo import undo
from memorybank.storage.layout import Layout
from tests.crash.disk_model import Model
from tests.crash.explorer import counted, first_move, prepare, scratch
from tests.crash.recorder import Counting, Passing, Recorder, replaced
from tests.crash.scenarios import LATER, NOTES, SCENARIOS, log_of
from tests.rotation.editors import HoldingOpen, by_rename, editing_os, in_place
from tests.rotation.rotation_rows import active, tree

ROTATE = SCENARIOS[0]
KEY = "planning/設計のメモ.md"


def changes() -> int:
    """How many changes of the disk a rotation makes."""
    return len(counted(ROTATE)[1].calls)


@pytest.mark.parametrize("way", ["in place", "by rename", "holding it open"])
def test_a_save_at_any_moment_of_a_rotation_survives(way, request):
    """The saved bytes are in active/, or, when the file had moved already, in its backup, where they are reported and kept."""
    ways = ("in place", "by rename", "holding it open")
    first, step = (0, 1) if request.config.getoption("--all") else (4 * ways.index(way), 13)
    for k in range(first, changes(), step):
        with scratch() as folder:
            layout = prepare(ROTATE, folder)
            path = layout.note_path(KEY)
            holding = HoldingOpen(path) if way == "holding it open" else None
            save = {"in place": in_place, "by rename": by_rename}.get(way, holding)
            saved: list[bytes] = []
            with replaced(editing_os(Counting, k, lambda save=save, path=path, saved=saved: saved.append(save(path)))):
                ROTATE.run(layout, FixedClock(ROTATE.start))
            if holding:
                holding.close()
            check_nothing_lost(layout, saved[0], k)
            with replaced(Passing()):
                check_late_edits_stay(layout, saved[0], k)


def check_nothing_lost(layout, saved: bytes, k: int) -> None:
    notes, kept = active(layout), tree(layout.backups)
    assert saved in notes.values() or saved in kept.values(), f"the save before change {k} is nowhere"
    assert notes.get(KEY, saved) in (saved, NOTES[KEY]), f"before change {k}: something else has the note's name"


def check_late_edits_stay(layout, saved: bytes, k: int) -> None:
    """Months later the backup of a late edit is still there and named, and undo brings the edit back."""
    report = prune_backups(layout, Settings(), FixedClock(ROTATE.start + 60 * DAY))
    if saved in active(layout).values():
        return
    assert [finding.code for finding in report.findings] == ["late_edit"], f"before change {k}"
    assert saved in tree(layout.backups).values()
    undo(layout, FixedClock(ROTATE.start + 60 * DAY + LATER))
    assert active(layout)[KEY] == saved, f"before change {k}"


@pytest.mark.parametrize("way", [in_place, by_rename])
def test_a_save_between_a_crash_and_the_next_run_stays(way):
    """The interrupted rotation is finished only for notes that are still what was archived."""
    with scratch() as folder:
        layout = prepare(ROTATE, folder)
        recorder = Recorder(layout.root)
        with replaced(recorder):
            ROTATE.run(layout, FixedClock(ROTATE.start))
        renames = [number for number, step in enumerate(recorder.trace) if step[0] == "rename" and step[1].startswith("active/")]
    for cut in range(renames[0], renames[-1] + 1):
        with scratch() as folder:
            layout = prepare(ROTATE, folder)
            layout = Layout(Model(layout.root).after(recorder.trace[:cut]).killed(os.path.join(folder, "crashed")))
            saved = way(layout.note_path(KEY))
            with replaced(Passing()):
                ROTATE.again(layout, FixedClock(ROTATE.start + LATER))
            assert saved in active(layout).values() or saved in tree(layout.backups).values()


def test_a_bookmark_between_a_crash_and_the_next_run_keeps_the_note():
    """The interrupted move is abandoned, and the log says why."""
    with scratch() as folder:
        layout = prepare(ROTATE, folder)
        model = Model(layout.root)
        recorder = Recorder(layout.root)
        with replaced(recorder):
            ROTATE.run(layout, FixedClock(ROTATE.start))
        layout = Layout(model.after(recorder.trace[: first_move(recorder.trace)]).killed(os.path.join(folder, "crashed")))
        with replaced(Passing()):
            bookmarking.add(layout, KEY, "", FixedClock(ROTATE.start))
            ROTATE.again(layout, FixedClock(ROTATE.start + LATER))
        assert active(layout)[KEY] == NOTES[KEY]
        assert [(line["path"], line["reason"]) for line in log_of(layout) if line["kind"] == "abandoned"] == [(KEY, "bookmarked")]
