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
    from collections.abc import Callable

    from memorybank.clock import Clock
    from memorybank.log.changes import ChangeRecord

_ACTIVE = "active/"


def bank_of(layout: Layout, record: ChangeRecord) -> Layout:
    """Return the bank of the worktree in which a change was made. layout: of any worktree with the same log"""
    root = os.path.normpath(os.path.join(layout.local_root, *record.tree.split("/")))
    return layout if root == layout.root else Layout(root, local_root=layout.local_root, repository=layout.repository)


def follow(layout: Layout, record: ChangeRecord, clock: Clock, update: Callable[[str, Callable[[bytes | None], bytes | None]], bool]) -> None:
    """Record that a note has a new key. Does nothing for other files. A malformed list of bookmarks is left alone, because it protects every note.

    layout: of the worktree of the change
    update: changes a file of this bank as a part of the renaming
    """
    if not (record.path.startswith(_ACTIVE) and record.new_path.startswith(_ACTIVE)):
        return
    old, new = record.path.removeprefix(_ACTIVE), record.new_path.removeprefix(_ACTIVE)
    access.append(layout, [AccessLine("renamed", old, clock.now(), new_key=new)], clock)
    with suppress(MemorybankError):
        if bookmarks.has(layout, old):
            update(bookmarks.name(layout), lambda data: bookmarks.renamed(layout, data, old, new))
