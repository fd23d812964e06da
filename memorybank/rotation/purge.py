"""Purges a text from the archive, the backups and the rotation log. Only a purge may rewrite these files.

An object is not changed: a new object without the text, named after its own content, replaces it. The order ensures that at every instant
each note is complete somewhere and the log names only objects that verify:

1. finish an interrupted command
2. write the new objects and sidecars next to the old ones, sync them, read them back
3. replace the backups, each atomically
4. replace the rotation log in one step: the text is marked in names and titles, and a `purged` line is added for each replaced note
5. delete the old objects

Running the same command again finishes an interrupted purge; step 5 is also finished by the next command that changes the archive (`recover`).
"""

import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from itertools import chain
from stat import S_ISREG
from typing import Any

from memorybank.archive import place, store
from memorybank.archive.object import MAX_OBJECT_BYTES, ArchiveObject
from memorybank.clock import Clock
from memorybank.editing import draft, settle
from memorybank.errors import MemorybankError, NewerFormat, ValidationFailed
from memorybank.log import changes, lines
from memorybank.log import purge as logs
from memorybank.log import rotation as log
from memorybank.log.rotation_state import ArchivedRecord, RotationState
from memorybank.rotation import backups, guard, masking, move, recover, undo
from memorybank.rotation.masking import LogMarks
from memorybank.storage import appending, disk, frames
from memorybank.storage.layout import MAX_NOTE_BYTES, Layout
from memorybank.text.secrets.needle import PurgeNeedle

_WHOLE_FILE = 1 << 40


@dataclass(slots=True)
class PurgedArchive:
    """The numbers of objects, backups and log lines that were replaced.

    errors: (path, error) of files that could not be read
    """

    objects: int = 0
    backups: int = 0
    lines: int = 0
    errors: list[tuple[str, MemorybankError]] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class _Swap:
    """An old object and its replacement. tree: the bank whose archive contains them."""

    tree: Layout
    old: ArchiveObject
    new: ArchiveObject


@dataclass(frozen=True, slots=True)
class _Backup:
    """A backup that was replaced.

    old, new: SHA-256
    data: its new content; None when an archive object has the same content
    path: relative to the bank that owns the log
    """

    old: str
    new: str
    data: bytes | None
    path: str


def purge(layout: Layout, trees: Sequence[Layout], needle: PurgeNeedle, clock: Clock) -> PurgedArchive:
    """Remove a text from the archives of `trees`, and from the backups and the rotation log that they share.

    The caller holds the rotation lock. Running it twice has the same effect as once.
    """
    run = _Run(layout, needle, clock)
    run.state = recover.settle(layout, guard.read_state(layout), clock, run.now)[1]
    for tree in trees:
        run.write_objects(tree)
    run.leave_alone(trees)
    run.replace_backups()
    run.replace_log()
    run.remove_old_objects()
    return run.done


class _Run:
    """One purge under the lock."""

    def __init__(self, layout: Layout, needle: PurgeNeedle, clock: Clock) -> None:
        self.layout = layout
        self.needle = needle
        self.clock = clock
        self.now = clock.now()
        self.state = RotationState()
        self.done = PurgedArchive()
        self.swaps: dict[str, list[_Swap]] = {}
        self.leftovers: list[str] = []
        self.examined: set[str] = set()
        self.unread: set[tuple[str, str]] = set()
        self.backups: dict[tuple[str, str], _Backup] = {}

    def write_objects(self, tree: Layout) -> None:
        """Step 2 for one worktree."""
        described, problems = store.listing(tree)
        newer = [problem for problem in problems if problem.code == NewerFormat.code]
        self.done.errors += [(problem.path, NewerFormat(problem.message)) for problem in newer]
        logged = {record.archive_path for record in self.state.archived()}
        self.done.errors += masking.remove_orphans(tree, described, [problem.path for problem in newer], logged, self.needle)
        for old in described:
            try:
                data = undo.bytes_of(tree, self.state, old)
            except ValidationFailed as error:
                if self._was_replaced(tree, old, described):
                    self.leftovers.append(store.absolute(tree, old.sidecar_path))
                else:
                    self.done.errors.append((old.object_path, error))
                continue
            self.examined.add(old.object_path)
            new = masking.without(old, self.needle, data, self.now)
            if new != old:
                swap = _Swap(tree, old, masking.write(tree, new, self.needle.replaced(data)))
                self.swaps.setdefault(old.object_path, []).append(swap)
                self.done.objects += 1

    def _was_replaced(self, tree: Layout, old: ArchiveObject, described: Sequence[ArchiveObject]) -> bool:
        """Return whether a purge was interrupted between deleting an object and its sidecar."""
        if os.path.lexists(store.absolute(tree, old.object_path)):
            return False
        note = (old.rotation_id, masking.key_without(old.original_path, self.needle))
        return any(each.purged_at is not None and each.id != old.id and (each.rotation_id, each.original_path) == note for each in described)

    def leave_alone(self, trees: Sequence[Layout]) -> None:
        """Exclude notes whose object exists but cannot be read: their log lines stay, because otherwise the log would name a missing object."""
        told = {path for path, _ in self.done.errors}
        for record in self.state.archived():
            lies_there = any(os.path.lexists(store.absolute(tree, record.archive_path)) for tree in trees)
            if lies_there and record.archive_path not in self.examined:
                self.unread.add((record.rotation_id, record.key))
                if record.archive_path in told:
                    continue
                self.done.errors.append((record.archive_path, ValidationFailed("it cannot be read, or its sidecar is missing; run 'memorybank verify'")))

    def replace_backups(self) -> None:
        """Step 3. A backup that changes while it is read is left for the next run."""
        records = {move.backup_path(self.layout, record): record for record in self.state.archived()}
        for path in [path for path in _files(self.layout.backups) if not draft.is_of_editor(self.layout, path)]:
            try:
                self._replace_backup(path, records)
            except (FileNotFoundError, ValidationFailed) as error:
                said = error if isinstance(error, MemorybankError) else ValidationFailed("it was deleted in the meantime")
                self.done.errors.append((os.path.relpath(path, self.layout.local_root), said))

    def _replace_backup(self, path: str, records: dict[str, ArchivedRecord]) -> None:
        record = records.get(path.removesuffix(move.COMPRESSED))
        if record is not None and (record.rotation_id, record.key) in self.unread:
            return
        before = os.lstat(path)
        if before.st_size > MAX_OBJECT_BYTES:
            raise ValidationFailed("too large for a backup")
        packed = path.endswith(move.COMPRESSED)
        stored = disk.read(path, MAX_OBJECT_BYTES)
        data = frames.unpack(stored, MAX_NOTE_BYTES, os.path.basename(path)) if packed else stored
        changed = self.needle.replaced(data)
        target = self._renamed(path, frames.compress(changed) if packed else changed)
        if changed == data and target == path:
            return
        after = os.lstat(path)
        if (before.st_ino, before.st_size, before.st_mtime_ns) != (after.st_ino, after.st_size, after.st_mtime_ns):
            raise ValidationFailed("another program is editing it", next_step="close the editor and run the same command again")
        change = settle.change_of(self.layout, path)
        if change:
            # Logged before the version is replaced, so that it is never taken for one that somebody edited.
            changes.purge_kept(self.layout, change, sha256(data).hexdigest(), sha256(changed).hexdigest(), self.clock)
        _put(target, frames.compress(changed) if packed else changed, after.st_mtime_ns)
        if target != path:
            disk.remove(path)
            self._tidy(os.path.dirname(path))
        self.done.backups += 1
        if record is not None:
            relative = os.path.relpath(target.removesuffix(move.COMPRESSED), self.layout.local_root).replace(os.sep, "/")
            kept = None if record.archive_path in self.swaps else changed
            told = _Backup(sha256(data).hexdigest(), sha256(changed).hexdigest(), kept, relative)
            self.backups[(record.rotation_id, record.key)] = told

    def _tidy(self, folder: str) -> None:
        """Delete folders that have become empty, because their names may contain the text."""
        disk.sync_directory(folder)
        backups.remove_empty_folders(self.layout, folder)
        while not os.path.isdir(folder):
            folder = os.path.dirname(folder)
        disk.sync_directory(folder)

    def replace_log(self) -> None:
        """Step 4: replace the rotation log."""
        path = log.path(self.layout)
        keys = {path: swaps[0].old.original_path for path, swaps in self.swaps.items()}
        keys.update((record.archive_path, record.key) for record in self.state.archived() if (record.rotation_id, record.key) not in self.unread)
        marks = LogMarks(self.needle, keys, self.unread)
        entries = [*self._entries_of_records(marks), *self._entries_of_others(marks)]
        if not entries and not os.path.exists(path):
            return
        counted = logs.PurgedLogs()
        # Read and replaced under the log's own lock, so that no appended line is lost.
        with appending.Appending(path, self.clock, logs.LOCK_SECONDS) as held:
            data = held.tail(_WHOLE_FILE)[1]
            changed = logs.rewritten(data, self.needle.filled, marks.line, counted)
            if entries and not changed.endswith(b"\n") and changed:
                changed += b"\n"
            changed += b"".join(map(lines.encode, entries))
            if changed != data:
                disk.replace(path, (changed,), durable=True)
        self.done.lines = counted.lines

    def remove_old_objects(self) -> None:
        """Step 5. An old object is deleted only after its replacement verifies."""
        folders = set()
        for swap in chain.from_iterable(self.swaps.values()):
            store.read_object(swap.tree, swap.new)
            for relative in (swap.old.object_path, swap.old.sidecar_path):
                disk.remove(store.absolute(swap.tree, relative))
            folders.add(store.absolute(swap.tree, swap.old.folder))
        for path in self.leftovers:
            disk.remove(path)
            folders.add(os.path.dirname(path))
        store.sync(folders)

    def _entries_of_records(self, marks: LogMarks) -> Iterator[dict[str, Any]]:
        """Yield a log line for each archived note of this machine that was replaced."""
        for record in self.state.archived():
            new = self._new_object(record)
            backup = self.backups.get((record.rotation_id, record.key))
            backup_path = backup.path if backup is not None else marks.backup(record.backup_path, record.key)
            if new is None or (new.fields() == record.sidecar and backup_path == record.backup_path and backup is None):
                continue
            yield log.entry(
                "purged",
                self.now,
                rotation_id=record.rotation_id,
                path=masking.key_without(record.key, self.needle),
                replaces=marks.object(record.archive_path),
                archive_path=new.object_path,
                backup_path=backup_path,
                sha256=record.sha256,
                backup_sha256=backup.new if backup is not None else None,
                sidecar=new.fields(),
            )

    def _entries_of_others(self, marks: LogMarks) -> Iterator[dict[str, Any]]:
        """Yield a log line for each replaced object that another machine archived."""
        known = {record.archive_path for record in self.state.archived()}
        for path, swaps in self.swaps.items():
            old, new, before = swaps[0].old, swaps[0].new, marks.object(path)
            if path not in known and self.state.purged.get(before) != new.object_path:
                yield log.entry(
                    "purged", self.now, path=new.original_path, replaces=before, archive_path=new.object_path, sha256=old.sha256, sidecar=new.fields()
                )

    def _new_object(self, record: ArchivedRecord) -> ArchiveObject | None:
        """Return the replacement of an archived note, or None when its log line describes no object."""
        swaps = self.swaps.get(record.archive_path, [])
        at_home = [swap for swap in swaps if log.tree_of(swap.tree) == record.tree]
        if swaps:
            return (at_home or swaps)[0].new
        if (record.rotation_id, record.key) in self.unread:
            return None
        try:
            old = recover.described_by(record)
        except ValidationFailed:
            return None
        backup = self.backups.get((record.rotation_id, record.key))
        return masking.without(old, self.needle, backup.data if backup is not None and backup.old == record.sha256 else None, self.now)

    def _renamed(self, path: str, stored: bytes) -> str:
        """Return the new path of a backup, without the text in its key. No other backup is replaced."""
        suffix = move.COMPRESSED if path.endswith(move.COMPRESSED) else ""
        rotation, _, key = os.path.relpath(path.removesuffix(suffix), self.layout.backups).partition(os.sep)
        # The log of changes names a kept version, and its lines never grow.
        masked = str(self.needle.without(key)) if settle.change_of(self.layout, path) else masking.key_without(key, self.needle)
        if masked == key:
            return path
        for candidate in place.candidates(masked, sha256(stored).hexdigest()):
            target = os.path.join(self.layout.backups, rotation, *candidate.split("/")) + suffix
            if not os.path.lexists(target) or disk.read(target, MAX_OBJECT_BYTES) == stored:
                return target
        raise ValidationFailed("every possible name without the text is taken")


def _put(path: str, data: bytes, mtime_ns: int) -> None:
    """Write a backup's new bytes durably, at its old or new name."""
    disk.make_directories(os.path.dirname(path), durable=True)
    disk.replace(path, (data,), durable=True, mtime_ns=mtime_ns)


def _files(folder: str) -> Iterator[str]:
    """Yield every regular file below a folder except our temporary files."""
    for parent, _, names in os.walk(folder):
        for name in sorted(names):
            path = os.path.join(parent, name)
            if not name.startswith(disk.TEMP_PREFIX) and S_ISREG(os.lstat(path).st_mode):
                yield path
