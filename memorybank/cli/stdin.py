"""Reads text from standard input, for arguments that are a single `-`."""

import sys

MAX_BYTES = 64 << 20
"""Maximum size of a note."""


def text() -> str:
    """Return standard input decoded as UTF-8; bytes that are not UTF-8 become �."""
    return sys.stdin.buffer.read(MAX_BYTES + 1)[:MAX_BYTES].decode("utf-8", "replace")
