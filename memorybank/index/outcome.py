"""The outcome of reading one note file: its extract, a problem, or nothing new. The index and its worker processes share it."""

from typing import TypeAlias

from memorybank.config.settings import Settings
from memorybank.errors import Problem
from memorybank.index.extract import NoteExtract, extract
from memorybank.notes import scan
from memorybank.notes.scan import NoteFile
from memorybank.storage.layout import Layout

Outcome: TypeAlias = NoteExtract | Problem | None
"""The extract of a file, the problem that prevents one, or None when the content equals the indexed one."""


def outcome_of(layout: Layout, settings: Settings, found: NoteFile, known: str | None) -> Outcome:
    """Read one file and return its outcome.

    known: digest of the content that is indexed, or None.
    """
    note = scan.read(layout, found)
    if isinstance(note, Problem):
        return note
    return None if note.digest == known else extract(note, settings)
