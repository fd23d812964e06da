"""The dates of each note's row, computed from front matter, sightings and git."""

from typing import Any

from memorybank import git
from memorybank.index import meta, staleness
from memorybank.index.changes import ChangedNote, FoldChanges
from memorybank.index.observations import LoggedChanges
from memorybank.index.working import Index
from memorybank.notes import dates
from memorybank.notes.dates import ObservedEdits
from memorybank.notes.note import FrontMatter
from memorybank.storage.layout import Layout
from memorybank.storage.sqlite import sqlite3


def catch_up(connection: sqlite3.Connection, layout: Layout, seconds: float | None = None) -> set[str]:
    """Read git's dates if HEAD moved; returns the keys whose dates in git changed.

    seconds: time limit for git. Raises `LockTimeout` when it takes longer; None means that a slow git counts as one without dates.
    """
    head = staleness.head_of(layout)
    if head == (meta.text(connection, "git_head") or ""):
        return set()
    meta.write(connection, "git_head", head)
    history = git.history(layout.repository, layout.active, seconds) if head and layout.repository else None
    fresh = {key: (entry.created, entry.modified, entry.commits, entry.blob) for key, entry in (history or {}).items()}
    known = {key: (created, modified, commits, blob) for key, created, modified, commits, blob in connection.execute("SELECT * FROM git_dates")}
    changed = {key for key in known.keys() | fresh.keys() if known.get(key) != fresh.get(key)}
    connection.executemany("DELETE FROM git_dates WHERE key = ?", [(key,) for key in changed])
    connection.executemany("INSERT INTO git_dates VALUES (?, ?, ?, ?, ?)", [(key, *fresh[key]) for key in changed if key in fresh])
    return changed


def date_of_content(connection: sqlite3.Connection, content: ChangedNote) -> int:
    """The date (ms) to record when a content is first seen: git's date if HEAD holds exactly this content, otherwise the file's mtime."""
    row = connection.execute("SELECT modified FROM git_dates WHERE key = ? AND blob = ?", (content.key, content.blob)).fetchone()
    return int(row[0]) if row and row[0] is not None else content.mtime_ns // 1_000_000


def settle(index: Index, changes: FoldChanges, touched: LoggedChanges) -> set[str]:
    """Compute the dates of every note with new evidence; returns the keys whose dates or number of edits changed."""
    connection = index.connection
    keys = changes.keys() | touched.keys | _keys_of(connection, touched.digests) | _keys_of_moved_time(index, touched.newest)
    changed = set()
    for key in sorted(keys):
        row = connection.execute(_FACTS, {"key": key, "now": index.now}).fetchone()
        if row is None:
            continue
        found = _dates(row)
        if found != row[:4]:
            connection.execute(
                "UPDATE notes SET created = ?, modified = ?, date_source = ?, edits = ?, revision = ? WHERE key = ?", (*found, changes.revision, key)
            )
            changed.add(key)
    return changed


_FACTS = """
SELECT n.created, n.modified, n.date_source, n.edits, n.front_created, n.front_updated, n.mtime_ns, n.blob,
       (SELECT count(*) FROM sightings WHERE key = :key AND kind = 'edit' AND at <= :now),
       (SELECT max(coalesce(date, at)) FROM sightings WHERE key = :key AND kind = 'edit' AND at <= :now),
       (SELECT min(coalesce(date, at)) FROM sightings WHERE key = :key AND at <= :now),
       (SELECT date FROM sightings WHERE digest = n.digest AND at <= :now AND date IS NOT NULL ORDER BY at, date LIMIT 1),
       g.key, g.created, g.modified, g.commits, g.blob
  FROM notes n LEFT JOIN git_dates g ON g.key = n.key WHERE n.key = :key
"""


def _dates(row: tuple[Any, ...]) -> tuple[int, int, str, int | None]:
    """(created, modified, source, edits) of a row of `_FACTS`."""
    front_created, front_updated, mtime_ns, blob, edits, last_edit, first_seen, recorded, in_git, *history = row[4:]
    observed = ObservedEdits(edits, last_edit, recorded, first_seen)
    committed = git.GitDates(*history) if in_git is not None else None
    found = dates.dates(FrontMatter(created=front_created, updated=front_updated), observed, committed, mtime_ns // 1_000_000, blob)
    return found.created, found.modified, found.source, dates.edits(observed, committed)


def _keys_of(connection: sqlite3.Connection, digests: set[str]) -> set[str]:
    """Keys of the notes that have one of these contents: a renamed note keeps its date."""
    return {row[0] for digest in digests for row in connection.execute("SELECT key FROM notes WHERE digest = ?", (digest,))}


def _keys_of_moved_time(index: Index, newest: int | None) -> set[str]:
    """Keys with log entries between the `now` of the last fold and the current one, since entries count only up to `now`.

    newest: instant (ms) of the latest entry folded before this fold. The keys of this fold's own entries are known to the caller.
    """
    connection = index.connection
    before = meta.integer(connection, "folded_at")
    meta.write(connection, "folded_at", index.now)
    # Every older entry counted in both folds: nothing to do, which is the usual case.
    if before is None or newest is None or min(before, index.now) >= newest:
        return set()
    between = (min(before, index.now), max(before, index.now))
    return {row[0] for row in connection.execute("SELECT key FROM sightings WHERE at > ? AND at <= ?", between)}
