"""The versions before changes: kept for the retention of backups, never removed when somebody edited them, purged with everything else."""

from hashlib import sha256

import pytest

from memorybank import Bank
from memorybank.clock import DAY
from memorybank.editing.write import NoteWriter
from memorybank.log import changes
from memorybank.storage import disk

KEY = "planning/設計.md"
OLD, NEW = "# 設計\n\nthe-old-secret-phrase\n", "# 設計\n\nnew\n"


def changed(scratch, clock) -> str:
    """Replace the note and return the path of the version before."""
    bank = Bank.open(scratch.root, clock=clock)
    bank.notes.replace(KEY, NEW, bank.notes.read(KEY).digest)
    [record] = changes.read(scratch.layout)
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


@pytest.mark.parametrize("way", ["read", "replace", "maintain"])
def test_a_killed_change_is_finished_by_the_next_command(bank, fixed_clock, monkeypatch, way):
    """Killed while the note has no name: reading it, changing a note and maintenance all give it back."""
    scratch = bank({KEY: OLD, "other.md": "# Other\n"})

    class Killed(BaseException):
        pass

    def kill(*_arguments):
        raise Killed

    with monkeypatch.context() as patch:
        patch.setattr("memorybank.editing.write.disk.publish", kill)
        patch.setattr("memorybank.editing.settle.settle", kill)
        with pytest.raises(Killed), NoteWriter(scratch.layout, "memorybank edit", fixed_clock) as writer:
            writer.replace(f"active/{KEY}", NEW.encode(), {sha256(OLD.encode()).hexdigest()})
    assert not (scratch.active / KEY).exists()
    facade = Bank.open(scratch.root, clock=fixed_clock)
    if way == "read":
        assert facade.notes.read(KEY).text == OLD
    elif way == "replace":
        facade.notes.rate("other.md", 5)
    else:
        facade.rotation.maintain()
    assert (scratch.active / KEY).read_text(encoding="utf-8") == OLD
    assert (scratch.active / KEY).stat().st_nlink == 1
