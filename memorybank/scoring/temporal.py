"""The temporal part, 0-10: decay with age, and how often the note was edited (specification, "Temporal score")."""

from math import exp2, log10
from typing import NamedTuple

from memorybank.clock import DAY
from memorybank.config.scoring import ScoringSettings, TemporalAnalysis
from memorybank.scoring.evidence import ScoreEvidence

UNKNOWN_EDITS = 0.5
"""Edit frequency when neither an edit record nor git history exists: the specification's own fallback."""


class TemporalScore(NamedTuple):
    """decay, edit_frequency: 0-1.
    boost: factor for a note edited today, otherwise 1.
    part: the temporal part, 0-10.
    """

    decay: float
    edit_frequency: float
    boost: float
    part: float


def temporal(evidence: ScoreEvidence, settings: ScoringSettings, now: int) -> TemporalScore:
    """Return the temporal part with its factors at `now` (ms)."""
    analysis = settings.temporal_analysis
    age = age_days(evidence.modified, now)
    decay = decay_score(age, analysis)
    frequency = UNKNOWN_EDITS if evidence.edits is None else min(1.0, log10(evidence.edits + 1))
    tracking = analysis.modification_tracking
    share = tracking.edit_frequency_weight
    boost = tracking.recent_edit_boost if age == 0 else 1.0
    part = min(10.0, 10 * ((1 - share) * decay + share * frequency) * boost)
    return TemporalScore(decay, frequency, boost, part)


def age_days(modified: int, now: int) -> int:
    """Complete days since `modified`. A date in the future counts as now."""
    return max(0, (now - modified) // DAY)


def decay_score(age: int, settings: TemporalAnalysis) -> float:
    """2^(-age / half-life), at least `min_score`. age: in days."""
    recency = settings.recency_scoring
    return max(recency.min_score, exp2(-age / recency.half_life_days))
