"""The list of archived notes in the index, so that a page of it and a search in it read no other sidecar.

A folder of the archive is read again only when its names changed. Sidecars never change, except when `purge` removes a text: then the index is built
again.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress

from memorybank.archive import files, store
from memorybank.errors import MemorybankError
from memorybank.index.working import Index
from memorybank.storage import database
from memorybank.storage.sqlite import sqlite3
from memorybank.text.words.similarity import folded


def bring_up_to_date(index: Index) -> None:
    """Read the sidecars that are new, and forget those that are gone. A cache that another process is writing stays as it is."""
    known = dict(index.connection.execute("SELECT path, mtime_ns FROM archive_folders"))
    present = files.months(index.layout)
    changed = {path: mtime for path, mtime in present.items() if known.get(path) != mtime}
    gone = known.keys() - present.keys()
    if not changed and not gone:
        return
    index.thaw()
    with suppress(sqlite3.OperationalError), database.transaction(index.connection):
        for path in sorted(gone):
            _forget(index.connection, path, ())
        for path, mtime in sorted(changed.items()):
            names = [f"{path}/{name}" for name in files.sidecars(index.layout, path)]
            stored = {row[0] for row in index.connection.execute("SELECT path FROM archive_list WHERE folder = ?", (path,))}
            _forget(index.connection, path, names)
            index.connection.executemany(
                "INSERT OR REPLACE INTO archive_list VALUES (?, ?, ?, ?)", [_row(index, path, name) for name in names if name not in stored]
            )
            index.connection.execute("INSERT OR REPLACE INTO archive_folders VALUES (?, ?)", (path, mtime if files.is_settled(mtime, index.clock.now()) else 0))


def paths(connection: sqlite3.Connection, words: Sequence[str], first: int, limit: int) -> tuple[list[str], int, int]:
    """Return (paths of the sidecars of one page, the latest first; number of archived notes with all the words; number of all).

    words: folded, as `text.words.similarity.folded` returns them
    """
    total = connection.execute("SELECT count(*) FROM archive_list").fetchone()[0]
    where = " AND ".join("instr(text, ?) > 0" for _ in words) or "1"
    found = connection.execute(f"SELECT count(*) FROM archive_list WHERE {where}", list(words)).fetchone()[0] if words else total
    rows = connection.execute(f"SELECT path FROM archive_list WHERE {where} ORDER BY name DESC LIMIT ? OFFSET ?", (*words, limit, first))
    return [row[0] for row in rows], int(found), int(total)


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
