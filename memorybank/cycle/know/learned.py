"""Learned notes as recall sees them: which memory a note under `active/learned/` was made from."""

from __future__ import annotations

__light__ = True

import re

FOLDER = "learned"
_KEY = re.compile(FOLDER + r"/(problem|rule)-.*-([0-9a-f]{8})\.md")


def memory_of(key: str) -> str:
    """The merge id that a learned note's key ends in, "" for any other note."""
    found = _KEY.fullmatch(key)
    return f"{found[1]}:{found[2]}" if found is not None else ""
