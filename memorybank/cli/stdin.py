"""Text given on standard input, for arguments that are a single `-`."""

import sys

MAX_BYTES = 64 << 20
"""The cap of a note."""


def text() -> str:
    """All of standard input as UTF-8; what is none is shown as �."""
    return sys.stdin.buffer.read(MAX_BYTES + 1)[:MAX_BYTES].decode("utf-8", "replace")
