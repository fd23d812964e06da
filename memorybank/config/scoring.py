"""`scoring_config.json`: how importance is calculated from a note's content, age, use, links and rating."""

from __future__ import annotations

__light__ = True

from memorybank.config.group import SettingsGroup
from memorybank.config.keys import MAX_DAYS, fixed, number, score, share, switch, whole, words

_NO_TOPICS = "topic modelling is not implemented; the topics of a note are those of its front matter, tags or folder"
_NO_SENTIMENT = "sentiment analysis is not implemented; the mood of a note does not affect its importance"
_NO_SEASONS = "seasonal patterns are not implemented; only age and use count"
_ONE_SCALE = "every part is defined on a scale of 0 to 10, to which the thresholds 8, 5 and 2 refer"


class Weights(SettingsGroup):
    content_quality: float = share(0.4, "Share of the content part.")
    temporal_relevance: float = share(0.2, "Share of the temporal part.")
    access_frequency: float = share(0.2, "Share of the access part.")
    relationship_density: float = share(0.15, "Share of the relationship part.")
    user_rating: float = share(0.05, "Share of the person's rating. The five weights sum to 1.")


class Normalization(SettingsGroup):
    enabled: bool = fixed(True, "Parts are brought to one scale.", _ONE_SCALE)
    method: str = fixed("min_max", "How parts are brought to one scale.", _ONE_SCALE)
    range: tuple[float, float] = fixed((0.0, 10.0), "The scale of every part and of the importance.", _ONE_SCALE)


class ScoringAlgorithm(SettingsGroup):
    version: str = fixed("2.0", "Version of the algorithm this file is for.", "this release supports only this version")
    global_adjustment: float = number(1.0, "Factor on the weighted sum, before it is clamped to 0 to 10 and rounded.", above=0, maximum=10)
    weights: Weights = Weights()
    normalization: Normalization = Normalization()


class LengthScore(SettingsGroup):
    min_chars: int = whole(50, "Characters of the body at which the length score is half.", minimum=1, maximum=100_000_000)
    optimal_chars: int = whole(1000, "Characters at which the length score is full; more than `min_chars`.", minimum=2, maximum=100_000_000)
    max_chars: int = whole(10000, "Characters from which the length score stays at 0.7 of full; more than `optimal_chars`.", minimum=3, maximum=100_000_000)
    weight: float = share(0.3, "Share of length in the content part.")


class StructureScore(SettingsGroup):
    has_headers: float = score(2.0, "Points for headings.")
    has_lists: float = score(1.5, "Points for lists.")
    has_code_blocks: float = score(2.5, "Points for fenced code.")
    has_links: float = score(1.2, "Points for links. The sum is capped at 10.")
    weight: float = share(0.3, "Share of structure in the content part.")


class KeywordDensity(SettingsGroup):
    important_keywords: tuple[str, ...] = words(
        ("TODO", "FIXME", "NOTE", "WARNING", "ERROR"),
        "Words counted outside code, case-sensitive, between ASCII word boundaries (`TODOを` counts, `TODOS` does not).",
    )
    boost_factor: float = number(1.5, "Factor on the hits per 1,000 characters; five hits (after the factor) give a full score.", minimum=0, maximum=1000)
    weight: float = share(0.2, "Share of keyword density in the content part.")


class UniquenessScore(SettingsGroup):
    duplicate_penalty: float = share(0.5, "Share of the uniqueness score that a near copy of an older note keeps.")
    similarity_threshold: float = number(0.8, "Similarity from which two notes are near copies.", above=0, maximum=1)
    weight: float = share(0.2, "Share of uniqueness in the content part. The four weights sum to 1.")


class TextQuality(SettingsGroup):
    length_score: LengthScore = LengthScore()
    structure_score: StructureScore = StructureScore()
    keyword_density: KeywordDensity = KeywordDensity()
    uniqueness_score: UniquenessScore = UniquenessScore()


class TopicModeling(SettingsGroup):
    enabled: bool = fixed(False, "Topics found by a model.", _NO_TOPICS)
    min_topics: int = fixed(3, "Minimum number of topics of that model.", _NO_TOPICS)
    max_topics: int = fixed(10, "Maximum number of topics of that model.", _NO_TOPICS)


class SentimentAnalysis(SettingsGroup):
    enabled: bool = fixed(False, "A factor by the mood of the text.", _NO_SENTIMENT)
    positive_boost: float = fixed(1.1, "Factor of a positive text.", _NO_SENTIMENT)
    negative_penalty: float = fixed(0.9, "Factor of a negative text.", _NO_SENTIMENT)


class SemanticAnalysis(SettingsGroup):
    enabled: bool = fixed(
        True, "Parent switch of the two analyses below.", "both analyses that it controls are off and not implemented, so there is nothing to switch"
    )
    topic_modeling: TopicModeling = TopicModeling()
    sentiment_analysis: SentimentAnalysis = SentimentAnalysis()


class ContentAnalysis(SettingsGroup):
    text_quality_metrics: TextQuality = TextQuality()
    semantic_analysis: SemanticAnalysis = SemanticAnalysis()


class RecencyScoring(SettingsGroup):
    decay_function: str = fixed("exponential", "Shape of the decay with age.", "only the exponential decay of the specification is implemented")
    half_life_days: float = number(7, "Days after which the decay has halved.", above=0, maximum=MAX_DAYS)
    min_score: float = share(0.1, "The decay never falls below this.")


class ModificationTracking(SettingsGroup):
    recent_edit_boost: float = number(1.3, "Factor on the temporal part on the day of the last edit.", minimum=0, maximum=100)
    edit_frequency_weight: float = share(0.2, "Share of edit frequency in the temporal part; the rest is decay.")


class SeasonalPatterns(SettingsGroup):
    enabled: bool = fixed(False, "A factor by weekday or day of the month.", _NO_SEASONS)
    weekly_pattern: bool = fixed(True, "By weekday.", _NO_SEASONS)
    monthly_pattern: bool = fixed(False, "By day of the month.", _NO_SEASONS)


class TemporalAnalysis(SettingsGroup):
    recency_scoring: RecencyScoring = RecencyScoring()
    modification_tracking: ModificationTracking = ModificationTracking()
    seasonal_patterns: SeasonalPatterns = SeasonalPatterns()


class FrequencyScoring(SettingsGroup):
    window_days: int = whole(
        30, "Number of past days whose views, edits, shares and viewing time count; with a shorter access log the use is unknown.", minimum=1, maximum=MAX_DAYS
    )
    log_scaling: bool = switch(True, "log10 of the count; false: count / 10.")
    access_weight: float = number(1.0, "Weight of one view.", minimum=0, maximum=1000)


class UserBehavior(SettingsGroup):
    view_duration_weight: float = number(0.3, "Weight of one minute of viewing.", minimum=0, maximum=1000)
    edit_action_weight: float = number(0.7, "Weight of one edit.", minimum=0, maximum=1000)
    share_action_weight: float = number(0.5, "Weight of one share.", minimum=0, maximum=1000)
    shown_weight: float = number(
        0.4, "Weight of one day on which recall showed the note to an agent; only with `calibration.enabled`.", minimum=0, maximum=1000
    )


class AccessPatterns(SettingsGroup):
    frequency_scoring: FrequencyScoring = FrequencyScoring()
    user_behavior: UserBehavior = UserBehavior()


class LinkAnalysis(SettingsGroup):
    internal_links_weight: float = score(0.6, "Points for each distinct note or repository file linked to.")
    external_links_weight: float = score(0.4, "Points for each distinct URL.")
    bidirectional_boost: float = score(1.2, "Points for each other active note that links here.")


class DependencyTracking(SettingsGroup):
    file_dependencies: bool = switch(True, "Links to repository files outside the bank count as internal links.")
    content_references: bool = switch(True, "[[wiki links]] and exact mentions of another note's key or file name count as links.")
    tag_relationships: bool = switch(True, "Notes that share a tag are published as related (never scored).")


class RelationshipAnalysis(SettingsGroup):
    link_analysis: LinkAnalysis = LinkAnalysis()
    dependency_tracking: DependencyTracking = DependencyTracking()


class Calibration(SettingsGroup):
    enabled: bool = switch(
        True, "Parts without evidence (uses, links, rating) begin at an estimate from the text; false: the specification's formulas, unchanged."
    )
    substance_weight: float = share(
        0.75, "Share of the substance of the text (statements, figures and identifiers, kind of note) in the content part; the rest is the specification's."
    )


class Thresholds(SettingsGroup):
    high_importance: float = score(8.0, "Importance from which a note is preserved; the lower of this and rotation's own `threshold` applies.")
    medium_importance: float = score(5.0, "Importance below which an old note is archived (rule medium).")
    low_importance: float = score(2.0, "Importance below which a note is archived early (rule low); the lowest of this and rotation's own limits applies.")
    archive_threshold: float = score(
        1.0, "Importance below which notes are archived first when a run is cut short. The four thresholds must not increase in this order."
    )


class ScoringSettings(SettingsGroup):
    scoring_algorithm: ScoringAlgorithm = ScoringAlgorithm()
    content_analysis: ContentAnalysis = ContentAnalysis()
    temporal_analysis: TemporalAnalysis = TemporalAnalysis()
    access_patterns: AccessPatterns = AccessPatterns()
    relationship_analysis: RelationshipAnalysis = RelationshipAnalysis()
    calibration: Calibration = Calibration()
    thresholds: Thresholds = Thresholds()

    @property
    def window_days(self) -> int:
        """Number of days whose use counts."""
        return self.access_patterns.frequency_scoring.window_days
