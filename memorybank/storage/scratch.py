"""A temporary folder that is deleted after use. The next process deletes the folder of one that was killed.

The user holds a lock in the folder for its lifetime, so that no other process deletes a folder in use, even across containers where process ids differ.
"""

import fcntl
import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress

IN_MEMORY = "/dev/shm"
"""Where the system keeps files in memory. A sync of a file elsewhere waits for a disk."""
ROOM = 1 << 30
"""Bytes that must be free in `IN_MEMORY` for it to be used. Containers often have less."""
_LOCK = ".in-use"
REPLAY = "memorybank-replay-"
"""Prefix of the folders in which sessions are replayed."""


@contextmanager
def folder(prefix: str) -> Iterator[str]:
    """Create an empty folder and yield its absolute real path. It is in memory when enough is free.

    prefix: beginning of its name; abandoned folders with the same prefix are deleted
    """
    place = _place()
    clear(place, prefix)
    while True:
        with tempfile.TemporaryDirectory(prefix=prefix, dir=place) as path:
            descriptor = os.open(os.path.join(path, _LOCK), os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
            try:
                fcntl.flock(descriptor, fcntl.LOCK_EX)
                if not os.path.exists(os.path.join(path, _LOCK)):  # another process deleted it before the lock was taken
                    continue
                yield os.path.realpath(path)
                return
            finally:
                os.close(descriptor)


def clear_abandoned() -> None:
    """Delete what killed processes of this user left, wherever they may have put it."""
    for place in {IN_MEMORY, tempfile.gettempdir()}:
        clear(place, REPLAY)


def clear(place: str, prefix: str) -> None:
    """Delete what killed processes of this user left in a folder under this prefix."""
    with suppress(OSError):
        for name in os.listdir(place):
            path = os.path.join(place, name)
            if name.startswith(prefix) and os.lstat(path).st_uid == os.getuid():
                _remove_abandoned(path)


def _remove_abandoned(path: str) -> None:
    try:
        descriptor = os.open(os.path.join(path, _LOCK), os.O_RDWR | os.O_NOFOLLOW | os.O_CLOEXEC)
    except OSError:
        return
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        shutil.rmtree(path, ignore_errors=True)
    except OSError:
        return
    finally:
        os.close(descriptor)


def _place() -> str:
    try:
        free = os.statvfs(IN_MEMORY)
    except OSError:
        return tempfile.gettempdir()
    return IN_MEMORY if os.access(IN_MEMORY, os.W_OK) and free.f_bavail * free.f_frsize >= ROOM else tempfile.gettempdir()
