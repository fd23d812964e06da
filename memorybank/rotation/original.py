"""The original of a note that is about to be archived: read once, compared with the plan, and described for the archive."""

import os
from hashlib import sha256
from stat import S_ISREG
from typing import NamedTuple

from memorybank.archive import object as objects
from memorybank.archive import place
from memorybank.archive.object import ArchiveObject
from memorybank.clock import DAY, storable
from memorybank.errors import PermissionRefused
from memorybank.notes.parse import parse
from memorybank.rotation.decision import RotationDecision
from memorybank.storage import disk
from memorybank.storage.layout import MAX_NOTE_BYTES, Layout

STAYS = {
    "vanished": "it was deleted or renamed",
    "changed": "it was changed after the plan was made",
    "not_a_note": "it is not a regular file, or its folder leads out of the bank",
}
"""{reason in the report: why the note is not archived}"""
_GIST_BYTES = 1 << 16


FileStatus = tuple[int, int, int, int, int]
"""(device, inode, size, mtime_ns, ctime_ns)."""


class OriginalNote(NamedTuple):
    """A note as it was read. data: its bytes"""

    status: FileStatus
    mtime_ns: int
    data: bytes


def read(layout: Layout, decision: RotationDecision) -> OriginalNote | str:
    """Return the note's bytes if they are those that the decision was made for, else a key of `STAYS`.

    Raises `PermissionRefused` when notes cannot be moved out of the folder.
    """
    path = layout.note_path(decision.key)
    folder = os.path.dirname(path)
    try:
        before = os.lstat(path)
        if not S_ISREG(before.st_mode) or not place.stays_inside(layout, folder):
            return "not_a_note"
        if before.st_size != decision.size:
            return "changed"
        # Checked before anything is written, because the rename in step 5 would fail.
        if not os.access(folder, os.W_OK | os.X_OK):
            raise PermissionRefused(f"{layout.relative(folder)}: notes cannot be moved out of this folder")
        data = disk.read(path, MAX_NOTE_BYTES)
        after = os.lstat(path)
    except (FileNotFoundError, NotADirectoryError):
        return "vanished"
    if sha256(data).hexdigest() != decision.digest or _status(before) != _status(after):
        return "changed"
    return OriginalNote(_status(after), storable(after.st_mtime_ns), data)


def unchanged(layout: Layout, key: str, seen: FileStatus) -> bool:
    """Return whether the file is unchanged since it was read. A vanished file counts as changed."""
    try:
        return _status(os.lstat(layout.note_path(key))) == seen
    except (FileNotFoundError, NotADirectoryError):
        return False


def describe(decision: RotationDecision, seen: OriginalNote, stored: bytes, archived_at: int, now: int, rotation_id: str) -> ArchiveObject:
    """Return the archive object of a note.

    archived_at: the instant (ms) in its name
    now: the instant (ms) from which retention counts
    """
    return ArchiveObject(
        id=objects.id_of(archived_at, decision.key, decision.digest),
        original_path=decision.key,
        title=objects.title_of(decision.title),
        topics=objects.topics_of(decision.topics),
        gist=objects.gist_of(parse(decision.key, seen.data[:_GIST_BYTES]).prose),
        importance=float(decision.importance),
        rule=decision.rule,
        reason=objects.reason_of(str(decision.reason)),
        sha256=decision.digest,
        size=len(seen.data),
        mtime_ns=seen.mtime_ns,
        archived_at=archived_at,
        delete_after=None if decision.delete_after_days is None else now + decision.delete_after_days * DAY,
        rotation_id=rotation_id,
        compressed=decision.compress,
        object_sha256=sha256(stored).hexdigest(),
        object_size=len(stored),
    )


def _status(status: os.stat_result) -> FileStatus:
    return status.st_dev, status.st_ino, status.st_size, status.st_mtime_ns, status.st_ctime_ns
