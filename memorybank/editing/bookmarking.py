"""Adds bookmarks to the person's list and removes them. Changes that somebody else saves at the same time are kept."""

from __future__ import annotations

from memorybank.clock import Clock
from memorybank.editing.write import update
from memorybank.notes import bookmarks
from memorybank.storage.layout import Layout

_COMMAND = "memorybank bookmark"


def add(layout: Layout, pattern: str, note: str, clock: Clock) -> bool:
    """Add an entry with the current date. Return False when an entry with the same pattern exists.

    Raises `ValidationFailed` when the file is malformed, `UsageError` for a path that cannot be below active/.
    """
    pattern = bookmarks.pattern_of(pattern)
    return update(layout, _COMMAND, clock, bookmarks.name(layout), lambda data: bookmarks.added(layout, data, pattern, note, clock.now()))


def remove(layout: Layout, pattern: str, clock: Clock) -> bool:
    """Remove the entries with exactly this pattern. Return False when there is none. Raises as `add` does."""
    pattern = bookmarks.pattern_of(pattern)
    return update(layout, _COMMAND, clock, bookmarks.name(layout), lambda data: bookmarks.removed(layout, data, pattern))
