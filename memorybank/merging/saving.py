"""Saves a file of the bank that a merge or the installation changed, through the one protocol for files that people may save at the same time."""

from __future__ import annotations

from memorybank.editing.write import NoteWriter
from memorybank.storage.digest import sha256

TYPE_CHECKING = False
if TYPE_CHECKING:
    from memorybank.clock import Clock
    from memorybank.storage.layout import Layout


def save(layout: Layout, path: str, before: bytes | None, after: bytes | None, clock: Clock) -> None:
    """Replace, create or remove a file.

    path: POSIX, relative to the bank
    before: its content when the change was planned, None without a file
    after: its new content, None to remove it
    Raises `Conflict` when somebody saved the file in the meantime; it stays.
    """
    if before == after:
        return
    with NoteWriter(layout, "memorybank git", clock) as writer:
        if before is None:
            writer.create(path, after or b"")
        elif after is None:
            writer.remove(path, {sha256(before).hex()})
        else:
            writer.replace(path, after, {sha256(before).hex()})
