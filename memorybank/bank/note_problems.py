"""Decides what is a problem of a note. `list --problems`, `status`, `doctor` and the page ask here; the MCP server counts those of the notes that it shows.

A date in the future is listed, but says nothing against a bank: the clock of the machine that wrote it may be ahead.
"""

from __future__ import annotations

from memorybank.errors import Problem
from memorybank.index import files, queries
from memorybank.index.working import Index
from memorybank.notes import bookmarks, scan


def of_notes(index: Index) -> list[Problem]:
    """Return the problems of notes, of their names and of the bookmarks, by path and line, without their dates. The index is up to date."""
    swept = files.sweep(index)
    indexed = queries.keys(index.connection)
    unread = (scan.read(index.layout, found) for found in swept.found if found.key not in indexed)
    malformed = bookmarks.load(index.layout).malformed
    found = {*swept.problems, *index.problems(), *(problem for problem in unread if isinstance(problem, Problem))}
    return sorted(found | ({malformed} if malformed else set()))
