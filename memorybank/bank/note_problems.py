"""Decides what is a problem of a note. `list --problems`, `status`, `doctor` and the page ask here; the MCP server counts those of the notes that it shows.

A date in the future is listed, but says nothing against a bank: the clock of the machine that wrote it may be ahead.
"""

from __future__ import annotations

from memorybank.errors import NotFound, Problem
from memorybank.index.working import Index
from memorybank.notes import bookmarks, named, scan
from memorybank.storage.layout import Layout


def of_notes(index: Index) -> list[Problem]:
    """Return the problems of notes, of their names and of the bookmarks, by path and line, without their dates. The index was folded just now."""
    malformed = bookmarks.load(index.layout).malformed
    return sorted({*(index.unreadable or ()), *index.problems(), *((malformed,) if malformed else ())})


def raise_unread(layout: Layout, text: str) -> None:
    """Raise `NotFound` with the reason if `text` names a file that is not read as a note, by its key, its path or its file name."""
    from memorybank.checking import guidance  # late: a note is nearly always found

    problem = named.unread(text, scan.sweep(layout).problems, layout.active)
    if problem is not None:
        raise NotFound(f"{problem.path} is not a note: {problem.message}", next_step=guidance.next_step(problem.code, problem.path))
