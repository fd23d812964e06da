"""The versions before changes: kept for the retention of backups, never removed when somebody edited them, purged with everything else."""

import shutil
from hashlib import sha256

import pytest

from memorybank import Bank
from memorybank.clock import DAY
from memorybank.editing.write import NoteWriter
from memorybank.errors import Conflict, ResourceExhausted
from memorybank.log import changes
from memorybank.storage import disk
from memorybank.storage.lock import Lock

KEY = "planning/設計.md"
OLD, NEW = "# 設計\n\nthe-old-secret-phrase\n", "# 設計\n\nnew\n"


class Killed(BaseException):
    """Ends a command as a kill does: nothing is tidied up."""


def kill_a_change_of(scratch, clock, monkeypatch, key: str, text: str) -> None:
    """Kill a command that replaces a note, while the note has no name."""

    def kill(*_arguments):
        raise Killed

    with monkeypatch.context() as patch:
        patch.setattr("memorybank.editing.write.disk.publish", kill)
        patch.setattr("memorybank.editing.settle.settle", kill)
        with pytest.raises(Killed), NoteWriter(scratch.layout, "memorybank edit", clock) as writer:
            writer.replace(f"active/{key}", NEW.encode(), {sha256(text.encode()).hexdigest()})
    assert not (scratch.active / key).exists()


def lock_of_changes(scratch, clock) -> Lock:
    """The lock that a process holds which changes notes."""
    return Lock(str(scratch.root / "log/changes.lock"), "memorybank edit", clock)


def changed(scratch, clock) -> str:
    """Replace the note and return the path of the version before."""
    bank = Bank.open(scratch.root, clock=clock)
    bank.notes.replace(KEY, NEW, bank.notes.read(KEY).digest)
    [record] = [record for record in changes.read(scratch.layout) if record.path.startswith("active/")]
    return str(scratch.root / record.backup_path)


def test_a_kept_version_expires_with_the_backups(bank, fixed_clock):
    scratch = bank({KEY: OLD})
    path = changed(scratch, fixed_clock)
    facade = Bank.open(scratch.root, clock=fixed_clock)
    fixed_clock.instant += 20 * DAY
    assert facade.backups.prune().removed == []
    fixed_clock.instant += 20 * DAY
    assert [each.rpartition("/")[2] for each in facade.backups.prune().removed] == ["設計.md"]
    assert not (scratch.root / "backups/changes").exists() and disk.read(str(scratch.active / KEY), 99) == NEW.encode()
    assert facade.rotation.undo_change(next(changes.read(scratch.layout)).change)[0].error.code == "not_found", path


def test_a_kept_version_that_an_editor_still_wrote_to_is_reported_and_stays(bank, fixed_clock):
    scratch = bank({KEY: OLD})
    with open(scratch.active / KEY, "ab") as holding:
        path = changed(scratch, fixed_clock)
        holding.write(b"late")
    fixed_clock.instant += 400 * DAY
    report = Bank.open(scratch.root, clock=fixed_clock).backups.prune(yes=True)
    assert [finding.code for finding in report.findings] == ["late_edit"]
    assert disk.read(path, 99) == OLD.encode() + b"late"


def test_purge_removes_a_text_from_kept_versions(bank, fixed_clock):
    scratch = bank({KEY: OLD})
    path = changed(scratch, fixed_clock)
    report = Bank.open(scratch.root, clock=fixed_clock).purge("the-old-secret-phrase")
    assert report.backups == 1 and b"secret" not in disk.read(path, 999)


@pytest.mark.parametrize("key", [KEY, "the-old-secret-phrase.md"], ids=["in the text", "in the name"])
def test_a_purged_version_is_not_taken_for_an_edited_one(bank, fixed_clock, key):
    """Purged twice, it expires like others; edited before the purge, it stays."""
    scratch = bank({key: OLD, "b.md": OLD})
    facade = Bank.open(scratch.root, clock=fixed_clock)
    facade.notes.replace(key, NEW, facade.notes.read(key).digest)
    with open(scratch.active / "b.md", "ab") as holding:
        facade.notes.replace("b.md", NEW, facade.notes.read("b.md").digest)
        holding.write(b"late")
    for text in ("the-old-secret-phrase", "PURGED]\n"):
        facade.purge(text)
    fixed_clock.instant += 40 * DAY
    report = facade.backups.prune(yes=True)
    assert len(report.removed) == 1 and [finding.code for finding in report.findings] == ["late_edit"]
    [left] = [path for path in (scratch.root / "backups").rglob("*") if path.is_file()]
    assert left.name == "b.md" and left.read_bytes().endswith(b"late")


def test_a_purge_beside_a_killed_change_does_not_hide_it(bank, fixed_clock, monkeypatch):
    scratch = bank({KEY: OLD, "b.md": "# B\n"})
    facade = Bank.open(scratch.root, clock=fixed_clock)
    facade.notes.replace(KEY, NEW, facade.notes.read(KEY).digest)
    kill_a_change_of(scratch, fixed_clock, monkeypatch, "b.md", "# B\n")
    changes.purge_kept(scratch.layout, "x", "0" * 64, "1" * 64, fixed_clock)
    assert changes.unfinished(scratch.layout).path == "active/b.md"


@pytest.mark.parametrize("failure", ["taken", "full", "killed"])
def test_a_failed_rename_leaves_no_folder(bank, fixed_clock, monkeypatch, failure):
    scratch = bank({KEY: OLD, "there/note.md": "x\n"})
    facade = Bank.open(scratch.root, clock=fixed_clock)
    (scratch.active / "mine").mkdir()
    before = sorted(path for path in scratch.active.rglob("*"))

    def fail(*_arguments):
        raise ResourceExhausted("full") if failure == "full" else FileExistsError

    with monkeypatch.context() as patch:
        patch.setattr("memorybank.editing.write.disk.keep_copy", fail)
        if failure == "killed":
            patch.setattr("memorybank.editing.write.disk.keep_copy", lambda *_arguments: (_ for _ in ()).throw(Killed()))
            patch.setattr("memorybank.editing.settle.settle", lambda *_arguments: (_ for _ in ()).throw(Killed()))
        with pytest.raises((Conflict, ResourceExhausted, Killed)):
            facade.notes.rename(KEY, "new/深い/名前.md")
    assert facade.search("設計", fresh=True).hits[0].key == KEY
    assert sorted(path for path in scratch.active.rglob("*")) == before
    with pytest.raises(Conflict):
        facade.notes.rename(KEY, "there/note.md")
    assert facade.notes.rename(KEY, "mine/deep/a.md")[0] == "mine/deep/a.md"


def test_the_empty_folders_of_renames_are_removed_with_the_backups(bank, fixed_clock):
    scratch = bank({KEY: OLD})
    facade = Bank.open(scratch.root, clock=fixed_clock)
    facade.notes.rename(KEY, "b.md")
    fixed_clock.instant += 40 * DAY
    facade.backups.prune(yes=True)
    assert not (scratch.root / "backups/changes").exists()


@pytest.mark.parametrize("size", ["small", "large"])
@pytest.mark.parametrize("cache", ["kept", "deleted", "folded in between"])
def test_search_finds_a_note_whose_change_was_killed(bank, fixed_clock, monkeypatch, cache, size):
    """In the moment of the kill the note has no name. Whoever looks first gives it back."""
    scratch = bank({KEY: OLD, "other.md": "# Other\n"})
    if size == "large":
        scratch.configure("index", '{"freshness": {"max_sweep_notes": 0}}')
    facade = Bank.open(scratch.root, clock=fixed_clock)
    assert facade.search("設計").hits
    kill_a_change_of(scratch, fixed_clock, monkeypatch, KEY, OLD)
    if cache == "deleted":
        shutil.rmtree(scratch.root / "cache")
    if cache == "folded in between":
        # A process that looked while the change was being made saw the note vanish.
        with lock_of_changes(scratch, fixed_clock):
            assert facade.search("設計", fresh=True).hits == ()
    assert [hit.key for hit in facade.search("設計").hits] == [KEY]
    assert (scratch.active / KEY).read_text(encoding="utf-8") == OLD


def test_a_read_only_look_changes_nothing(bank, fixed_clock, monkeypatch):
    scratch = bank({KEY: OLD})
    kill_a_change_of(scratch, fixed_clock, monkeypatch, KEY, OLD)
    before = sorted(str(path) for path in scratch.root.rglob("*"))
    assert Bank.open(scratch.root, clock=fixed_clock, read_only=True).search("設計").hits == ()
    assert sorted(str(path) for path in scratch.root.rglob("*")) == before


@pytest.mark.parametrize("way", ["read", "replace", "maintain"])
def test_a_killed_change_is_finished_by_the_next_command(bank, fixed_clock, monkeypatch, way):
    """Killed while the note has no name: reading it, changing a note and maintenance all give it back."""
    scratch = bank({KEY: OLD, "other.md": "# Other\n"})

    kill_a_change_of(scratch, fixed_clock, monkeypatch, KEY, OLD)
    facade = Bank.open(scratch.root, clock=fixed_clock)
    if way == "read":
        assert facade.notes.read(KEY).text == OLD
    elif way == "replace":
        facade.notes.rate("other.md", 5)
    else:
        facade.rotation.maintain()
    assert (scratch.active / KEY).read_text(encoding="utf-8") == OLD
    assert (scratch.active / KEY).stat().st_nlink == 1
