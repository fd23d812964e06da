"""The version that a truth file carries as `"major.minor"`. Files of one major version can be read and written by every release that knows it."""

from __future__ import annotations

__light__ = True

FIRST = 1
"""The major version of a file without a version."""


def major(version: object) -> int:
    """Return the first number of a version, such as 2 for `"2.1"`. What is not a version, such as `None`, counts as `FIRST`."""
    text = version if isinstance(version, str) else ""
    if isinstance(version, int) and not isinstance(version, bool):
        text = str(version)
    first = text.partition(".")[0]
    return int(first) if first.isascii() and first.isdecimal() and len(first) < 10 else FIRST


def newer(version: object, than: int = FIRST) -> str:
    """Return why a file cannot be changed by this release, "" when it can. The text continues a sentence about the file."""
    return f"was written by a newer memorybank (version {version})" if major(version) > than else ""
