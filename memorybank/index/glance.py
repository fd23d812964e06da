"""Cheap queries to the working index: which notes differ from their rows, and when the documents were last published.

Hooks ask them after every turn, so nothing that could fold or publish is loaded. Banks above `SMALL` notes are compared folder by
folder, as every search does: created, deleted and renamed notes are found. Notes edited in place are found when the caller names them,
or at the next sweep.
"""

from __future__ import annotations

__light__ = True

from _stat import S_ISREG

from memorybank.clock import storable
from memorybank.config import sources
from memorybank.errors import UsageError
from memorybank.index import queries
from memorybank.index.schema import VERSION
from memorybank.notes import source_files
from memorybank.storage import database
from memorybank.storage import system as os
from memorybank.storage.layout import MAX_NOTE_BYTES, is_source_key

TYPE_CHECKING = False
if TYPE_CHECKING:
    from _sqlite3 import Connection
    from collections.abc import Iterable, Iterator, Mapping
    from os import stat_result

    from memorybank.config.sources import SourceList
    from memorybank.index.queries import FileState
    from memorybank.notes.source_files import FileStatus
    from memorybank.storage.layout import Layout

SMALL = 2_000
"""Maximum number of notes at which every file is compared with its row."""
MANY = 1_000
"""If more notes than this have no row, they come first, in the order of their keys, because examining every file would take most of a slice."""
_READY = 400
"""Number of these notes that are examined, so that no unreadable one is among them. One slice indexes fewer."""
_SUFFIX = ".md"


def suspects(layout: Layout, named: Iterable[str] = ()) -> list[str]:
    """Return the keys of notes that are new, changed or deleted since the last fold: the most recently changed first, deleted ones at the end.

    As long as more than `MANY` notes have no row, only these are returned.
    named: keys of notes that may have been edited. A large bank looks at these first.
    """
    connection = database.open_reading(layout.database, VERSION)
    try:
        return suspects_in(layout, connection, named)
    finally:
        if connection is not None:
            connection.close()


def suspects_in(layout: Layout, connection: Connection | None, named: Iterable[str] = ()) -> list[str]:
    """Do what `suspects` does on the connection of the caller, None without a readable index."""
    known = sources.load(layout)
    if connection is None:
        return _without_rows(layout, set()) or _in_order(layout, _everything(layout, known), {})
    # Before the first sweep, the index was folded in portions and is not complete.
    is_swept = connection.execute("SELECT 1 FROM meta WHERE name = 'swept_at'").fetchone() is not None
    if not is_swept and (missing := _without_rows(layout, queries.keys(connection), named)):
        return missing
    if not is_swept or not queries.has_more_than(connection, SMALL):
        return _in_order(layout, _everything(layout, known), queries.file_states(connection))
    changed = [key for key in named if _is_changed(layout, connection, key)]
    folders = _changed_folders(layout, connection)
    changed += (key for folder in folders if not is_source_key(folder) for key in _of_folder(layout, connection, folder))
    if any(map(is_source_key, folders)):
        of_sources = {key: state for key, state in queries.file_states(connection).items() if is_source_key(key)}
        changed += _in_order(layout, source_files.sweep(known, skipped=layout.root).files, of_sources)
    return list(dict.fromkeys(changed))


def _everything(layout: Layout, known: SourceList) -> dict[str, FileStatus]:
    """Return {key: status} of all notes and of all files of sources."""
    return {**notes_below(layout.active), **(source_files.sweep(known, skipped=layout.root).files if known.sources else {})}


def published(layout: Layout) -> tuple[int, int] | None:
    """Return (when, duration) of the last publication, both in ms, whichever command wrote it; None when unknown."""
    connection = database.open_reading(layout.database, VERSION)
    if connection is None:
        return None
    try:
        known = dict(connection.execute("SELECT name, value FROM meta WHERE name IN ('published_at', 'published_ms')"))
    finally:
        connection.close()
    return (known["published_at"], known["published_ms"]) if len(known) == 2 else None


def keys_below(directory: str, prefix: str = "") -> Iterator[str]:
    """Yield the keys of all note files, in no particular order. The files themselves are not examined."""
    try:
        with os.scandir(directory) as entries:
            for entry in entries:
                if entry.name.endswith(_SUFFIX):
                    if entry.is_file(follow_symlinks=False):
                        yield prefix + entry.name
                elif entry.is_dir(follow_symlinks=False):
                    yield from keys_below(entry.path, f"{prefix}{entry.name}/")
    except OSError:
        return


def _without_rows(layout: Layout, known: set[str], named: Iterable[str] = ()) -> list[str]:
    """Return the keys of the notes that are not in `known`, those in `named` first; [] when there are at most `MANY`."""
    missing = set(keys_below(layout.active)) - known
    if len(missing) <= MANY:
        return []
    first = [key for key in named if key in missing]
    ordered = first + sorted(missing.difference(first))
    readable: list[str] = []
    for place, key in enumerate(ordered):
        if len(readable) == _READY:
            return readable + ordered[place:]
        try:
            size = os.lstat(os.path.join(layout.active, key)).st_size
        except OSError:
            continue
        if _is_readable(layout, key, size):
            readable.append(key)
    return readable


def _in_order(layout: Layout, found: Mapping[str, FileStatus], known: dict[str, FileState]) -> list[str]:
    """Return the keys of readable new and changed notes, latest mtime first, then the keys of deleted ones."""
    changed = [key for key, status in found.items() if known.get(key) != queries.state_of(status) and _is_readable(layout, key, status.st_size)]
    changed.sort(key=lambda key: (-found[key].st_mtime_ns, key))
    return changed + sorted(known.keys() - found.keys())


def _is_changed(layout: Layout, connection: Connection, key: str) -> bool:
    """Return whether a note's file differs from its row. A path that is not a note counts only when it has a row."""
    known = queries.file_states(connection, (key,)).get(key)
    if known is None and is_source_key(key):
        return False  # a file of the repository; those of a source that are new are found by their folder
    try:
        status = os.lstat(_path_of(layout, key) if is_source_key(key) else layout.note_path(key))
    except (OSError, ValueError, UsageError):
        return known is not None
    if not S_ISREG(status.st_mode) or not (key.endswith(_SUFFIX) or is_source_key(key)):
        return known is not None
    return queries.state_of(status) != known and _is_readable(layout, key, status.st_size)


def _is_readable(layout: Layout, key: str, size: int) -> bool:
    """Return whether a fold could index the note. Without this check a note that never gets a row would be reported after every turn."""
    return size <= MAX_NOTE_BYTES and key.isprintable() and source_files.is_readable(_path_of(layout, key))


def _path_of(layout: Layout, key: str) -> str:
    """Return the absolute path of a note's or a source's file or folder."""
    return layout.file_path(key) if is_source_key(key) else os.path.join(layout.active, key)


def notes_below(directory: str, prefix: str = "", *, deep: bool = True) -> dict[str, stat_result]:
    """Return {key: status} of the note files in a folder and, with `deep`, below it."""
    found: dict[str, stat_result] = {}
    try:
        with os.scandir(directory) as entries:
            for entry in entries:
                if entry.is_dir(follow_symlinks=False):
                    if deep:
                        found.update(notes_below(entry.path, f"{prefix}{entry.name}/"))
                elif entry.name.endswith(_SUFFIX) and entry.is_file(follow_symlinks=False):
                    found[prefix + entry.name] = entry.stat(follow_symlinks=False)
    except OSError:
        return found
    return found


def _changed_folders(layout: Layout, connection: Connection) -> list[str]:
    changed = []
    for folder, mtime in connection.execute("SELECT path, mtime_ns FROM folders"):
        try:
            if storable(os.stat(_path_of(layout, folder)).st_mtime_ns) != mtime:
                changed.append(folder)
        except OSError:
            changed.append(folder)
    return changed


def _of_folder(layout: Layout, connection: Connection, folder: str) -> list[str]:
    prefix = f"{folder}/" if folder else ""
    return _in_order(layout, notes_below(os.path.join(layout.active, folder), prefix, deep=False), queries.file_states_in(connection, prefix))
