"""The plan that archives notes because a person named them (`memorybank forget`). `execute` carries it out like any other rotation."""

from collections.abc import Mapping, Sequence

from memorybank.config.settings import Settings
from memorybank.errors import Conflict
from memorybank.index.row import IndexedNote
from memorybank.reasons.reason import Reason
from memorybank.rotation import pressure
from memorybank.rotation.plan import BookmarkedNotes, Brake, RotationDecision, RotationPlan, digest_of_plan
from memorybank.rotation.rules import FORGOTTEN, MB
from memorybank.scoring.parts import age_days

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
