"""The dates of each note's row, computed from front matter, sightings and git."""

from __future__ import annotations

__light__ = True

from memorybank.index import meta, recorded, staleness
from memorybank.index.changes import ChangedNote, FoldChanges
from memorybank.index.observations import LoggedChanges
from memorybank.index.working import Index
from memorybank.notes import dates
from memorybank.notes.dates import CommittedDates, ObservedEdits
from memorybank.notes.note import FrontMatter
from memorybank.storage import jsontext
from memorybank.storage.layout import IN_REPOSITORY
from memorybank.storage.sqlite import sqlite3

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any, TypeAlias

    from memorybank.notes.git_dates import GitDates

_GitRow: TypeAlias = tuple[int | None, int | None, int, str | None, int | None]
"""(created, modified, commits, blob, latest) of `GitDates`."""


_COMMITTED = "SELECT g.key, g.blob, g.modified FROM json_each(?) k CROSS JOIN git_dates g ON g.key = k.value"


def catch_up(index: Index) -> set[str]:
    """Read git's dates if HEAD moved, and `dates.jsonl` if it changed; returns the keys whose committed dates changed.

    Raises `LockTimeout` when git takes longer than `index.git_seconds`.
    """
    return recorded.catch_up(index.connection, index.layout) | _catch_up_with_git(index)


def _catch_up_with_git(index: Index) -> set[str]:
    connection, layout = index.connection, index.layout
    state = staleness.history_state(index)
    if state == (meta.text(connection, "git_head") or ""):
        return set()
    meta.write(connection, "git_head", state)
    from memorybank.notes import git_dates  # late, as below: HEAD seldom moves between two ends of turns, and notes outside git have no dates there

    history = git_dates.history(layout.repository, layout.active, index.git_seconds) if state and layout.repository else None
    meta.write(connection, "git_failed", "failed" if state and history is None else None)
    if state and history is None:
        return set()  # what was known stays right for the notes whose blob did not change
    fresh = {key: _row(entry) for key, entry in (history or {}).items()}
    fresh.update(_of_sources(index) if state else {})
    known = {row[0]: row[1:] for row in connection.execute("SELECT key, created, modified, commits, blob, latest FROM git_dates")}
    changed = {key for key in known.keys() | fresh.keys() if known.get(key) != fresh.get(key)}
    connection.executemany("DELETE FROM git_dates WHERE key = ?", [(key,) for key in changed])
    connection.executemany("INSERT INTO git_dates VALUES (?, ?, ?, ?, ?, ?)", [(key, *fresh[key]) for key in changed if key in fresh])
    return changed


def _of_sources(index: Index) -> dict[str, _GitRow]:
    """Return {key: git's dates} of the files of sources in the repository."""
    from memorybank.notes import git_dates

    found: dict[str, _GitRow] = {}
    for source in index.sources.sources:
        history = git_dates.history(index.layout.repository, source.root, index.git_seconds) if index.layout.repository and not source.is_private else None
        for path, entry in (history or {}).items():
            # The history of a single file has its path in the repository; that of a folder, paths below the folder.
            key = source.key if IN_REPOSITORY + path == source.key else f"{source.key}/{path}"
            found.setdefault(key, _row(entry))
    return found


def _row(entry: GitDates) -> _GitRow:
    return entry.created, entry.modified, entry.commits, entry.blob, entry.latest


def dates_of_contents(connection: sqlite3.Connection, changes: FoldChanges) -> dict[str, tuple[str, int]]:
    """Return {key: (digest, the date in ms to record)} of contents that a fold found: git's date if HEAD holds exactly this content, the date of the
    note that was moved to this key, otherwise the file's mtime.
    """
    gone = {row[0] for row in connection.execute("SELECT key FROM removals")}.union(changes.removed)
    found = {}
    keys = jsontext.encode([content.key for content in changes.contents])
    in_git = {row[:2]: row[2] for row in connection.execute(_COMMITTED, (keys,))}
    for content in sorted(changes.contents, key=lambda content: content.key):
        date = in_git.get((content.key, content.blob))
        if date is None and gone:
            date = _date_of_moved(connection, content, gone)
        found[content.key] = (content.digest, content.mtime_ns // 1_000_000 if date is None else int(date))
    return found


def date_of_content(connection: sqlite3.Connection, key: str, digest: str) -> int | None:
    """Return the date (ms) that this machine recorded for a content under a key; None when it saw none."""
    row = connection.execute("SELECT date FROM sightings WHERE key = ? AND digest = ?", (key, digest)).fetchone()
    return row[0] if row is not None else None


def _date_of_moved(connection: sqlite3.Connection, content: ChangedNote, gone: set[str]) -> int | None:
    """Return the date of the removed note that is back under a new key, and take its key from `gone`. Of several, one with the same file name."""
    if connection.execute("SELECT 1 FROM sightings WHERE key = ?", (content.key,)).fetchone() is not None:
        return None
    same = connection.execute("SELECT key, date FROM sightings WHERE digest = ? AND date IS NOT NULL ORDER BY key", (content.digest,))
    candidates = [(key, date) for key, date in same if key in gone]
    if not candidates:
        return None
    name = content.key.rpartition("/")[2]
    key, date = next((one for one in candidates if one[0].rpartition("/")[2] == name), candidates[0])
    gone.remove(key)
    return int(date)


def settle(index: Index, changes: FoldChanges, touched: LoggedChanges) -> set[str]:
    """Compute the dates of every note with new evidence; returns the keys whose dates or number of edits changed."""
    connection = index.connection
    keys = changes.keys() | touched.keys | _keys_of_moved_time(index, touched.newest)
    changed: dict[str, tuple[object, ...]] = {}
    for key, note, *row in connection.execute(_FACTS, {"keys": jsontext.encode(sorted(keys)), "now": index.now}):
        found = _dates(row)
        if found != tuple(row[:4]):
            changed[key] = (*found, changes.revision, note)
    connection.executemany("UPDATE notes SET created = ?, modified = ?, date_source = ?, edits = ?, revision = ? WHERE id = ?", changed.values())
    return {*changed}


_FACTS = """
SELECT n.key, n.id, n.created, n.modified, n.date_source, n.edits, n.front_created, n.front_updated, n.mtime_ns, n.blob,
       (SELECT count(*) FROM sightings WHERE key = n.key AND kind = 'edit' AND at <= :now),
       (SELECT max(coalesce(date, at)) FROM sightings WHERE key = n.key AND kind = 'edit' AND at <= :now),
       (SELECT min(coalesce(date, at)) FROM sightings WHERE key = n.key AND at <= :now),
       (SELECT date FROM sightings WHERE key = n.key AND digest = n.digest AND at <= :now),
       (SELECT min(created) FROM committed_dates WHERE key = n.key),
       c.modified,
       CASE WHEN c.key IS NULL THEN (SELECT max(edits) FROM committed_dates WHERE key = n.key) ELSE c.edits END,
       g.key, g.created, g.modified, g.commits, g.blob, g.latest
  FROM json_each(:keys) k CROSS JOIN notes n ON n.key = k.value
  LEFT JOIN git_dates g ON g.key = n.key LEFT JOIN committed_dates c ON c.key = n.key AND c.digest = substr(n.digest, 1, 16)
"""


def _dates(row: Sequence[Any]) -> tuple[int, int, str, int | None]:
    """Return (created, modified, source, edits) of a row of `_FACTS` without its key and id."""
    front_created, front_updated, mtime_ns, blob, edits, last_edit, first_seen, observed_at, created, modified, recorded_edits, in_git, *history = row[4:]
    front, committed = FrontMatter(created=front_created, updated=front_updated), CommittedDates(created, modified, recorded_edits)
    observed = ObservedEdits(edits, last_edit, observed_at, first_seen)
    of_git = None
    if in_git is not None:
        from memorybank.notes import git_dates

        of_git = git_dates.GitDates(*history)
    found = dates.dates(front, observed, of_git, mtime_ns // 1_000_000, blob, committed)
    return found.created, found.modified, found.source, dates.edits(observed, of_git, committed)


def _keys_of_moved_time(index: Index, newest: int | None) -> set[str]:
    """Return the keys with log entries between the `now` of the last fold and the current one, since entries count only up to `now`.

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
