"""Archived notes as rows of their own, so that they can be searched without affecting how active notes rank.

The rows are built by the first search that includes the archive. Archive objects never change, so comparing their names finds every
difference.
"""

import json
import sqlite3
from typing import Any

from memorybank.archive import store as archive
from memorybank.archive.object import SIDECAR, ArchiveObject
from memorybank.errors import LockTimeout, MemorybankError, PermissionRefused, Problem, ResourceExhausted
from memorybank.index.extract import front_text
from memorybank.index.schema import put_tokens, remove_tokens
from memorybank.index.working import Index
from memorybank.notes.note import Note
from memorybank.notes.parse import parse
from memorybank.reasons.reason import Reason
from memorybank.storage import database
from memorybank.text.words import tokens


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
