"""Evidence of an ordinary note, to be varied."""

import pytest

DAY = 86_400_000
NOW = 1_758_112_496_789


def make(age=0, **changes):
    """1,000 characters of plain text, unrated, unlinked, unread with a full access log, never edited, `age` days old."""
    from memorybank.scoring.parts import ScoreEvidence

    values = {
        "characters": 1000,
        "has_headings": False,
        "has_lists": False,
        "has_code": False,
        "has_links": False,
        "keyword_hits": 0,
        "duplicate_of": None,
        "similarity": 0.0,
        "created": NOW - age * DAY,
        "modified": NOW - age * DAY,
        "edits": 0,
        "views": 0,
        "recent_edits": 0,
        "shares": 0,
        "dwell_minutes": 0.0,
        "access_known": True,
        "internal": 0,
        "external": 0,
        "backlinks": 0,
        "rating": None,
        "bookmarked": False,
    }
    return ScoreEvidence(**(values | changes))


def unrounded(breakdown, settings):
    """The sum of which an importance is the rounded form, limited to 0-10."""
    from memorybank.scoring.importance import weighted

    parts = (breakdown.content, breakdown.temporal, breakdown.access, breakdown.relationship, breakdown.user)
    return min(10.0, max(0.0, weighted(settings, *parts)))


def is_computed(note, settings, parts, total, importance):
    """Compare a score with one that was computed by hand: all five parts, the unrounded total, the importance, and the sum of the explained contributions."""
    from memorybank.scoring.explain import explain
    from memorybank.scoring.importance import score

    found = score(note, settings, NOW)
    assert (found.content, found.temporal, found.access, found.relationship, found.user) == pytest.approx(parts, abs=1e-6)
    assert unrounded(found, settings) == pytest.approx(total, abs=1e-6)
    assert found.total == importance
    assert sum(row.contribution for row in explain(note, settings, NOW)) == pytest.approx(round(unrounded(found, settings), 4), abs=1e-9)


@pytest.fixture(scope="session")
def evidence():
    return make


@pytest.fixture(scope="session")
def scoring():
    """scoring({...}) → ScoringSettings with these JSON values laid over the defaults, by the specification's formulas (without calibration)."""
    from memorybank.config.group import merge
    from memorybank.config.scoring import ScoringSettings

    def settings(values=None):
        faults = []
        merged = merge(ScoringSettings, {"calibration": {"enabled": False}} | (values or {}), faults)
        assert faults == []
        return merged

    return settings


@pytest.fixture(scope="session")
def calibrated(scoring):
    """calibrated({...}) → the same with calibration, which is the default."""
    return lambda values=None: scoring({"calibration": {"enabled": True}} | (values or {}))
