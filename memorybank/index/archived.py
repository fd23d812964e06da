"""Archived notes as rows of their own, so that they can be searched without affecting how active notes rank.

The rows are built by the first search that includes the archive. Archive objects never change, so comparing their names finds every
difference. The size of the archive is cached as well: a sidecar is read only when its file changed since the last time.
"""

import json
import marshal
import sqlite3
from collections.abc import Collection, Mapping, Sequence
from contextlib import suppress
from typing import Any, NamedTuple

from memorybank.archive import store as archive
from memorybank.archive.object import SIDECAR, ArchiveObject
from memorybank.archive.store import FileState
from memorybank.errors import LockTimeout, MemorybankError, PermissionRefused, Problem, ResourceExhausted, ValidationFailed
from memorybank.index import meta
from memorybank.index.extract import front_text
from memorybank.index.schema import put_tokens, remove_tokens
from memorybank.index.working import Index
from memorybank.notes.note import Note
from memorybank.notes.parse import parse
from memorybank.reasons.reason import Reason
from memorybank.storage import database
from memorybank.storage.digest import sha256
from memorybank.text import tokens


def bring_up_to_date(index: Index) -> Reason | None:
    """Update the archived rows, in a copy in memory where the cache cannot be written. Return why some are missing, or None."""
    try:
        fold_archive(index)
    except sqlite3.OperationalError as error:
        refused = database.typed(error, index.layout.relative(index.layout.database))
        if isinstance(refused, LockTimeout):
            return Reason("stale.archive_busy")
        if index.frozen or not isinstance(refused, PermissionRefused | ResourceExhausted):
            raise refused from error
        index.freeze(refused)
        fold_archive(index)
    return None


def fold_archive(index: Index) -> list[Problem]:
    """Bring the archived rows up to date; returns a problem for each object that cannot be searched."""
    paths = {path.rpartition("/")[2].removesuffix(SIDECAR): path for path in archive.names(index.layout) if path.endswith(SIDECAR)}
    known = {row[0] for row in index.connection.execute("SELECT object_id FROM archived")}
    # Checked before `thaw`, which would copy the entire cache for nothing.
    if paths.keys() == known:
        return []
    index.thaw()
    problems: list[Problem] = []
    with database.transaction(index.connection):
        for identifier in sorted(known - paths.keys()):
            _remove(index.connection, identifier)
        for identifier in sorted(paths.keys() - known):
            _add(index, paths[identifier], problems)
    return problems


def _add(index: Index, path: str, problems: list[Problem]) -> None:
    try:
        described = archive.read_sidecar(index.layout, path)
        note = parse(described.original_path, archive.read_object(index.layout, described))
    except MemorybankError as error:
        problems.append(Problem("archive_unreadable", path, error.message))
        return
    cursor = index.connection.execute(_INSERT, _row(described, note))
    texts = (note.title, "\n".join(note.headings), front_text(note.key, note.text[: len(note.text) - len(note.body)]), note.body)
    put_tokens(index.connection, "archived_text", "archived_tokens", int(cursor.lastrowid or 0), [tokens.read(text).indexed for text in texts])


def _remove(connection: sqlite3.Connection, identifier: str) -> None:
    (row,) = connection.execute("SELECT id FROM archived WHERE object_id = ?", (identifier,)).fetchone()
    remove_tokens(connection, "archived_text", "archived_tokens", row)
    connection.execute("DELETE FROM archived WHERE id = ?", (row,))


_INSERT = """
INSERT INTO archived (object_id, key, digest, size, title, category, tags, topics, importance, created, modified, archived_at, acl, privacy, session_id,
                      agent_created, text)
VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
"""


def _row(described: ArchiveObject, note: Note) -> tuple[Any, ...]:
    modified = described.mtime_ns // 1_000_000
    front = note.front
    return (
        described.id, note.key, described.sha256, described.size, note.title, note.key.partition("/")[0] if "/" in note.key else "",
        json.dumps(front.tags, ensure_ascii=False), json.dumps(note.topics, ensure_ascii=False), described.importance, front.created or modified,
        front.updated or modified, described.archived_at, front.acl, front.privacy, front.session_id, front.agent_created, note.text,
    )  # fmt: skip


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
    states = archive.sidecar_states(index.layout)
    compared = sha256(marshal.dumps([(path, *states[path]) for path in sorted(states)], 2)).hex()
    if compared != meta.text(index.connection, _COMPARED):
        return _size_by_rows(index, states, compared)
    sums = index.connection.execute("SELECT coalesce(sum(trusted), 0), coalesce(sum(stored), 0), coalesce(sum(plain), 0) FROM sidecars").fetchone()
    return ArchiveSize(*sums)


def _size_by_rows(index: Index, states: Mapping[str, FileState], compared: str) -> ArchiveSize:
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
    try:
        described = archive.read_sidecar(index.layout, path)
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
