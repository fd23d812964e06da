"""The size of the archive, cached in the index: a sidecar is read only when its file changed since the last time."""

from __future__ import annotations

import marshal
from collections.abc import Collection, Mapping, Sequence
from contextlib import suppress
from typing import Any, NamedTuple

from memorybank.archive import files
from memorybank.errors import MemorybankError, ValidationFailed
from memorybank.index import meta
from memorybank.index.working import Index
from memorybank.storage import database
from memorybank.storage.digest import blake2b
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
_COMPARED = "compared_sidecars"
"""Key of `meta`: the digest of the states of all sidecars with which the rows of `sidecars` agreed."""


def archive_size(index: Index) -> ArchiveSize:
    """Return the size of the archive.

    The sizes are cached if the index is writable and no other process is writing to it. As long as no sidecar changes, no row of one is loaded either.
    """
    states = files.sidecar_states(index.layout)
    # A folder that nobody changed is listed in the same order again. In another order, the rows are compared once more.
    compared = blake2b(marshal.dumps(list(states.items()), 2)).hex()
    if compared != meta.text(index.connection, _COMPARED):
        return _size_by_rows(index, states, compared)
    sums = index.connection.execute("SELECT coalesce(sum(trusted), 0), coalesce(sum(stored), 0), coalesce(sum(plain), 0) FROM sidecars").fetchone()
    return ArchiveSize(*sums)


def _size_by_rows(index: Index, states: Mapping[str, tuple[int, ...]], compared: str) -> ArchiveSize:
    """Return the size of the archive after reading the sidecars that changed since their rows were made.

    compared: what is recorded when the rows agree with all sidecars
    """
    rows = index.connection.execute("SELECT path, size, mtime_ns, ctime_ns, inode, trusted, stored, plain FROM sidecars")
    known = {row[0]: (row[1:5], ArchiveSize(*row[5:])) for row in rows}
    weights: list[ArchiveSize] = []
    read: dict[str, ArchiveSize] = {}
    for path, state in states.items():
        before = known.get(path)
        weight = before[1] if before is not None and before[0] == state else None
        if weight is None and (weight := _read(index, path)) is not None:
            read[path] = weight
        if weight is not None:
            weights.append(weight)
    if index.is_writable:
        changed = [(path, *states[path], *weight) for path, weight in read.items()]
        _remember(index.connection, changed, known.keys() - states.keys(), compared if len(weights) == len(states) else None)
    return ArchiveSize(sum(one.files for one in weights), sum(one.stored for one in weights), sum(one.plain for one in weights))


def _read(index: Index, path: str) -> ArchiveSize | None:
    """Return the size of one archived note: zeros when its sidecar cannot be trusted, None when it cannot be read now."""
    from memorybank.archive import store  # late: most commands find the archive as it was

    try:
        described = store.read_sidecar(index.layout, path)
    except ValidationFailed:
        return _NOTHING
    except MemorybankError:
        return None
    return ArchiveSize(1, described.object_size, described.size)


def _remember(connection: sqlite3.Connection, changed: Sequence[tuple[Any, ...]], gone: Collection[str], compared: str | None) -> None:
    """Bring the rows of sidecars up to date.

    compared: the digest of all states, None when a sidecar could not be read
    """
    with suppress(sqlite3.OperationalError), database.transaction(connection):  # busy, full or read-only: the next call reads them again
        connection.executemany("DELETE FROM sidecars WHERE path = ?", ((path,) for path in gone))
        connection.executemany("INSERT OR REPLACE INTO sidecars VALUES (?, ?, ?, ?, ?, ?, ?, ?)", changed)
        meta.write(connection, _COMPARED, compared)
