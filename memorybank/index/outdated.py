"""The notes with outdated claims, with all of their claims, for commands that explain a decision about notes."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby

from memorybank.claims.claim import DATE, GONE, HOLDS, PATH
from memorybank.index.claim_rows import NoteClaim, claims
from memorybank.index.working import Index
from memorybank.reasons.reason import Reason


def outdated_notes(index: Index) -> dict[str, list[NoteClaim]]:
    """Return {key: all claims of the note, in order} of the bank's own notes of which a claim is outdated at the index's `now`."""
    every = claims(index.connection, index.layout.work_tree, only_outdated=True)
    of_notes = ((key, list(found)) for key, found in groupby(every, lambda each: each.key))
    return {key: found for key, found in of_notes if any(is_outdated(each, index.now) for each in found)}


def outdated_summaries(index: Index) -> dict[str, Reason]:
    """Return {key: how much of what the note names is outdated at the index's `now`}."""
    return {key: summary(found, index.now) for key, found in outdated_notes(index).items()}


def is_outdated(claim: NoteClaim, now: int) -> bool:
    """Return whether a claim was outdated at an instant (ms)."""
    return claim.is_untrue and claim.found.at <= now


def summary(found: Sequence[NoteClaim], now: int) -> Reason:
    """Return how much of what a note names is outdated at an instant (ms).

    found: all claims of the note
    """
    known = [each for each in found if each.is_untrue or (each.found.state == HOLDS and each.claim.kind != DATE)]
    outdated = [each for each in known if is_outdated(each, now)]
    if all(each.claim.kind == PATH and each.found.state == GONE for each in outdated):
        return Reason("claims.deleted", deleted=len(outdated), files=sum(each.claim.kind == PATH for each in known))
    return Reason("claims.outdated", outdated=len(outdated), known=len(known))
