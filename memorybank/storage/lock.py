"""One lock per bank for commands that change it: an flock on a file that is never deleted. The kernel releases it when the process ends."""

from __future__ import annotations

__light__ = True

import fcntl

from memorybank.clock import Clock
from memorybank.errors import LockTimeout
from memorybank.storage import appending, disk
from memorybank.storage import beneath as os

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import TracebackType


class Lock:
    """`with Lock(path, "memorybank rotate", clock): …`. Raises `LockTimeout`, which names the holder, when it is busy for longer than `timeout` seconds.

    A `FileNotFoundError` that leaves the block becomes a typed error.
    """

    def __init__(self, path: str, command: str, clock: Clock, timeout: float = 2.0) -> None:
        self.path = path
        self.command = command
        self.clock = clock
        self.timeout = timeout
        self._descriptor = -1

    def __enter__(self) -> Lock:
        disk.make_directories(os.path.dirname(self.path))
        descriptor = -1
        try:
            with disk.typed_errors(self.path):
                descriptor = os.open(self.path, os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC, disk.PRIVATE_FILE)
                appending.flock_within(descriptor, self.path, self.clock, self.timeout)
                _write(descriptor, self._opening)
        except LockTimeout:
            holder = _lines(descriptor)[0]
            os.close(descriptor)
            raise LockTimeout(f"{self.path} is held by process {holder or 'unknown'}") from None
        except BaseException as error:
            if descriptor >= 0:
                os.close(descriptor)
            if isinstance(error, FileNotFoundError):
                # Callers would take it to mean that the file they change is missing, but here the folder of the lock was deleted during the call.
                raise disk.from_os_error(error, self.path) from error
            raise
        self._descriptor = descriptor
        return self

    @property
    def _opening(self) -> str:
        return f"{os.getpid()} {self.command}\n"

    def write_progress(self, line: str) -> None:
        """Write the progress of this process on the second line of the lock file, for processes that wait and for commands that display it."""
        with disk.typed_errors(self.path):
            _write(self._descriptor, f"{self._opening}{line}\n")

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        os.close(self._descriptor)
        self._descriptor = -1
        if isinstance(error, FileNotFoundError):
            # Whoever expects a missing file handles it inside the block. What leaves it was caused by a folder that somebody deleted during the command.
            raise disk.from_os_error(error, error.filename or self.path) from error


def held(path: str) -> tuple[str, str] | None:
    """Return (process id and command, its last progress line) of the lock's holder, or None when nobody holds it."""
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_CLOEXEC)
    except OSError:
        return None
    try:
        # A shared lock, so that two processes that only check do not mistake each other for the holder.
        fcntl.flock(descriptor, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except BlockingIOError:
        return _lines(descriptor)
    finally:
        os.close(descriptor)
    return None


def _write(descriptor: int, text: str) -> None:
    """Replace the content. A reader between the two steps sees the new lines followed by the end of the old ones, but never an empty file."""
    data = text.encode()
    os.pwrite(descriptor, data, 0)
    os.ftruncate(descriptor, len(data))


def _lines(descriptor: int) -> tuple[str, str]:
    first, _, rest = os.pread(descriptor, 2_000, 0).decode("utf-8", "replace").partition("\n")
    return first.strip(), rest.partition("\n")[0].strip()
