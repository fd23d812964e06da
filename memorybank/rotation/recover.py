"""Finishes the work of an interrupted command. Every command that changes the archive starts with this, under the lock.

After a crash, a note can be logged as archived without having been moved (or only half renamed), a sidecar can have lost its unsynced
bytes, and the deletion of an expired object can be incomplete. Each is finished if nothing has changed since: the original is moved only when its digest
still matches, its object verifies, and it is not bookmarked now. Otherwise it stays (`abandoned`).
"""

import os
from dataclasses import dataclass, field
from typing import Any

from memorybank.archive import object as objects
from memorybank.archive import store
from memorybank.archive.object import ArchiveObject
from memorybank.clock import Clock
from memorybank.editing.settle import digest_of
from memorybank.errors import MemorybankError, NewerFormat, ValidationFailed
from memorybank.log import rotation as log
from memorybank.log.rotation_state import ArchivedRecord, RotationState
from memorybank.notes import bookmarks as bookmarks_file
from memorybank.notes.bookmarks import Bookmarks
from memorybank.rotation import guard, move, retention
from memorybank.storage import disk
from memorybank.storage.layout import Layout


@dataclass(slots=True)
class Recovery:
    """The work that was finished: keys of notes, and paths of rewritten sidecars and of deleted or purged objects.

    errors: the errors about work that could not be finished
    """

    moved: list[str] = field(default_factory=list)
    put_back: list[str] = field(default_factory=list)
    abandoned: list[str] = field(default_factory=list)
    sidecars: list[str] = field(default_factory=list)
    deleted: list[str] = field(default_factory=list)
    purged: list[str] = field(default_factory=list)
    errors: list[tuple[str, MemorybankError]] = field(default_factory=list)
    logged: int = 0
    """Number of log lines written; 0 means that the log is unchanged."""

    @property
    def finished(self) -> dict[str, list[str]]:
        """Number of finished items by kind, without kinds that have none."""
        kinds = ("moved", "put_back", "abandoned", "sidecars", "deleted", "purged")
        return {kind: found for kind in kinds if (found := getattr(self, kind))}

    def __bool__(self) -> bool:
        return bool(self.finished or self.errors)


def settle(layout: Layout, state: RotationState, clock: Clock, now: int) -> tuple[Recovery, RotationState]:
    """Finish the work of interrupted commands in this worktree. Return it and the log after it. The caller holds the lock."""
    found = finish(layout, state, bookmarks_file.load(layout), clock, now)
    return found, guard.read_state(layout) if found.logged else state


def finish(layout: Layout, state: RotationState, bookmarks: Bookmarks, clock: Clock, now: int) -> Recovery:
    """Do what `settle` does with these bookmarks. The caller reads the log again afterwards."""
    found = Recovery()
    tree = log.tree_of(layout)
    # A power loss can bring an expired object back without its sidecar; with it, the next maintenance decides again.
    announced = [record for record in state.archived() if record.archive_path in state.tombstones]
    found.sidecars = repair_sidecars(layout, [*state.unsettled(tree), *announced])
    deletion = retention.finish(layout, state, now)
    found.deleted = deletion.deleted
    found.purged = _finish_purges(layout, state)
    moves = _finish_moves(layout, state.pending(tree), bookmarks, now, found)
    ends = [log.entry("end", now, rotation_id=rotation.id, interrupted=True) for rotation in state.interrupted(tree)]
    entries = [*deletion.entries, *moves, *ends]
    log.append(layout, entries, clock)
    found.logged = len(entries)
    return found


def _finish_purges(layout: Layout, state: RotationState) -> list[str]:
    """Delete the objects that a purge replaced and that still (or again) exist, if their replacements verify."""
    removed = []
    for before in state.purged:
        paths = [store.absolute(layout, relative) for relative in (before, store.sidecar_beside(before))]
        if any(map(os.path.lexists, paths)) and _verifies(layout, _standing_for(before, state)):
            for path in paths:
                disk.remove(path)
            store.sync([os.path.dirname(paths[0])])
            removed.append(before)
    return removed


def _standing_for(object_path: str, state: RotationState) -> str:
    """Return the object that now replaces another one, after one or more purges."""
    for _ in state.purged:
        object_path = state.purged.get(object_path, object_path)
    return object_path


def _verifies(layout: Layout, object_path: str) -> bool:
    try:
        store.read_object(layout, store.read_sidecar(layout, store.sidecar_beside(object_path)))
        return True
    except (ValidationFailed, NewerFormat):
        return False


def repair_sidecars(layout: Layout, records: list[ArchivedRecord]) -> list[str]:
    """Rewrite, from the log, the missing or damaged sidecars of these notes whose objects exist. Return their paths."""
    repaired = []
    for record in records:
        path = store.sidecar_beside(record.archive_path)
        if store.holds(layout, path, objects.render(record.sidecar)) or _is_newer(layout, path):
            continue
        try:
            described = described_by(record)
        except (ValidationFailed, NewerFormat):
            continue
        if _object_lies_there(layout, described):
            store.write_sidecar(layout, described)
            repaired.append(path)
    return repaired


def _is_newer(layout: Layout, path: str) -> bool:
    """Return whether a newer memorybank wrote a sidecar. Writing it again from the log would lose what that version added."""
    try:
        store.read_sidecar(layout, path)
    except NewerFormat:
        return True
    except MemorybankError:
        return False
    return False


def described_by(record: ArchivedRecord) -> ArchiveObject:
    """Return the archive object that an `archived` line describes. Raises `ValidationFailed` when line and path disagree."""
    described = objects.from_fields(record.sidecar, f"log/rotation.jsonl, {record.key}")
    if described.object_path != record.archive_path or described.original_path != record.key:
        raise ValidationFailed(f"log/rotation.jsonl: the line about {record.key} names an object that does not match its sidecar")
    return described


def verifies(layout: Layout, record: ArchivedRecord) -> bool:
    """Return whether the archive of a bank contains the undamaged object that a record names."""
    try:
        store.read_object(layout, described_by(record))
        return True
    except MemorybankError:
        return False


def _object_lies_there(layout: Layout, described: ArchiveObject) -> bool:
    try:
        return os.lstat(store.absolute(layout, described.object_path)).st_size == described.object_size
    except FileNotFoundError:
        return False


def _finish_moves(layout: Layout, pending: list[ArchivedRecord], bookmarks: Bookmarks, now: int, found: Recovery) -> list[dict[str, Any]]:
    """Move or keep each pending original, sync the folders, and return the log lines with the outcomes."""
    entries, settled = [], []
    outcomes = {"moved": found.moved, "put_back": found.put_back}
    for record in pending:
        try:
            outcome = _settle(layout, record, bookmarks)
        except (OSError, MemorybankError) as error:
            found.errors.append((record.key, error if isinstance(error, MemorybankError) else disk.from_os_error(error, record.key)))
            continue
        settled.append(record)
        entries.append(outcome_entry(record, outcome, now))
        outcomes.get(outcome.kind, found.abandoned).append(record.key)
    move.sync_folders(layout, settled)
    return entries


def outcome_entry(record: ArchivedRecord, outcome: move.MoveOutcome, now: int) -> dict[str, Any]:
    """Return the log line for the outcome of an original."""
    common = {"rotation_id": record.rotation_id, "path": record.key}
    if outcome.kind == "moved":
        return log.entry("moved", now, **common, backup_path=record.backup_path)
    if outcome.kind == "put_back":
        return log.entry("put_back", now, **common, **{"as": outcome.placed_as}, sha256=outcome.digest)
    return log.entry("abandoned", now, **common, reason=outcome.kind)


def _settle(layout: Layout, record: ArchivedRecord, bookmarks: Bookmarks) -> move.MoveOutcome:
    source, target = layout.note_path(record.key), move.backup_path(layout, record)
    if not os.path.lexists(target):
        return _start_again(layout, record, bookmarks)
    if digest_of(target) != record.sha256:
        return _return_changed(layout, record, source, target)
    if os.path.lexists(source) and os.path.samestat(os.lstat(source), os.lstat(target)):
        move.finish_rename(layout, record)
    return move.MoveOutcome("moved")


def _start_again(layout: Layout, record: ArchivedRecord, bookmarks: Bookmarks) -> move.MoveOutcome:
    """Move an original that was never moved, unless something has changed since."""
    digest = digest_of(layout.note_path(record.key))
    if digest is None:
        return move.MoveOutcome("changed" if os.path.lexists(layout.note_path(record.key)) else "gone")
    if digest != record.sha256:
        return move.MoveOutcome("changed")
    if bookmarks.matches(record.key):
        return move.MoveOutcome("bookmarked")
    try:
        store.read_object(layout, described_by(record))
    except ValidationFailed:
        return move.MoveOutcome("object_damaged")
    return move.move_out(layout, record)


def _return_changed(layout: Layout, record: ArchivedRecord, source: str, target: str) -> move.MoveOutcome:
    """Return a backup that differs from what was archived to `active/`: somebody changed the file during the move."""
    if os.path.lexists(source) and os.path.samestat(os.lstat(source), os.lstat(target)):
        digest = digest_of(target) or ""
        disk.remove(target)
        return move.MoveOutcome("put_back", record.key, digest)
    return move.put_back(layout, record)
