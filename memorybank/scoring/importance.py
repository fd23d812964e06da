"""Importance: the weighted sum of the five parts, a number from 0.0 to 10.0 with one decimal, and its reasons."""

from __future__ import annotations

__light__ = True

from math import floor

from memorybank.config.scoring import ScoringSettings
from memorybank.scoring.calibration import CalibratedParts, calibrated
from memorybank.scoring.parts import (
    AccessScore,
    ContentScore,
    ScoreEvidence,
    access,
    age_days,
    content,
    is_duplicate,
    relationship,
    temporal,
    temporal_of,
    user,
)
from memorybank.values import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Protocol

    class PartsThatStay(Protocol):
        """The parts of a score that do not follow from the age."""

        @property
        def content(self) -> float: ...

        @property
        def access(self) -> float: ...

        @property
        def relationship(self) -> float: ...

        @property
        def user(self) -> float: ...


BUCKETS = {"critical": (9.0, 10.0), "high": (7.0, 8.9), "medium": (4.0, 6.9), "low": (1.0, 3.9), "minimal": (0.0, 0.9)}
"""The display buckets of the published importance index, with the range of rounded scores of each."""

# Thresholds from which a fact is listed among the reasons.
HIGH_ACCESS_USES = 5.0
MANY_INTERNAL_LINKS = 5
MANY_BACKLINKS = 3
RECENT_DAYS = 7
STALE_DAYS = 30
RICH_STRUCTURE = 6.0
PRIORITY_KEYWORDS = 3.0


class ScoreBreakdown(NamedTuple):
    """The five parts (0-10, full precision), the importance (`total`, one decimal), and the names of its reasons."""

    content: float
    temporal: float
    access: float
    relationship: float
    user: float
    total: float
    reasons: tuple[str, ...]


def score(evidence: ScoreEvidence, settings: ScoringSettings, now: int) -> ScoreBreakdown:
    """Return the importance of a note at `now` (ms)."""
    text = content(evidence, settings)
    time = temporal(evidence, settings, now).part
    use = access(evidence, settings)
    links = relationship(evidence, settings)
    parts = (text.part, time, use.part, links, user(evidence))
    if settings.calibration.enabled:
        known = calibrated(evidence, settings, text.part, use.uses, links)
        parts = (known.content, time, known.access, known.relationship, known.user)
    return ScoreBreakdown(*parts, rounded(weighted(settings, *parts)), reasons(evidence, settings, now, text, use))


def importance_at(
    breakdown: PartsThatStay, modified: int, edits: int | None, settings: ScoringSettings, now: int, known: dict[tuple[int, int | None], float]
) -> float:
    """Return the importance at `now` (ms) of a note that was scored at another instant, if nothing but its age changes in between.

    modified, edits: the evidence of the temporal part, which alone depends on the age
    known: {(age in days, edits): temporal part}, which calls with the same settings and instant share
    """
    same = age_days(modified, now), edits
    time = known.get(same)
    if time is None:
        time = known[same] = temporal_of(modified, edits, settings, now).part
    return rounded(weighted(settings, breakdown.content, time, breakdown.access, breakdown.relationship, breakdown.user))


def calibrated_parts(evidence: ScoreEvidence, settings: ScoringSettings) -> CalibratedParts:
    """Return the parts after calibration."""
    return calibrated(evidence, settings, content(evidence, settings).part, access(evidence, settings).uses, relationship(evidence, settings))


def weighted(settings: ScoringSettings, content_part: float, temporal_part: float, access_part: float, relationship_part: float, user_part: float) -> float:
    """Return the weighted sum of the parts times the global adjustment, without limits."""
    algorithm = settings.scoring_algorithm
    weights = algorithm.weights
    return algorithm.global_adjustment * (
        weights.content_quality * content_part
        + weights.temporal_relevance * temporal_part
        + weights.access_frequency * access_part
        + weights.relationship_density * relationship_part
        + weights.user_rating * user_part
    )


def rounded(value: float) -> float:
    """Limit to 0-10 and round half up to one decimal. The 1e-9 lifts values that binary fractions leave just below a half."""
    return floor(min(10.0, max(0.0, value)) * 10 + 0.5 + 1e-9) / 10


def bucket(total: float) -> str:
    """Return the name of the display bucket of a rounded importance."""
    if total >= 7.0:
        return "critical" if total >= 9.0 else "high"
    return "medium" if total >= 4.0 else "low" if total >= 1.0 else "minimal"


def reasons(evidence: ScoreEvidence, settings: ScoringSettings, now: int, text: ContentScore, use: AccessScore) -> tuple[str, ...]:
    """Return the names of the facts that stand out, in a fixed order."""
    age = age_days(evidence.modified, now)
    named = []
    if evidence.access_known and use.uses >= HIGH_ACCESS_USES:
        named.append("high_access_frequency")
    if evidence.internal >= MANY_INTERNAL_LINKS:
        named.append("many_internal_links")
    if evidence.backlinks >= MANY_BACKLINKS:
        named.append("many_backlinks")
    if age <= RECENT_DAYS:
        named.append("recent_updates")
    if text.structure >= RICH_STRUCTURE:
        named.append("rich_structure")
    if text.keyword >= PRIORITY_KEYWORDS:
        named.append("priority_keywords")
    if evidence.rating is not None:
        named.append("user_rated")
    if evidence.bookmarked:
        named.append("bookmarked")
    if is_duplicate(evidence, settings.content_analysis.text_quality_metrics.uniqueness_score):
        named.append("duplicate")
    if age > STALE_DAYS and not use.uses:
        named.append("stale")
    return tuple(named)
