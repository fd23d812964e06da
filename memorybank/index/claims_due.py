"""Checks whether the states of claims still agree with the repository, the notes and the clock. It only reads and imports little, because every search does
this; `index.claim_states` brings the states up to date."""

from __future__ import annotations

from memorybank import git
from memorybank.claims.claim import NAMES
from memorybank.index import meta
from memorybank.index.working import Index
from memorybank.reasons.reason import Reason

NEVER = 1 << 62
"""The value of `NAMES_SINCE` while no note claims a name of code."""
NAMES_HEAD, NAMES_SINCE = "claims_names_head", "claims_names_since"
SLOW, SLOW_NAMES, REVISION, LOOKED_AT, EXPIRES = "claims_slow", "claims_names_slow", "claims_revision", "claims_looked_at", "claims_expire"
"""Keys of `meta`: the commit up to which names of code were looked up, the instant (ms) from which their removals are stored, the commits at which git
took too long for everything and for these names, the revision of the notes (`meta.NOTES_REVISION`) that was looked up, the instant of that, and the instant
at which the next date passes."""
OF_NAMES = f"kind IN ({', '.join(repr(kind) for kind in NAMES)})"
"""SQL condition: the names of code."""
WAITING = "state = '' AND state NOT IN ('holds', 'unknown')"
"""SQL condition: claims that are to be looked up. The second part makes SQLite use the index of untrue claims, which also has these."""
GIT_IS_SLOW = Reason("stale.claims_slow")


def is_due(index: Index) -> bool:
    """Return whether a claim may have another state than the stored one. Where git took too long for this commit, only a patient refresh tries again."""
    connection = index.connection
    commit = present_commit(index)
    if commit == (meta.text(connection, SLOW) or "-"):
        return False
    if not (meta.integer(connection, LOOKED_AT) or 0) <= index.now < (meta.integer(connection, EXPIRES) or index.now + 1):
        return True
    if commit != (meta.text(connection, meta.CLAIMS_HEAD) or "") or meta.integer(connection, meta.NOTES_REVISION) != meta.integer(connection, REVISION):
        return True
    if connection.execute(f"SELECT 1 FROM claims WHERE {WAITING} AND NOT {OF_NAMES} LIMIT 1").fetchone() is not None:
        return True
    if commit == (meta.text(connection, SLOW_NAMES) or "-"):
        return False
    if commit != (meta.text(connection, NAMES_HEAD) or ""):
        return True
    return connection.execute(f"SELECT 1 FROM claims WHERE {WAITING} AND {OF_NAMES} LIMIT 1").fetchone() is not None


def is_slow(index: Index) -> bool:
    """Return whether git took too long at the present commit."""
    commit = present_commit(index)
    return commit != "" and commit in (meta.text(index.connection, SLOW), meta.text(index.connection, SLOW_NAMES))


def present_commit(index: Index) -> str:
    """Return the present commit of the repository; "" without one."""
    return (git.head(index.layout.repository) or "") if index.layout.repository else ""


def asks_for_names(index: Index, commit: str) -> bool:
    """Return whether anything about names of code is to be looked up, or to be forgotten. Most banks have no claim about one."""
    connection = index.connection
    if meta.text(connection, NAMES_HEAD) != commit or meta.integer(connection, NAMES_SINCE) != NEVER:
        return True
    return connection.execute(f"SELECT 1 FROM claims WHERE {OF_NAMES} LIMIT 1").fetchone() is not None
