"""The keys of files that are read in place. No note of a bank can have such a key."""

from __future__ import annotations

__light__ = True

IN_REPOSITORY = "./"
"""Prefix of the keys of source files in the repository. The key of any other source file is its absolute path."""


def is_source_key(key: str) -> bool:
    """Return whether a key is that of a source's file or folder, which is only read, and not that of a note."""
    return key.startswith((IN_REPOSITORY, "/")) or key == "."
