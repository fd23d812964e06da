"""What claims about the repository add to an importance, and take from it (ADR 0078)."""

from __future__ import annotations

__light__ = True

from memorybank.values import NamedTuple

HOLDING = 0.5
"""Points that the relationship part gains when several claims were looked up and all of them hold."""
FULL_HOLDING = 4
"""Number of claims that hold from which a note gains all of `HOLDING`."""
OUTDATED = 4.0
"""Points that the relationship part loses when everything that a note names is gone."""


class ClaimEvidence(NamedTuple):
    """The claims of a note whose state is known.

    known: their number.
    outdated: number of those that are gone, moved, changed or expired.
    share: which part of them is outdated, 0-1. Central claims count twice; one that moved or changed counts half.
    """

    known: int = 0
    outdated: int = 0
    share: float = 0.0


NOTHING_CLAIMED = ClaimEvidence()


def claim_points(claims: ClaimEvidence, *, is_kept: bool) -> float:
    """Return the points that claims add to the relationship part; negative when some are outdated.

    is_kept: whether a person pinned the note. Such a note loses nothing.
    """
    if claims.outdated:
        return 0.0 if is_kept else -OUTDATED * claims.share
    return HOLDING * min(1.0, claims.known / FULL_HOLDING)
