"""Calibration of the parts that are the same for almost every note of a real bank (docs/adr/0053).

Three steps, all switched off by `calibration.enabled`. The content part is mixed with the substance of the text. Uses and links from other notes
confirm it: they raise the estimate that the text gives. A part for which there is little or no evidence (uses, links, rating) begins at this estimate,
and its own evidence raises it from there. So a note that is used or linked stays above 5.0, however old and thin it is.
"""

from __future__ import annotations

__light__ = True

from math import log10

from memorybank.config.scoring import ScoringSettings
from memorybank.scoring.claimed import claim_points
from memorybank.scoring.parts import ScoreEvidence
from memorybank.values import NamedTuple

FULL_USE = 5.0
"""Weighted number of uses within the window that counts as full use."""
FEW_USES = 3.0
"""Weighted number of uses from which their logarithm counts in full."""
FULL_BACKLINKS = 3
"""Number of linking notes that counts as full confirmation."""
RISE = 8.0
"""Points by which full evidence raises its own part above the estimate."""
CONFIRMATION, _CONFIRMED_SHARE = 5.0, 0.9
"""Points by which full use, or full confirmation by links, raises the estimate itself; at most this share of what it lacks to 10, so that good
notes stay apart."""

_STATED, _SPECIFIC, _WORTH = 8.5, 2.5, 1.5
"""The most that statements, specifics and the kind of a note add to its substance. Together they exceed 10: not every good note has all of them."""
_MANY_STATED, _MANY_SPECIFIC = 0.33, 2.0
"""Statements and specifics per sentence that count as many."""
_FURTHER_SENTENCES = 2
"""Number of sentences that is added to those of a note, so that a single short line cannot reach the full rate."""
_PLAIN, _PLAIN_CHARACTERS = 2.5, 20
"""The least substance of a text of this many characters. A plain fact without any of the words must not fall to the level of a stub."""
_PASSING_FACTOR = 0.5
"""Factor on the substance of a log, a draft or a stub."""


def substance(evidence: ScoreEvidence) -> float:
    """Return the substance of a text, 0-10: how much of it decides, rules, warns, explains or defines, and how specific it is.

    Both are counted per sentence, so that one line with a rule outweighs a long log.
    """
    sentences = evidence.sentences + _FURTHER_SENTENCES
    stated = min(1.0, evidence.statements / sentences / _MANY_STATED)
    specific = min(1.0, evidence.specifics / sentences / _MANY_SPECIFIC)
    plain = _PLAIN * min(1.0, evidence.characters / _PLAIN_CHARACTERS)
    # A title or tag alone does not make a stub worth looking up.
    worth = _WORTH if evidence.kind > 0 and (stated or specific or plain == _PLAIN) else 0.0
    points = min(10.0, max(plain, _STATED * stated + _SPECIFIC * specific) + worth)
    return points * (_PASSING_FACTOR if evidence.kind < 0 else 1.0)


def uses_fraction(uses: float, settings: ScoringSettings) -> float:
    """Return how far the uses raise the access part, 0-1: with their logarithm up to `FULL_USE`, or linearly if `log_scaling` is off.

    Below `FEW_USES` the logarithm counts less: people also open a note to see what it is, and one look must not decide what stays.
    """
    if not settings.access_patterns.frequency_scoring.log_scaling:
        return min(1.0, uses / FULL_USE)
    return min(1.0, log10(1 + uses) / log10(1 + FULL_USE)) * min(1.0, uses / FEW_USES) ** 2


class CalibratedParts(NamedTuple):
    """Four parts after calibration, each 0-10, and the values that they were made from.

    content: the estimate from the text, raised by what confirms it; the other parts begin there.
    text, substance: the content part without confirmation, and the substance in it, 0-10.
    used: how far uses raise the access part, 0-1.
    linked: the relationship part before claims are counted.
    """

    content: float
    access: float
    relationship: float
    user: float
    text: float
    substance: float
    used: float
    linked: float


def calibrated(evidence: ScoreEvidence, settings: ScoringSettings, content: float, uses: float, relationship: float) -> CalibratedParts:
    """Return the calibrated parts.

    content, relationship: the parts by the specification's formulas, 0-10.
    uses: weighted number of uses within the window.
    """
    of_text = substance(evidence)
    text = content + (of_text - content) * settings.calibration.substance_weight
    used, linked = uses_fraction(uses, settings), relationship / 10
    confirmed = max(used, min(1.0, evidence.backlinks / FULL_BACKLINKS))
    estimate = text + confirmed * confirmation(text)
    user = estimate if evidence.rating is None else min(10.0, max(0.0, evidence.rating))
    by_links = raised(estimate, linked)
    related = min(10.0, max(0.0, by_links + claim_points(evidence.claims, is_kept=evidence.is_kept)))
    return CalibratedParts(estimate, raised(estimate, used), related, user, text, of_text, used, by_links)


def confirmation(text: float) -> float:
    """Return by how many points full confirmation raises an estimate."""
    return min(CONFIRMATION, _CONFIRMED_SHARE * (10 - text))


def raised(estimate: float, share: float) -> float:
    """Raise an estimate by the evidence: `RISE` points for full evidence (1), at most to 10."""
    return min(10.0, estimate + RISE * share)
