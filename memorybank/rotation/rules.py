"""The rules of rotation as a table; the first match wins (specification, "Rotation algorithm").

    bookmarked · user_rated · restored · high · recent   → preserve
    size · low · medium                                  → archive
    nothing                                              → keep

Where two settings cover the same thing, the more cautious one wins. With `recent_files.ignore_importance`, recency is checked before
importance. With `preserve_indefinitely: false`, importance is checked after size, so that it protects only from `low` and `medium`.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import TYPE_CHECKING

from memorybank import clock
from memorybank.config.rotation import RotationSettings, Triggers
from memorybank.config.scoring import ScoringSettings
from memorybank.errors import UsageError
from memorybank.index.row import IndexedNote
from memorybank.index.selection import AgingNote, NoteRange
from memorybank.reasons.reason import Reason
from memorybank.scoring.calibration import confirmation
from memorybank.scoring.claimed import OUTDATED
from memorybank.scoring.parts import USER_RATED
from memorybank.values import NamedTuple, Value

if TYPE_CHECKING:
    from memorybank.archive.object import ArchiveObject

MB = 1_048_576
OVERFLOW_RANK = 7.9
"""The importance that a note beyond `max_preserve_count` counts with."""

TYPES = ("manual", "size_based", "time_based", "importance_based")
PRESSURE = "pressure"
"""The type of a rotation that archives only as many of the notes selected by all rules as `rotation.pressure` requires."""
RULES_OF_TYPE = {
    "size_based": ("size", "directory_size"),
    "time_based": ("medium",),
    "importance_based": ("low",),
    "manual": ("size", "low", "medium", "directory_size"),
    PRESSURE: ("size", "low", "medium", "directory_size"),
}
BY_IMPORTANCE = ("low", "medium", "directory_size")
"""The rules that select notes by their importance."""
FORGOTTEN = "forgotten"
"""The rule of a decision that a person made (`memorybank forget`)."""
TRIGGER_OF_RULE = {"size": "size_based", "directory_size": "size_based", "low": "importance_based", "medium": "time_based"}


class RuleLimits(Value):
    """The settings that the rules read, as one flat value. Sizes are bytes, ages are days, importances 0-10."""

    high: float
    high_always: bool
    high_count: int
    recent_days: int
    recent_first: bool
    file_bytes: float
    directory_bytes: float
    low_below: float
    low_highest: float
    low_after: int
    medium_lowest: float
    medium_highest: float
    medium_below: float
    medium_after: int


class NoteFacts(NamedTuple):
    """One note as the rules see it.

    importance: the importance that the note counts with, at most its own
    restored_days: days since it came back from the archive
    outdated: how much of what it names is outdated; None if nothing is
    """

    note: IndexedNote | AgingNote
    importance: float
    age: int
    bookmarked: bool
    restored_days: int | None
    overflow: bool = False
    outdated: Reason | None = None

    @property
    def complete(self) -> IndexedNote:
        """The note with everything that a decision about it says."""
        assert isinstance(self.note, IndexedNote)
        return self.note


class RotationRule(NamedTuple):
    """One rule. `reason` explains a match."""

    name: str
    action: str
    applies: Callable[[NoteFacts, RuleLimits], bool]
    reason: Callable[[NoteFacts, RuleLimits], Reason]


def limits(rotation: RotationSettings, scoring: ScoringSettings) -> RuleLimits:
    """Return the effective limits. Of two keys for the same limit, the more cautious counts."""
    triggers, thresholds = rotation.rotation_policy.triggers, scoring.thresholds
    preserved, archival = rotation.rotation_strategy.preservation_rules, rotation.rotation_strategy.archival_rules
    low, medium = archival.low_importance, archival.medium_importance
    return RuleLimits(
        high=min(preserved.high_importance_files.threshold, thresholds.high_importance),
        high_always=preserved.high_importance_files.preserve_indefinitely,
        high_count=preserved.high_importance_files.max_preserve_count,
        recent_days=preserved.recent_files.preserve_days,
        recent_first=preserved.recent_files.ignore_importance,
        file_bytes=triggers.size_based.max_file_size_mb * MB,
        directory_bytes=triggers.size_based.max_directory_size_mb * MB,
        low_below=min(triggers.importance_based.min_importance_threshold, thresholds.low_importance),
        low_highest=low.threshold_max,
        low_after=low.archive_after_days,
        medium_lowest=medium.threshold_min,
        medium_highest=medium.threshold_max,
        medium_below=thresholds.medium_importance,
        medium_after=max(triggers.time_based.max_age_days, medium.archive_after_days),
    )


def asked(rotation: RotationSettings, rotation_type: str) -> tuple[frozenset[str], tuple[tuple[str, Reason], ...]]:
    """Return (archiving rules that apply, (rule, why not) for the rules of this type that do not). Raises `UsageError` for an unknown type."""
    if rotation_type not in RULES_OF_TYPE:
        raise UsageError(f"{rotation_type!r} is not a rotation type", next_step=f"choose one of {', '.join(TYPES)}")
    triggers: Triggers = rotation.rotation_policy.triggers
    enabled = {
        "size_based": triggers.size_based.enabled,
        "time_based": triggers.time_based.enabled,
        "importance_based": triggers.importance_based.enabled,
    }
    selected, skipped = [], []
    for rule in RULES_OF_TYPE[rotation_type]:
        trigger = TRIGGER_OF_RULE[rule]
        if not rotation.rotation_policy.enabled:
            skipped.append((rule, Reason("rotation.switched_off", key="rotation_policy.enabled")))
        elif rotation_type == "manual" and not triggers.manual_trigger.enabled:
            skipped.append((rule, Reason("rotation.switched_off", key="triggers.manual_trigger.enabled")))
        elif not enabled[trigger]:
            skipped.append((rule, Reason("rotation.switched_off", key=f"triggers.{trigger}.enabled")))
        else:
            selected.append(rule)
    return frozenset(selected), tuple(skipped)


def table(bounds: RuleLimits) -> tuple[RotationRule, ...]:
    """Return the rules in the order in which they are checked."""
    importance_and_recency = (RECENT, HIGH) if bounds.recent_first else (HIGH, RECENT)
    if bounds.high_always:
        return (BOOKMARKED, RATED, RESTORED, *importance_and_recency, SIZE, LOW, MEDIUM)
    return (BOOKMARKED, RATED, RESTORED, RECENT, SIZE, HIGH, LOW, MEDIUM)


def ranges(bounds: RuleLimits, now: int, falls: Callable[[int], float] = lambda _: 0.0) -> tuple[NoteRange, ...]:
    """Return the measures that a note must have so that `size`, `low` or `medium` can select it.

    falls: returns the most that importances fall until `now`, of notes of at least this age in days; for measures of an earlier instant
    """
    low, medium = bounds.low_after + 1, bounds.medium_after + 1
    return (
        large(bounds),
        NoteRange(most=min(bounds.low_below, bounds.low_highest) + falls(low), modified_until=now - low * clock.DAY),
        NoteRange(least=bounds.medium_lowest, most=min(bounds.medium_below, bounds.medium_highest) + falls(medium), modified_until=now - medium * clock.DAY),
    )


def certain_ranges(bounds: RuleLimits, now: int) -> tuple[NoteRange, ...]:
    """Return the measures with which a note leaves by `low` or `medium`, unless a person or a recent return from the archive keeps it."""
    low, medium = (now - (max(after, bounds.recent_days) + 1) * clock.DAY for after in (bounds.low_after, bounds.medium_after))
    return (
        NoteRange(most=bounds.low_highest, below=min(bounds.low_below, bounds.high), modified_until=low),
        NoteRange(least=bounds.medium_lowest, most=bounds.medium_highest, below=min(bounds.medium_below, bounds.high), modified_until=medium),
    )


def borders(bounds: RuleLimits, now: int) -> tuple[int, ...]:
    """Return the instants (ms) at which the rules tell the ages of notes apart."""
    return tuple(now - (days + 1) * clock.DAY for days in (bounds.recent_days, bounds.low_after, bounds.medium_after))


def large(bounds: RuleLimits) -> NoteRange:
    """Return the measures of a note that `size` can select."""
    return NoteRange(larger_than=bounds.file_bytes)


def is_low(facts: NoteFacts, bounds: RuleLimits) -> bool:
    """Return whether the importance is below every limit of low importance."""
    return facts.importance < bounds.low_below and facts.importance <= bounds.low_highest


def _is_medium(facts: NoteFacts, bounds: RuleLimits) -> bool:
    return facts.age > bounds.medium_after and bounds.medium_lowest <= facts.importance <= bounds.medium_highest and facts.importance < bounds.medium_below


def megabytes(size: float) -> str:
    return f"{size / MB:.1f} MB"


BOOKMARKED = RotationRule(
    "bookmarked",
    "preserve",
    lambda facts, _: facts.bookmarked,
    lambda facts, _: Reason("rotation.bookmarked"),
)
RATED = RotationRule(
    "user_rated",
    "preserve",
    lambda facts, _: facts.note.rating is not None and facts.note.rating >= USER_RATED,
    lambda facts, _: Reason("rotation.user_rated", rating=facts.note.rating or 0.0),
)
RESTORED = RotationRule(
    "restored",
    "preserve",
    lambda facts, bounds: facts.restored_days is not None and facts.restored_days <= bounds.recent_days,
    lambda facts, bounds: Reason("rotation.restored", age=facts.restored_days or 0, limit=bounds.recent_days),
)
HIGH = RotationRule(
    "high",
    "preserve",
    lambda facts, bounds: facts.importance >= bounds.high and not facts.overflow,
    lambda facts, bounds: Reason("rotation.high", importance=facts.importance, limit=bounds.high),
)
RECENT = RotationRule(
    "recent",
    "preserve",
    lambda facts, bounds: facts.age <= bounds.recent_days,
    lambda facts, bounds: Reason("rotation.recent", age=facts.age, limit=bounds.recent_days),
)
SIZE = RotationRule(
    "size",
    "archive",
    lambda facts, bounds: facts.note.size > bounds.file_bytes,
    lambda facts, bounds: Reason("rotation.size", size=facts.note.size / MB, limit=bounds.file_bytes / MB),
)
LOW = RotationRule(
    "low",
    "archive",
    lambda facts, bounds: facts.age > bounds.low_after and is_low(facts, bounds),
    lambda facts, bounds: Reason("rotation.low", importance=facts.importance, limit=min(bounds.low_below, bounds.low_highest + 0.1), age=facts.age),
)
MEDIUM = RotationRule(
    "medium",
    "archive",
    _is_medium,
    lambda facts, bounds: Reason("rotation.medium", age=facts.age, longest=bounds.medium_after, importance=facts.importance, limit=bounds.medium_below),
)


def reason(facts: NoteFacts, rule: RotationRule, bounds: RuleLimits) -> Reason:
    """Return why a rule matched. Where a note leaves for its importance, outdated claims are a part of the reason."""
    found = rule.reason(facts, bounds)
    if facts.outdated is None or rule.name not in BY_IMPORTANCE:
        return found
    return Reason("rotation.outdated", reason=found, claims=facts.outdated)


def lever(facts: NoteFacts, rule: str, bounds: RuleLimits, scoring: ScoringSettings, now: int) -> Reason | None:
    """Return the means that keep the note, or would: rating and bookmarking, and reading or linking where one of them suffices. None if there are none."""
    if rule in ("low", "medium"):
        return _lever_of_importance(facts, bounds.low_below if rule == "low" else bounds.medium_below, scoring)
    if rule == "size":
        return Reason("lever.rate_or_shorten")
    if rule == "directory_size":
        return Reason("lever.rate")
    if rule == "recent":
        return Reason("lever.age", day=_day(facts.note.modified // clock.DAY + bounds.recent_days + 1))
    if rule == "restored":
        return Reason("lever.restore", day=_day(now // clock.DAY + bounds.recent_days + 1 - (facts.restored_days or 0)))
    if rule == "none" and bounds.medium_lowest <= facts.importance < bounds.medium_below and facts.age <= bounds.medium_after:
        return Reason("lever.age", day=_day(facts.note.modified // clock.DAY + bounds.medium_after + 1))
    if rule == "bookmarked":
        return Reason("lever.bookmark")
    if rule == "user_rated":
        return Reason("lever.rating")
    return Reason("lever.importance") if rule == "high" or facts.importance >= bounds.medium_below else None


@lru_cache(maxsize=1024)
def _day(number: int) -> str:
    """Return the calendar day `number` days after 1970-01-01."""
    return clock.day_of(number * clock.DAY)


def _lever_of_importance(facts: NoteFacts, needed: float, scoring: ScoringSettings) -> Reason:
    """Return the means to keep the note. Reading and linking are included when one of them alone could raise the importance over the limit."""
    missing = needed - facts.importance
    weights, adjustment = scoring.scoring_algorithm.weights, scoring.scoring_algorithm.global_adjustment
    breakdown = facts.complete.breakdown
    confirmed = confirmation(breakdown.content) if scoring.calibration.enabled else 0.0
    of_text = (weights.content_quality + weights.user_rating * (facts.note.rating is None)) * confirmed
    by_reading = weights.access_frequency * (10 - breakdown.access) + weights.relationship_density * confirmed + of_text
    # Links do not raise the part above what outdated claims leave of it.
    most = 10 - (OUTDATED if facts.outdated is not None else 0)
    by_linking = weights.relationship_density * max(0.0, most - breakdown.relationship) + weights.access_frequency * confirmed + of_text
    reading_suffices, linking_suffices = by_reading * adjustment >= missing, by_linking * adjustment >= missing
    if reading_suffices and linking_suffices:
        return Reason("lever.rate_read_or_link", missing=missing)
    if reading_suffices:
        return Reason("lever.rate_or_read", missing=missing)
    return Reason("lever.rate_or_link", missing=missing) if linking_suffices else Reason("lever.rate")


def reason_of(stored: ArchiveObject) -> Reason | None:
    """Return why a note was archived, as a value: its sidecar has only the English sentence. None for a rule that this version does not know."""
    if stored.rule in ("low", "medium"):
        return Reason("archived.importance", importance=stored.importance)
    if stored.rule == "size":
        return Reason("archived.size", size=stored.size / MB)
    if stored.rule == "directory_size":
        return Reason("archived.directory_size")
    return Reason("rotation.forgotten") if stored.rule == FORGOTTEN else None
