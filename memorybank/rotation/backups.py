"""Backups: the original files of each rotation, kept for a limited time.

A backup is compressed from 24 hours after the move on, and deleted after `backup_retention_days`; both only while its size, mtime and
digest are those in the log. A backup that differs was edited after the move: it is reported and never deleted. A backup whose archive
object cannot be verified is the only copy and is kept too.
"""

import os
from collections.abc import Collection, Iterator
from dataclasses import dataclass, field
from hashlib import sha256
from typing import Any

from memorybank import clock as time_of
from memorybank.archive.files import FileState
from memorybank.archive.object import MAX_OBJECT_BYTES
from memorybank.clock import DAY, HOUR, storable
from memorybank.config.rotation import BackupPolicy
from memorybank.editing import kept
from memorybank.editing.settle import digest_of
from memorybank.errors import MemorybankError
from memorybank.log import rotation as log
from memorybank.log.rotation_state import ArchivedRecord, Rotation, RotationState
from memorybank.rotation import move, recover
from memorybank.rotation.report import ERROR, WARNING, ArchiveFinding
from memorybank.storage import disk, frames
from memorybank.storage.layout import MAX_NOTE_BYTES, Layout

UNTOUCHED = 24 * HOUR
"""Time (ms) after the move during which a backup is neither compressed nor deleted, because an editor may still have the file open."""


@dataclass(frozen=True, slots=True)
class BackupSet:
    """The backups of one rotation.

    size: bytes on disk
    edited: keys whose file was changed after the move (by size or mtime)
    """

    rotation_id: str
    started_at: int
    expires_at: int
    files: int
    size: int
    compressed: int
    missing: int
    edited: tuple[str, ...]

    def to_json(self) -> dict[str, Any]:
        return {
            "rotation_id": self.rotation_id,
            "started_at": time_of.isoformat(self.started_at),
            "expires_at": time_of.isoformat(self.expires_at),
            "files": self.files,
            "size": self.size,
            "compressed": self.compressed,
            "missing": self.missing,
            "edited": list(self.edited),
        }


@dataclass(slots=True)
class PruneReport:
    """What was pruned.

    compressed, removed: paths relative to the bank
    findings: backups that were left alone, and why
    entries: log lines for the caller to append
    """

    compressed: list[str] = field(default_factory=list)
    removed: list[str] = field(default_factory=list)
    bytes_freed: int = 0
    findings: list[ArchiveFinding] = field(default_factory=list)
    entries: list[dict[str, Any]] = field(default_factory=list)


def listing(layout: Layout, state: RotationState, policy: BackupPolicy) -> list[BackupSet]:
    """Return the backups on disk, oldest rotation first. The files are examined with stat but not read."""
    return [found for rotation in _by_age(state) if (found := _set(layout, rotation, policy)) is not None]


def retention(policy: BackupPolicy) -> int:
    """Return how long a backup is kept, in ms."""
    return max(UNTOUCHED, policy.backup_retention_days * DAY if policy.backup_before_rotation else UNTOUCHED)


def prune(layout: Layout, state: RotationState, policy: BackupPolicy, now: int, spared: Collection[str] = ()) -> PruneReport:
    """Compress and delete the backups that are due. The caller holds the lock and logs `entries`.

    spared: paths of objects that this run deleted; their backups stay until a later run, so that no run deletes both
    """
    report = PruneReport()
    changed: set[str] = set()
    for rotation in _by_age(state):
        for record, moved_at in _moved(rotation):
            age = now - moved_at
            if age < UNTOUCHED or record.archive_path in spared:
                continue
            try:
                if age >= retention(policy):
                    if not _remove(layout, state, record, report):
                        continue
                    report.entries.append(log.entry("deleted", now, rotation_id=rotation.id, path=record.key, backup_path=record.backup_path))
                elif not policy.backup_compression or not _compress(layout, state, record, report):
                    continue
                changed.add(os.path.dirname(move.backup_path(layout, record)))
            except MemorybankError as error:
                report.findings.append(ArchiveFinding(record.backup_path, error.code, WARNING, error.message, error.next_step))
    changed |= _prune_changes(layout, now - retention(policy), report)
    for folder in sorted(changed, reverse=True):
        remove_empty_folders(layout, folder)
    return report


def _prune_changes(layout: Layout, before: int, report: PruneReport) -> set[str]:
    """Delete the previous versions of notes (`editing`) that are older than the retention. Return their folders."""
    folders = set()
    for record, path, is_edited in kept.expired(layout, before):
        if is_edited:
            message = f"somebody continued to edit {record.path} after '{record.command}' changed it; this file contains the edit and is never deleted"
            report.findings.append(ArchiveFinding(record.backup_path, "late_edit", WARNING, message, "copy what you need from it, then delete it"))
            continue
        report.bytes_freed += kept.remove(path)
        report.removed.append(record.backup_path)
        folders.add(os.path.dirname(path))
    return folders.union(kept.emptied(layout, before))


def _set(layout: Layout, rotation: Rotation, policy: BackupPolicy) -> BackupSet | None:
    files = size = compressed = missing = 0
    edited = []
    for record, _ in _moved(rotation):
        path = move.backup_path(layout, record)
        status = _status(path)
        if status is not None and (status.st_size, storable(status.st_mtime_ns)) != (record.size, record.mtime_ns):
            edited.append(record.key)
        if status is None and (status := _status(path + move.COMPRESSED)) is not None:
            compressed += 1
        if status is None:
            missing += 1
        else:
            files += 1
            size += status.st_size
    if not files:
        return None
    return BackupSet(rotation.id, rotation.started_at, rotation.started_at + retention(policy), files, size, compressed, missing, tuple(edited))


def _remove(layout: Layout, state: RotationState, record: ArchivedRecord, report: PruneReport) -> bool:
    """Delete one expired backup, unless it was edited or is the only copy."""
    plain = move.backup_path(layout, record)
    present = [path for path in (plain, plain + move.COMPRESSED) if os.path.lexists(path)]
    if not present or not all(_is_as_recorded(path, record, state, report) for path in present):
        return False
    if not _object_is_safe(layout, state, record):
        report.findings.append(
            ArchiveFinding(
                record.backup_path, "backup_only_copy", ERROR, "its archive object is missing or damaged, so this backup is kept", "run 'memorybank verify'"
            )
        )
        return False
    for path in present:
        report.bytes_freed += os.lstat(path).st_size
        disk.remove(path)
    report.removed.append(record.backup_path)
    return True


def _compress(layout: Layout, state: RotationState, record: ArchivedRecord, report: PruneReport) -> bool:
    """Write a compressed copy, verify it, check the original again, and only then delete the original."""
    plain = move.backup_path(layout, record)
    before = _status(plain)
    if before is None or not _is_as_recorded(plain, record, state, report):
        return False
    packed = plain + move.COMPRESSED
    frame = frames.compress(disk.read(plain, MAX_NOTE_BYTES))
    if os.path.lexists(packed):
        if not _is_as_recorded(packed, record, state, report):
            return False
        disk.sync_file(packed)
        disk.sync_directory(os.path.dirname(packed))
    else:
        disk.create(packed, frame, mode=disk.PRIVATE_FILE, mtime_ns=record.mtime_ns)
    # An editor may have written to the original during the compression.
    after = _status(plain)
    if not _is_as_recorded(packed, record, state, report) or after is None or FileState.of(before) != FileState.of(after):
        return False
    disk.remove(plain)
    report.compressed.append(record.backup_path)
    report.bytes_freed += record.size - len(frame)
    return True


def _is_as_recorded(path: str, record: ArchivedRecord, state: RotationState, report: PruneReport) -> bool:
    """Return whether a backup matches the log. If not, report a Finding, unless `undo` has brought back exactly these bytes."""
    shown = record.backup_path
    if path.endswith(move.COMPRESSED):
        try:
            data = frames.decompress(disk.read(path, MAX_OBJECT_BYTES), record.size, shown)
        except MemorybankError as error:
            report.findings.append(ArchiveFinding(shown + move.COMPRESSED, "backup_damaged", ERROR, error.message, "run 'memorybank verify'"))
            return False
        return sha256(data).hexdigest() == record.sha256
    status = os.lstat(path)
    digest = digest_of(path)
    if digest == record.sha256 and (status.st_size, storable(status.st_mtime_ns)) == (record.size, record.mtime_ns):
        return True
    # An edit that `undo` has returned to `active/` needs no finding.
    if digest not in state.returned.get((record.rotation_id, record.key), ()):
        report.findings.append(
            ArchiveFinding(
                shown,
                "late_edit",
                WARNING,
                f"somebody continued to edit {record.key} after it was archived; this file contains the edit and is never deleted",
                f"run 'memorybank undo {record.rotation_id}' to bring it back",
            )
        )
    return False


def _object_is_safe(layout: Layout, state: RotationState, record: ArchivedRecord) -> bool:
    """Return whether the note's archive object verifies or was deleted by retention."""
    return record.archive_path in state.deleted or any(recover.verifies(home, record) for home in (layout, home_of(layout, record)))


def home_of(layout: Layout, record: ArchivedRecord) -> Layout:
    """Return the bank of the worktree in which a note was archived."""
    root = os.path.normpath(os.path.join(layout.local_root, *record.tree.split("/")))
    return Layout(root, local_root=layout.local_root, repository=layout.repository)


def remove_empty_folders(layout: Layout, folder: str) -> None:
    """Delete a folder of backups and its parents as long as they are empty."""
    while folder.startswith(layout.backups + os.sep):
        if os.path.isdir(folder):
            if os.listdir(folder):
                return
            disk.remove_directory(folder)
        folder = os.path.dirname(folder)


def _by_age(state: RotationState) -> list[Rotation]:
    return sorted(state.rotations.values(), key=lambda rotation: (rotation.started_at, rotation.id))


def _moved(rotation: Rotation) -> Iterator[tuple[ArchivedRecord, int]]:
    """Yield (record, when it moved) of every backup that was made. Whether it still exists is known only from the disk."""
    for key, moved_at in rotation.moved.items():
        record = rotation.archived.get(key)
        if record is not None:
            yield record, moved_at


def _status(path: str) -> os.stat_result | None:
    try:
        return os.lstat(path)
    except (FileNotFoundError, NotADirectoryError):
        return None
