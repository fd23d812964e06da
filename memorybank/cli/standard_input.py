"""The text that another program passes to a command through standard input."""

import os
import sys
from stat import S_ISFIFO

_MAX_BYTES = 64 << 20
"""Maximum size of the text; more is cut off."""


def text() -> str:
    """Return standard input decoded as UTF-8; bytes that are not UTF-8 become �."""
    return sys.stdin.buffer.read(_MAX_BYTES + 1)[:_MAX_BYTES].decode("utf-8", "replace")


def is_piped() -> bool:
    """Return whether another program writes to standard input. Nothing is read: that would wait for a program that keeps it open."""
    try:
        return S_ISFIFO(os.fstat(sys.stdin.fileno()).st_mode)
    except (OSError, ValueError, AttributeError):  # closed, or replaced by something without a file
        return False
