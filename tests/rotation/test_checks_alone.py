"""Two checks keep one promise, so a test of the promise passes without either. Here each holds alone, with the other one taken down."""

import os
import types
from dataclasses import replace

import pytest

from memorybank.archive import store
from memorybank.clock import DAY, FixedClock
from memorybank.errors import ValidationFailed
from memorybank.log import rotation as log
from memorybank.log.rotation_state import ArchivedRecord
from memorybank.notes import bookmarks
from memorybank.rotation import move, original, pressure, recover, retention
from memorybank.rotation.execute import execute
from memorybank.rotation.maintain import prune_backups
from memorybank.rotation.plan import plan
from memorybank.rotation.pressure import Occupancy, needed
from memorybank.rotation.undo import restore
from memorybank.storage import disk, frames
from tests.rotation.editors import by_rename, in_place
from tests.rotation.rotation_rows import NOW, active, expiring, plan_for, row, settings, tree

KEY, TEXT = "planning/計画.md", "# 計画\r\n".encode()


@pytest.fixture
def layout(bank):
    return bank({KEY: TEXT}, days_old=40).layout


@pytest.fixture
def note(layout):
    return layout.note_path(KEY)


def saving_before(monkeypatch, module, name, save, path, when=lambda *arguments: True):
    """Let an editor save just before a function is called, the first time that `when` holds for its arguments."""
    real = getattr(module, name)
    saved = []

    def called(*arguments, **options):
        if not saved and when(*arguments):
            saved.append(save(path))
        return real(*arguments, **options)

    monkeypatch.setattr(module, name, called)
    return saved


def before_the_move(monkeypatch, save, path):
    """An editor saves after the note was logged as archived."""
    return saving_before(monkeypatch, log, "append", save, path, lambda _, entries, __: any(entry["kind"] == "archived" for entry in entries))


# whether a note is still the one of the plan


def test_the_digest_finds_another_text_of_the_same_size(layout, note, fixed_clock):
    planned = plan_for(layout)
    with open(note, "wb") as stream:
        stream.write(TEXT.upper().replace(b"#", b"="))
    report = execute(planned, layout, fixed_clock)
    assert [(stayed.key, stayed.reason) for stayed in report.stayed] == [(KEY, "changed")] and report.errors == []


def test_the_status_finds_a_save_while_the_note_is_read(layout, note, fixed_clock, monkeypatch):
    planned = plan_for(layout)
    real = disk.read

    def saved_after(path, limit):
        data = real(path, limit)
        if path == note:
            in_place(path)
        return data

    monkeypatch.setattr(disk, "read", saved_after)
    report = execute(planned, layout, fixed_clock)
    assert [stayed.reason for stayed in report.stayed] == ["changed"]
    assert list(store.names(layout)) == [], "no object of a version that nobody has"


@pytest.mark.parametrize("save", [in_place, by_rename])
def test_the_look_before_the_move_finds_a_save_although_the_one_after_it_is_blind(layout, note, fixed_clock, monkeypatch, save):
    saved = before_the_move(monkeypatch, save, note)
    monkeypatch.setattr(move, "digest_of", lambda path: original.sha256(TEXT).hexdigest())
    report = execute(plan_for(layout), layout, fixed_clock)
    assert active(layout) == {KEY: saved[0]} and [stayed.reason for stayed in report.stayed] == ["changed"]


@pytest.mark.parametrize("save", [in_place, by_rename])
def test_the_look_after_the_move_finds_a_save_although_the_one_before_it_is_blind(layout, note, fixed_clock, monkeypatch, save):
    saved = before_the_move(monkeypatch, save, note)
    monkeypatch.setattr(original, "unchanged", lambda *_: True)
    report = execute(plan_for(layout), layout, fixed_clock)
    assert active(layout) == {KEY: saved[0]} and [stayed.reason for stayed in report.stayed] == ["put_back"]


def test_completing_a_rename_leaves_what_an_editor_saved_under_the_old_name(layout, note):
    """The caller has compared both names before; an editor can replace the file after that."""
    record = ArchivedRecord("r1", KEY, NOW, ".", 40, "archive/x", "backups/r1/" + KEY, {"sha256": "0" * 64, "size": 1, "mtime_ns": 1})
    os.makedirs(os.path.dirname(move.backup_path(layout, record)))
    os.link(note, move.backup_path(layout, record))
    saved = by_rename(note)
    move.finish_rename(layout, record)
    assert active(layout) == {KEY: saved}


# whether the archive holds the note


def damage(layout):
    [path] = [path for path in store.names(layout) if path.endswith(".zst")]
    with open(store.absolute(layout, path), "r+b") as stream:
        stream.seek(8)
        stream.write(b"\xff\xff")


def test_an_object_that_cannot_be_read_back_is_not_logged(layout, fixed_clock, monkeypatch):
    honest = frames.compress
    monkeypatch.setattr(frames, "compress", lambda data: honest(data + b"!"))
    report = execute(plan_for(layout), layout, fixed_clock)
    assert active(layout) == {KEY: TEXT} and [key for key, _ in report.errors] == [KEY]
    assert list(log.read(layout).archived()) == []


def test_a_note_whose_object_was_damaged_before_its_move_was_finished_stays(layout, fixed_clock, monkeypatch):
    monkeypatch.setattr(move, "move_out", lambda *_: (_ for _ in ()).throw(KeyboardInterrupt))
    with pytest.raises(KeyboardInterrupt):
        execute(plan_for(layout), layout, fixed_clock)
    monkeypatch.undo()
    damage(layout)
    found = recover.finish(layout, log.read(layout), bookmarks.load(layout), fixed_clock, NOW)
    assert (found.abandoned, active(layout)) == ([KEY], {KEY: TEXT})


def test_a_backup_with_other_bytes_does_not_stand_in_for_a_damaged_object(layout, fixed_clock):
    execute(plan_for(layout), layout, fixed_clock)
    damage(layout)
    [backup] = tree(layout.backups)
    in_place(os.path.join(layout.backups, backup))
    with pytest.raises(ValidationFailed):
        restore(layout, KEY, fixed_clock)
    assert active(layout) == {}


def test_a_backup_that_is_edited_while_it_is_compressed_stays(layout, fixed_clock, monkeypatch):
    execute(plan_for(layout), layout, fixed_clock)
    [name] = tree(layout.backups)
    path = os.path.join(layout.backups, name)
    saved = saving_before(monkeypatch, disk, "create", in_place, path, lambda target, _: target.endswith(".zst"))
    report = prune_backups(layout, expiring(), FixedClock(NOW + 2 * DAY))
    assert report.compressed == [] and tree(layout.backups)[name] == saved[0]


# what retention and pressure take


def test_retention_looks_at_the_rule_although_other_objects_have_no_date(layout, fixed_clock):
    """The plan gives a date of deletion only to low notes. A sidecar can say something else: anybody can commit one."""
    execute(plan_for(layout, settings=expiring(90)), layout, fixed_clock)
    [described] = store.listing(layout)[0]
    later = NOW + 400 * DAY
    assert retention.due([described], bookmarks.load(layout), expiring(90), later) == [described]
    for rule in ("medium", "size", ""):
        assert retention.due([replace(described, rule=rule)], bookmarks.load(layout), expiring(90), later) == []


def test_nothing_is_due_while_deletion_is_off_although_a_run_would_not_ask(layout, fixed_clock):
    execute(plan_for(layout, settings=expiring(90)), layout, fixed_clock)
    assert retention.due(store.listing(layout)[0], bookmarks.load(layout), settings(), NOW + 4_000 * DAY) == []


def test_pressure_chooses_exactly_enough_before_it_takes_back_what_is_too_much(monkeypatch):
    monkeypatch.setattr(pressure._Excess, "stays_within", lambda *_: False)
    notes = [row(f"{number}.md", importance=1.0 + number, age=60, size=1_000) for number in range(6)]
    chosen = needed(notes, Occupancy(6, 4, 0, 100, 6_000, 5_000_000))
    assert [note.key for note in chosen] == ["0.md", "1.md"]


def test_a_megabyte_has_1048576_bytes():
    class Nothing:
        restored = types.MappingProxyType({})

        def matches(self, key):
            return False

    notes = [row("exactly.md", importance=6.0, age=60, size=10 * 1_048_576), row("more.md", importance=6.0, age=60, size=10 * 1_048_576 + 1)]
    made = plan(notes, Nothing(), Nothing(), expiring(), NOW, "size_based")
    assert [decision.key for decision in made.leaving if decision.rule == "size"] == ["more.md"]
