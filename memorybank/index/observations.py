"""The access log folded into the cache (sightings of content, reads, removals), and the entries that a fold appends to that log.

A sighting is one pair (key, digest). A known digest of a key is recorded again only when the note came back after a removal, and a
removal only when the file of an indexed note disappeared. So a deleted cache adds no lines, and worktrees that share one log add at
most one line for a note that only one of them has.
"""

from __future__ import annotations

__light__ = True

from memorybank.clock import Clock
from memorybank.index import meta, staleness
from memorybank.log import access, lines
from memorybank.log.access import AccessLine
from memorybank.storage import jsontext
from memorybank.storage.layout import Layout
from memorybank.storage.sqlite import sqlite3
from memorybank.values import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping


_SEEN = "SELECT s.key, s.digest FROM json_each(?) k CROSS JOIN sightings s ON s.key = k.value"


class LoggedChanges(Value):
    """Keys with new entries in the access log. The set grows while the fold reads.

    newest: instant (ms) of the latest entry folded before this fold, or None.
    """

    newest: int | None
    keys: set[str]


def catch_up(connection: sqlite3.Connection, layout: Layout) -> LoggedChanges:
    """Fold the lines appended to the log since the last fold.

    If the log became shorter or its first line differs from the remembered one, it is another log: its rows are deleted and it is folded
    from the beginning.
    """
    path = access.path(layout)
    touched = LoggedChanges(meta.integer(connection, "access_newest"), set())
    offset = _remembered_offset(connection)
    size = lines.size(path)
    identity = staleness.first_line(path)
    if size < offset or (offset and identity != meta.text(connection, "access_identity")):
        touched.keys.update(_forget(connection))
        offset = 0
    if size > offset:
        end = offset
        is_any = connection.execute("SELECT 1 FROM notes LIMIT 1").fetchone() is not None

        def entries() -> Iterator[AccessLine]:
            nonlocal end
            for after, entry in access.read(layout, offset):
                yield entry
                end = after
                if not is_any:  # without a row there is nothing to bring up to date, and an index that is built again reads the lines of all notes
                    touched.keys.clear()

        store(connection, entries(), touched)
        meta.write(connection, "access_offset", max(end, size) if lines.is_closed(path) else end)
        meta.write(connection, "access_identity", identity)
    return touched


def store(connection: sqlite3.Connection, entries: Iterable[AccessLine], touched: LoggedChanges) -> None:
    """Fold entries into the tables, as if they had just been read from the log. `touched` is updated in place."""
    earliest = started(connection)
    newest = meta.integer(connection, "access_newest") or 0
    for entry in entries:
        touched.keys.add(entry.key)
        if entry.digest is not None and entry.kind in ("seen", "edit", "rating", access.REWRITTEN):
            connection.execute("INSERT OR IGNORE INTO sightings VALUES (?, ?, ?, ?, ?)", (entry.key, entry.digest, entry.kind, entry.at, entry.date))
            connection.execute("DELETE FROM removals WHERE key = ?", (entry.key,))
        elif entry.new_key is not None:
            touched.keys.add(entry.new_key)
            _rename(connection, entry.key, entry.new_key)
        elif entry.kind == "removed":
            connection.execute("INSERT OR REPLACE INTO removals VALUES (?, ?)", (entry.key, entry.at))
        elif entry.kind not in (access.SHOWN, access.HELPED) or not _is_counted(connection, entry):
            connection.execute("INSERT INTO reads (key, kind, at, minutes) VALUES (?, ?, ?, ?)", (entry.key, entry.kind, entry.at, entry.minutes))
        earliest = entry.at if earliest is None else min(earliest, entry.at)
        newest = max(newest, entry.at)
    meta.write(connection, "access_started", earliest)
    meta.write(connection, "access_newest", newest)


def _rename(connection: sqlite3.Connection, old: str, new: str) -> None:
    """Transfer the observations about a note to its new key. Running it twice has the same effect as once."""
    connection.execute("UPDATE reads SET key = ? WHERE key = ?", (new, old))
    connection.execute("UPDATE OR IGNORE sightings SET key = ? WHERE key = ?", (new, old))
    connection.execute("DELETE FROM sightings WHERE key = ?", (old,))
    connection.execute("DELETE FROM removals WHERE key = ?", (new,))


def append(connection: sqlite3.Connection, layout: Layout, entries: list[AccessLine], clock: Clock) -> None:
    """Append a fold's entries to the log, and remember that they are folded already.

    Lines that other processes appended between `catch_up` and this call are left for the next fold.
    """
    if not entries:
        return
    path = access.path(layout)
    before = _remembered_offset(connection)
    begins = access.append(layout, entries, clock)
    # Otherwise another process appended lines before ours; advancing the offset would skip them.
    if begins == before:
        meta.write(connection, "access_offset", lines.size(path))
        meta.write(connection, "access_identity", staleness.first_line(path))


def new_sightings(connection: sqlite3.Connection, contents: Mapping[str, tuple[str, int]], now: int) -> list[AccessLine]:
    """Return the `seen` and `edit` entries for the current contents of notes.

    contents: {key: (digest, date of that content in ms)}.
    now: instant (ms) of the entries.
    """
    entries = []
    keys = sorted(contents)
    seen: dict[str, set[str]] = {}
    for key, digest in connection.execute(_SEEN, (jsontext.encode(keys),)):
        seen.setdefault(key, set()).add(digest)
    removed = _removed(connection)
    for key in keys:
        digest, date = contents[key]
        known = () if key in removed else seen.get(key, ())
        if digest not in known:
            entries.append(AccessLine("edit" if known else "seen", key, now, digest, date))
    return entries


def new_removals(connection: sqlite3.Connection, gone: Collection[str], now: int) -> list[AccessLine]:
    """`removed` entries for those of the keys that the log still regards as present."""
    removed = _removed(connection)
    return [AccessLine("removed", key, now) for key in sorted(gone) if key not in removed]


def _removed(connection: sqlite3.Connection) -> set[str]:
    """Return the keys of the notes that were removed and did not come back."""
    return {row[0] for row in connection.execute("SELECT key FROM removals")}


def started(connection: sqlite3.Connection) -> int | None:
    """Return the instant (ms) of the log's earliest entry; None without a log."""
    return meta.integer(connection, "access_started")


def first_use(connection: sqlite3.Connection) -> int | None:
    """Return the instant (ms) at which this machine first indexed a note of the bank; None when the log does not say."""
    row = connection.execute("SELECT min(at) FROM sightings").fetchone()
    return None if row[0] is None else int(row[0])


def _is_counted(connection: sqlite3.Connection, entry: AccessLine) -> bool:
    """Return whether this recall is counted already: finishing a session again can repeat its line."""
    same = (entry.key, entry.at, entry.kind)
    return connection.execute("SELECT 1 FROM reads WHERE key = ? AND at = ? AND kind = ?", same).fetchone() is not None


def _forget(connection: sqlite3.Connection) -> set[str]:
    """Delete everything folded from the log; returns the keys that had entries."""
    keys = {row[0] for row in connection.execute("SELECT key FROM sightings UNION SELECT key FROM reads")}
    for table in ("sightings", "reads", "removals"):
        connection.execute(f"DELETE FROM {table}")
    connection.execute("DELETE FROM meta WHERE name IN ('access_started', 'access_newest', 'access_offset', 'access_identity')")
    return keys


def _remembered_offset(connection: sqlite3.Connection) -> int:
    return meta.integer(connection, "access_offset") or 0
