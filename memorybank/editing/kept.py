"""The kept versions below `backups/changes/`: how long they are kept, and which of them somebody continued to edit."""

from __future__ import annotations

import os

from memorybank.editing import settle
from memorybank.editing.settle import FOLDER, ChangePlaces
from memorybank.log import changes
from memorybank.storage import disk

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from memorybank.log.changes import ChangeRecord
    from memorybank.storage.layout import Layout


def expired(layout: Layout, before: int) -> Iterator[tuple[ChangeRecord, str, bool]]:
    """Yield (change, path of its kept version, whether that was edited after the change) of changes made before an instant.

    before: ms
    """
    if not os.path.isdir(os.path.join(layout.backups, FOLDER)):
        return
    for record in changes.read(layout):
        kept = ChangePlaces(layout, record).kept
        if record.at < before and record.outcome and os.path.lexists(kept):
            yield record, kept, settle.digest_of(kept) != record.before


def remove(path: str) -> int:
    """Delete a kept version. Return its size in bytes."""
    size = os.lstat(path).st_size
    disk.remove(path)
    return size
