"""Which notes `memorybank forget --stale` proposes: those about things that are gone."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from memorybank.claims.central import are_central
from memorybank.claims.claim import DATE, EXPIRED, GONE, HOLDS, NAMES, UNKNOWN
from memorybank.index.claim_rows import NoteClaim
from memorybank.index.outdated import is_outdated, summary
from memorybank.index.row import IndexedNote
from memorybank.reasons.reason import Reason
from memorybank.rotation.plan import BookmarkedNotes
from memorybank.scoring.parts import USER_RATED

LEARNED = "learned/"
"""The folder of notes that memorybank wrote about what sessions proved."""
MOST_SENTENCES = 3
"""Maximum number of claims that a reason names."""


def stale_notes(notes: Sequence[IndexedNote], outdated: Mapping[str, Sequence[NoteClaim]], bookmarks: BookmarkedNotes, now: int) -> dict[str, Reason]:
    """Return {key: why it is proposed}: learned notes first, then the least important.

    A learned note is proposed when a central claim is gone. Any other note only when all of its central claims are gone, and with them at least half of
    what it names. Notes that a person pinned or rated highly are never proposed.

    outdated: {key: all claims} of the notes with an outdated claim
    """
    found = [note for note in notes if note.key in outdated and not _is_kept(note, bookmarks) and _is_stale(note, outdated[note.key], now)]
    found.sort(key=lambda note: (not note.key.startswith(LEARNED), note.importance, note.key))
    return {note.key: _reason(outdated[note.key], now) for note in found}


def _is_kept(note: IndexedNote, bookmarks: BookmarkedNotes) -> bool:
    return note.bookmarked or bookmarks.matches(note.key) or (note.rating is not None and note.rating >= USER_RATED)


def _is_stale(note: IndexedNote, found: Sequence[NoteClaim], now: int) -> bool:
    # A word in a code span about which nothing is known may not be a name at all.
    found = [each for each in found if each.claim.kind not in NAMES or each.found.state != UNKNOWN]
    central = are_central([each.claim for each in found], note.title)
    gone = [_is_gone(each, now) for each in found]
    of_central = [is_gone for is_central, is_gone in zip(central, gone, strict=True) if is_central]
    if note.key.startswith(LEARNED):
        return any(of_central)
    known = sum(each.is_untrue or (each.found.state == HOLDS and each.claim.kind != DATE) for each in found)
    return any(of_central) and all(of_central) and 2 * sum(gone) >= known


def _is_gone(claim: NoteClaim, now: int) -> bool:
    return claim.found.state in (GONE, EXPIRED) and is_outdated(claim, now)


def _reason(found: Sequence[NoteClaim], now: int) -> Reason:
    sentences = tuple(each.reason for each in found if _is_gone(each, now) and each.reason is not None)
    more = (Reason("claims.more", count=len(sentences) - MOST_SENTENCES),) if len(sentences) > MOST_SENTENCES else ()
    return Reason("rotation.outdated", reason=summary(found, now), claims=(*sentences[:MOST_SENTENCES], *more))
