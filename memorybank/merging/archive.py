"""Merges the files of the archive. Their names contain the instant and the note, so both sides have one only if they archived the same note in one second."""

from __future__ import annotations

from memorybank.archive import object as objects
from memorybank.archive.object import BY_DATE, SIDECAR
from memorybank.errors import MemorybankError
from memorybank.merging.sides import FileVersions, MergeRefused
from memorybank.storage.digest import sha256


def merge(versions: FileVersions) -> bytes:
    """Return one of the sides: the same one for an object and for its sidecar, which names the object's digest.

    Raises `MergeRefused` when neither sidecar can be read, and for an object with an earlier version. Objects never change, so git takes a note that one
    side archived and the other edited for a renamed file (a small note and its compressed copy are similar); `resolve` separates the two.
    """
    if not versions.path.startswith(f"{BY_DATE}/"):
        raise MergeRefused("not a file of the archive")
    if not versions.path.endswith(SIDECAR):
        if versions.base:
            raise MergeRefused("one side is a note that the other archived")
        return min(versions.sides, key=lambda data: (sha256(data).hex(), data))
    readable = []
    for side in versions.sides:
        try:
            readable.append((objects.parse(side, versions.path), side))
        except MemorybankError:
            continue
    if not readable:
        raise MergeRefused("neither side is a sidecar")
    return min(readable, key=lambda each: (each[0].object_sha256, each[1]))[1]
