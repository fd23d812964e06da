"""Reverses a rotation: brings back one note (`restore`) or all notes of a rotation (`undo`), byte for byte and with their mtime.

Nothing is replaced, and no object or backup is deleted. A returned note stays for `preserve_days`, counted from the `restored` log line. A
backup that somebody continued to edit is the newest version of its note, so `undo` returns that version.
"""

import os
from dataclasses import asdict, dataclass, field
from hashlib import sha256
from typing import Any

from memorybank import clock as time_of
from memorybank.archive import place, store
from memorybank.archive.object import MAX_OBJECT_BYTES, ArchiveObject
from memorybank.clock import Clock
from memorybank.errors import MemorybankError, NotFound, ValidationFailed
from memorybank.log import rotation as log
from memorybank.log.rotation_state import ArchivedRecord, Rotation, RotationState
from memorybank.rotation import guard, move, recover
from memorybank.storage import disk, frames
from memorybank.storage.layout import MAX_NOTE_BYTES, Layout

BATCH_NOTES = 64


@dataclass(frozen=True, slots=True)
class ReturnedNote:
    """One note that came back.

    key: its key now
    original_path: its former key
    from_backup: whether the version is a backup that somebody edited later, instead of the archived one
    """

    key: str
    original_path: str
    sha256: str
    archive_path: str
    from_backup: bool = False

    def to_json(self) -> dict[str, Any]:
        return asdict(self)


@dataclass(slots=True)
class UndoReport:
    """The result of `undo`. already: number of notes that had come back before"""

    rotation_id: str
    returned: list[ReturnedNote] = field(default_factory=list)
    already: int = 0
    errors: list[tuple[str, MemorybankError]] = field(default_factory=list)

    def to_json(self) -> dict[str, Any]:
        return {
            "rotation_id": self.rotation_id,
            "returned": [note.to_json() for note in self.returned],
            "already": self.already,
            "errors": [{"path": key, "code": error.code, "message": error.message} for key, error in self.errors],
        }


@dataclass(frozen=True, slots=True)
class Undoable:
    """One rotation that can be undone.

    left: number of notes that left `active/`
    size: their bytes
    back: number of notes that have come back
    """

    rotation: Rotation
    left: int
    size: int
    back: int

    def to_json(self) -> dict[str, Any]:
        completed = self.rotation.completed_at
        return {
            "rotation_id": self.rotation.id,
            "trigger": self.rotation.trigger,
            "started_at": time_of.isoformat(self.rotation.started_at),
            "completed_at": None if completed is None else time_of.isoformat(completed),
            "files_archived": self.left,
            "size": self.size,
            "files_returned": self.back,
        }


@dataclass(frozen=True, slots=True)
class _Version:
    """The bytes of a returning note. backup_path: path of the backup that they are from, if any"""

    data: bytes
    mtime_ns: int
    backup_path: str | None = None


def restore(layout: Layout, name: str, clock: Clock) -> ReturnedNote:
    """Bring one archived note back. Running it twice has the same effect as once.

    name: the object's id, the id's last 8 digits, or the note's key
    Raises `NotFound` when no object or several match, `ValidationFailed` when no undamaged copy exists.
    """
    with guard.changing(layout, "memorybank archive restore", clock):
        now, state = _begin(layout, clock)
        described = store.find(layout, name)
        data = bytes_of(layout, state, described)
        placed = place.place(layout, described.original_path, data, described.mtime_ns)
        place.sync(layout, [placed.key])
        returned = ReturnedNote(placed.key, described.original_path, described.sha256, described.object_path)
        # After an interruption, the note can be back without its log line.
        if placed.created or not _known_to_be_back(state, placed.key, described.object_path):
            log.append(layout, [_entry(returned, now, "restore", None, None)], clock)
        return returned


def undo(layout: Layout, clock: Clock, rotation_id: str | None = None) -> UndoReport:
    """Bring back every note that a rotation moved. Running it twice has the same effect as once.

    rotation_id: None for the newest rotation of which a note is still archived; without one, the newest that moved a note
    Raises `NotFound` when there is no such rotation. Errors about single notes are in the report.
    """
    with guard.changing(layout, "memorybank undo", clock):
        now, state = _begin(layout, clock)
        rotation = choose(state, log.tree_of(layout), rotation_id)
        report = UndoReport(rotation.id)
        left = [record for record in left_active(rotation) if not _is_back(state, record)]
        report.already = len(left_active(rotation)) - len(left)
        for first in range(0, len(left), BATCH_NOTES):
            _undo_batch(layout, state, left[first : first + BATCH_NOTES], clock, now, report)
        return report


def undoable(state: RotationState, tree: str) -> list[Undoable]:
    """Return every rotation of this worktree that moved a note, newest first."""
    moving = [(rotation, left_active(rotation)) for rotation in state.rotations.values() if rotation.tree == tree]
    found = [
        Undoable(rotation, len(left), sum(record.size for record in left), sum(_is_back(state, record) for record in left)) for rotation, left in moving if left
    ]
    return sorted(found, key=lambda each: (each.rotation.started_at, each.rotation.id), reverse=True)


def choose(state: RotationState, tree: str, rotation_id: str | None) -> Rotation:
    """Return the rotation to undo. Raises `NotFound`."""
    if rotation_id is not None and rotation_id not in state.rotations:
        raise NotFound(f"no rotation {rotation_id!r}", next_step="'memorybank undo --list' lists the rotations")
    own = [rotation for rotation in state.rotations.values() if rotation.tree == tree and left_active(rotation)]
    wanted = [rotation for rotation in own if rotation.id == rotation_id]
    if rotation_id is None:
        wanted = [rotation for rotation in own if not all(_is_back(state, record) for record in left_active(rotation))] or own
    if not wanted:
        nothing = "nothing to undo: no command has archived, edited or renamed a note in this working tree"
        what = nothing if rotation_id is None else f"rotation {rotation_id} moved no note of this working tree"
        raise NotFound(what, next_step="'memorybank archive list' shows every archived note; 'memorybank archive restore ID' brings one back")
    return max(wanted, key=lambda rotation: (rotation.started_at, rotation.id))


def left_active(rotation: Rotation) -> list[ArchivedRecord]:
    """Return the notes that the rotation took out of `active/`, including those that had vanished by then."""
    return [record for key, record in rotation.archived.items() if key in rotation.moved or rotation.abandoned.get(key) == "gone"]


def _is_back(state: RotationState, record: ArchivedRecord) -> bool:
    """Return whether this object's note came back after it last left."""
    return state.restored_objects.get(record.archive_path, -1) >= record.at


def bytes_of(layout: Layout, state: RotationState, described: ArchiveObject) -> bytes:
    """Return the note's bytes from its object, or when that is damaged, from a backup with exactly these bytes.

    Raises `ValidationFailed` when neither exists.
    """
    try:
        return store.read_object(layout, described)
    except ValidationFailed:
        for record in state.archived():
            if record.sha256 == described.sha256:
                data = backup_bytes(layout, record)
                if data is not None and sha256(data).hexdigest() == described.sha256:
                    return data
        raise


def backup_bytes(layout: Layout, record: ArchivedRecord) -> bytes | None:
    """Return the content of a backup, plain or compressed; None when it cannot be read."""
    path = move.backup_path(layout, record)
    try:
        return disk.read(path, MAX_NOTE_BYTES)
    except (FileNotFoundError, MemorybankError):
        pass
    try:
        return frames.decompress(disk.read(path + move.COMPRESSED, MAX_OBJECT_BYTES), record.size, record.backup_path)
    except (FileNotFoundError, MemorybankError):
        return None


def _begin(layout: Layout, clock: Clock) -> tuple[int, RotationState]:
    """Finish interrupted work. Return (now, the log after that)."""
    now = clock.now()
    return now, recover.settle(layout, guard.read_state(layout), clock, now)[1]


def _undo_batch(layout: Layout, state: RotationState, records: list[ArchivedRecord], clock: Clock, now: int, report: UndoReport) -> None:
    entries, keys = [], []
    for record in records:
        try:
            version = _newest_version(layout, state, record)
            placed = place.place(layout, record.key, version.data, version.mtime_ns)
        except MemorybankError as error:
            report.errors.append((record.key, error))
            continue
        returned = ReturnedNote(placed.key, record.key, sha256(version.data).hexdigest(), record.archive_path, version.backup_path is not None)
        keys.append(placed.key)
        report.returned.append(returned)
        entries.append(_entry(returned, now, "undo", record.rotation_id, version.backup_path))
    place.sync(layout, keys)
    log.append(layout, entries, clock)


def _newest_version(layout: Layout, state: RotationState, record: ArchivedRecord) -> _Version:
    """Return a backup that was edited after the rotation, else the archived version."""
    path = move.backup_path(layout, record)
    try:
        data = disk.read(path, MAX_NOTE_BYTES)
        if sha256(data).hexdigest() != record.sha256:
            return _Version(data, os.lstat(path).st_mtime_ns, record.backup_path)
    except (FileNotFoundError, MemorybankError):
        pass
    return _Version(bytes_of(layout, state, recover.described_by(record)), record.mtime_ns)


def _known_to_be_back(state: RotationState, key: str, archive_path: str) -> bool:
    """Return whether the log says that this object's note came back after it last left."""
    left = max((record.at for record in state.archived() if record.key == key), default=-1)
    return archive_path in state.restored_objects and state.restored.get(key, -1) >= left


def _entry(returned: ReturnedNote, now: int, command: str, rotation_id: str | None, backup_path: str | None) -> dict[str, object]:
    return log.entry(
        "restored",
        now,
        path=returned.key,
        original_path=returned.original_path,
        sha256=returned.sha256,
        archive_path=returned.archive_path,
        command=command,
        rotation_id=rotation_id,
        backup_path=backup_path,
    )
