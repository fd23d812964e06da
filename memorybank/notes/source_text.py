"""Reads the bytes of a note or of a source's file, wherever it is."""

from __future__ import annotations

__light__ = True

from memorybank.notes import database_notes
from memorybank.storage import disk
from memorybank.storage import system as os
from memorybank.storage.source_keys import is_source_key

TYPE_CHECKING = False
if TYPE_CHECKING:
    from memorybank.storage.layout import Layout


def read(layout: Layout, key: str, limit: int) -> bytes:
    """Return the bytes of a note or of a source's file. limit: bytes. Errors are those of `disk.read`."""
    path = layout.file_path(key)
    if is_source_key(key) and database_notes.is_row(path):
        return database_notes.read(path, os.path.basename(layout.base))
    return disk.read(path, limit)


def is_readable(path: str) -> bool:
    """Return whether a source's file, or the database that contains it, can be read."""
    return os.access(os.path.dirname(path) if database_notes.is_row(path) else path, os.R_OK)
