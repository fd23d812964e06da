"""Decides what is a problem of a note. `list --problems`, `status`, `doctor`, the page and the MCP server all ask here."""

from __future__ import annotations

from memorybank.errors import Problem
from memorybank.index import files, queries
from memorybank.index.working import Index
from memorybank.notes import bookmarks, scan


def of_notes(index: Index) -> list[Problem]:
    """Return the problems of notes, of their names and of the bookmarks, by path and line. The index is up to date."""
    swept = files.sweep(index)
    indexed = queries.keys(index.connection)
    unread = (scan.read(index.layout, found) for found in swept.found if found.key not in indexed)
    malformed = bookmarks.load(index.layout).malformed
    found = {*swept.problems, *index.problems(), *(problem for problem in unread if isinstance(problem, Problem))}
    return sorted(found | ({malformed} if malformed else set()))
