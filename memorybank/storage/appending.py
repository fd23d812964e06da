"""Appends complete lines to log files: one write for each call, under the file's flock.

A process waits only for the write of another process, never for its other work.
"""

from __future__ import annotations

__light__ = True

import fcntl

from memorybank.clock import Clock
from memorybank.errors import LockTimeout
from memorybank.storage import beneath as os
from memorybank.storage import compressed, disk

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import TracebackType

_LOCK_POLL_SECONDS = 0.002


def append(path: str, data: bytes, *, durable: bool, clock: Clock, timeout: float = 2.0) -> int:
    """Append complete lines under an exclusive flock and return the offset where `data` begins. An incomplete last line is closed first.

    data: complete lines; ends with a newline
    durable: whether to sync the file before returning
    timeout: seconds. Raises `LockTimeout` when the lock is busy for longer; then nothing was written.
    """
    with Appending(path, clock, timeout) as log:
        return log.write(data, durable=durable)


class Appending:
    """`with Appending(path, clock, timeout) as log:` holds the exclusive flock of a log, so that a caller can read its end, decide, and write.

    A missing log is created. Raises `LockTimeout` when the lock is busy for longer than `timeout` seconds.
    """

    __slots__ = ("_descriptor", "clock", "path", "timeout")

    def __init__(self, path: str, clock: Clock, timeout: float) -> None:
        self.path = path
        self.clock = clock
        self.timeout = timeout
        self._descriptor = -1

    def __enter__(self) -> Appending:
        with disk.typed_errors(self.path):
            while not self._locked():
                continue
        return self

    def _locked(self) -> bool:
        """Open and lock the file, and put back a compressed log. Return False when the file was replaced meanwhile: the lock is then on a deleted file."""
        descriptor = os.open(self.path, os.O_RDWR | os.O_APPEND | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC, disk.PRIVATE_FILE)
        try:
            flock_within(descriptor, self.path, self.clock, self.timeout)
            is_current = _is_named(descriptor, self.path) and not compressed.settle(self.path)
        except BaseException:
            os.close(descriptor)
            raise
        if is_current:
            self._descriptor = descriptor
        else:
            os.close(descriptor)
        return is_current

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        os.close(self._descriptor)
        self._descriptor = -1

    def tail(self, limit: int) -> tuple[int, bytes]:
        """Return (offset, bytes) of the last `limit` bytes."""
        with disk.typed_errors(self.path):
            size = os.fstat(self._descriptor).st_size
            offset = max(0, size - limit)
            return offset, os.pread(self._descriptor, size - offset, offset)

    def write(self, data: bytes, *, durable: bool) -> int:
        """Append `data` in one write and return the offset where it begins. An incomplete last line is closed first."""
        with disk.typed_errors(self.path):
            offset = os.fstat(self._descriptor).st_size
            # A killed process can leave a line without its newline. Closing that line keeps it apart from ours, and readers skip it.
            if offset and os.pread(self._descriptor, 1, offset - 1) != b"\n":
                data = b"\n" + data
                offset += 1
            disk.write_all(self._descriptor, data)
            if durable:
                os.fdatasync(self._descriptor)
                # A line survives a power loss only with the name of its file, which an earlier process may have created without syncing it.
                disk.sync_directory(os.path.dirname(self.path))
        return offset


def flock_within(descriptor: int, path: str, clock: Clock, timeout: float) -> None:
    """Take an exclusive flock. Raises `LockTimeout` when it is busy for longer than `timeout` seconds."""
    deadline = clock.monotonic() + timeout
    while True:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
            return
        except BlockingIOError:
            if clock.monotonic() >= deadline:
                raise LockTimeout(f"{path} is locked by another process") from None
            clock.sleep(_LOCK_POLL_SECONDS)


def _is_named(descriptor: int, path: str) -> bool:
    """Return whether an open file is still the one at this path."""
    try:
        found = os.stat(path)
    except FileNotFoundError:
        return False
    held = os.fstat(descriptor)
    return (held.st_dev, held.st_ino) == (found.st_dev, found.st_ino)
