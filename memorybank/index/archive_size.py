"""The size of the archive. A sidecar is read only when its file changed since the last time; the sizes of the others are cached."""

from collections.abc import Collection, Mapping
from contextlib import suppress
from typing import NamedTuple

from memorybank.archive import store as archive
from memorybank.archive.store import FileState
from memorybank.errors import MemorybankError, ValidationFailed
from memorybank.index.working import Index
from memorybank.storage import database
from memorybank.storage.layout import is_utf8
from memorybank.storage.sqlite import sqlite3


class ArchiveSize(NamedTuple):
    """The size of the archive.

    files: number of archived notes whose sidecar can be trusted.
    stored: bytes of their archive objects.
    plain: bytes of the original notes.
    """

    files: int
    stored: int
    plain: int


_NOTHING = ArchiveSize(0, 0, 0)
_Known = Mapping[str, tuple[FileState, ArchiveSize]]


def weigh(index: Index) -> ArchiveSize:
    """Return the size of the archive.

    The sizes are cached if the index is writable and no other process is writing to it.
    """
    rows = index.connection.execute("SELECT path, size, mtime_ns, ctime_ns, inode, trusted, stored, plain FROM sidecars")
    known = {row[0]: (FileState(*row[1:5]), ArchiveSize(*row[5:])) for row in rows}
    states = {path: state for path, state in archive.sidecar_states(index.layout).items() if is_utf8(path)}  # memorybank gives its sidecars no other names
    weights: dict[str, ArchiveSize] = {}
    read: dict[str, tuple[FileState, ArchiveSize]] = {}
    for path, state in states.items():
        before = known.get(path)
        if before is not None and before[0] == state:
            weights[path] = before[1]
            continue
        weight = _read(index, path)
        weights[path] = weight or _NOTHING
        if weight is not None:
            read[path] = state, weight
    gone = known.keys() - weights.keys()
    if (read or gone) and index.is_writable:
        _remember(index.connection, read, gone)
    return ArchiveSize(sum(one.files for one in weights.values()), sum(one.stored for one in weights.values()), sum(one.plain for one in weights.values()))


def _read(index: Index, path: str) -> ArchiveSize | None:
    """Return the size of one archived note: zeros when its sidecar cannot be trusted, None when it cannot be read now."""
    try:
        described = archive.read_sidecar(index.layout, path)
    except ValidationFailed:
        return _NOTHING
    except MemorybankError:
        return None
    return ArchiveSize(1, described.object_size, described.size)


def _remember(connection: sqlite3.Connection, read: _Known, gone: Collection[str]) -> None:
    rows = [(path, *state, *weight) for path, (state, weight) in read.items()]
    with suppress(sqlite3.OperationalError), database.transaction(connection):  # busy, full or read-only: the next call reads them again
        connection.executemany("DELETE FROM sidecars WHERE path = ?", ((path,) for path in gone))
        connection.executemany("INSERT OR REPLACE INTO sidecars VALUES (?, ?, ?, ?, ?, ?, ?, ?)", rows)
