"""Explains an importance: what each fact about the note contributes, with a reason. Built only on request."""

from collections.abc import Iterator
from dataclasses import dataclass
from math import floor, fsum

from memorybank.config.scoring import ScoringSettings
from memorybank.reasons.reason import Reason
from memorybank.scoring.calibration import RISE, CalibratedParts
from memorybank.scoring.claimed import ClaimEvidence
from memorybank.scoring.importance import calibrated_parts
from memorybank.scoring.parts import ScoreEvidence, access, age_days, content, relationship, temporal, user
from memorybank.text.prose.substance import PASSING, WORTH

_UNITS = 10_000
"""Contributions are given to four decimals."""


@dataclass(frozen=True, slots=True)
class Contribution:
    """One addend of an importance.

    name: `part` or `part.detail`.
    value: the value on the 0-10 scale of its part; negative for a cap.
    weight: the product of all factors that apply to `value`.
    contribution: value × weight, to four decimals.
    reason: the fact behind it.
    """

    name: str
    value: float
    weight: float
    contribution: float
    reason: Reason


@dataclass(frozen=True, slots=True)
class _Addend:
    name: str
    value: float
    weight: float
    reason: Reason


def explain(evidence: ScoreEvidence, settings: ScoringSettings, now: int) -> list[Contribution]:
    """Return the contributions to the importance at `now` (ms). They add up to the unrounded importance, to four decimals."""
    adjustment = settings.scoring_algorithm.global_adjustment
    weights = settings.scoring_algorithm.weights
    known = calibrated_parts(evidence, settings) if settings.calibration.enabled else None
    addends = [
        *_content(evidence, settings, adjustment * weights.content_quality, known),
        *_temporal(evidence, settings, now, adjustment * weights.temporal_relevance),
        *_access(evidence, settings, adjustment * weights.access_frequency, known),
        *_relationship(evidence, settings, adjustment * weights.relationship_density, known),
        _user(evidence, adjustment * weights.user_rating, known),
    ]
    total = fsum(addend.value * addend.weight for addend in addends)
    if total > 10:
        addends.append(_Addend("clamp", 10 - total, 1.0, Reason("score.limit")))
    shares = _to_four_decimals([addend.value * addend.weight for addend in addends])
    return [Contribution(addend.name, addend.value, addend.weight, share, addend.reason) for addend, share in zip(addends, shares, strict=True)]


def _content(evidence: ScoreEvidence, settings: ScoringSettings, weight: float, known: CalibratedParts | None) -> Iterator[_Addend]:
    whole = weight
    if known is not None:
        share = settings.calibration.substance_weight
        yield _Addend("content.substance", known.substance, weight * share, _substance(evidence))
        weight *= 1 - share
    metrics = settings.content_analysis.text_quality_metrics
    parts = content(evidence, settings)
    yield _Addend("content.length", parts.length, weight * metrics.length_score.weight, Reason("score.length", characters=evidence.characters))
    yield _Addend("content.structure", parts.structure, weight * metrics.structure_score.weight, _structure(evidence))
    yield _Addend("content.keyword", parts.keyword, weight * metrics.keyword_density.weight, Reason("score.keywords", keywords=evidence.keyword_hits))
    older = evidence.duplicate_of
    alike = Reason("score.similar", similarity=evidence.similarity, note=older) if older else Reason("score.unique")
    yield _Addend("content.uniqueness", parts.uniqueness, weight * metrics.uniqueness_score.weight, alike)
    if known is not None:
        yield _Addend("content.confirmed", known.content - known.text, whole, Reason("score.confirmed"))


def _temporal(evidence: ScoreEvidence, settings: ScoringSettings, now: int, weight: float) -> Iterator[_Addend]:
    parts = temporal(evidence, settings, now)
    share = settings.temporal_analysis.modification_tracking.edit_frequency_weight
    age = age_days(evidence.modified, now)
    edits = Reason("score.edits_unknown") if evidence.edits is None else Reason("score.edits", edits=evidence.edits)
    yield _Addend("temporal.decay", 10 * parts.decay, weight * (1 - share), Reason("score.modified", age=age))
    yield _Addend("temporal.edit_frequency", 10 * parts.edit_frequency, weight * share, edits)
    plain = 10 * ((1 - share) * parts.decay + share * parts.edit_frequency)
    if parts.boost != 1:
        yield _Addend("temporal.edited_today", plain * parts.boost - plain, weight, Reason("score.edited_today", factor=parts.boost))
    if plain * parts.boost > 10:
        yield _Addend("temporal.cap", 10 - plain * parts.boost, weight, Reason("score.part_limit"))


def _access(evidence: ScoreEvidence, settings: ScoringSettings, weight: float, known: CalibratedParts | None) -> Iterator[_Addend]:
    days = settings.window_days
    views, edits, shares, minutes = evidence.views, evidence.recent_edits, evidence.shares, evidence.dwell_minutes
    if known is not None:
        yield _Addend("access.estimate", known.content, weight, Reason("score.estimated_use"))
        reason = Reason("score.used_and_shown", views=views, edits=edits, shares=shares, minutes=minutes, shown=evidence.shown, window=days)
        rise = RISE * known.used
        yield _Addend("access.use", rise, weight, reason)
        if known.content + rise > 10:
            yield _Addend("access.cap", 10 - known.content - rise, weight, Reason("score.part_limit"))
    elif evidence.access_known:
        reason = Reason("score.used", views=views, edits=edits, shares=shares, minutes=minutes, window=days)
        yield _Addend("access", access(evidence, settings).part, weight, reason)
    else:
        yield _Addend("access", access(evidence, settings).part, weight, Reason("score.use_unknown", window=days))


def _relationship(evidence: ScoreEvidence, settings: ScoringSettings, weight: float, known: CalibratedParts | None) -> Iterator[_Addend]:
    links = settings.relationship_analysis.link_analysis
    parts = (
        ("internal", links.internal_links_weight * evidence.internal, Reason("score.links_out", links=evidence.internal)),
        ("external", links.external_links_weight * evidence.external, Reason("score.urls", links=evidence.external)),
        ("backlinks", links.bidirectional_boost * evidence.backlinks, Reason("score.backlinks", links=evidence.backlinks)),
    )
    rise = 1.0
    total = 0.0
    if known is not None:
        total, rise = known.content, RISE / 10
        yield _Addend("relationship.estimate", total, weight, Reason("score.estimated_links"))
    for name, value, reason in parts:
        yield _Addend(f"relationship.{name}", value * rise, weight, reason)
    total = fsum((total, *(value * rise for _, value, _ in parts)))
    part = relationship(evidence, settings) if known is None else known.linked
    if total > part:
        yield _Addend("relationship.cap", part - total, weight, Reason("score.part_limit") if part == 10 else Reason("score.links_limit", limit=RISE))
    if known is not None and known.relationship != part:
        yield _Addend("relationship.claims", known.relationship - part, weight, _claims(evidence.claims))


def _user(evidence: ScoreEvidence, weight: float, known: CalibratedParts | None) -> _Addend:
    if evidence.rating is not None:
        return _Addend("user", user(evidence), weight, Reason("score.rated"))
    if known is not None:
        return _Addend("user", known.user, weight, Reason("score.estimated_rating"))
    return _Addend("user", user(evidence), weight, Reason("score.not_rated"))


def _claims(claims: ClaimEvidence) -> Reason:
    if claims.outdated:
        return Reason("claims.outdated", outdated=claims.outdated, known=claims.known)
    return Reason("score.claims_hold", known=claims.known)


def _substance(evidence: ScoreEvidence) -> Reason:
    facts = Reason("score.substance", statements=evidence.statements, sentences=evidence.sentences, specifics=evidence.specifics)
    if evidence.kind == WORTH:
        return Reason("score.substance_reference", facts=facts)
    return Reason("score.substance_passing", facts=facts) if evidence.kind == PASSING else facts


def _structure(evidence: ScoreEvidence) -> Reason:
    present = (
        (evidence.has_headings, Reason("score.headings")),
        (evidence.has_lists, Reason("score.lists")),
        (evidence.has_code, Reason("score.code")),
        (evidence.has_links, Reason("score.links")),
    )
    found = tuple(reason for there, reason in present if there)
    return Reason("score.structure", present=found) if found else Reason("score.plain_text")


def _to_four_decimals(values: list[float]) -> list[float]:
    """Round each value to four decimals so that they add up to the rounded sum (largest remainder method)."""
    scaled = [value * _UNITS for value in values]
    units = [floor(value) for value in scaled]
    missing = round(fsum(scaled)) - sum(units)
    by_remainder = sorted(range(len(scaled)), key=lambda position: units[position] - scaled[position])
    for position in by_remainder[:missing]:
        units[position] += 1
    return [unit / _UNITS for unit in units]
