"""Temporary files that killed processes left: which they are, and their deletion."""

from __future__ import annotations

from memorybank.clock import HOUR
from memorybank.storage import beneath as os
from memorybank.storage.disk import TEMP_PREFIX


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
        if os.lstat(temp).st_mtime_ns // 1_000_000 < now - HOUR:
            return True
        # Signal 0 only checks whether the process exists.
        os.kill(int(process), 0)
    except ProcessLookupError:
        return True
    except (OSError, ValueError, OverflowError):
        return False
    return False
