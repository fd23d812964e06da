"""Scores of rows: collects the evidence of the notes that need a new score, computes it, and stores it.

A note whose evidence did not change and whose score is not due is skipped.
"""

from __future__ import annotations

__light__ = True


from memorybank.clock import DAY
from memorybank.index import meta, observations
from memorybank.index.claim_evidence import evidence_of_claims, outdated_since
from memorybank.index.working import Index
from memorybank.scoring.claimed import NOTHING_CLAIMED, ClaimEvidence
from memorybank.scoring.horizon import TREND_DAYS, next_change_at
from memorybank.scoring.importance import ScoreBreakdown, score
from memorybank.scoring.parts import ScoreEvidence, is_known
from memorybank.storage.sqlite import sqlite3

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Sequence
    from typing import Any

TREND = TREND_DAYS * DAY
_BATCH = 2_000

_EVIDENCE = """
SELECT n.id, n.characters, n.has_headings, n.has_lists, n.has_code, n.has_links, n.keyword_hits, n.duplicate_of, n.similarity, n.created, n.modified,
       n.edits, n.internal, n.external, n.backlinks, n.rating, n.bookmarked, n.date_source, n.front_updated,
       coalesce(r.views, 0), coalesce(r.shares, 0), coalesce(r.minutes, 0.0), coalesce(e.recent, 0), coalesce(e.total, 0), e.newest,
       coalesce(r.shown, 0), n.sentences, n.statements, n.specifics, n.kind
  FROM stale s CROSS JOIN notes n ON n.id = s.id
  LEFT JOIN (SELECT key, sum(kind IN ('view', 'helped')) views, sum(kind = 'share') shares, sum(CASE kind WHEN 'dwell' THEN minutes ELSE 0.0 END) minutes,
                    count(DISTINCT CASE kind WHEN 'shown' THEN at / 86400000 END) shown
               FROM reads WHERE at > :since AND at <= :now AND key IN (SELECT key FROM stale) GROUP BY key) r ON r.key = n.key
  LEFT JOIN (SELECT key, sum(at > :since) recent, count(*) total, max(coalesce(date, at)) newest
               FROM sightings WHERE kind = 'edit' AND at <= :now AND key IN (SELECT key FROM stale) GROUP BY key) e ON e.key = n.key
 ORDER BY s.id
"""
"""CROSS JOIN fixes the join order: from the few stale notes to their rows. SQLite's planner would scan the rows of all notes."""


def settle(index: Index, stale: Collection[str], revision: int) -> int:
    """Score the given notes and those whose score changes through the passage of time alone.

    stale: keys of notes with new evidence.
    Returns the number of notes scored.
    """
    connection = index.connection
    notes = _due(index, stale)
    for begin in range(0, len(notes), _BATCH):
        _choose(connection, notes[begin : begin + _BATCH])
        uses, outdated = _uses(index), outdated_since(connection)
        before = dict(evidence_at(index, index.now - TREND))
        scored = (
            _row(index, note, evidence, before[note], uses.get(note, ()), outdated.get(note, ()), revision) for note, evidence in evidence_at(index, index.now)
        )
        connection.executemany(_UPDATE, list(scored))
    meta.write(connection, "scored_at", index.now)
    return len(notes)


def evidence_of(index: Index, key: str) -> ScoreEvidence:
    """Return everything that the score of one indexed note depends on at the index's `now`."""
    _choose(index.connection, [row[0] for row in index.connection.execute("SELECT id FROM notes WHERE key = ?", (key,))])
    return next(iter(evidence_at(index, index.now)))[1]


def scores_at(index: Index, keys: Iterable[str], until: int) -> dict[str, ScoreBreakdown]:
    """Return {key: score at `until` if only time passes} of those of these notes whose score that changes. No row is changed.

    until: an instant (ms) later than the index's `now`.
    """
    _choose(index.connection, ())
    index.connection.executemany("INSERT INTO stale SELECT id, key FROM notes WHERE key = ? AND next_change_at <= ?", ((key, until) for key in keys))
    chosen = dict(index.connection.execute("SELECT id, key FROM stale"))
    return {chosen[note]: score(evidence, index.settings.scoring, until) for note, evidence in evidence_at(index, until)}


def scored_at(connection: sqlite3.Connection) -> int:
    """Return the instant (ms) for which the rows were scored; 0 if that is unknown."""
    return meta.integer(connection, "scored_at") or 0


def can_rise(index: Index, until: int) -> bool:
    """Return whether the passage of time alone can raise a score before `until`: when the access log begins to cover the window, or
    by a setting that lowers the score of a note on the day of an edit."""
    settings, began = index.settings.scoring, observations.started(index.connection)
    begins_to_count = not settings.calibration.enabled and is_known(began, until, settings) and not is_known(began, index.now, settings)
    return begins_to_count or settings.temporal_analysis.modification_tracking.recent_edit_boost < 1


def evidence_at(index: Index, now: int) -> Iterator[tuple[int, ScoreEvidence]]:
    """Yield (note id, evidence) of every note in the `stale` table, counting log entries up to `now` only."""
    settings = index.settings.scoring
    window = settings.window_days * DAY
    known = is_known(observations.started(index.connection), now, settings)
    cut = now < index.now
    claims = evidence_of_claims(index.connection, now)
    for row in index.connection.execute(_EVIDENCE, {"now": now, "since": now - window}):
        yield row[0], _evidence(row, known, claims.get(row[0], NOTHING_CLAIMED), cut=cut)


def _evidence(row: tuple[Any, ...], known: bool, claims: ClaimEvidence, *, cut: bool) -> ScoreEvidence:
    (_, characters, headings, lists, code, links, hits, duplicate_of, similarity, created, modified, edits, internal, external, backlinks, rating, bookmarked,
     source, front_updated, views, shares, minutes, recent, total, newest, shown, sentences, statements, specifics, kind) = row  # fmt: skip
    if cut and source == "edit":
        # Before its last edit a note was as old as the evidence of that time says; without older evidence its present date is used.
        earlier = [date for date in (front_updated, newest) if date is not None]
        modified = max(earlier) if earlier else modified
        edits = total or None
    return ScoreEvidence(
        characters, bool(headings), bool(lists), bool(code), bool(links), hits, duplicate_of, similarity, created, modified, edits,
        views, recent, shares, minutes, known, internal, external, backlinks, rating, bool(bookmarked), shown, sentences, statements, specifics, kind, claims,
    )  # fmt: skip


def _row(
    index: Index, note: int, evidence: ScoreEvidence, before: ScoreEvidence, uses: Sequence[int], outdated: Sequence[int], revision: int
) -> tuple[object, ...]:
    settings = index.settings.scoring
    found = score(evidence, settings, index.now)
    earlier = score(before, settings, index.now - TREND).total
    change = next_change_at({evidence.modified, before.modified}, uses, observations.started(index.connection), index.settings, index.now, outdated)
    return (
        found.total, found.content, found.temporal, found.access, found.relationship, found.user, " ".join(found.reasons), earlier, change, revision, note,
    )  # fmt: skip


def _due(index: Index, keys: Collection[str]) -> list[int]:
    """Return the ids of the given notes and of those whose score is due; of every note if the clock went back."""
    connection = index.connection
    scored_at = meta.integer(connection, "scored_at")
    if scored_at is None or index.now < scored_at:
        return [row[0] for row in connection.execute("SELECT id FROM notes ORDER BY id")]
    due = {row[0] for row in connection.execute("SELECT id FROM notes WHERE next_change_at <= ?", (index.now,))}
    for key in keys:
        due.update(row[0] for row in connection.execute("SELECT id FROM notes WHERE key = ?", (key,)))
    return sorted(due)


def _choose(connection: sqlite3.Connection, notes: Iterable[int]) -> None:
    """Fill the `stale` table with these notes."""
    connection.execute("CREATE TEMP TABLE IF NOT EXISTS stale (id INTEGER PRIMARY KEY, key TEXT NOT NULL)")
    connection.execute("DELETE FROM stale")
    connection.executemany("INSERT INTO stale SELECT id, key FROM notes WHERE id = ?", ((note,) for note in notes))


def _uses(index: Index) -> dict[int, list[int]]:
    """Return {note id: instants of its reads and edits that still count now or for the trend}."""
    since = index.now - TREND - index.settings.scoring.window_days * DAY
    uses: dict[int, list[int]] = {}
    for note, at in index.connection.execute(
        "SELECT s.id, r.at FROM stale s JOIN reads r ON r.key = s.key WHERE r.at > ?1 UNION ALL "
        "SELECT s.id, e.at FROM stale s JOIN sightings e ON e.key = s.key WHERE e.kind = 'edit' AND e.at > ?1",
        (since,),
    ):
        uses.setdefault(note, []).append(at)
    return uses


_UPDATE = """
UPDATE notes SET revision = CASE WHEN importance <> ?1 OR reasons <> ?7 THEN ?10 ELSE revision END,
       importance = ?1, content = ?2, temporal = ?3, access = ?4, relationship = ?5, user = ?6, reasons = ?7, earlier = ?8, next_change_at = ?9
 WHERE id = ?11
"""
"""The revision increases only when the score or its reasons changed, because these are what is published."""
