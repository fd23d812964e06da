"""Brings a note back into `active/`: byte-exact, with its mtime, and without replacing anything.

When another note has the name, the archived version returns as `<stem>~<first 8 digits of its digest>.md` in the same folder.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator

from memorybank.errors import Conflict, MemorybankError, UsageError
from memorybank.storage import disk
from memorybank.storage.layout import MAX_NOTE_BYTES, Layout
from memorybank.values import Value

_NAME_BYTES = 255


class RestoredNote(Value):
    """Where a note was put.

    key: the key that it received
    created: False when a file with the same bytes already existed
    """

    key: str
    created: bool


def place(layout: Layout, key: str, data: bytes, mtime_ns: int) -> RestoredNote:
    """Create the note, unless a file with the same bytes already exists. The caller makes it durable with `sync`.

    Raises `Conflict` when every possible name is taken, `UsageError` when the note's folder leads out of the bank.
    """
    from hashlib import sha256  # late: `status` loads this module and computes no digest

    folder = open_folder(layout, key)
    digest = sha256(data).hexdigest()
    temp = disk.write_temp(folder, (data,), mode=disk.USER_FILE, mtime_ns=mtime_ns)
    try:
        for candidate in candidates(key, digest):
            path = layout.note_path(candidate)
            try:
                disk.publish(temp, path)
                return RestoredNote(candidate, True)
            except FileExistsError:
                # The same bytes are back already, for example after an interrupted run.
                if _holds(path, data):
                    disk.discard(temp)
                    disk.sync_file(path)
                    return RestoredNote(candidate, False)
    except BaseException:
        disk.discard(temp)
        raise
    disk.discard(temp)
    raise Conflict(f"{key}: every possible name for it in active/ is taken", next_step="move one of the notes elsewhere, then run the same command again")


def candidates(key: str, digest: str) -> Iterator[str]:
    """Yield the key itself, then keys in the same folder with more and more digits of the digest."""
    yield key
    folder, _, name = key.rpartition("/")
    stem, suffix = os.path.splitext(name)
    for length in (8, 16, 64):
        tail = f"~{digest[:length]}{suffix}"
        cut = stem.encode()[: _NAME_BYTES - len(tail)].decode("utf-8", "ignore")
        yield f"{folder}/{cut}{tail}" if folder else cut + tail


def open_folder(layout: Layout, key: str) -> str:
    """Return the note's folder, which is created when missing. Raises `UsageError` when a symbolic link leads it out of `active/`."""
    folder = os.path.dirname(layout.note_path(key))
    if not stays_inside(layout, folder):
        raise UsageError(f"{key}: its folder is a symbolic link that leads out of the bank")
    disk.make_directories(folder, disk.USER_DIRECTORY)
    return folder


def stays_inside(layout: Layout, folder: str) -> bool:
    """Return whether the path to `folder`, which is below `active/`, never leaves it through a symbolic link."""
    return os.path.realpath(folder) == os.path.join(os.path.realpath(layout.active), os.path.relpath(folder, layout.active)).removesuffix("/.")


def sync(layout: Layout, keys: Iterable[str]) -> None:
    """Make the names of notes durable, and those of their folders up to the bank."""
    folders: set[str] = set()
    for key in keys:
        folder = os.path.dirname(layout.note_path(key))
        while folder != layout.root and folder not in folders:
            folders.add(folder)
            folder = os.path.dirname(folder)
    for folder in sorted(folders, key=len, reverse=True):
        disk.sync_directory(folder)
    if folders:
        disk.sync_directory(layout.root)


def _holds(path: str, data: bytes) -> bool:
    try:
        return disk.read(path, MAX_NOTE_BYTES) == data
    except (FileNotFoundError, MemorybankError):
        return False
