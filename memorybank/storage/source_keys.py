"""The keys of files that are read in place. No note of a bank can have such a key."""

from __future__ import annotations

__light__ = True

IN_REPOSITORY = "./"
"""Begins the key of a file of a source in the repository. Other sources' files have their absolute path as key."""


def is_source_key(key: str) -> bool:
    """Return whether a key is that of a source's file or folder, which is only read, and not that of a note."""
    return key.startswith((IN_REPOSITORY, "/")) or key == "."
