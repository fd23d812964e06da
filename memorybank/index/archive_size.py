"""The size of the archive, cached in the index: a sidecar is read only when its file changed since the last time."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from contextlib import suppress
from typing import Any, NamedTuple

from memorybank.archive import files
from memorybank.errors import MemorybankError, ValidationFailed
from memorybank.index import meta
from memorybank.index.working import Index
from memorybank.storage import database, jsontext
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
_COMPARED = "sidecar_states"
"""Key of `meta`: [a number for the states of all sidecars, {folder: its mtime}, {folder: names in it}], with which the rows of `sidecars` agreed."""
_BETWEEN = "/"
"""What separates names. No name contains it, and one long text is decoded faster than thousands of short ones."""


def archive_size(index: Index) -> ArchiveSize:
    """Return the size of the archive.

    The sizes are cached if the index is writable and no other process is writing to it. Every sidecar is examined with `stat`; as long as none
    changed, no row of one is loaded. A folder that nobody changed is not listed.
    """
    months = files.months(index.layout)
    text = meta.text(index.connection, _COMPARED)
    compared, known, listed = jsontext.decode(text) if text else (None, {}, {})
    names = {month: listed[month].split(_BETWEEN) if listed[month] else [] for month, mtime in months.items() if known.get(month) == mtime}
    if known == months and _number(_states(index, names)) == compared:
        sums = index.connection.execute("SELECT coalesce(sum(trusted), 0), coalesce(sum(stored), 0), coalesce(sum(plain), 0) FROM sidecars").fetchone()
        return ArchiveSize(*sums)
    names |= {month: files.sidecars(index.layout, month) for month in months.keys() - names.keys()}
    return _size_by_rows(index, {month: names[month] for month in months}, months)


def _states(index: Index, names: Mapping[str, Sequence[str]]) -> list[int]:
    """Return the states of these sidecars, one after another. names: {folder: names in it}"""
    return [value for month in names for value in files.states(index.layout, month, names[month])]


def _number(states: Sequence[int]) -> int:
    return hash(tuple(states))


def _size_by_rows(index: Index, names: Mapping[str, Sequence[str]], months: Mapping[str, int]) -> ArchiveSize:
    """Return the size of the archive after reading the sidecars that changed since their rows were made.

    names: {folder: names of the sidecars in it}
    months: {folder: the mtime that it had before}
    """
    rows = index.connection.execute("SELECT path, size, mtime_ns, ctime_ns, inode, trusted, stored, plain FROM sidecars")
    known = {row[0]: (row[1:5], ArchiveSize(*row[5:])) for row in rows}
    every = _states(index, names)
    values = iter(every)
    paths = (f"{month}/{name}" for month in names for name in names[month])
    states = {path: state for path, *state in zip(paths, values, values, values, values, strict=True) if any(state)}
    weights: list[ArchiveSize] = []
    read: dict[str, ArchiveSize] = {}
    for path, state in states.items():
        before = known.get(path)
        weight = before[1] if before is not None and before[0] == tuple(state) else None
        if weight is None and (weight := _read(index, path)) is not None:
            read[path] = weight
        if weight is not None:
            weights.append(weight)
    if index.is_writable:
        compared = None
        if len(weights) * 4 == len(every):
            settled = {month: mtime if files.is_settled(mtime, index.clock.now()) else 0 for month, mtime in months.items()}
            compared = jsontext.encode([_number(every), settled, {month: _BETWEEN.join(names[month]) for month in months}])
        _remember(index.connection, [(path, *states[path], *weight) for path, weight in read.items()], known.keys() - states.keys(), compared)
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

    compared: what they agree with, None when a sidecar could not be read
    """
    with suppress(sqlite3.OperationalError), database.transaction(connection):  # busy, full or read-only: the next call reads them again
        connection.executemany("DELETE FROM sidecars WHERE path = ?", ((path,) for path in gone))
        connection.executemany("INSERT OR REPLACE INTO sidecars VALUES (?, ?, ?, ?, ?, ?, ?, ?)", changed)
        meta.write(connection, _COMPARED, compared)
