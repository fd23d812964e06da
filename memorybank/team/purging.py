"""Purges a text from everything that the exchange with a team keeps on this machine: names in ledgers, received rows, and the notes of local copies.

What this machine shared is withdrawn by its next push, because a bank no longer offers it. Rows of others belong to their machines: they are not fetched again
as they are, and stay on the server until those machines purge them or somebody revokes them.
"""

from __future__ import annotations

import os
from collections.abc import Iterator

from memorybank.clock import Clock
from memorybank.config.team_folder import COPY, NAME
from memorybank.errors import MemorybankError
from memorybank.storage import disk
from memorybank.storage.lock import Lock
from memorybank.team import ledger as ledgers
from memorybank.team.received import FILE, ReceivedMemory, ReceivedRows
from memorybank.text.secrets.needle import PurgeNeedle

LOCK = "exchange.lock"
_MAX_NOTE = 8 << 20


def purge(state: str, needle: PurgeNeedle, clock: Clock) -> int:
    """Purge a text from the folders of all banks. Return the number of files that were deleted or written again. Running it again finishes it.

    state: the person's state folder
    Raises `LockTimeout` while a bank is exchanged.
    """
    top = os.path.join(state, NAME)
    folders = sorted(os.listdir(top)) if os.path.isdir(top) else []
    return sum(_purge(os.path.join(top, name), needle, clock) for name in folders if os.path.isdir(os.path.join(top, name)))


def _purge(folder: str, needle: PurgeNeedle, clock: Clock) -> int:
    with Lock(os.path.join(folder, LOCK), "memorybank purge", clock):
        before = ledgers.load(folder)
        copy = os.path.join(folder, COPY)
        refused = {(each.origin, each.key, each.digest) for each in _received(copy) if _holds(each, needle)}
        after = ledgers.purged(before, needle, clock.now())
        after = after.with_changes(refused=after.refused | refused)
        if after != before:
            ledgers.save(folder, after)  # first, so that a pull after a kill brings nothing back
        doomed = list(_doomed(copy, needle))
        for path in doomed:
            disk.remove(path)
        for each in sorted({os.path.dirname(path) for path in doomed}):
            disk.sync_directory(each)
        for each, _, _ in os.walk(os.path.join(copy, "active"), topdown=False):
            if not each.endswith("/active"):
                disk.remove_directory(each)
        return len(doomed) + (after != before)


def _received(copy: str) -> list[ReceivedMemory]:
    if not os.path.exists(os.path.join(copy, *FILE.split("/"))):
        return []
    try:
        with ReceivedRows(copy) as stored:
            return stored.everything()
    except MemorybankError:  # damaged: it is deleted below, and fetched again
        return []


def _holds(each: ReceivedMemory, needle: PurgeNeedle) -> bool:
    return needle.is_in("\n".join((each.path, each.title, *each.tags, each.text)).encode("utf-8", "replace"))


def _doomed(copy: str, needle: PurgeNeedle) -> Iterator[str]:
    """Yield the files of a local copy that have to go: every cache, because it contains words of all notes, and the notes with the text."""
    for folder, _, names in os.walk(copy):
        inside = os.path.relpath(folder, copy).split(os.sep)[0]
        for name in names:
            path = os.path.join(folder, name)
            if name.endswith(".lock"):
                continue
            if inside != "active" or needle.is_in(os.fsencode(os.path.relpath(path, copy))) or _note_holds(path, needle):
                yield path


def _note_holds(path: str, needle: PurgeNeedle) -> bool:
    try:
        return needle.is_in(disk.read(path, _MAX_NOTE))
    except MemorybankError:  # unreadable: it can be made again
        return True
    except FileNotFoundError:
        return False
