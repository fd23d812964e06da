"""The size of the archive, cached in the index: a sidecar is read only when its file changed since the last time. And how much of it came back."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from contextlib import suppress
from itertools import groupby
from typing import Any

from memorybank.archive import files
from memorybank.errors import MemorybankError, ValidationFailed
from memorybank.index import meta
from memorybank.index.working import Index
from memorybank.log.rotation_state import RotationState
from memorybank.storage import database, jsontext
from memorybank.storage.sqlite import sqlite3
from memorybank.values import NamedTuple


class ArchiveSize(NamedTuple):
    """The size of the archive.

    files: number of archive objects whose sidecar can be trusted; `returned_notes` of them are copies of notes that came back.
    stored: bytes of their archive objects.
    plain: bytes of the original notes.
    """

    files: int
    stored: int
    plain: int


_NOTHING = ArchiveSize(0, 0, 0)
_PORTION = 500
"""Maximum number of sidecars that a look examines with `stat` where no folder changed (ADR 0121). Each look goes on where the last one stopped, so a
sidecar that was harmed in place is noticed by one of the next `number of sidecars / _PORTION` looks; `verify` and `doctor` read every sidecar."""
_COMPARED = "sidecars_agreed"
"""Key of `meta`: [{folder: the mtime with which all of its sidecars agreed with the rows of `sidecars`}, the last sidecar that was examined, the sums of
these rows]. It is written in the transaction in which rows change."""


def archive_size(index: Index) -> ArchiveSize:
    """Return the size of the archive.

    The sizes are cached if the index is writable and no other process is writing to it. As long as no folder of a month changed, none is listed, at
    most `_PORTION` sidecars are examined, and if they did not change, the sums are those that were stored with the rows.
    """
    months = files.months(index.layout)
    text = meta.text(index.connection, _COMPARED)
    compared, last, sums = jsontext.decode(text) if text else (None, "", ())
    if compared == months and _is_unchanged(index, months, last, sums):
        return ArchiveSize(*sums)
    return _size_by_rows(index, months, compared or {})


def returned_notes(index: Index, state: RotationState) -> int:
    """Return how many archive objects are copies of notes that this machine restored. Every count of archived notes leaves them out.

    state: has at least what `rotation_lines.state` returns. Call `archive_size` first: it brings the rows of sidecars up to date.
    """
    paths = {files.sidecar_of(path) for path in state.restored_objects if path not in state.purged and path.startswith(files.BY_DATE)}
    query = "SELECT path, trusted FROM sidecars WHERE path IN (SELECT value FROM json_each(?))"
    known: dict[str, int] = dict(index.connection.execute(query, (jsontext.encode(sorted(paths)),))) if paths else {}
    # An index that cannot be written lacks the rows of new sidecars. The file of a deleted object is missing, which `_read` takes for zeros.
    read = (_read(index, path) for path in paths - known.keys())
    return sum(known.values()) + sum(size.files for size in read if size is not None)


def _is_unchanged(index: Index, months: Mapping[str, int], last: str, sums: Sequence[int]) -> bool:
    """Return whether the sidecars after `last` have the states of their rows: a portion of them, or all if the index cannot remember where it stopped."""
    most = _PORTION if index.is_writable else -1
    rows = _rows(index.connection, most, last)
    if last and len(rows) != most:
        rows += _rows(index.connection, most - len(rows) if most > 0 else -1, "", last)
    for month, of_month in groupby(rows, _folder_of):
        listed = list(of_month)
        names = [row[0][len(month) + 1 :] for row in listed]
        if files.states(index.layout, month, names) != [value for row in listed for value in row[1:5]]:
            return False
    if len(rows) == most and rows[-1][0] != last:
        with suppress(sqlite3.OperationalError):  # busy: the next look examines the same ones again
            meta.write(index.connection, _COMPARED, jsontext.encode([months, rows[-1][0], sums]))
    return True


def _folder_of(row: Sequence[Any]) -> str:
    return str(row[0]).rpartition("/")[0]


def _rows(connection: sqlite3.Connection, most: int, after: str, until: str = "\U0010ffff") -> list[tuple[Any, ...]]:
    """Return at most this many rows in the order of their paths; a negative number means all. after, until: paths"""
    query = "SELECT path, size, mtime_ns, ctime_ns, inode FROM sidecars WHERE path > ? AND path <= ? ORDER BY path LIMIT ?"
    return connection.execute(query, (after, until, most)).fetchall()


def _size_by_rows(index: Index, months: Mapping[str, int], compared: Mapping[str, int]) -> ArchiveSize:
    """Return the size of the archive after examining all sidecars, and reading those that changed since their rows were made.

    months: {folder of a month: the mtime that it had before}
    compared: {folder: the mtime with which its sidecars agreed with their rows}; it need not be listed while it has this mtime
    """
    query = "SELECT path, size, mtime_ns, ctime_ns, inode, trusted, stored, plain FROM sidecars ORDER BY path"
    known = {row[0]: (row[1:5], ArchiveSize(*row[5:])) for row in index.connection.execute(query)}
    names: dict[str, list[str]] = {month: [] for month in months}
    for path in known:
        month, _, name = path.rpartition("/")
        if month in names:
            names[month].append(name)
    for month, mtime in months.items():
        if compared.get(month) != mtime:
            names[month] = files.sidecars(index.layout, month)
    values = iter([value for month in names for value in files.states(index.layout, month, names[month])])
    paths = [f"{month}/{name}" for month in names for name in names[month]]
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
    sums = ArchiveSize(sum(one.files for one in weights), sum(one.stored for one in weights), sum(one.plain for one in weights))
    if index.is_writable:
        agreed = None
        if len(weights) == len(paths):
            settled = {month: mtime if files.is_settled(mtime, index.clock.now()) else 0 for month, mtime in months.items()}
            agreed = jsontext.encode([settled, "", sums])
        _remember(index.connection, [(path, *states[path], *weight) for path, weight in read.items()], known.keys() - states.keys(), agreed)
    return sums


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
