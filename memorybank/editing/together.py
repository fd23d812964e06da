"""Changes several notes as one change: all of them, or none. `undo` takes them back together."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress

from memorybank.clock import Clock
from memorybank.editing import undo
from memorybank.editing.write import NoteWriter
from memorybank.errors import MemorybankError
from memorybank.log import access
from memorybank.log.access import AccessLine
from memorybank.storage.digest import sha256
from memorybank.storage.layout import Layout
from memorybank.values import Value


class NoteRewrite(Value):
    """New bytes for a note whose meaning does not change, so the note keeps its dates.

    before: SHA-256 (hex) of the bytes that the new ones were made from.
    modified: modification date of the note (ms).
    mtime_ns: modification time of its file (ns).
    """

    key: str
    data: bytes
    before: str
    modified: int
    mtime_ns: int


def rewrite(
    layout: Layout,
    command: str,
    clock: Clock,
    rewrites: Sequence[NoteRewrite],
    rename: tuple[str, str] | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> str:
    """Replace the bytes of notes, then rename one of them, and return the id of the change; "" when there was nothing to do.

    command: the command to log the change under.
    rename: (key, new key), or None.
    progress: called with (done, total) notes. Each note costs five syncs of the disk.
    When anything fails, the notes that were replaced already get their former bytes back, and the error is raised.
    """
    now = clock.now()
    access.append(layout, [AccessLine(access.REWRITTEN, each.key, now, sha256(each.data).hex(), each.modified) for each in rewrites], clock, durable=True)
    writer = NoteWriter(layout, command, clock)
    try:
        with writer:
            for done, each in enumerate(rewrites, 1):
                writer.replace(f"active/{each.key}", each.data, {each.before}, mtime_ns=each.mtime_ns)
                if progress is not None:
                    progress(done, len(rewrites))
            if rename is not None:
                writer.rename(f"active/{rename[0]}", f"active/{rename[1]}")
    except BaseException as error:
        if writer.change and not _taken_back(layout, writer.change, clock) and isinstance(error, MemorybankError):
            error.next_step = f"some notes are changed already; 'memorybank undo {writer.change}' takes that back. Then: {error.next_step}"
        raise
    return writer.change


def _taken_back(layout: Layout, change: str, clock: Clock) -> bool:
    """Take back an unfinished change. Return whether every note is as it was before."""
    with suppress(MemorybankError, OSError):
        return all(note.error is None for note in undo.take_back(layout, change, clock))
    return False
