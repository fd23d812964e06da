"""The content part, 0-10: length, structure, keyword density and uniqueness (specification, "Content quality score")."""

import re
from functools import lru_cache
from typing import NamedTuple

from memorybank.config.scoring import KeywordDensity, LengthScore, ScoringSettings, StructureScore, UniquenessScore
from memorybank.scoring.evidence import ScoreEvidence

FULL_DENSITY = 5.0
"""Boosted hits per 1,000 characters that give the full keyword score."""


class ContentScore(NamedTuple):
    """The four sub-scores, each 0-10, and the content part: their weighted sum."""

    length: float
    structure: float
    keyword: float
    uniqueness: float
    part: float


def content(evidence: ScoreEvidence, settings: ScoringSettings) -> ContentScore:
    """Return the content part with its sub-scores."""
    metrics = settings.content_analysis.text_quality_metrics
    length = length_score(evidence.characters, metrics.length_score)
    structure = structure_score(evidence, metrics.structure_score)
    keyword = keyword_score(evidence.keyword_hits, evidence.characters, metrics.keyword_density)
    uniqueness = uniqueness_score(evidence, metrics.uniqueness_score)
    part = (
        metrics.length_score.weight * length
        + metrics.structure_score.weight * structure
        + metrics.keyword_density.weight * keyword
        + metrics.uniqueness_score.weight * uniqueness
    )
    return ContentScore(length, structure, keyword, uniqueness, part)


def length_score(characters: int, settings: LengthScore) -> float:
    """Score a length, 0-10: it rises to 5 at `min_chars` and 10 at `optimal_chars`, and falls to 7 at `max_chars`."""
    low, best, high = settings.min_chars, settings.optimal_chars, settings.max_chars
    if characters < low:
        return 10 * (characters / low * 0.5)
    if characters <= best:
        return 10 * (0.5 + (characters - low) / (best - low) * 0.5)
    if characters <= high:
        return 10 * (1.0 - (characters - best) / (high - best) * 0.3)
    return 7.0


def structure_score(evidence: ScoreEvidence, settings: StructureScore) -> float:
    """Points for headings, lists, code and links, at most 10 in total."""
    points = 0.0
    if evidence.has_headings:
        points += settings.has_headers
    if evidence.has_lists:
        points += settings.has_lists
    if evidence.has_code:
        points += settings.has_code_blocks
    if evidence.has_links:
        points += settings.has_links
    return min(10.0, points)


def keyword_score(hits: int, characters: int, settings: KeywordDensity) -> float:
    """Score the important keywords per 1,000 characters, 0-10. A shorter text counts as 1,000 characters."""
    per_thousand = hits * 1000 / max(1000, characters)
    return 10 * min(1.0, settings.boost_factor * per_thousand / FULL_DENSITY)


def uniqueness_score(evidence: ScoreEvidence, settings: UniquenessScore) -> float:
    """10 for a note that repeats no older one, otherwise 10 times the `duplicate_penalty`."""
    return 10 * settings.duplicate_penalty if is_duplicate(evidence, settings) else 10.0


def is_duplicate(evidence: ScoreEvidence, settings: UniquenessScore) -> bool:
    """Whether the note nearly repeats an older one."""
    return evidence.duplicate_of is not None and evidence.similarity >= settings.similarity_threshold


def keyword_hits(prose: str, settings: KeywordDensity) -> int:
    """Number of occurrences of the important keywords in `prose` (text outside code), case-sensitive.

    A word boundary is required only where the keyword begins or ends with an ASCII letter, digit or underscore: `TODOを` counts for `TODO`
    and `最重要` for `重要`, but `TODOS` does not count for `TODO`.
    """
    if not any(word in prose for word in settings.important_keywords):
        return 0
    return sum(1 for _ in _pattern(settings.important_keywords).finditer(prose))


@lru_cache(maxsize=8)
def _pattern(keywords: tuple[str, ...]) -> re.Pattern[str]:
    # A regular expression takes the first alternative that matches, so a longer keyword must come before its own beginning.
    longest_first = sorted(set(keywords), key=lambda word: (-len(word), word))
    return re.compile("|".join(_bordered(word) for word in longest_first), re.ASCII)


def _bordered(word: str) -> str:
    before = r"(?<!\w)" if re.match(r"\w", word[0], re.ASCII) else ""
    after = r"(?!\w)" if re.match(r"\w", word[-1], re.ASCII) else ""
    return before + re.escape(word) + after
