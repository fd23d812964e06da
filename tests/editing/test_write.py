"""The one protocol for changes to a person's file: nothing but the asked change, and nothing that somebody saves is lost."""

import os
import stat
from hashlib import sha256
from pathlib import Path

import pytest

from memorybank.editing.write import NoteWriter
from memorybank.errors import Conflict, NotFound, ResourceExhausted, UsageError, ValidationFailed
from memorybank.log import changes
from memorybank.storage import disk
from tests.crash.recorder import Counting, Passing, replaced
from tests.rotation.editors import HoldingOpen, by_rename, editing_os, in_place

KEY = "planning/設計のメモ.md"
OLD = b"\xef\xbb\xbf---\r\ntitle: A\r\n---\r\nText \xff\r\n"
NEW = b"\xef\xbb\xbf---\r\ntitle: B\r\n---\r\nText \xff\r\n"


def digest(data: bytes) -> str:
    return sha256(data).hexdigest()


def writer(scratch, clock) -> NoteWriter:
    return NoteWriter(scratch.layout, "memorybank edit", clock)


def notes(scratch) -> list[bytes]:
    return [path.read_bytes() for path in scratch.active.rglob("*") if path.is_file()]


def everywhere(scratch) -> list[bytes]:
    """The bytes of each file in active/ and in the kept versions."""
    return [path.read_bytes() for folder in ("active", "backups") for path in (scratch.root / folder).rglob("*") if path.is_file()]


def test_a_replaced_note_keeps_its_mode_and_the_old_version_is_kept(bank, fixed_clock):
    scratch = bank({KEY: OLD})
    os.chmod(scratch.active / KEY, 0o664)
    with writer(scratch, fixed_clock) as change:
        assert change.replace(f"active/{KEY}", NEW, {digest(OLD)})
        assert not change.replace(f"active/{KEY}", NEW, {digest(NEW)})
    assert (scratch.active / KEY).read_bytes() == NEW
    assert stat.S_IMODE((scratch.active / KEY).stat().st_mode) == 0o664
    [record] = changes.read(scratch.layout)
    assert (record.outcome, record.path, record.command) == ("replaced", f"active/{KEY}", "memorybank edit")
    assert (scratch.root / record.backup_path).read_bytes() == OLD
    assert os.listdir((scratch.root / record.backup_path).parent) == [Path(KEY).name]


@pytest.mark.parametrize("way", ["in place", "by rename", "holding it open"])
@pytest.mark.parametrize("kind", ["replace", "rename", "remove"])
def test_a_save_at_any_moment_of_a_change_survives(bank, fixed_clock, way, kind):
    """An editor saves before each single change of the disk."""

    def run(scratch) -> None:
        with writer(scratch, fixed_clock) as change:
            if kind == "replace":
                change.replace(f"active/{KEY}", NEW, {digest(OLD)})
            elif kind == "remove":
                change.remove(f"active/{KEY}", {digest(OLD)})
            else:
                change.rename(f"active/{KEY}", "active/new/名前.md")

    counting = Counting()
    scratch = bank({KEY: OLD})
    with replaced(counting):
        run(scratch)
    for k in range(len(counting.calls)):
        scratch = bank({KEY: OLD}) if k == 0 else _again(scratch)
        path = str(scratch.active / KEY)
        holding = HoldingOpen(path) if way == "holding it open" else None
        save = {"in place": in_place, "by rename": by_rename}.get(way, holding)
        saved: list[bytes] = []
        with replaced(editing_os(Counting, k, lambda save=save, path=path, saved=saved: saved.append(save(path)))):
            try:
                run(scratch)
            except Conflict as error:
                assert error.next_step
        if holding:
            holding.close()
        assert saved[0] in everywhere(scratch), f"the save before change {k} is nowhere"
        if holding is None:
            assert saved[0] in notes(scratch), f"the save before change {k} is not a note any more"
        with replaced(Passing()), writer(scratch, fixed_clock):
            pass
        assert saved[0] in everywhere(scratch), f"the save before change {k} is nowhere after the next command"
        assert not [name for name in scratch.snapshot("backups") if name.endswith("~displaced")]


def _again(scratch):
    import shutil

    for folder in ("active", "backups", "log"):
        shutil.rmtree(scratch.root / folder, ignore_errors=True)
    scratch.active.mkdir()
    scratch.write(KEY, OLD)
    return scratch


def test_a_note_with_other_bytes_is_a_conflict_and_nothing_changes(bank, fixed_clock):
    scratch = bank({KEY: OLD})
    before = scratch.snapshot("active")
    with writer(scratch, fixed_clock) as change, pytest.raises(Conflict):
        change.replace(f"active/{KEY}", NEW, {digest(NEW)})
    assert scratch.snapshot("active") == before and not list(changes.read(scratch.layout))


@pytest.mark.parametrize("error", [KeyboardInterrupt, OSError(28, "No space left on device")])
def test_an_error_or_ctrl_c_at_any_moment_leaves_the_note_in_its_place(bank, fixed_clock, error):
    counting = Counting()
    scratch = bank({KEY: OLD})
    with replaced(counting), writer(scratch, fixed_clock) as change:
        change.replace(f"active/{KEY}", NEW, {digest(OLD)})
    for k in range(len(counting.calls)):
        scratch = _again(scratch)

        def fail() -> None:
            raise error

        with replaced(editing_os(Counting, k, fail)), pytest.raises((KeyboardInterrupt, ResourceExhausted, OSError)), writer(scratch, fixed_clock) as change:
            change.replace(f"active/{KEY}", NEW, {digest(OLD)})
            raise KeyboardInterrupt  # the failing primitive was one whose failure does not matter
        assert (scratch.active / KEY).read_bytes() in (OLD, NEW), f"failed before change {k}"


def test_renaming_keeps_bytes_date_and_mode_and_replaces_nothing(bank, fixed_clock):
    scratch = bank({KEY: OLD, "shared/taken.md": "# T\n"})
    os.chmod(scratch.active / KEY, 0o640)
    status = (scratch.active / KEY).stat()
    with writer(scratch, fixed_clock) as change:
        with pytest.raises(Conflict):
            change.rename(f"active/{KEY}", "active/shared/taken.md")
        assert not list(changes.read(scratch.layout)), "refused before anything is logged"
        change.rename(f"active/{KEY}", "active/新しい/名前.md")
    after = (scratch.active / "新しい/名前.md").stat()
    assert not (scratch.active / KEY).exists()
    assert (after.st_mtime_ns, after.st_mode, after.st_ino, after.st_nlink) == (status.st_mtime_ns, status.st_mode, status.st_ino, 1)


def test_links_and_missing_notes_are_refused(bank, fixed_clock, tmp_path):
    scratch = bank({KEY: OLD})
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "x.md").write_bytes(OLD)
    (scratch.active / "link.md").symlink_to(outside / "x.md")
    (scratch.active / "folder").symlink_to(outside)
    with writer(scratch, fixed_clock) as change:
        for path, kind in (("link.md", ValidationFailed), ("folder/x.md", UsageError), ("gone.md", NotFound), ("../../x.md", UsageError)):
            with pytest.raises(kind):
                change.replace(f"active/{path}", NEW, {digest(OLD)})
            with pytest.raises(kind):
                change.rename(f"active/{path}", "active/y.md")
    assert (outside / "x.md").read_bytes() == OLD


def test_where_hard_links_are_not_supported_the_versions_are_copied(bank, fixed_clock, monkeypatch):
    scratch = bank({KEY: OLD})

    def refuse(*_arguments, **_options):
        raise OSError(1, "Operation not permitted")

    monkeypatch.setattr(disk.os, "link", refuse)
    with writer(scratch, fixed_clock) as change:
        change.replace(f"active/{KEY}", NEW, {digest(OLD)})
        change.rename(f"active/{KEY}", "active/b.md")
    assert (scratch.active / "b.md").read_bytes() == NEW and not (scratch.active / KEY).exists()
    assert OLD in everywhere(scratch)
