"""The claims of notes as evidence for their scores. Claims outside git say too little: there, nothing can be known to be gone."""

from __future__ import annotations

__light__ = True

from _operator import itemgetter
from itertools import groupby

from memorybank.claims.claim import CHANGED, DATE, EXPIRED, GONE, HOLDS, MOVED, NAMES, UNKNOWN, UNTRUE, Claim
from memorybank.index import meta
from memorybank.index.claim_rows import IS_CLAIM
from memorybank.scoring.claimed import ClaimEvidence

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from memorybank.storage.sqlite import sqlite3

_LOST = {GONE: 1.0, EXPIRED: 1.0, MOVED: 0.5, CHANGED: 0.5}
"""How much of a claim is outdated in each state."""
_OF_STALE = f"""
SELECT s.id, n.title, c.kind, c.subject, c.line, c.place, c.state, c.at FROM stale s CROSS JOIN claims c ON c.note = s.id JOIN notes n ON n.id = s.id
 WHERE {IS_CLAIM} AND NOT (c.kind IN {NAMES} AND c.state IN ('', '{UNKNOWN}')) ORDER BY s.id, c.position
"""


def evidence_of_claims(connection: sqlite3.Connection, now: int) -> dict[int, ClaimEvidence]:
    """Return {note id: evidence} of the notes in the `stale` table that have claims whose state is known.

    now: instant (ms). What became untrue later still holds.
    """
    if not meta.text(connection, meta.CLAIMS_HEAD):
        return {}
    found = {}
    for note, rows in groupby(connection.execute(_OF_STALE), itemgetter(0)):
        claims = list(rows)
        if any(row[6] == HOLDS or row[6] in UNTRUE for row in claims):
            found[note] = _evidence(claims, now)
    return found


def outdated_since(connection: sqlite3.Connection) -> dict[int, list[int]]:
    """Return {note id: the instants (ms) at which its claims became untrue} of the notes in the `stale` table."""
    instants: dict[int, list[int]] = {}
    if meta.text(connection, meta.CLAIMS_HEAD):
        for note, at in connection.execute("SELECT s.id, c.at FROM stale s CROSS JOIN claims c ON c.note = s.id WHERE c.at > 0"):
            instants.setdefault(note, []).append(at)
    return instants


def _evidence(rows: Sequence[tuple[int, str, str, str, int, str, str, int]], now: int) -> ClaimEvidence:
    from memorybank.claims.central import are_central  # late: few notes have claims that can be looked up, and it loads what knows the words of dates

    central = are_central([Claim(*row[2:6]) for row in rows], rows[0][1])
    known = outdated = 0
    total = lost = 0.0
    for (_, _, kind, *_, stored, at), is_central in zip(rows, central, strict=True):
        state = EXPIRED if kind == DATE and stored == HOLDS and at <= now else stored
        if (state != HOLDS and state not in _LOST) or (kind == DATE and at > now):
            continue
        weight = 2.0 if is_central else 1.0
        known += 1
        total += weight
        if state in _LOST and at <= now:
            outdated += 1
            lost += weight * _LOST[state]
    return ClaimEvidence(known, outdated, lost / total if total else 0.0)
