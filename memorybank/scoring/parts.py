"""The five parts of an importance, each 0-10: content, temporal, access, relationship and user (specification, "Importance score")."""

from __future__ import annotations

__light__ = True

from math import exp2, log10

from memorybank.clock import DAY
from memorybank.config.scoring import KeywordDensity, LengthScore, ScoringSettings, StructureScore, TemporalAnalysis, UniquenessScore
from memorybank.scoring.claimed import NOTHING_CLAIMED, ClaimEvidence
from memorybank.text.pattern import compiled, lazy_pattern
from memorybank.values import NamedTuple, lru_cache

TYPE_CHECKING = False
if TYPE_CHECKING:
    import re

_WORD_ENDS = r"(?!\w)"
FULL_DENSITY = 5.0
"""Boosted hits per 1,000 characters that give the full keyword score."""
UNKNOWN_EDITS = 0.5
"""Edit frequency when neither an edit record nor git history exists: the specification's own fallback."""
UNKNOWN_ACCESS = 0.5
"""Fraction of the access part while the access log is younger than the window: the specification's own fallback."""
NEVER_USED = 0.1
"""Smallest fraction of the access part once the access log covers the window."""
UNRATED = 5.0
"""The user part without a rating."""
USER_RATED = 8.0
"""A rating of this or more by a person keeps a note like a bookmark. The rating's share of the importance alone would be too small."""


class ScoreEvidence(NamedTuple):
    """Facts about one note at one instant. Counts are never negative.

    characters: length of the body.
    keyword_hits: occurrences of important keywords outside code.
    duplicate_of: key of the older note that it nearly repeats.
    similarity: similarity of those two notes, 0-1.
    created, modified: instants, ms since the epoch.
    edits: number of edits; None when neither an edit record nor git history exists.
    views (helpful recalls included), recent_edits, shares, dwell_minutes: uses within the access window before `now`.
    access_known: False while the access log is younger than the window.
    internal, external: number of distinct link targets.
    backlinks: number of notes that link to it.
    rating: a person's rating, 0-10, or None.
    shown: number of days within that window on which recall showed the note.
    sentences, statements, specifics, kind: the substance of its text (`text.prose.substance`).
    claims: what the repository says about the names in it.
    """

    characters: int
    has_headings: bool
    has_lists: bool
    has_code: bool
    has_links: bool
    keyword_hits: int
    duplicate_of: str | None
    similarity: float
    created: int
    modified: int
    edits: int | None
    views: int
    recent_edits: int
    shares: int
    dwell_minutes: float
    access_known: bool
    internal: int
    external: int
    backlinks: int
    rating: float | None
    bookmarked: bool
    shown: int = 0
    sentences: int = 0
    statements: int = 0
    specifics: int = 0
    kind: int = 0
    claims: ClaimEvidence = NOTHING_CLAIMED

    @property
    def is_kept(self) -> bool:
        """Whether a person pinned the note: with a bookmark in its front matter, or a rating of `USER_RATED` or more."""
        return self.bookmarked or (self.rating is not None and self.rating >= USER_RATED)


class ContentScore(NamedTuple):
    """The four sub-scores, each 0-10, and the content part: their weighted sum."""

    length: float
    structure: float
    keyword: float
    uniqueness: float
    part: float


def content(evidence: ScoreEvidence, settings: ScoringSettings) -> ContentScore:
    """Return the content part with its sub-scores (specification, "Content quality score")."""
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
    """Return the points for headings, lists, code and links, at most 10 in total."""
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
    """Return whether the note nearly repeats an older one."""
    return evidence.duplicate_of is not None and evidence.similarity >= settings.similarity_threshold


def keyword_hits(prose: str, settings: KeywordDensity) -> int:
    """Return the number of occurrences of the important keywords in `prose` (text outside code), case-sensitive.

    A word boundary is required only where the keyword begins or ends with an ASCII letter, digit or underscore: `TODOを` counts for `TODO`
    and `最重要` for `重要`, but `TODOS` does not count for `TODO`.
    """
    if not any(word in prose for word in settings.important_keywords):
        return 0
    return sum(1 for _ in _pattern(settings.important_keywords).finditer(prose))


@lru_cache(maxsize=8)
def _pattern(keywords: tuple[str, ...]) -> re.Pattern[str]:
    return compiled(f"(?a){_text_of(keywords)}")


def _text_of(keywords: tuple[str, ...]) -> str:
    """Return the regular expression that matches any of the keywords."""
    # The first alternative that matches is taken, so a longer keyword must come before its own beginning.
    longest_first = sorted(set(keywords), key=lambda word: (-len(word), word))
    return "|".join(map(_bordered, longest_first))


def _bordered(word: str) -> str:
    first, rest = _escaped(word[0]), "".join(map(_escaped, word[1:]))
    # The first character comes before the look at the one before it: a search skips whatever begins with none of these characters.
    return f"{first}(?<!\\w{first}){rest}{_WORD_ENDS * _is_word(word[-1])}" if _is_word(word[0]) else f"{first}{rest}{_WORD_ENDS * _is_word(word[-1])}"


def _escaped(sign: str) -> str:
    return f"\\{sign}" if sign.isascii() and not _is_word(sign) else sign


def _is_word(sign: str) -> bool:
    return sign.isascii() and (sign.isalnum() or sign == "_")


_OF_DEFAULTS = lazy_pattern(_text_of(KeywordDensity().important_keywords), "a")
"""Declared, so that hooks need not compile what nearly every bank uses."""


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
    """Return the temporal part with its factors at `now` (ms): decay with age, and how often the note was edited (specification, "Temporal score")."""
    return temporal_of(evidence.modified, evidence.edits, settings, now)


def temporal_of(modified: int, edits: int | None, settings: ScoringSettings, now: int) -> TemporalScore:
    """Return the temporal part from the only evidence that it depends on. modified: as of `now`."""
    analysis = settings.temporal_analysis
    age = age_days(modified, now)
    decay = decay_score(age, analysis)
    frequency = UNKNOWN_EDITS if edits is None else min(1.0, log10(edits + 1))
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


class AccessScore(NamedTuple):
    """uses: weighted number of uses.
    part: the access part, 0-10.
    """

    uses: float
    part: float


def access(evidence: ScoreEvidence, settings: ScoringSettings) -> AccessScore:
    """Return the weighted number of uses within the window and the access part (specification, "Access pattern score").

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
    if settings.calibration.enabled:
        uses += behavior.shown_weight * evidence.shown
    if not evidence.access_known:
        return AccessScore(uses, 10 * UNKNOWN_ACCESS)
    if not patterns.frequency_scoring.log_scaling:
        return AccessScore(uses, 10 * min(1.0, uses / 10))
    return AccessScore(uses, 10 * (NEVER_USED if uses < 1 else max(NEVER_USED, min(1.0, log10(uses)))))


def is_known(log_begins: int | None, now: int, settings: ScoringSettings) -> bool:
    """Return whether the access log covers the entire window.

    log_begins: instant (ms) of its oldest line; None without a log.
    """
    return log_begins is not None and log_begins <= now - settings.window_days * DAY


def relationship(evidence: ScoreEvidence, settings: ScoringSettings) -> float:
    """Return the relationship part: points for each distinct target and each linking note (specification, "Relationship score")."""
    links = settings.relationship_analysis.link_analysis
    return min(
        10.0,
        links.internal_links_weight * evidence.internal + links.external_links_weight * evidence.external + links.bidirectional_boost * evidence.backlinks,
    )


def user(evidence: ScoreEvidence) -> float:
    """Return the user part: a person's rating."""
    return UNRATED if evidence.rating is None else min(10.0, max(0.0, evidence.rating))
