"""The list of archived notes in the index, so that a page of it and a search in it read no other sidecar.

A folder of the archive is read again only when its names changed. Sidecars never change, except when `purge` removes a text: then the index is built
again.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from contextlib import suppress

from memorybank.archive import store
from memorybank.archive.object import BY_DATE, SIDECAR
from memorybank.clock import storable
from memorybank.errors import MemorybankError
from memorybank.index.working import Index
from memorybank.storage import beneath, database, disk
from memorybank.storage.sqlite import sqlite3
from memorybank.text.similarity import folded

_RECENT_NS = 2_000_000_000
"""A folder that changed within this time before it was read may change again without a new mtime."""


def bring_up_to_date(index: Index) -> None:
    """Read the sidecars that are new, and forget those that are gone. A cache that another process is writing stays as it is."""
    known = dict(index.connection.execute("SELECT path, mtime_ns FROM archive_folders"))
    changed = {path: mtime for path, mtime in _folders(index).items() if known.get(path) != mtime}
    gone = known.keys() - _folders(index).keys()
    if not changed and not gone:
        return
    index.thaw()
    now = index.clock.now() * 1_000_000
    with suppress(sqlite3.OperationalError), database.transaction(index.connection):
        for path in sorted(gone):
            _forget(index.connection, path, ())
        for path, mtime in sorted(changed.items()):
            names = _sidecars(index, path)
            stored = {row[0] for row in index.connection.execute("SELECT path FROM archive_list WHERE folder = ?", (path,))}
            _forget(index.connection, path, names)
            index.connection.executemany(
                "INSERT OR REPLACE INTO archive_list VALUES (?, ?, ?, ?)", [_row(index, path, name) for name in names if name not in stored]
            )
            index.connection.execute("INSERT OR REPLACE INTO archive_folders VALUES (?, ?)", (path, mtime if now - mtime > _RECENT_NS else 0))


def paths(connection: sqlite3.Connection, words: Sequence[str], first: int, limit: int) -> tuple[list[str], int, int]:
    """Return (paths of the sidecars of one page, the latest first; number of archived notes with all the words; number of all).

    words: folded, as `text.similarity.folded` returns them
    """
    total = connection.execute("SELECT count(*) FROM archive_list").fetchone()[0]
    where = " AND ".join("instr(text, ?) > 0" for _ in words) or "1"
    found = connection.execute(f"SELECT count(*) FROM archive_list WHERE {where}", list(words)).fetchone()[0] if words else total
    rows = connection.execute(f"SELECT path FROM archive_list WHERE {where} ORDER BY name DESC LIMIT ? OFFSET ?", (*words, limit, first))
    return [row[0] for row in rows], int(found), int(total)


def _folders(index: Index) -> dict[str, int]:
    """Return {folder of a month, relative to the bank: mtime in ns}."""
    found = {}
    for year in _names(index, BY_DATE):
        for month in _names(index, f"{BY_DATE}/{year}"):
            path = f"{BY_DATE}/{year}/{month}"
            with suppress(FileNotFoundError):
                found[path] = storable(os.lstat(store.absolute(index.layout, path)).st_mtime_ns)
    return found


def _names(index: Index, folder: str) -> list[str]:
    try:
        with beneath.scandir(store.absolute(index.layout, folder)) as entries:
            return [entry.name for entry in entries if entry.is_dir(follow_symlinks=False)]
    except FileNotFoundError:
        return []
    except OSError as error:
        raise disk.from_os_error(error, folder) from error


def _sidecars(index: Index, folder: str) -> list[str]:
    try:
        with beneath.scandir(store.absolute(index.layout, folder)) as entries:
            return [f"{folder}/{entry.name}" for entry in entries if entry.name.endswith(SIDECAR) and not entry.name.startswith(disk.TEMP_PREFIX)]
    except FileNotFoundError:
        return []


def _row(index: Index, folder: str, path: str) -> tuple[str, str, str, str]:
    """Return the row of a sidecar. One that cannot be trusted is found by its name."""
    name = path.rpartition("/")[2]
    try:
        described = store.read_sidecar(index.layout, path)
    except MemorybankError:
        return path, folder, name, folded(name)
    return path, folder, name, folded(f"{described.original_path} {described.title} {described.gist}")


def _forget(connection: sqlite3.Connection, folder: str, kept: Sequence[str]) -> None:
    """Delete the rows of a folder except those of `kept`, and without any the folder itself."""
    stored = [row[0] for row in connection.execute("SELECT path FROM archive_list WHERE folder = ?", (folder,))]
    connection.executemany("DELETE FROM archive_list WHERE path = ?", [(path,) for path in set(stored) - set(kept)])
    if not kept:
        connection.execute("DELETE FROM archive_folders WHERE path = ?", (folder,))
