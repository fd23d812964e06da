"""The relationship part, 0-10: links out and in (specification, "Relationship score")."""

from memorybank.config.scoring import ScoringSettings
from memorybank.scoring.evidence import ScoreEvidence


def relationship(evidence: ScoreEvidence, settings: ScoringSettings) -> float:
    """Points for each distinct target and each linking note, capped at 10."""
    links = settings.relationship_analysis.link_analysis
    return min(
        10.0,
        links.internal_links_weight * evidence.internal + links.external_links_weight * evidence.external + links.bidirectional_boost * evidence.backlinks,
    )
