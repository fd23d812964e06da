"""The plan that archives notes because a person named them (`memorybank forget`). `execute` carries it out like any other rotation.

`memorybank forget --stale` proposes the notes about things that were removed.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from memorybank.claims.central import are_central
from memorybank.claims.claim import DATE, EXPIRED, GONE, HOLDS, NAMES, UNKNOWN
from memorybank.config.settings import Settings
from memorybank.errors import Conflict
from memorybank.index.claim_rows import NoteClaim
from memorybank.index.outdated import is_outdated, summary
from memorybank.index.row import IndexedNote
from memorybank.reasons.reason import Reason
from memorybank.rotation import pressure
from memorybank.rotation.decision import Brake, RotationDecision, RotationPlan, digest_of_plan
from memorybank.rotation.plan import BookmarkedNotes
from memorybank.rotation.rules import FORGOTTEN, MB
from memorybank.scoring.parts import USER_RATED, age_days

LEARNED = "learned/"
"""The folder of notes that memorybank wrote about what sessions proved."""
MOST_SENTENCES = 3
"""Maximum number of claims that a reason names."""

FORGET = "forget"
"""The type of the rotation."""


def plan_chosen(notes: Sequence[IndexedNote], reasons: Mapping[str, Reason], bookmarks: BookmarkedNotes, settings: Settings, now: int) -> RotationPlan:
    """Return the plan that archives exactly these notes, whatever the rules say. Raises `Conflict` for a bookmarked note.

    notes: all notes of the bank
    reasons: {key: why it leaves}
    now: the instant (ms) for which the notes were scored
    """
    chosen = [note for note in notes if note.key in reasons]
    for note in chosen:
        if note.bookmarked or bookmarks.matches(note.key):
            remedy = "remove 'bookmarked' from its front matter" if note.bookmarked else "'memorybank bookmark list' shows the bookmark; remove it first"
            raise Conflict(f"{note.key} is bookmarked, so it stays; nothing was archived", next_step=remedy)
    order = {key: position for position, key in enumerate(reasons)}
    decisions = tuple(_decision(note, reasons[note.key], settings, now) for note in sorted(chosen, key=lambda note: order[note.key]))
    alert = settings.rotation.notification_settings.alert_on_large_rotations
    return RotationPlan(
        rotation_type=FORGET,
        now=now,
        decisions=decisions,
        warnings=(),
        skipped_rules=(),
        digest=digest_of_plan(FORGET, now, decisions),
        brake=Brake(alert.threshold_files, alert.threshold_size_mb * MB) if alert.enabled else None,
        occupancy=pressure.measure(notes, settings.rotation.pressure),
    )


def _decision(note: IndexedNote, reason: Reason, settings: Settings, now: int) -> RotationDecision:
    return RotationDecision(
        key=note.key,
        action="archive",
        rule=FORGOTTEN,
        reason=reason,
        importance=note.importance,
        age_days=age_days(note.modified, now),
        size=note.size,
        digest=note.digest,
        lever=None,
        title=note.title,
        topics=note.topics,
        modified=note.modified,
        compress=settings.rotation.rotation_strategy.archival_rules.medium_importance.compress,
    )


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
