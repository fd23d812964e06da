"""Taking permissions away from files that have too many."""

import os
from stat import S_IMODE

from memorybank.storage.disk import typed_errors


def take(path: str, bits: int) -> None:
    """Take the permission `bits` away from a file or folder; never through a symbolic link (`MemorybankError`: it is one)."""
    with typed_errors(path):
        descriptor = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
        try:
            os.fchmod(descriptor, S_IMODE(os.fstat(descriptor).st_mode) & ~bits)
        finally:
            os.close(descriptor)
