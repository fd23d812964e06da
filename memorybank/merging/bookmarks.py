"""Merges `bookmarks.json`. A bookmark stays unless one side removed it and the other left it as it was."""

from __future__ import annotations

from memorybank.errors import MemorybankError
from memorybank.merging.sides import FileVersions, MergeRefused, greater, merged_values
from memorybank.notes import bookmarks
from memorybank.storage import jsontext

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


def merge(versions: FileVersions) -> bytes:
    """Return the merged file. Raises `MergeRefused` when a side cannot be read: then it preserves every note, and must not be replaced."""
    try:
        one, other = (bookmarks.document(side) for side in versions.sides)
    except (MemorybankError, ValueError, RecursionError) as error:
        raise MergeRefused(str(error)) from error
    try:
        base = bookmarks.document(versions.base)
    except (MemorybankError, ValueError, RecursionError):
        base = {}, {}  # without a readable ancestor nothing counts as removed
    members = merged_values(base[0], one[0], other[0], greater)
    entries = merged_values(base[1], one[1], other[1], _preferred)
    added = [pattern for pattern in entries if pattern not in base[1]]
    order = [*(pattern for pattern in entries if pattern in base[1]), *sorted(added, key=lambda pattern: (_added_at(entries[pattern]), pattern))]
    return bookmarks.rendered(members, (entries[pattern] for pattern in order))


def _preferred(pattern: str, before: Any, one: Any, other: Any) -> Any:
    """Return the entry with a note, else the one that was added last."""
    return max(one, other, key=lambda entry: (_said(entry), _added_at(entry), jsontext.encode(entry)))


def _said(entry: Any) -> bool:
    return isinstance(entry, dict) and bool(entry.get("note"))


def _added_at(entry: Any) -> str:
    return str(entry.get("added_at", "")) if isinstance(entry, dict) else ""
