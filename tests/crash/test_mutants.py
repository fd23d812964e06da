"""Tests of the tests: leaving out any one sync, or doing the steps of a write in another order, must be found.

These bugs show only in a crash. Those that ordinary tests can notice are rows of `tests/mutants`.
"""

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache

import pytest

from memorybank.archive import place, store
from memorybank.clock import DAY, FixedClock
from memorybank.config.settings import Settings
from memorybank.log import rotation as log
from memorybank.log import rotation_state
from memorybank.rotation import backups, execute, move, original, recover, retention, undo
from memorybank.rotation.maintain import prune_backups
from memorybank.storage import appending, disk, frames
from memorybank.storage.layout import Layout
from tests.crash.disk_model import Model
from tests.crash.explorer import counted, explore, first_move, prepare, record, scratch
from tests.crash.promises import violations
from tests.crash.recorder import Counting, Passing, Recorder, replaced
from tests.crash.scenarios import LATER, NOTES, SCENARIOS
from tests.rotation.editors import HoldingOpen, editing_os, in_place
from tests.rotation.rotation_rows import active, tree

BY_NAME = {scenario.name: scenario for scenario in SCENARIOS}


REPEATED = {"rotate": [("sync_folder", ".")]}
"""{scenario: syncs that may be left out}. The name of a new `log/` is made durable again with that of `archive/`, before any note is moved."""


def sync_groups(recorded) -> list[list[int]]:
    """Every sync of a trace that makes something durable, with the later ones of the same target that repeat it before anything changed."""
    model = Model(recorded.before)
    groups: list[list[int]] = []
    latest: dict[str, list[int]] = {}
    for number, step in enumerate(recorded.trace):
        if step[0] in ("sync", "sync_folder"):
            if not model.is_clean(step):
                latest[step[1]] = [number]
                groups.append(latest[step[1]])
            elif step[1] in latest:
                latest[step[1]].append(number)
        model.apply(step)
    return groups


@pytest.mark.cases(1)
@pytest.mark.parametrize("scenario", [scenario for scenario in SCENARIOS if scenario.slow == 1], ids=lambda scenario: scenario.name)
def test_no_sync_can_be_left_out(scenario, request):
    """With any one sync taken out of the recorded trace some crash breaks a promise. The usual run takes out every third."""
    repeated = REPEATED.get(scenario.name, [])
    is_whole = request.config.getoption("--all")
    with scratch() as folder:
        recorded = record(scenario, folder)
        tried, unnoticed = [], []
        for group in sync_groups(recorded)[:: 1 if is_whole else 3]:
            sync = recorded.trace[group[0]]
            tried.append(sync)
            trace = [step for number, step in enumerate(recorded.trace) if number not in group]
            # Only after a repeated sync the search goes through all states, and the usual run follows a sample of these.
            every = 40 if sync in repeated and not is_whole else 1
            if not any(explore(recorded, folder, follow=follow, plain=every, first_only=True, trace=trace, begin=group[0]).wrong for follow in (0, every)):
                unnoticed.append(sync)
        assert unnoticed == [sync for sync in repeated if sync in tried]


# What finds a mutant: the enumerated states, what the next command makes of them, a kill with a power loss after it, or an editor.


def states(name: str) -> Callable[[], bool]:
    def found() -> bool:
        with scratch() as folder:
            return bool(explore(record(BY_NAME[name], folder), folder, follow=0, first_only=True).wrong)

    return found


def followed(name: str) -> Callable[[], bool]:
    def found() -> bool:
        with scratch() as folder:
            return bool(explore(record(BY_NAME[name], folder), folder, follow=50, first_only=True).wrong)

    return found


def killed_first(name: str) -> Callable[[], bool]:
    def found() -> bool:
        scenario = BY_NAME[name]
        with scratch() as folder:
            recorded = record(scenario, folder)
            for killed_at in range(len(recorded.trace)):
                model = Model(recorded.before).after(recorded.trace[: killed_at + 1])
                root = model.killed(os.path.join(folder, f"killed{killed_at}"))
                recorder = Recorder(root)
                with replaced(recorder):
                    scenario.again(Layout(root), FixedClock(scenario.start + LATER))
                if scenario.done(Layout(root)) or explore(recorded, folder, follow=0, trace=recorder.trace, model=model, first_only=True).wrong:
                    return True
        return False

    return found


def finishes(name: str) -> Callable[[], bool]:
    """The command itself does not do its work any more."""

    def found() -> bool:
        scenario = BY_NAME[name]
        with scratch() as folder:
            layout = prepare(scenario, folder)
            with replaced(Passing()):
                try:
                    scenario.run(layout, FixedClock(scenario.start))
                except Exception:
                    return True
            return bool(scenario.done(layout) or violations(tree(layout.root), NOTES, returning=scenario.returning, pruning=scenario.pruning))

    return found


@cache
def changes() -> tuple[int, int]:
    """(how many changes of the disk a rotation makes, which of them renames top.md)."""
    layout, counting = counted(BY_NAME["rotate"])
    renames = [number for number, name in enumerate(counting.calls) if name == "rename"]
    return len(counting.calls), next(number for number in renames if counting.arguments[number][0] == layout.note_path("top.md"))


def edited(editor: Callable[[str], Callable[[str], bytes]]) -> Callable[[], bool]:
    """An editor saves before each change of the disk: before the note has moved its bytes stay in active/, later they are kept and named."""

    def found() -> bool:
        scenario, key = BY_NAME["rotate"], "top.md"
        count, moved_at = changes()
        for k in range(3 * count):
            with scratch() as folder:
                layout = prepare(scenario, folder)
                path, saved = layout.note_path(key), []
                save = editor(path)
                with replaced(editing_os(Counting, k, lambda path=path, saved=saved, save=save: saved.append(save(path)))):
                    scenario.run(layout, FixedClock(scenario.start))
                if isinstance(save, HoldingOpen):
                    save.close()
                if not saved:
                    return False
                with replaced(Passing()):
                    report = prune_backups(layout, Settings(), FixedClock(scenario.start + 60 * DAY))
                kept = tree(layout.backups)
                if saved[0] in active(layout).values():
                    continue
                if k <= moved_at or saved[0] not in kept.values() or [finding.code for finding in report.findings] != ["late_edit"]:
                    return True
        return False

    return found


def saved_twice() -> bool:
    """One save just before the note moves, the next just before it is put back: both must be in active/."""
    scenario, key = BY_NAME["rotate"], "top.md"
    _, moved_at = changes()
    with scratch() as folder:
        layout = prepare(scenario, folder)
        path = layout.note_path(key)

        class Twice(Counting):
            def _call(self, name, arguments, options):
                if len(self.calls) in (moved_at, moved_at + 1):
                    with open(path + ".swp", "wb") as stream:
                        stream.write(b"version %d" % len(self.calls))
                    os.replace(path + ".swp", path)
                return super()._call(name, arguments, options)

        with replaced(Twice()):
            scenario.run(layout, FixedClock(scenario.start))
        return not {b"version %d" % moved_at, b"version %d" % (moved_at + 1)} <= set(active(layout).values())


def edited_before_recovery() -> bool:
    """A crash after the log line; an editor saves; the next run must leave the note alone."""
    scenario, key = BY_NAME["rotate"], "top.md"
    with scratch() as folder:
        recorded = record(scenario, folder)
        layout = Layout(Model(recorded.before).after(recorded.trace[: first_move(recorded.trace)]).killed(os.path.join(folder, "crashed")))
        saved = in_place(layout.note_path(key))
        with replaced(Passing()):
            recover.finish(layout, log.read(layout), _NoBookmarks(), FixedClock(scenario.start), scenario.start)
        return active(layout).get(key) != saved


def bookmarked_before_recovery() -> bool:
    from memorybank.editing import bookmarking
    from memorybank.notes import bookmarks

    scenario, key = BY_NAME["rotate"], "top.md"
    with scratch() as folder:
        recorded = record(scenario, folder)
        layout = Layout(Model(recorded.before).after(recorded.trace[: first_move(recorded.trace)]).killed(os.path.join(folder, "crashed")))
        with replaced(Passing()):
            bookmarking.add(layout, key, "", FixedClock(scenario.start))
            recover.finish(layout, log.read(layout), bookmarks.load(layout), FixedClock(scenario.start), scenario.start)
        return key not in active(layout)


def damaged_frame() -> bool:
    """The compressor lies: nothing may be logged or moved."""
    scenario = BY_NAME["rotate"]
    with scratch() as folder:
        layout = prepare(scenario, folder)
        honest = frames.compress
        with pytest.MonkeyPatch.context() as patch, replaced(Passing()):
            patch.setattr(frames, "compress", lambda data: honest(data + b"!"))
            scenario.run(layout, FixedClock(scenario.start))
        return bool(violations(tree(layout.root), NOTES)) or not all(key in active(layout) for key in NOTES)


def bookmarked_low_note_is_deleted() -> bool:
    from memorybank.editing import bookmarking

    scenario = BY_NAME["retention"]
    with scratch() as folder:
        layout = prepare(scenario, folder)
        with replaced(Passing()):
            bookmarking.add(layout, "top.md", "", FixedClock(scenario.start))
            scenario.run(layout, FixedClock(scenario.start))
        return not any(each.original_path == "top.md" for each in store.listing(layout)[0])


def saving_in_place(path: str) -> Callable[[str], bytes]:
    return in_place


class _NoBookmarks:
    def matches(self, key: str) -> bool:
        return False


# The mutants: each a patch of one step.

Patch = Callable[[pytest.MonkeyPatch], None]


def _unsynced_objects(patch):
    honest = disk.write_temp
    patch.setattr(disk, "write_temp", lambda directory, chunks, **options: honest(directory, chunks, **{**options, "durable": False}))


def _nothing_synced_in(module, name):
    return lambda patch: patch.setattr(module, name, lambda *arguments, **options: None)


def _log_not_synced(patch):
    honest = log.append
    patch.setattr(log, "append", lambda layout, entries, clock, durable=True: honest(layout, entries, clock, durable=False))


def _log_before_publishing(patch):
    honest = execute._Run._publish

    def publish(run, items):
        log.append(run.layout, [execute._archived_entry(item.record) for item in items], run.clock)
        honest(run, items)

    patch.setattr(execute._Run, "_publish", publish)


def _move_before_logging(patch):
    def verified(run, item):
        move.move_out(run.layout, item.record)
        return True

    patch.setattr(execute._Run, "_verified", verified)


def _copy_and_unlink(patch):
    def copy(source, target):
        with open(source, "rb") as stream:
            data = stream.read()
        disk.create(target, data, mtime_ns=os.lstat(source).st_mtime_ns)
        disk.remove(source)

    patch.setattr(disk, "move", copy)


def _no_second_look(patch):
    def move_out(layout, record):
        target = move.backup_path(layout, record)
        disk.make_directories(os.path.dirname(target))
        disk.move(layout.note_path(record.key), target)
        return move.MoveOutcome("moved")

    patch.setattr(move, "move_out", move_out)


def _replacing_publish(patch):
    def publish(temp, path):
        disk.os.replace(temp, path)

    patch.setattr(disk, "publish", publish)


def _replacing_put_back(patch):
    patch.setattr(disk, "move_back", lambda source, target: disk.os.replace(source, target))


def _no_verification(patch):
    patch.setattr(execute._Run, "_verified", lambda run, item: True)


def _delete_before_tombstone(patch):
    honest = log.append

    def append(layout, entries, clock, durable=True):
        entries = list(entries)
        for entry in entries:
            if entry["kind"] == "tombstone":
                disk.remove(store.absolute(layout, entry["archive_path"]))
        honest(layout, entries, clock, durable=durable)

    patch.setattr(log, "append", append)


def _deleted_on_the_day_of_the_tombstone(patch):
    patch.setattr(rotation_state.Tombstone, "is_ripe", property(lambda tombstone: True))


def _delete_before_the_day_is_logged(patch):
    """The seventh day counts before its line is durable."""
    honest = log.append

    def append(layout, entries, clock, durable=True):
        entries = list(entries)
        if any(entry["kind"] == "observed" for entry in entries):
            for path in log.read(layout).tombstones:
                disk.remove(store.absolute(layout, path))
        honest(layout, entries, clock, durable=durable)

    patch.setattr(log, "append", append)


def _restored_before_it_is(patch):
    honest = place.place

    def place_late(layout, key, data, mtime_ns):
        digest = undo.sha256(data).hexdigest()
        log.append(layout, [log.entry("restored", 0, path=key, original_path=key, sha256=digest, archive_path="x", command="restore")], FixedClock(0))
        return honest(layout, key, data, mtime_ns)

    patch.setattr(place, "place", place_late)


def _mtime_not_kept(patch):
    honest = place.place
    patch.setattr(place, "place", lambda layout, key, data, mtime_ns: honest(layout, key, data, 0))


def _compress_before_the_copy_is_there(patch):
    honest = disk.create

    def create(path, data, **options):
        if path.endswith(".zst"):
            disk.remove(path.removesuffix(".zst"))
        honest(path, data, **options)

    patch.setattr(disk, "create", create)


def _unlink_before_the_name_is_durable(patch):
    honest = disk.sync_directory
    patch.setattr(disk, "sync_directory", lambda path: None if "backups" in path else honest(path))


def _every_backup_is_as_recorded(patch):
    patch.setattr(backups, "_is_as_recorded", lambda path, record, state, report: True)


def _no_adoption(patch):
    patch.setattr(store, "holds", lambda layout, path, stored: False)


def _no_sidecar_repair(patch):
    patch.setattr(recover, "repair_sidecars", lambda layout, records: [])


def _no_recovery_of_moves(patch):
    patch.setattr(recover, "_finish_moves", lambda *arguments: [])


def _recovery_ignores_digests(patch):
    def start(layout, record, bookmarks):
        target = move.backup_path(layout, record)
        disk.make_directories(os.path.dirname(target))
        disk.move(layout.note_path(record.key), target)
        return move.MoveOutcome("moved")

    patch.setattr(recover, "_start_again", start)


def _recovery_ignores_bookmarks(patch):
    honest = recover._start_again
    patch.setattr(recover, "_start_again", lambda layout, record, bookmarks: honest(layout, record, _NoBookmarks()))


def _retention_ignores_bookmarks(patch):
    due = retention.due
    patch.setattr(retention, "due", lambda objects, bookmarks, settings, now: due(objects, _NoBookmarks(), settings, now))


def _tombstones_are_forgotten(patch):
    patch.setattr(retention, "finish", lambda layout, state, now: retention.RetentionResult())


def _changed_notes_are_taken(patch):
    honest = original.read

    def read(layout, decision):
        seen = honest(layout, decision)
        if seen == "changed":
            with open(layout.note_path(decision.key), "rb") as stream:
                data = stream.read()
            status = os.lstat(layout.note_path(decision.key))
            return original.OriginalNote(original._status(status), status.st_mtime_ns, data)
        return seen

    patch.setattr(original, "read", read)
    _no_second_look(patch)
    patch.setattr(execute._Run, "_verified", lambda run, item: True)


def _torn_tail_stays_open(patch):
    def append(path, data, *, durable, clock, timeout=2.0):
        descriptor = disk.os.open(path, os.O_RDWR | os.O_APPEND | os.O_CREAT, 0o600)
        disk.os.write(descriptor, data)
        if durable:
            disk.os.fdatasync(descriptor)
        os.close(descriptor)
        disk.sync_directory(os.path.dirname(path))

    patch.setattr(appending, "append", append)


def _archive_folders_not_synced(patch):
    honest = disk.sync_directory
    patch.setattr(disk, "sync_directory", lambda path: None if "archive" in path else honest(path))


def _active_folders_not_synced(patch):
    honest = disk.sync_directory
    patch.setattr(disk, "sync_directory", lambda path: None if "/active" in path else honest(path))


MUTANTS: dict[str, tuple[Patch, Callable[[], bool]]] = {
    "objects are not synced": (_unsynced_objects, states("rotate")),
    "archive folders are not synced": (_archive_folders_not_synced, states("rotate")),
    "active folders are not synced": (_active_folders_not_synced, states("rotate")),
    "folders of a move are not synced": (_nothing_synced_in(move, "sync_folders"), states("rotate")),
    "the log is not synced": (_log_not_synced, states("rotate")),
    "the log names objects that are not there yet": (_log_before_publishing, states("rotate")),
    "notes move before the log says so": (_move_before_logging, states("rotate")),
    "copy and unlink instead of rename": (_copy_and_unlink, edited(HoldingOpen)),
    "no second look after the move": (_no_second_look, edited(saving_in_place)),
    "putting back replaces what is there": (_replacing_put_back, saved_twice),
    "objects are not read back": (_no_verification, damaged_frame),
    "changed notes are taken along": (_changed_notes_are_taken, edited(saving_in_place)),
    "a leftover object is not adopted": (_no_adoption, followed("rotate")),
    "a lost sidecar is not written again": (_no_sidecar_repair, followed("rotate")),
    "interrupted moves are not finished": (_no_recovery_of_moves, followed("rotate")),
    "recovery ignores digests": (_recovery_ignores_digests, edited_before_recovery),
    "recovery ignores bookmarks": (_recovery_ignores_bookmarks, bookmarked_before_recovery),
    "a torn tail is not closed": (_torn_tail_stays_open, followed("rotate")),
    "lines of a killed command are trusted unsynced": (_nothing_synced_in(log, "settle"), killed_first("retention")),
    "restore replaces": (_replacing_publish, finishes("restore beside another note")),
    "restore does not sync": (_nothing_synced_in(place, "sync"), states("restore")),
    "restore is logged first": (_restored_before_it_is, states("restore")),
    "restore forgets the mtime": (_mtime_not_kept, finishes("restore")),
    "undo does not sync": (_nothing_synced_in(place, "sync"), states("undo")),
    "undo is logged first": (_restored_before_it_is, states("undo")),
    "objects go before their tombstone": (_delete_before_tombstone, states("announce a deletion")),
    "objects go on the day of their tombstone": (_deleted_on_the_day_of_the_tombstone, states("announce a deletion")),
    "objects go before the seventh day is in the log": (_delete_before_the_day_is_logged, states("retention")),
    "interrupted deletions are not finished": (_tombstones_are_forgotten, followed("retention")),
    "retention ignores bookmarks": (_retention_ignores_bookmarks, bookmarked_low_note_is_deleted),
    "a backup goes before its compressed copy is there": (_compress_before_the_copy_is_there, states("compress backups")),
    "a backup goes before its copy has a durable name": (_unlink_before_the_name_is_durable, states("compress backups")),
    "late edits are pruned": (_every_backup_is_as_recorded, edited(HoldingOpen)),
}


@contextmanager
def patched(patch: Patch) -> Iterator[None]:
    with pytest.MonkeyPatch.context() as context:
        patch(context)
        yield


@pytest.mark.cases(7)
@pytest.mark.parametrize("name", MUTANTS)
def test_a_mutant_is_found(name):
    patch, is_found = MUTANTS[name]
    changes()
    with patched(patch):
        assert is_found(), name


@pytest.mark.parametrize("is_found", {check for _, check in MUTANTS.values() if check.__name__ != "found"}, ids=lambda check: check.__name__)
def test_the_checks_accept_the_real_thing(is_found):
    """A check that finds fault with the unmutated code would find every mutant."""
    assert not is_found()


@pytest.mark.full
@pytest.mark.parametrize("editor", [saving_in_place, HoldingOpen])
def test_the_editor_check_accepts_the_real_thing(editor):
    assert not edited(editor)()
