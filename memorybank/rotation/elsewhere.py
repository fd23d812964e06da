"""Archived notes whose object is missing here and whose bytes are complete elsewhere, and what a person acknowledged about them.

A worktree that was removed takes its archive with it, and a stash takes what was not committed. The rotation log lists those objects for ever.
Where the note is complete is looked up again at each verification, so an acknowledgement never hides a note that is lost.
"""

import os
from collections.abc import Iterator
from hashlib import sha256

from memorybank import git
from memorybank.archive import store
from memorybank.clock import Clock
from memorybank.errors import MemorybankError
from memorybank.log import rotation as log
from memorybank.log.rotation_state import ArchivedRecord, RotationState
from memorybank.rotation import guard, recover, undo
from memorybank.storage import disk
from memorybank.storage.layout import MAX_NOTE_BYTES, Layout, siblings


def complete_copy(layout: Layout, record: ArchivedRecord) -> str:
    """Return where else the bytes of an archived note are complete: a note, a backup, another worktree, a commit or a stash; "" for nowhere."""
    return next(_copies(layout, record), "")


def _copies(layout: Layout, record: ArchivedRecord) -> Iterator[str]:
    try:
        if sha256(disk.read(layout.note_path(record.key), MAX_NOTE_BYTES)).hexdigest() == record.sha256:
            yield f"active/{record.key}"
    except (MemorybankError, FileNotFoundError, NotADirectoryError):
        pass
    backup = undo.backup_bytes(layout, record)
    if backup is not None and sha256(backup).hexdigest() == record.sha256:
        yield record.backup_path
    try:
        described = recover.described_by(record)
    except MemorybankError:
        return
    for other in siblings(layout):
        try:
            store.read_object(other, described)
            yield other.relative(store.absolute(other, described.object_path))
        except MemorybankError:
            continue
    if layout.repository is not None:
        path = os.path.relpath(store.absolute(layout, described.object_path), layout.repository).replace(os.sep, "/")
        for commit, data in git.versions(layout.repository, path, described.object_size):
            if sha256(data).hexdigest() == described.object_sha256:
                yield f"commit {commit[:12]}"


def acknowledge(layout: Layout, missing: list[ArchivedRecord], clock: Clock) -> list[str]:
    """Record that a person knows of these missing objects. Only those whose note is complete elsewhere are recorded; their paths are returned.

    The caller holds the rotation lock.
    """
    found = {record.archive_path: (record, complete_copy(layout, record)) for record in missing}
    known = {path: value for path, value in found.items() if value[1]}
    log.append(
        layout,
        [
            log.entry("acknowledged", clock.now(), rotation_id=record.rotation_id, path=record.key, archive_path=path, copy=copy)
            for path, (record, copy) in known.items()
        ],
        clock,
    )
    return sorted(known)


def withdraw(layout: Layout, clock: Clock) -> list[str]:
    """Take every acknowledgement back. Return the paths of the objects."""
    with guard.changing(layout, "memorybank verify --unacknowledge", clock):
        state: RotationState = log.read(layout)
        paths = sorted(state.acknowledged)
        log.append(layout, [log.entry("unacknowledged", clock.now(), archive_path=path) for path in paths], clock)
    return paths
