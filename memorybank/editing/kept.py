"""The previous versions of notes, kept below `backups/changes/`: which have expired, and which somebody continued to edit."""

from __future__ import annotations

import os
from collections.abc import Iterator

from memorybank.editing import settle
from memorybank.editing.settle import FOLDER, ChangePlaces
from memorybank.log import changes
from memorybank.log.changes import ChangeRecord
from memorybank.storage import disk
from memorybank.storage.layout import Layout


def expired(layout: Layout, before: int) -> Iterator[tuple[ChangeRecord, str, bool]]:
    """Yield (change, path of its kept version, whether that version was edited after the change) for changes made before an instant.

    before: ms
    """
    if not os.path.isdir(os.path.join(layout.backups, FOLDER)):
        return
    purged = changes.purged(layout)
    for record in changes.read(layout):
        kept = ChangePlaces.of(layout, record).kept
        if record.at < before and record.outcome and os.path.lexists(kept):
            yield record, kept, settle.digest_of(kept) not in _versions(record, purged)


def emptied(layout: Layout, before: int) -> Iterator[str]:
    """Yield the folders of changes made before an instant that keep no version, such as those of renames. before: ms"""
    for record in changes.read(layout):
        kept = ChangePlaces.of(layout, record).kept
        if record.at < before and record.outcome and not os.path.lexists(kept) and os.path.isdir(os.path.dirname(kept)):
            yield os.path.dirname(kept)


def _versions(record: ChangeRecord, purged: dict[tuple[str, str], str]) -> set[str]:
    """Return the digests that the kept version has had: of the version before the change, and after each purge of it."""
    found, digest = set[str](), record.before
    while digest not in found:
        found.add(digest)
        digest = purged.get((record.change, digest), digest)
    return found


def remove(path: str) -> int:
    """Delete a kept version. Return its size in bytes."""
    size = os.lstat(path).st_size
    disk.remove(path)
    return size
