"""Removes permissions from files that have too many."""

import os
from stat import S_IMODE

from memorybank.storage.disk import typed_errors


def take(path: str, bits: int) -> None:
    """Remove the permission `bits` from a file or folder. Raises `MemorybankError` for a symbolic link, which is never followed."""
    with typed_errors(path):
        descriptor = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
        try:
            os.fchmod(descriptor, S_IMODE(os.fstat(descriptor).st_mode) & ~bits)
        finally:
            os.close(descriptor)
