"""Temporary files that killed processes left: which they are, and their deletion."""

from __future__ import annotations

from memorybank.clock import HOUR
from memorybank.storage import beneath as os
from memorybank.storage.disk import TEMP_PREFIX

_START_TOLERANCE = 2_000
"""Tolerance (ms) for the start of a process, because the system gives the time of its own start in seconds."""


def sweep(directory: str, now: int) -> int:
    """Delete our temporary files in a folder that are older than an hour. Return how many were deleted.

    now: ms
    """
    removed = 0
    try:
        names = os.listdir(directory)
    except OSError:
        return 0
    for name in names:
        if not name.startswith(TEMP_PREFIX):
            continue
        path = os.path.join(directory, name)
        try:
            if os.lstat(path).st_mtime_ns // 1_000_000 < now - HOUR:
                os.unlink(path)
                removed += 1
        except OSError:
            continue
    return removed


def is_abandoned(temp: str, now: int) -> bool:
    """Return whether nobody writes this temporary file any more: its process has ended, or it is older than an hour."""
    process = os.path.basename(temp).removeprefix(TEMP_PREFIX).partition("-")[0]
    try:
        status = os.lstat(temp)
        if status.st_mtime_ns // 1_000_000 < now - HOUR:
            return True
        # Signal 0 only checks whether the process exists.
        os.kill(int(process), 0)
        started = _started(int(process))
        # A later process can have the same id; in containers the ids are small, so this is common.
        return started is not None and status.st_ctime_ns // 1_000_000 < started - _START_TOLERANCE
    except ProcessLookupError:
        return True
    except (OSError, ValueError, OverflowError):
        return False


def _started(process: int) -> int | None:
    """Return when a process started (ms), or None on systems that do not tell (only Linux does)."""
    try:
        # proc(5): after the program's name in parentheses, the 20th field is the start in ticks since the boot.
        ticks = int(_text(f"/proc/{process}/stat").rpartition(")")[2].split()[19])
        boot = next(int(line.split()[1]) for line in _text("/proc/stat").splitlines() if line.startswith("btime "))
        return boot * 1000 + ticks * 1000 // os.sysconf("SC_CLK_TCK")
    except (OSError, ValueError, IndexError, StopIteration):
        return None


def _text(path: str) -> str:
    descriptor = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
    try:
        return os.read(descriptor, 1 << 20).decode("ascii", "replace")
    finally:
        os.close(descriptor)
