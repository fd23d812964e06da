"""Near duplicates: finds, for each note, the older note that it nearly repeats.

The candidates of a note are, for each bin of its fingerprint, the oldest note that shares the bin (by creation date, then key).
A candidate that shares at least the fraction `SHARED_BINS` of the bins is compared in full. A change therefore affects only notes in
bins whose oldest note changed, was added or was removed.
"""

from __future__ import annotations

__light__ = True

from memorybank.config.settings import Settings
from memorybank.index import queries
from memorybank.index.changes import FoldChanges
from memorybank.storage import jsontext
from memorybank.storage.sqlite import sqlite3
from memorybank.text.words.similarity import similarity

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

SHARED_BINS = 0.6
"""Fraction of a note's bins that a candidate must share to be compared in full."""

_OLDEST = "(SELECT o.key FROM fingerprints o WHERE o.value = {value} ORDER BY o.created, o.key LIMIT 1)"
_TOUCH = f"INSERT OR IGNORE INTO touched_bins VALUES (?1, {_OLDEST.format(value='?1')})"
_KNOWN = "SELECT b.value FROM json_each(?) b WHERE EXISTS (SELECT 1 FROM fingerprints f WHERE f.value = b.value)"
_CREATED = "SELECT n.id, n.created FROM json_each(?) p CROSS JOIN notes n ON n.id = p.value"
_DELETE = "DELETE FROM fingerprints WHERE value = ? AND created = ? AND key = ? AND note = ?"

_CANDIDATES = f"""
    SELECT DISTINCT {_OLDEST.format(value="b.value")} AS candidate FROM note_entries e, json_each(e.bins) b
     WHERE e.id = ?1 AND b.key > 0 AND candidate <> ?2 ORDER BY candidate"""


def touch(connection: sqlite3.Connection, note: int) -> None:
    """Remember which note was the oldest in each of the bins of a note before this fold."""
    _prepare(connection)
    connection.executemany(_TOUCH, [(value,) for value in _bins(connection, note)[1:]])


def forget(connection: sqlite3.Connection, note: int, key: str) -> None:
    """Remove a note from its bins."""
    touch(connection, note)
    created, *values = _bins(connection, note)
    connection.executemany(_DELETE, [(value, created, key, note) for value in values])


def _bins(connection: sqlite3.Connection, note: int) -> list[int]:
    """Return the instant by which a note is ordered in its bins, and the bins."""
    found: list[int] = jsontext.decode(connection.execute("SELECT bins FROM note_entries WHERE id = ?", (note,)).fetchone()[0])
    return found


def settle(connection: sqlite3.Connection, settings: Settings, changes: FoldChanges, redated: set[str]) -> set[str]:
    """Put changed and redated notes into their bins, and compare every note that this can affect.

    redated: keys of notes whose dates changed.
    Returns the keys whose `duplicate_of` or `similarity` changed.
    """
    _prepare(connection)
    placed: list[tuple[int, str, Sequence[int]]] = [(content.id, content.key, content.fingerprint) for content in changes.contents]
    new = {content.id for content in changes.contents if content.is_new}
    fresh = {content.key for content in changes.contents}
    # The bins are ordered by creation date, so a redated note can become, or cease to be, the oldest of its bins.
    for key in sorted(redated - fresh):
        note = queries.id_of_indexed(connection, key)
        placed.append((note, key, _bins(connection, note)[1:]))
    # A new note that shares no bin with another, as nearly all, is the only one that its bins affect, and repeats none, as its row says.
    shared = _shared(connection, [values for _, _, values in placed]) if new else set()
    alone = {key for note, key, values in placed if note in new and shared.isdisjoint(values)}
    connection.executemany(_TOUCH, [(value,) for _, key, values in placed if key not in alone for value in values])
    connection.executemany("INSERT INTO moved VALUES (?)", [(key,) for _, key, _ in placed if key not in alone])
    gone: list[tuple[int, int, str, int]] = []
    added: list[tuple[int, int, str, int]] = []
    listed: list[tuple[str, int]] = []
    dates = dict(connection.execute(_CREATED, (f"[{','.join([str(note) for note, _, _ in placed])}]",)))
    for note, key, values in placed:
        created = dates[note]
        before = [0] if note in new else _bins(connection, note)
        if before == [created, *values]:
            continue
        wanted = [(value, created, key, note) for value in values]
        if len(before) > 1:
            # Each bin is on a page of its own, and an edit changes few of them.
            known = {(value, before[0], key, note) for value in before[1:]}
            gone += known.difference(wanted)
            wanted = [row for row in wanted if row not in known]
        added += wanted
        listed.append((f"[{','.join(map(str, (created, *values)))}]", note))
    connection.executemany(_DELETE, gone)
    connection.executemany("INSERT INTO fingerprints VALUES (?, ?, ?, ?)", added)
    connection.executemany("UPDATE note_entries SET bins = ? WHERE id = ?", listed)
    affected = fresh | redated | _reached(connection)
    threshold = settings.scoring.content_analysis.text_quality_metrics.uniqueness_score.similarity_threshold
    changed = {key for key in sorted(affected - alone) if _compare(connection, key, threshold, changes.revision)}
    connection.execute("DELETE FROM touched_bins")
    connection.execute("DELETE FROM moved")
    return changed


def _shared(connection: sqlite3.Connection, bins: Sequence[Sequence[int]]) -> set[int]:
    """Return those of the bins of some notes that several of them have, or a note that is stored already."""
    once: set[int] = set()
    twice: set[int] = set()
    for values in bins:
        twice.update(once.intersection(values))
        once.update(values)
    twice.update(row[0] for row in connection.execute(_KNOWN, (f"[{','.join(map(str, once - twice))}]",)))
    return twice


def _prepare(connection: sqlite3.Connection) -> None:
    connection.execute("CREATE TEMP TABLE IF NOT EXISTS touched_bins (value INTEGER PRIMARY KEY, oldest TEXT)")
    connection.execute("CREATE TEMP TABLE IF NOT EXISTS moved (key TEXT PRIMARY KEY) WITHOUT ROWID")


def _reached(connection: sqlite3.Connection) -> set[str]:
    """Return the keys in bins whose oldest note was replaced by another one, or itself changed."""
    # CROSS JOIN fixes the join order: first the few touched bins, then the notes in them. SQLite's planner would start from the bins of all notes.
    rows = connection.execute(
        f"""SELECT DISTINCT f.key FROM (SELECT t.value, t.oldest AS before, {_OLDEST.format(value="t.value")} AS now FROM touched_bins t) b
             CROSS JOIN fingerprints f ON f.value = b.value
             WHERE b.now IS NOT b.before OR b.now IN (SELECT key FROM moved)"""
    )
    return {row[0] for row in rows}


def _compare(connection: sqlite3.Connection, key: str, threshold: float, revision: int) -> bool:
    """Find the older note that `key` repeats and store it; return whether the result changed."""
    row = connection.execute("SELECT id, duplicate_of, similarity FROM notes WHERE key = ?", (key,)).fetchone()
    if row is None:
        return False
    note, *known = row
    found = _nearest(connection, note, key, threshold)
    if tuple(known) == found:
        return False
    connection.execute("UPDATE notes SET duplicate_of = ?, similarity = ?, revision = ? WHERE id = ?", (*found, revision, note))
    return True


def _nearest(connection: sqlite3.Connection, note: int, key: str, threshold: float) -> tuple[str | None, float]:
    """Return (key, similarity) of the most similar older candidate, or (None, 0.0)."""
    candidates = connection.execute(_CANDIDATES, (note, key)).fetchall()
    best: tuple[str | None, float] = (None, 0.0)
    for (candidate,) in candidates:
        other = queries.id_of_indexed(connection, candidate)
        # Cheap filter: one shared bin may be chance, and a full comparison reads both bodies.
        if not _share_enough(connection, note, other):
            continue
        measured = similarity(_body(connection, note), _body(connection, other))
        if measured >= threshold and measured > best[1]:
            best = (candidate, measured)
    return best


def _share_enough(connection: sqlite3.Connection, note: int, other: int) -> bool:
    bins = set(_bins(connection, note)[1:])
    return len(bins.intersection(_bins(connection, other)[1:])) >= SHARED_BINS * len(bins)


def _body(connection: sqlite3.Connection, note: int) -> str:
    body_at, text = connection.execute("SELECT body_at, text FROM folded WHERE id = ?", (note,)).fetchone()
    return str(text[body_at:])
