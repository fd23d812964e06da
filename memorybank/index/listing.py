"""Lists the notes of a bank page by page, by folder and tag, and counts the folders and tags that a person can choose from."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

from memorybank.storage.sqlite import sqlite3
from memorybank.values import Value

MODIFIED, IMPORTANCE, TITLE, CREATED, SIZE = "modified", "importance", "title", "created", "size"
SORTS = {
    MODIFIED: "modified DESC, key",
    IMPORTANCE: "importance DESC, key",
    TITLE: "title COLLATE NOCASE, key",
    CREATED: "created DESC, key",
    SIZE: "size DESC, key",
}
"""{order: its SQL}"""
_PORTION = 500


class FolderCount(Value):
    """A folder and the number of notes in it and below it. path: relative to active/"""

    path: str
    notes: int


def keys(connection: sqlite3.Connection, folder: str, tags: Sequence[str], sort: str, first: int, limit: int) -> tuple[list[str], int]:
    """Return (keys of one page, number of notes on all pages).

    folder: only notes in it and below it; "" for all
    tags: only notes that have all of these, or tags below them
    sort: one of `SORTS`
    first: number of notes before the page
    """
    conditions, values = ["source = ''"], list[object]()
    if folder:
        conditions.append("key >= ? AND key < ?")
        values += [f"{folder}/", f"{folder}0"]
    for tag in tags:
        conditions.append("id IN (SELECT note FROM tags WHERE tag = ? OR (tag > ? AND tag < ?))")
        values += [tag, f"{tag}/", f"{tag}0"]
    where = " AND ".join(conditions)
    total = connection.execute(f"SELECT count(*) FROM notes WHERE {where}", values).fetchone()[0]
    found = connection.execute(f"SELECT key FROM notes WHERE {where} ORDER BY {SORTS[sort]} LIMIT ? OFFSET ?", (*values, limit, first))
    return [row[0] for row in found], int(total)


def newest(connection: sqlite3.Connection, limit: int) -> list[str]:
    """Return the keys of the notes that were modified last. Unlike `keys`, it counts none."""
    return [row[0] for row in connection.execute(f"SELECT key FROM notes WHERE source = '' ORDER BY {SORTS[MODIFIED]} LIMIT ?", (limit,))]


def folders(connection: sqlite3.Connection, above: str = "") -> list[FolderCount]:
    """Return the folders directly in a folder, by name. above: "" for those of active/"""
    prefix = f"{above}/" if above else ""
    rows = connection.execute("SELECT key FROM notes WHERE source = '' AND key >= ? AND key < ? || char(1114111)", (prefix, prefix))
    found = Counter(name for (key,) in rows for name, below, _ in [key[len(prefix) :].partition("/")] if below)
    return [FolderCount(prefix + name, found[name]) for name in sorted(found)]


def tags(connection: sqlite3.Connection, limit: int) -> list[str]:
    """Return the tags that most notes have, as written, the most frequent first."""
    return [row[0] for row in connection.execute("SELECT tag FROM tags GROUP BY tag ORDER BY count(*) DESC, tag LIMIT ?", (limit,))]


def titles(connection: sqlite3.Connection, wanted: Iterable[str]) -> dict[str, str]:
    """Return {key: title} of those of these notes that exist."""
    listed = list(wanted)
    found: dict[str, str] = {}
    for start in range(0, len(listed), _PORTION):
        part = listed[start : start + _PORTION]
        found.update(connection.execute(f"SELECT key, title FROM notes WHERE key IN ({','.join('?' * len(part))})", part))
    return found
