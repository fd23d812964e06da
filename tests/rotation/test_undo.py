"""restore and undo: byte-exact, mtime kept, nothing replaced, nothing removed."""

import os
import shutil

import pytest

from memorybank.archive import store
from memorybank.clock import DAY, FixedClock
from memorybank.errors import Conflict, NotFound, UsageError, ValidationFailed
from memorybank.rotation.execute import execute
from memorybank.rotation.undo import restore, undo
from memorybank.rotation.verify import verify
from memorybank.storage.layout import Layout
from tests.rotation.rotation_rows import NOW, active, plan_for, tree

NOTES = {"planning/計画.md": "# 計画\r\n\r\nCRLF と BOM\r\n".encode("utf-8-sig"), "sync/daily.md": b"# Daily\n", "top.md": b"", "raw.md": b"\xff\xfe no UTF-8"}
MTIME = (NOW - 40 * DAY) * 1_000_000 + 123_456_789


@pytest.fixture
def rotated(bank):
    """A bank whose four notes have just been archived, with nanoseconds in their mtimes."""
    scratch = bank(NOTES, days_old=40)
    for key in NOTES:
        os.utime(scratch.active / key, ns=(MTIME, MTIME))
    execute(plan_for(scratch.layout), scratch.layout, FixedClock(NOW))
    return scratch


def archive_of(layout: Layout) -> dict[str, bytes]:
    return {path: data for path, data in tree(layout.archive).items() if path.startswith("by_date")}


@pytest.mark.parametrize("key", NOTES)
def test_restore_is_byte_equal_and_keeps_the_mtime(rotated, key):
    layout, before = rotated.layout, archive_of(rotated.layout)
    returned = restore(layout, key, FixedClock(NOW))
    assert returned.key == key and active(layout) == {key: NOTES[key]}
    assert os.lstat(layout.note_path(key)).st_mtime_ns == MTIME
    assert archive_of(layout) == before
    assert len(tree(layout.backups)) == 4


def test_a_note_is_named_by_id_digits_or_key(rotated):
    layout = rotated.layout
    described = next(each for each in store.listing(layout)[0] if each.original_path == "sync/daily.md")
    for name in (described.id, described.object_name, f"{described.id}.json", described.id[-8:], "sync/daily.md"):
        assert restore(layout, name, FixedClock(NOW)).original_path == "sync/daily.md"
    for name in ("", "..", "../../etc/passwd", "/etc/passwd", "nothing", "\0", "planning/"):
        with pytest.raises(NotFound):
            restore(layout, name, FixedClock(NOW))


def test_a_note_in_the_way_is_never_replaced(rotated):
    layout = rotated.layout
    rotated.write("sync/daily.md", "a newer note")
    returned = restore(layout, "sync/daily.md", FixedClock(NOW))
    assert returned.key.startswith("sync/daily~") and len(returned.key) == len("sync/daily~12345678.md")
    assert active(layout) == {"sync/daily.md": b"a newer note", returned.key: NOTES["sync/daily.md"]}
    assert os.lstat(layout.note_path(returned.key)).st_mtime_ns == MTIME


def test_the_name_beside_may_be_taken_too(rotated):
    layout = rotated.layout
    rotated.write("sync/daily.md", "first")
    beside = restore(layout, "sync/daily.md", FixedClock(NOW)).key
    rotated.write(beside, "second")
    third = restore(layout, "sync/daily.md", FixedClock(NOW)).key
    assert third not in (beside, "sync/daily.md") and active(layout)[third] == NOTES["sync/daily.md"]
    rotated.write(third, "third")
    fourth = restore(layout, "sync/daily.md", FixedClock(NOW)).key
    rotated.write(fourth, "fourth")
    with pytest.raises(Conflict):
        restore(layout, "sync/daily.md", FixedClock(NOW))


def test_a_long_name_in_the_way_is_cut_at_a_character(bank):
    key = "日" * 84 + ".md"
    scratch = bank({key: "old"}, days_old=40)
    execute(plan_for(scratch.layout), scratch.layout, FixedClock(NOW))
    scratch.write(key, "new")
    returned = restore(scratch.layout, key, FixedClock(NOW)).key
    assert len(returned.encode()) <= 255 and active(scratch.layout)[returned] == b"old"


def test_restoring_twice_is_restoring_once(rotated):
    layout = rotated.layout
    restore(layout, "top.md", FixedClock(NOW))
    restore(layout, "top.md", FixedClock(NOW + 1000))
    assert list(active(layout)) == ["top.md"]
    assert tree(layout.log)["rotation.jsonl"].count(b'"kind":"restored"') == 1


def test_a_restored_note_stays_for_preserve_days_and_then_may_leave(rotated):
    layout = rotated.layout
    restore(layout, "sync/daily.md", FixedClock(NOW))
    assert plan_for(layout, now=NOW + 7 * DAY).leaving == ()
    planned = plan_for(layout, now=NOW + 8 * DAY)
    assert [decision.key for decision in planned.leaving] == ["sync/daily.md"]
    execute(planned, layout, FixedClock(NOW + 8 * DAY))
    assert len(store.listing(layout)[0]) == 5 and active(layout) == {}


def test_the_folder_is_made_again(rotated):
    layout = rotated.layout
    os.rmdir(os.path.join(layout.active, "planning"))
    restore(layout, "planning/計画.md", FixedClock(NOW))
    assert active(layout) == {"planning/計画.md": NOTES["planning/計画.md"]}


def test_a_folder_that_leads_out_of_the_bank_is_refused(rotated, tmp_path):
    layout = rotated.layout
    outside = tmp_path / "outside"
    outside.mkdir()
    os.rmdir(os.path.join(layout.active, "sync"))
    os.symlink(outside, os.path.join(layout.active, "sync"))
    with pytest.raises(UsageError):
        restore(layout, "sync/daily.md", FixedClock(NOW))
    assert list(outside.iterdir()) == []


def test_a_damaged_object_is_replaced_by_its_backup(rotated):
    layout = rotated.layout
    described = next(each for each in store.listing(layout)[0] if each.original_path == "raw.md")
    path = store.absolute(layout, described.object_path)
    with open(path, "r+b") as stream:
        stream.write(b"garbage")
    restore(layout, "raw.md", FixedClock(NOW))
    assert active(layout) == {"raw.md": NOTES["raw.md"]}


def test_a_damaged_object_without_backup_writes_nothing(rotated):
    layout = rotated.layout
    shutil.rmtree(layout.backups)
    described = next(each for each in store.listing(layout)[0] if each.original_path == "raw.md")
    with open(store.absolute(layout, described.object_path), "r+b") as stream:
        stream.write(b"garbage")
    with pytest.raises(ValidationFailed) as failed:
        restore(layout, "raw.md", FixedClock(NOW))
    assert failed.value.exit_code == 9 and active(layout) == {}


# undo


def test_undo_brings_everything_back(rotated):
    layout, before = rotated.layout, archive_of(rotated.layout)
    report = undo(layout, FixedClock(NOW))
    assert len(report.returned) == 4 and report.errors == []
    assert active(layout) == NOTES
    assert {os.lstat(layout.note_path(key)).st_mtime_ns for key in NOTES} == {MTIME}
    assert archive_of(layout) == before and len(tree(layout.backups)) == 4


def test_undo_twice_is_undo_once(rotated):
    layout = rotated.layout
    undo(layout, FixedClock(NOW))
    again = undo(layout, FixedClock(NOW))
    assert again.returned == [] and again.already == 4 and active(layout) == NOTES


def test_undo_leaves_out_what_has_been_restored_already(rotated):
    layout = rotated.layout
    restore(layout, "top.md", FixedClock(NOW))
    rotated.write("top.md", "edited after the restore")
    report = undo(layout, FixedClock(NOW))
    assert len(report.returned) == 3 and report.already == 1
    assert active(layout)["top.md"] == b"edited after the restore"


def test_undo_takes_the_newest_rotation_or_the_named_one(bank):
    scratch = bank({"a.md": "a", "b.md": "b"}, days_old=40)
    layout = scratch.layout
    first = execute(plan_for(layout, {"b.md": 9.0}), layout, FixedClock(NOW)).rotation_id
    second = execute(plan_for(layout), layout, FixedClock(NOW + 1000)).rotation_id
    assert undo(layout, FixedClock(NOW + 2000)).rotation_id == second
    assert list(active(layout)) == ["b.md"]
    assert undo(layout, FixedClock(NOW + 2000), first).rotation_id == first
    assert sorted(active(layout)) == ["a.md", "b.md"]
    for name in ("nonsense", "../x", ""):
        with pytest.raises(NotFound):
            undo(layout, FixedClock(NOW + 2000), name)


def test_undo_without_any_rotation(bank):
    with pytest.raises(NotFound):
        undo(bank({"a.md": "a"}).layout, FixedClock(NOW))


def test_undo_replaces_nothing(rotated):
    layout = rotated.layout
    rotated.write("top.md", "new")
    undo(layout, FixedClock(NOW))
    assert active(layout)["top.md"] == b"new"
    assert [key for key, data in active(layout).items() if key.startswith("top~") and data == NOTES["top.md"]]


def test_undo_works_from_compressed_backups_when_objects_are_gone(rotated):
    from memorybank.config.settings import Settings
    from memorybank.rotation.maintain import prune_backups

    layout = rotated.layout
    assert len(prune_backups(layout, Settings(), FixedClock(NOW + 2 * DAY)).compressed) == 4
    for path in archive_of(layout):
        if path.endswith(".zst"):
            os.remove(os.path.join(layout.archive, path))
    undo(layout, FixedClock(NOW + 2 * DAY))
    assert active(layout) == NOTES


def test_undo_of_many_notes(bank):
    notes = {f"folder{number % 3}/{number}.md": f"{number}" for number in range(150)}
    scratch = bank(notes, days_old=40)
    execute(plan_for(scratch.layout), scratch.layout, FixedClock(NOW), yes=True)
    assert len(undo(scratch.layout, FixedClock(NOW)).returned) == 150
    assert {key: data.decode() for key, data in active(scratch.layout).items()} == notes


# a second clone


def test_a_clone_with_only_the_archive_verifies_and_restores(rotated, bank):
    clone = bank().layout
    shutil.copytree(rotated.layout.archive, clone.archive)
    assert verify(clone, NOW).findings == [] and verify(clone, NOW).objects == 4
    for key, data in NOTES.items():
        restore(clone, key, FixedClock(NOW))
        assert active(clone)[key] == data
        assert os.lstat(clone.note_path(key)).st_mtime_ns == MTIME


def test_a_real_git_clone_carries_the_archive_unchanged(bank, tmp_path):
    """Even where git is told to convert line ends: the archive's own .gitattributes says that these are bytes."""
    import subprocess

    scratch = bank(NOTES, git=True, days_old=40)
    execute(plan_for(scratch.layout), scratch.layout, FixedClock(NOW))
    from memorybank.storage.layout import IGNORED

    (scratch.root / ".gitignore").write_text("\n".join(IGNORED) + "\n")
    scratch.git("config", "core.autocrlf", "true")
    scratch.git("add", "-A")
    scratch.git("commit", "-qm", "rotated")
    target = tmp_path / "clone"
    subprocess.run(["git", "-c", "core.autocrlf=true", "clone", "-q", str(scratch.repository), str(target)], check=True, capture_output=True)
    clone = Layout(str(target / ".claude" / "memory"), repository=str(target))
    assert not os.path.exists(clone.log) and not os.path.exists(clone.backups)
    assert verify(clone, NOW).findings == []
    for key, data in NOTES.items():
        restore(clone, key, FixedClock(NOW))
        assert active(clone)[key] == data
