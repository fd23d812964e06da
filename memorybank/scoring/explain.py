"""Explains an importance: what each fact about the note contributes, with a reason in words. Built only on request."""

from collections.abc import Iterator
from dataclasses import dataclass
from math import floor, fsum

from memorybank.config.scoring import ScoringSettings
from memorybank.scoring.calibration import RISE, CalibratedParts
from memorybank.scoring.evidence import ScoreEvidence
from memorybank.scoring.importance import calibrated_parts
from memorybank.scoring.parts import access, age_days, content, relationship, temporal, user
from memorybank.text.substance import NEUTRAL, PASSING, WORTH

_KINDS = {WORTH: ", written to be looked up", NEUTRAL: "", PASSING: ", a log, draft or stub"}

_UNITS = 10_000
"""Contributions are given to four decimals."""


@dataclass(frozen=True, slots=True)
class Contribution:
    """One addend of an importance.

    name: `part` or `part.detail`.
    value: on the 0-10 scale of its part; negative for a cap.
    weight: the product of all factors that apply to `value`.
    contribution: value × weight, to four decimals.
    reason: the fact behind it, in words.
    """

    name: str
    value: float
    weight: float
    contribution: float
    reason: str


@dataclass(frozen=True, slots=True)
class _Addend:
    name: str
    value: float
    weight: float
    reason: str


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
        addends.append(_Addend("clamp", 10 - total, 1.0, "an importance is at most 10"))
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
    yield _Addend("content.length", parts.length, weight * metrics.length_score.weight, _count(evidence.characters, "character"))
    yield _Addend("content.structure", parts.structure, weight * metrics.structure_score.weight, _structure(evidence))
    yield _Addend("content.keyword", parts.keyword, weight * metrics.keyword_density.weight, _count(evidence.keyword_hits, "important keyword"))
    alike = f"{evidence.similarity:.0%} like {evidence.duplicate_of}" if evidence.duplicate_of else "no older note is like it"
    yield _Addend("content.uniqueness", parts.uniqueness, weight * metrics.uniqueness_score.weight, alike)
    if known is not None:
        yield _Addend("content.confirmed", known.content - known.text, whole, "confirmed by uses and links from other notes")


def _temporal(evidence: ScoreEvidence, settings: ScoringSettings, now: int, weight: float) -> Iterator[_Addend]:
    parts = temporal(evidence, settings, now)
    share = settings.temporal_analysis.modification_tracking.edit_frequency_weight
    edits = "edits unknown: neither an edit record nor git history" if evidence.edits is None else _count(evidence.edits, "edit")
    yield _Addend("temporal.decay", 10 * parts.decay, weight * (1 - share), f"modified {_count(age_days(evidence.modified, now), 'day')} ago")
    yield _Addend("temporal.edit_frequency", 10 * parts.edit_frequency, weight * share, edits)
    plain = 10 * ((1 - share) * parts.decay + share * parts.edit_frequency)
    if parts.boost != 1:
        yield _Addend("temporal.edited_today", plain * parts.boost - plain, weight, f"times {parts.boost:g} on the day of the last edit")
    if plain * parts.boost > 10:
        yield _Addend("temporal.cap", 10 - plain * parts.boost, weight, "a part is at most 10")


def _access(evidence: ScoreEvidence, settings: ScoringSettings, weight: float, known: CalibratedParts | None) -> Iterator[_Addend]:
    days = settings.window_days
    used = [
        _count(evidence.views, "view"),
        _count(evidence.recent_edits, "edit"),
        _count(evidence.shares, "share"),
        f"{evidence.dwell_minutes:g} min of viewing",
    ]
    if known is not None:
        yield _Addend("access.estimate", known.content, weight, "estimated from the text, as far as it is confirmed")
        used.append(f"shown by recall on {_count(evidence.shown, 'day')}")
        reason = f"{', '.join(used)} in {_count(days, 'day')}"
        yield from _rise("access.use", known.content, known.used, weight, reason)
    elif evidence.access_known:
        yield _Addend("access", access(evidence, settings).part, weight, f"{', '.join(used)} in {_count(days, 'day')}")
    else:
        yield _Addend("access", access(evidence, settings).part, weight, f"unknown: the access log is younger than {_count(days, 'day')}")


def _relationship(evidence: ScoreEvidence, settings: ScoringSettings, weight: float, known: CalibratedParts | None) -> Iterator[_Addend]:
    links = settings.relationship_analysis.link_analysis
    parts = (
        ("internal", links.internal_links_weight * evidence.internal, f"links to {_count(evidence.internal, 'note or file', 'notes or files')}"),
        ("external", links.external_links_weight * evidence.external, f"links to {_count(evidence.external, 'URL')}"),
        ("backlinks", links.bidirectional_boost * evidence.backlinks, f"linked from {_count(evidence.backlinks, 'note')}"),
    )
    rise = 1.0
    total = 0.0
    if known is not None:
        total, rise = known.content, RISE / 10
        yield _Addend("relationship.estimate", total, weight, "estimated from the text, as far as it is confirmed")
    for name, value, reason in parts:
        yield _Addend(f"relationship.{name}", value * rise, weight, reason)
    total = fsum((total, *(value * rise for _, value, _ in parts)))
    part = relationship(evidence, settings) if known is None else known.relationship
    if total > part:
        yield _Addend("relationship.cap", part - total, weight, "a part is at most 10" if part == 10 else "links raise a part by 8 at most")


def _user(evidence: ScoreEvidence, weight: float, known: CalibratedParts | None) -> _Addend:
    if evidence.rating is not None:
        return _Addend("user", user(evidence), weight, "a person's rating")
    if known is not None:
        return _Addend("user", known.user, weight, "not rated, estimated from the text, as far as it is confirmed")
    return _Addend("user", user(evidence), weight, "not rated, counts as 5")


def _rise(name: str, estimate: float, share: float, weight: float, reason: str) -> Iterator[_Addend]:
    rise = RISE * share
    yield _Addend(name, rise, weight, reason)
    if estimate + rise > 10:
        yield _Addend(f"{name.partition('.')[0]}.cap", 10 - estimate - rise, weight, "a part is at most 10")


def _substance(evidence: ScoreEvidence) -> str:
    told = f"{evidence.statements:,} of {_count(evidence.sentences, 'sentence')} with a decision, rule, cause or definition, "
    return told + f"{evidence.specifics:,} different figures and identifiers" + _KINDS[evidence.kind]


def _structure(evidence: ScoreEvidence) -> str:
    present = (
        (evidence.has_headings, "headings"),
        (evidence.has_lists, "lists"),
        (evidence.has_code, "code"),
        (evidence.has_links, "links"),
    )
    return ", ".join(name for there, name in present if there) or "plain text"


def _count(number: int, one: str, many: str = "") -> str:
    return f"{number:,} {one if number == 1 else many or one + 's'}"


def _to_four_decimals(values: list[float]) -> list[float]:
    """Round each value to four decimals so that they add up to the rounded sum (largest remainder method)."""
    scaled = [value * _UNITS for value in values]
    units = [floor(value) for value in scaled]
    missing = round(fsum(scaled)) - sum(units)
    by_remainder = sorted(range(len(scaled)), key=lambda position: units[position] - scaled[position])
    for position in by_remainder[:missing]:
        units[position] += 1
    return [unit / _UNITS for unit in units]
