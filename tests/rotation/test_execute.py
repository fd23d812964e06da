"""Carrying out a plan: what is printed is what happens, and nothing else."""

import os
import threading

import pytest

from memorybank.archive import store
from memorybank.clock import DAY, HOUR, SECOND, FixedClock
from memorybank.editing import bookmarking
from memorybank.errors import BrakeRefused, LockTimeout, PermissionRefused, ResourceExhausted, UsageError
from memorybank.log import rotation as log
from memorybank.rotation import execute as execution
from memorybank.rotation import guard, history, undo
from memorybank.rotation.execute import execute
from memorybank.rotation.verify import verify
from memorybank.storage import disk
from memorybank.storage.layout import Layout
from memorybank.storage.lock import Lock
from tests.crash.recorder import Counting, Passing, replaced
from tests.rotation.rotation_rows import NOW, active, plan_for, settings, tree

NOTES = {"planning/計画.md": "# 計画\n\n来月までに検索を作る。\n", "sync/daily.md": "# Daily\r\n", "top.md": ""}


def old(bank, notes=NOTES):
    return bank(notes, days_old=40).layout


def test_the_plan_printed_is_the_plan_executed(bank, fixed_clock):
    layout = old(bank, {**NOTES, "keep.md": "important"})
    planned = plan_for(layout, {"keep.md": 9.0})
    report = execute(planned, layout, fixed_clock)
    assert [(note.key, note.rule, note.reason) for note in report.rotated] == [(each.key, each.rule, each.reason) for each in planned.leaving]
    assert active(layout) == {"keep.md": b"important"}
    assert {each.original_path for each in store.listing(layout)[0]} == set(NOTES)
    assert report.stayed == [] and report.errors == []


def test_planning_changes_nothing(bank):
    scratch = bank(NOTES, days_old=40)
    before = scratch.snapshot()
    plan_for(scratch.layout)
    assert scratch.snapshot() == before


def test_a_note_that_changed_after_the_plan_stays(bank, fixed_clock):
    layout = old(bank)
    planned = plan_for(layout)
    with open(layout.note_path("top.md"), "w") as stream:
        stream.write("new")
    os.remove(layout.note_path("sync/daily.md"))
    report = execute(planned, layout, fixed_clock)
    assert {(note.key, note.reason) for note in report.stayed} == {("top.md", "changed"), ("sync/daily.md", "vanished")}
    assert active(layout) == {"top.md": b"new"}


def test_a_note_bookmarked_after_the_plan_stays(bank, fixed_clock):
    layout = old(bank)
    planned = plan_for(layout)
    bookmarking.add(layout, "planning/", "", fixed_clock)
    report = execute(planned, layout, fixed_clock)
    assert [(note.key, note.reason) for note in report.stayed] == [("planning/計画.md", "bookmarked")]


def test_bookmarks_that_break_after_the_plan_keep_everything(bank, fixed_clock):
    layout = old(bank)
    planned = plan_for(layout)
    with open(layout.bookmarks, "w") as stream:
        stream.write("{broken")
    assert execute(planned, layout, fixed_clock).rotated == []
    assert len(active(layout)) == 3


def test_originals_keep_inode_mtime_and_folders_in_the_backup(bank, fixed_clock):
    layout = old(bank)
    before = {key: os.lstat(layout.note_path(key)) for key in NOTES}
    report = execute(plan_for(layout), layout, fixed_clock)
    for key, status in before.items():
        after = os.lstat(os.path.join(layout.backups, report.rotation_id, key))
        assert (after.st_ino, after.st_mtime_ns, after.st_mode) == (status.st_ino, status.st_mtime_ns, status.st_mode)


def test_plain_objects_when_compression_is_off(bank, fixed_clock):
    layout = old(bank)
    off = settings(rotation_strategy={"archival_rules": {"low_importance": {"compress": False}}})
    execute(plan_for(layout, settings=off), layout, fixed_clock)
    objects, _ = store.listing(layout)
    assert all(each.object_name.endswith(".md") and not each.compressed for each in objects)
    assert {each.original_path: store.read_object(layout, each) for each in objects} == {key: text.encode() for key, text in NOTES.items()}
    assert verify(layout, NOW).findings == []


def test_nothing_to_do_writes_no_line(bank, fixed_clock):
    layout = old(bank)
    report = execute(plan_for(layout, 9.0), layout, fixed_clock)
    assert report.rotation_id is None
    assert not os.path.exists(log.path(layout))


def test_a_note_can_leave_return_and_leave_again_within_one_second(bank, fixed_clock):
    """The second object gets a name of its own; none is replaced."""
    from memorybank.rotation.undo import undo

    layout = old(bank, {"top.md": "same"})
    for _ in range(3):
        planned = plan_for(layout, now=NOW)
        planned = planned if planned.leaving else plan_for(layout, now=NOW + 9 * DAY)
        execute(planned, layout, FixedClock(planned.now))
        undo(layout, FixedClock(planned.now))
    execute(plan_for(layout, now=NOW + 18 * DAY), layout, FixedClock(NOW + 18 * DAY))
    objects, problems = store.listing(layout)
    assert problems == [] and len({each.id for each in objects}) == len(objects) >= 3
    assert verify(layout, NOW).findings == []


def test_identical_notes_get_objects_of_their_own(bank, fixed_clock):
    layout = old(bank, {"a.md": "same", "b.md": "same", "x/a.md": "same"})
    execute(plan_for(layout), layout, fixed_clock)
    assert sorted(each.original_path for each in store.listing(layout)[0]) == ["a.md", "b.md", "x/a.md"]


def test_names_of_every_kind(bank, fixed_clock):
    names = ["日" * 84 + ".md", "a" * 252 + ".md", "  spaces  .md", "-rf.md", "quote'\".md", "new\nline.md", ".hidden.md", "~x.md", "..md"]
    names += ["\u304c.md", "\u304b\u3099.md"]
    layout = old(bank, {f"shared/{name}": name for name in names})
    report = execute(plan_for(layout), layout, fixed_clock, yes=True)
    assert len(report.rotated) == len(names) and report.errors == []
    assert verify(layout, NOW).findings == []
    from memorybank.rotation.undo import undo

    assert len(undo(layout, fixed_clock).returned) == len(names)
    assert {key: data.decode() for key, data in active(layout).items()} == {f"shared/{name}": name for name in names}


# refusals


def test_the_brake_refuses_without_a_word(bank, fixed_clock):
    layout = old(bank, {f"{number}.md": str(number) for number in range(11)})
    planned = plan_for(layout)
    with pytest.raises(BrakeRefused) as refused:
        execute(planned, layout, fixed_clock)
    assert refused.value.exit_code == 8 and "--yes" in refused.value.next_step
    assert len(active(layout)) == 11 and not os.path.exists(layout.archive)
    assert len(execute(planned, layout, fixed_clock, yes=True).rotated) == 11


@pytest.mark.parametrize("wrong", [-HOUR, -3 * SECOND, 367 * DAY])
def test_a_clock_that_cannot_be_right_refuses(bank, wrong):
    layout = old(bank)
    execute(plan_for(layout, {"top.md": 9.0, "sync/daily.md": 9.0}), layout, FixedClock(NOW))
    later = plan_for(layout, now=NOW + wrong) if wrong > 0 else plan_for(layout)
    with pytest.raises(ResourceExhausted) as refused:
        execute(later, layout, FixedClock(NOW + wrong))
    assert refused.value.exit_code == 8 and "--yes" in refused.value.next_step
    assert "top.md" in active(layout)
    assert execute(later, layout, FixedClock(NOW + wrong), yes=True).rotated


def test_lines_of_other_logs_count_for_the_clock(bank):
    from memorybank.log import access
    from memorybank.log.access import AccessLine

    layout = old(bank)
    access.append(layout, [AccessLine("view", "top.md", NOW + 3 * DAY)], FixedClock(NOW))
    with pytest.raises(ResourceExhausted):
        execute(plan_for(layout), layout, FixedClock(NOW))


def test_a_plan_of_another_day_is_only_for_printing(bank, fixed_clock):
    layout = old(bank)
    with pytest.raises(UsageError):
        execute(plan_for(layout, now=NOW + 60 * DAY), layout, fixed_clock)


def test_different_devices_are_refused_before_anything_is_written(bank, fixed_clock, monkeypatch):
    scratch = bank(NOTES, days_old=40)
    layout = scratch.layout
    real = os.stat

    class Elsewhere:
        st_dev = -1

    monkeypatch.setattr(guard.os, "stat", lambda path, **options: Elsewhere() if str(path).endswith("/sync") else real(path, **options))
    with pytest.raises(ResourceExhausted) as refused:
        execute(plan_for(layout), layout, fixed_clock)
    monkeypatch.undo()
    assert refused.value.exit_code == 8
    assert not os.path.exists(layout.archive) and not os.path.exists(layout.backups) and not os.path.exists(log.path(layout))


def test_a_backup_folder_on_another_device_is_refused(bank, fixed_clock, tmp_path):
    import tempfile

    layout = old(bank)
    others = [place for place in ("/dev/shm", "/var/tmp", "/tmp") if os.access(place, os.W_OK) and os.stat(place).st_dev != os.stat(tmp_path).st_dev]
    if not others:
        pytest.skip("needs two devices")
    with tempfile.TemporaryDirectory(dir=others[0]) as elsewhere:
        layout.backups = elsewhere
        with pytest.raises(ResourceExhausted):
            execute(plan_for(layout), layout, fixed_clock)
    assert len(active(layout)) == 3


def test_a_running_rotation_is_waited_for_and_then_named(bank, fixed_clock):
    layout = old(bank)
    planned = plan_for(layout)
    with Lock(os.path.join(layout.log, "rotation.lock"), "memorybank rotate", fixed_clock), pytest.raises(LockTimeout) as refused:
        execute(planned, layout, Impatient(NOW))
    assert str(os.getpid()) in refused.value.message


class Impatient(FixedClock):
    """Two seconds pass with every look."""

    def monotonic(self) -> float:
        self.instant += 2_000
        return self.instant / 1000

    def sleep(self, seconds: float) -> None:
        return


def test_two_rotations_at_once_archive_each_note_once(bank):
    layout = old(bank, {f"{number}.md": str(number) for number in range(8)})
    planned = plan_for(layout)
    reports = []
    threads = [threading.Thread(target=lambda: reports.append(execute(planned, layout, FixedClock(NOW)))) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(len(report.rotated) for report in reports) == [0, 0, 0, 8]
    assert len(store.listing(layout)[0]) == 8
    assert {note.reason for report in reports for note in report.stayed} == {"vanished"}
    [winner] = [report for report in reports if report.rotated]
    assert [report.taken for report in reports if report is not winner] == [{winner.rotation_id: 8}] * 3
    assert {note.message for report in reports for note in report.stayed} == {f"rotation {winner.rotation_id} has just archived it"}


def test_a_note_that_an_earlier_rotation_archived_and_that_somebody_deleted_since_was_not_archived_just_now(bank):
    layout = old(bank, {"a.md": "a"})
    clock = FixedClock(NOW)
    execute(plan_for(layout), layout, clock)
    clock.instant += 1_000
    undo.undo(layout, clock)
    clock.instant += 40 * DAY
    planned = plan_for(layout, now=clock.now())
    assert len(planned.leaving) == 1
    os.remove(layout.note_path("a.md"))
    assert [(note.message, note.taken_by) for note in execute(planned, layout, clock).stayed] == [("it was deleted or renamed", "")]


# one note's trouble is one note's


@pytest.mark.parametrize("trap", ["symlink", "folder", "fifo", "folder link"])
def test_what_became_no_note_stays(bank, fixed_clock, trap):
    scratch = bank({**NOTES, "away/x.md": "x"}, days_old=40)
    layout = scratch.layout
    planned = plan_for(layout)
    path = layout.note_path("away/x.md")
    os.remove(path)
    if trap == "symlink":
        os.symlink("/etc/hostname", path)
    elif trap == "folder":
        os.mkdir(path)
    elif trap == "fifo":
        os.mkfifo(path)
    else:
        os.rmdir(os.path.dirname(path))
        outside = scratch.repository / "outside"
        outside.mkdir()
        (outside / "x.md").write_text("x")
        os.symlink(outside, os.path.dirname(path))
    report = execute(planned, layout, fixed_clock)
    assert [(note.key, note.reason) for note in report.stayed] == [("away/x.md", "not_a_note")]
    assert len(report.rotated) == 3
    if trap == "folder link":
        assert (scratch.repository / "outside" / "x.md").read_text() == "x"


def test_a_note_that_cannot_be_read_is_reported_and_the_run_goes_on(bank, fixed_clock, monkeypatch):
    layout = old(bank)
    planned = plan_for(layout)
    honest = disk.read

    def read(path, limit):
        if path.endswith("daily.md"):
            raise PermissionRefused(f"{path}: Permission denied")
        return honest(path, limit)

    monkeypatch.setattr(disk, "read", read)
    report = execute(planned, layout, fixed_clock)
    monkeypatch.undo()
    assert [(key, error.exit_code) for key, error in report.errors] == [("sync/daily.md", 4)]
    assert set(active(layout)) == {"sync/daily.md"}
    assert [note.key for note in execute(plan_for(layout), layout, FixedClock(NOW + HOUR)).rotated] == ["sync/daily.md"]
    assert len(store.listing(layout)[0]) == 3


def test_a_move_that_is_refused_makes_no_second_object(bank, fixed_clock, monkeypatch):
    """The note stays pending; the next run tries the move again instead of archiving anew."""
    layout = old(bank)
    planned = plan_for(layout)
    honest = disk.move

    def move(source, target):
        if source.endswith("daily.md"):
            raise PermissionRefused(f"{source}: Operation not permitted")
        honest(source, target)

    monkeypatch.setattr(disk, "move", move)
    for hour in range(3):
        report = execute(planned if hour == 0 else plan_for(layout, now=NOW + hour * HOUR), layout, FixedClock(NOW + hour * HOUR))
        assert [key for key, _ in report.errors] == ["sync/daily.md"]
        assert len(store.listing(layout)[0]) == 3
    monkeypatch.undo()
    report = execute(plan_for(layout, now=NOW + 9 * HOUR), layout, FixedClock(NOW + 9 * HOUR))
    assert report.recovery.moved == ["sync/daily.md"] and active(layout) == {}


def test_without_hard_links_everything_works(bank, fixed_clock):
    """vfat and some FUSE systems refuse link(2)."""
    import errno

    class NoLinks(Passing):
        def link(self, source, target, **options):
            raise OSError(errno.EPERM, "Operation not permitted")

    layout = old(bank)
    with replaced(NoLinks()):
        execute(plan_for(layout), layout, fixed_clock)
        assert verify(layout, NOW).findings == []
        from memorybank.rotation.undo import undo

        undo(layout, fixed_clock)
    assert {key: data.decode() for key, data in active(layout).items()} == NOTES


# the record


def test_the_history_tells_what_happened(bank, fixed_clock):
    layout = old(bank, {**NOTES, "keep.md": "important"})
    report = execute(plan_for(layout, {"keep.md": 9.0}), layout, fixed_clock)
    document = history.document(log.read(layout))
    assert document["version"] == "1.0.0"
    (rotation,) = document["rotations"]
    assert rotation["rotation_id"] == report.rotation_id and rotation["trigger"] == "manual"
    assert rotation["rotation_summary"] == {
        "files_processed": 4, "files_rotated": 3, "files_archived": 3, "total_size_reduced_mb": 0.0, "errors": 0, "warnings": 0,
    }  # fmt: skip
    assert rotation["preserved_counts"] == {"high": 1, "recent": 0, "bookmark": 0, "rated": 0, "restored": 0}
    detail = next(each for each in rotation["details"] if each["file"] == ".claude/memory/active/planning/計画.md")
    assert detail["action"] == "archived" and detail["importance_score"] == 1.5 and detail["age_days"] == 40
    assert detail["backup_path"] == f".claude/memory/backups/{report.rotation_id}/planning/計画.md"
    assert os.path.exists(os.path.join(layout.root, detail["archive_path"].removeprefix(".claude/memory/")))
    history.write(layout)
    first = tree(layout.metadata)
    history.write(layout)
    assert tree(layout.metadata) == first != {}


def test_rotation_ids_are_unique_sortable_and_file_names(bank):
    layout = old(bank, {f"{number}.md": str(number) for number in range(4)})
    ids = []
    for number in range(4):
        report = execute(plan_for(layout, {f"{other}.md": 9.0 for other in range(number + 1, 4)}), layout, FixedClock(NOW + number // 2))
        ids.append(report.rotation_id)
    assert len(set(ids)) == 4 and sorted(ids, key=lambda each: each[:18]) == ids
    assert all(each.replace("-", "").isalnum() for each in ids)


def test_logs_archive_and_backups_are_private_and_notes_are_not(bank, fixed_clock):
    layout = old(bank)
    execute(plan_for(layout), layout, fixed_clock)
    for path in tree(layout.archive):
        assert os.lstat(os.path.join(layout.archive, path)).st_mode & 0o077 == 0 or path == ".gitattributes"
    for folder in (layout.log, layout.backups, layout.archive):
        assert os.lstat(folder).st_mode & 0o077 == 0
    assert os.lstat(log.path(layout)).st_mode & 0o777 == 0o600


@pytest.mark.slow
def test_a_rotation_costs_at_most_two_syncs_a_note(bank, fixed_clock):
    """1,000 notes in ten folders, every sync counted."""
    scratch = bank({f"folder{number % 10}/{number}.md": f"note {number}\n" * (number % 7) for number in range(1000)}, days_old=40)
    counting = Counting(("fsync", "fdatasync"))
    with replaced(counting):
        report = execute(plan_for(scratch.layout), scratch.layout, fixed_clock, yes=True)
    assert len(report.rotated) == 1000
    assert len(counting.calls) <= 2_000
    assert len(counting.calls) <= 1_200, "1.14 a note when this was written: one for the object, the rest by batch and folder"


def test_batches_are_bounded_in_notes_and_bytes():
    assert execution.BATCH_NOTES <= 64
    assert execution.BATCH_BYTES <= 64 << 20


def test_linked_worktrees_share_log_and_backups(bank, fixed_clock):
    """Each worktree has its own notes and archive; a worktree never finishes another's interrupted moves."""
    main = bank({"a.md": "in main"}, days_old=40).layout
    other = bank({"a.md": "in the worktree"}, days_old=40).layout
    linked = Layout(other.root, local_root=main.root, repository=other.repository)
    execute(plan_for(main), main, FixedClock(NOW))
    execute(plan_for(linked), linked, FixedClock(NOW + 1))
    assert {rotation.tree for rotation in log.read(main).rotations.values()} == {".", os.path.relpath(other.root, main.root)}
    assert not os.path.exists(os.path.join(other.root, "log")) and len(os.listdir(main.backups)) == 2
    from memorybank.rotation.undo import undo

    assert verify(main, NOW).findings == [] and verify(linked, NOW).findings == []
    assert len(undo(linked, FixedClock(NOW + 2)).returned) == 1
    assert active(linked) == {"a.md": b"in the worktree"} and active(main) == {}
    undo(main, FixedClock(NOW + 3))
    assert active(main) == {"a.md": b"in main"}, "its own newest rotation, although the other worktree's is newer"
