"""One lock a bank for commands that change it: flock on a file that is never unlinked; the kernel frees it on death."""

from __future__ import annotations

import os

from memorybank.clock import Clock
from memorybank.errors import LockTimeout
from memorybank.storage import disk

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import TracebackType


class Lock:
    """`with Lock(path, "memorybank rotate", clock): …`; busy for longer than `timeout` seconds is `LockTimeout` naming the holder."""

    def __init__(self, path: str, command: str, clock: Clock, timeout: float = 2.0) -> None:
        self.path = path
        self.command = command
        self.clock = clock
        self.timeout = timeout
        self._descriptor = -1

    def __enter__(self) -> Lock:
        disk.make_directories(os.path.dirname(self.path))
        with disk.typed_errors(self.path):
            descriptor = os.open(self.path, os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC, disk.PRIVATE_FILE)
        try:
            with disk.typed_errors(self.path):
                disk.flock_within(descriptor, self.path, self.clock, self.timeout)
                os.ftruncate(descriptor, 0)
                os.pwrite(descriptor, f"{os.getpid()} {self.command}\n".encode(), 0)
        except LockTimeout:
            holder = os.pread(descriptor, 200, 0).decode("utf-8", "replace").strip()
            os.close(descriptor)
            raise LockTimeout(f"{self.path} is held by process {holder or 'unknown'}") from None
        except BaseException:
            os.close(descriptor)
            raise
        self._descriptor = descriptor
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        os.close(self._descriptor)
        self._descriptor = -1
