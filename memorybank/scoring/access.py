"""The access part, 0-10: how much the note was used within the window (specification, "Access pattern score")."""

from math import log10
from typing import NamedTuple

from memorybank.clock import DAY
from memorybank.config.scoring import ScoringSettings
from memorybank.scoring.evidence import ScoreEvidence

UNKNOWN = 0.5
"""Fraction of the access part while the access log is younger than the window: the specification's own fallback."""
NEVER_USED = 0.1
"""Smallest fraction of the access part once the access log covers the window."""


class AccessScore(NamedTuple):
    """uses: weighted number of uses.
    part: the access part, 0-10.
    """

    uses: float
    part: float


def access(evidence: ScoreEvidence, settings: ScoringSettings) -> AccessScore:
    """Return the weighted number of uses and the access part.

    The part grows with the logarithm of the uses, or linearly up to ten uses if `log_scaling` is off.
    """
    patterns = settings.access_patterns
    behavior = patterns.user_behavior
    uses = (
        patterns.frequency_scoring.access_weight * evidence.views
        + behavior.edit_action_weight * evidence.recent_edits
        + behavior.share_action_weight * evidence.shares
        + behavior.view_duration_weight * evidence.dwell_minutes
    )
    if not evidence.access_known:
        return AccessScore(uses, 10 * UNKNOWN)
    if not patterns.frequency_scoring.log_scaling:
        return AccessScore(uses, 10 * min(1.0, uses / 10))
    return AccessScore(uses, 10 * (NEVER_USED if uses < 1 else max(NEVER_USED, min(1.0, log10(uses)))))


def in_window(at: int, now: int, settings: ScoringSettings) -> bool:
    """Whether a use at the instant `at` counts at `now`: it is not in the future and less than `window_days` old."""
    return now - settings.window_days * DAY < at <= now


def is_known(log_begins: int | None, now: int, settings: ScoringSettings) -> bool:
    """Whether the access log covers the entire window.

    log_begins: instant (ms) of its oldest line; None without a log.
    """
    return log_begins is not None and log_begins <= now - settings.window_days * DAY
