"""`dates.jsonl` in the cache: the committed dates of notes, read when the file changed, and the lines that a change of notes writes to it."""

from __future__ import annotations

__light__ = True

from memorybank import git
from memorybank.index import meta, queries
from memorybank.notes import date_record
from memorybank.notes.date_record import SHALLOW, RecordedNote
from memorybank.storage.layout import Layout
from memorybank.storage.sqlite import sqlite3

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from memorybank.index.working import Index

_STATE = "dates_state"


def is_behind(connection: sqlite3.Connection, layout: Layout) -> bool:
    """Return whether the file changed since it was read."""
    return date_record.state(layout) != (meta.text(connection, _STATE) or "")


def catch_up(connection: sqlite3.Connection, layout: Layout) -> set[str]:
    """Read the file if it changed; returns the keys whose committed dates changed."""
    # Before the lines are read: a change in between is read again by the next fold.
    state = date_record.state(layout)
    if state == (meta.text(connection, _STATE) or ""):
        return set()
    fresh: dict[tuple[str, str], tuple[int, int, int | None]] = {}
    for note in date_record.read(layout).notes:
        before = fresh.get((note.key, note.digest))
        # Two branches can have dated the same version. Its first date is when it was written.
        fresh[note.key, note.digest] = min(filter(None, (before, (note.created, note.modified, note.edits))), key=lambda dates: dates[1])
    known = {row[:2]: row[2:] for row in connection.execute("SELECT key, digest, created, modified, edits FROM committed_dates")}
    changed = [version for version in known.keys() | fresh.keys() if known.get(version) != fresh.get(version)]
    connection.executemany("DELETE FROM committed_dates WHERE key = ? AND digest = ?", changed)
    connection.executemany("INSERT INTO committed_dates VALUES (?, ?, ?, ?, ?)", [(*version, *fresh[version]) for version in changed if version in fresh])
    meta.write(connection, _STATE, state)
    return {key for key, _ in changed}


def lines(index: Index) -> list[RecordedNote] | None:
    """Return the lines about all notes of an index that is up to date, or None when this clone cannot know the dates of committed notes.

    Notes that git ignores are left out, because the file is committed, and so are those of which a shallow clone hides the date.
    """
    is_recorded = recordable(index.layout, index.layout.active)
    if is_recorded is None or meta.text(index.connection, "git_failed"):
        return None
    rows = (row for row in queries.dates(index.connection) if row.source != SHALLOW and is_recorded(row.key))
    return [RecordedNote.of(row.key, row.digest, row.created, row.modified, row.edits) for row in rows]


def recordable(layout: Layout, folder: str) -> Callable[[str], bool] | None:
    """Return a function that tells whether git would track a path, relative to `folder` (absolute); None when git cannot answer."""
    if not layout.repository:
        return lambda path: True
    shown = git.committable(layout.repository, folder)
    if shown is not None:
        return shown.__contains__
    # A folder .git that git itself does not take for a repository ignores nothing.
    return (lambda path: True) if git.head(layout.repository) is None else None
