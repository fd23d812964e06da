"""The user part, 0-10: the person's rating."""

from memorybank.scoring.evidence import ScoreEvidence

UNRATED = 5.0


def user(evidence: ScoreEvidence) -> float:
    """The rating, limited to 0-10; `UNRATED` without one."""
    return UNRATED if evidence.rating is None else min(10.0, max(0.0, evidence.rating))
