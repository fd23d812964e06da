"""The files that the rows of the index are made from: the bank's notes, and the files of its sources."""

from __future__ import annotations

__light__ = True

from memorybank.clock import storable
from memorybank.config.sources import Source
from memorybank.index.working import Index
from memorybank.notes import scan, source_files
from memorybank.notes.note_files import NoteFile, NoteSweep
from memorybank.storage import system as os
from memorybank.storage.layout import is_source_key

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection

    from memorybank.notes.source_files import FileStatus


def sweep(index: Index) -> NoteSweep:
    """Find every note and every file of a source, as `scan.sweep` finds notes."""
    swept = scan.sweep(index.layout)
    if not index.sources.sources:
        return swept
    found = source_files.sweep(index.sources, skipped=index.layout.root)
    names = {key: source.name for key in found.files if (source := index.sources.covering(key)) is not None}
    files = [_file(index, key, status, names[key]) for key, status in found.files.items() if key in names]
    folders, problems = {**swept.folders, **found.folders}, sorted([*swept.problems, *found.problems])
    return NoteSweep(swept.listed or swept.found, folders, problems, files)


def find_keys(index: Index, keys: Collection[str]) -> NoteSweep:
    """Find the notes and files with these keys only. A key without a file is left out. `folders` is empty."""
    swept = scan.find_keys(index.layout, [key for key in keys if not is_source_key(key)])
    files = []
    for key in keys:
        source = index.sources.covering(key) if is_source_key(key) else None
        status = source_files.find(source, key) if source is not None else None
        if source is not None and status is not None:
            files.append(_file(index, key, status, source.name))
    return NoteSweep(sorted([*swept.found, *files]), {}, swept.problems)


def folder_path(index: Index, folder: str) -> str:
    """Return the absolute path of a folder of `NoteSweep.folders`."""
    return index.layout.file_path(folder) if is_source_key(folder) else os.path.join(index.layout.active, folder)


def source_of(index: Index, found: NoteFile) -> Source | None:
    """Return the source that a file belongs to; None for a note."""
    return next((source for source in index.sources.sources if source.name == found.source), None) if found.source else None


def _file(index: Index, key: str, status: FileStatus, source: str) -> NoteFile:
    return NoteFile(key, index.layout.file_path(key), status.st_size, storable(status.st_mtime_ns), storable(status.st_ctime_ns), status.st_ino, source)
