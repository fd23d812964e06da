"""Decides what is a problem of a note. `list --problems`, `status`, `doctor` and the page ask here; the MCP server counts those of the notes that it shows.

A date in the future is listed, but says nothing against a bank: the clock of the machine that wrote it may be ahead.
"""

from __future__ import annotations

from memorybank.errors import Problem
from memorybank.index.working import Index
from memorybank.notes import bookmarks


def of_notes(index: Index) -> list[Problem]:
    """Return the problems of notes, of their names and of the bookmarks, by path and line, without their dates. The index was folded just now."""
    malformed = bookmarks.load(index.layout).malformed
    return sorted({*(index.unreadable or ()), *index.problems(), *((malformed,) if malformed else ())})
