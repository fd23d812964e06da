"""Learned notes in recall: the memory that a note under `active/learned/` was made from."""

from __future__ import annotations

__light__ = True

from memorybank.storage import beneath
from memorybank.text.pattern import lazy_pattern

TYPE_CHECKING = False
if TYPE_CHECKING:
    from memorybank.storage.layout import Layout

FOLDER = "learned"
_KEY = lazy_pattern(FOLDER + r"/(problem|rule)-.*-([0-9a-f]{8})\.md")


def memory_of(key: str) -> str:
    """Return the merge id in the key of a learned note; "" for any other note."""
    found = _KEY.fullmatch(key)
    return f"{found[1]}:{found[2]}" if found is not None else ""


def notes(layout: Layout) -> dict[str, str]:
    """Return {merge id: key} of the learned notes of a worktree."""
    try:
        keys = [f"{FOLDER}/{name}" for name in sorted(beneath.listdir(f"{layout.active}/{FOLDER}"), reverse=True)]
    except (FileNotFoundError, NotADirectoryError):
        return {}
    return {memory: key for key in keys if (memory := memory_of(key))}
