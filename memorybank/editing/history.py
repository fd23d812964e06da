"""Moves what is recorded under a note's key to its new key: views and dates in the access log, and the bookmark with exactly that key.

Running it twice has the same effect as once, so finishing a rename after a crash simply does it again.
"""

from __future__ import annotations

import os
from contextlib import suppress

from memorybank.errors import MemorybankError
from memorybank.log import access
from memorybank.log.access import AccessLine
from memorybank.notes import bookmarks
from memorybank.storage.layout import Layout

TYPE_CHECKING = False
if TYPE_CHECKING:
    from memorybank.clock import Clock
    from memorybank.log.changes import ChangeRecord

_ACTIVE = "active/"


def follow(layout: Layout, record: ChangeRecord, clock: Clock) -> None:
    """Record that a note has a new key. Does nothing for other files. A malformed list of bookmarks is left alone, because it protects every note."""
    if not (record.path.startswith(_ACTIVE) and record.new_path.startswith(_ACTIVE)):
        return
    old, new = record.path.removeprefix(_ACTIVE), record.new_path.removeprefix(_ACTIVE)
    access.append(layout, [AccessLine("renamed", old, clock.now(), new_key=new)], clock)
    root = os.path.normpath(os.path.join(layout.local_root, *record.tree.split("/")))
    home = layout if root == layout.root else Layout(root, local_root=layout.local_root, repository=layout.repository)
    with suppress(MemorybankError):
        bookmarks.rename(home, old, new, clock)
