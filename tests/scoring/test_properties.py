"""What holds for every note and every valid configuration."""

import timeit

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memorybank.config.group import merge
from memorybank.config.scoring import ScoringSettings
from memorybank.scoring.claimed import NOTHING_CLAIMED
from memorybank.scoring.explain import explain
from memorybank.scoring.importance import importance_at, score
from memorybank.scoring.parts import ScoreEvidence

from .conftest import unrounded

DAY = 86_400_000
NOW = 1_758_112_496_789
COUNTS = st.integers(0, 10**6)
INSTANTS = st.integers(NOW - 4000 * DAY, NOW + 400 * DAY)

notes = st.builds(
    ScoreEvidence,
    characters=st.integers(0, 10**8),
    has_headings=st.booleans(),
    has_lists=st.booleans(),
    has_code=st.booleans(),
    has_links=st.booleans(),
    keyword_hits=COUNTS,
    duplicate_of=st.none() | st.just("older.md"),
    similarity=st.floats(0, 1),
    created=INSTANTS,
    modified=INSTANTS,
    edits=st.none() | COUNTS,
    views=COUNTS,
    recent_edits=COUNTS,
    shares=COUNTS,
    dwell_minutes=st.floats(0, 10**6),
    access_known=st.booleans(),
    internal=COUNTS,
    external=COUNTS,
    backlinks=COUNTS,
    rating=st.none() | st.floats(0, 10),
    bookmarked=st.booleans(),
    shown=st.integers(0, 40),
    sentences=COUNTS,
    statements=COUNTS,
    specifics=COUNTS,
    kind=st.sampled_from((-1, 0, 1)),
    claims=st.just(NOTHING_CLAIMED),
)


@st.composite
def configurations(draw):
    """Valid settings far from the defaults."""
    shares = [draw(st.integers(0, 100)) for _ in range(5)]
    names = ("content_quality", "temporal_relevance", "access_frequency", "relationship_density", "user_rating")
    weights = {name: share / sum(shares) if sum(shares) else 0.2 for name, share in zip(names, shares, strict=True)}
    values = {
        "scoring_algorithm": {"global_adjustment": draw(st.floats(0.01, 10)), "weights": weights},
        "temporal_analysis": {
            "recency_scoring": {"half_life_days": draw(st.floats(0.01, 400)), "min_score": draw(st.floats(0, 1))},
            "modification_tracking": {"recent_edit_boost": draw(st.floats(0, 100)), "edit_frequency_weight": draw(st.floats(0, 1))},
        },
        "access_patterns": {
            "frequency_scoring": {"log_scaling": draw(st.booleans()), "access_weight": draw(st.floats(0, 1000))},
            "user_behavior": {"edit_action_weight": draw(st.floats(0, 1000)), "shown_weight": draw(st.floats(0, 1000))},
        },
        "calibration": {"enabled": draw(st.booleans()), "substance_weight": draw(st.floats(0, 1))},
        "relationship_analysis": {"link_analysis": {"bidirectional_boost": draw(st.floats(0, 10))}},
    }
    faults = []
    settings = merge(ScoringSettings, values, faults)
    assert faults == []
    return settings


@given(notes, configurations())
def test_every_part_and_the_importance_lie_between_0_and_10(note, settings):
    found = score(note, settings, NOW)
    for part in (found.content, found.temporal, found.access, found.relationship, found.user, found.total):
        assert 0 <= part <= 10 + 1e-9
    assert found.total == round(found.total, 1)
    assert abs(found.total - unrounded(found, settings)) <= 0.05 + 1e-9


@given(notes, configurations())
def test_contributions_sum_to_the_unrounded_importance(note, settings):
    """Each has at most four decimals, and is value x weight to a ten-thousandth."""
    rows = explain(note, settings, NOW)
    total = unrounded(score(note, settings, NOW), settings)
    assert sum(row.contribution for row in rows) == pytest.approx(total, abs=0.5e-4 + 1e-9)
    for row in rows:
        assert row.contribution == round(row.contribution, 4)
        assert row.contribution == pytest.approx(row.value * row.weight, abs=1.0001e-4)
        assert row.reason


@given(notes, st.sampled_from(["views", "recent_edits", "shares", "backlinks", "internal", "external", "keyword_hits"]), st.integers(1, 1000))
def test_more_use_links_or_keywords_never_lower_a_score(note, name, more):
    settings = ScoringSettings()
    richer = note._replace(**{name: getattr(note, name) + more})
    assert score(richer, settings, NOW).total >= score(note, settings, NOW).total


@given(notes, st.integers(0, 400))
def test_age_never_raises_a_score(note, days):
    settings = ScoringSettings()
    assert score(note, settings, NOW + days * DAY).total <= score(note, settings, NOW).total


@given(notes)
def test_a_better_rating_never_lowers_a_score(note):
    settings = ScoringSettings()
    totals = [score(note._replace(rating=float(rating)), settings, NOW).total for rating in range(11)]
    assert totals == sorted(totals)


@given(notes, st.permutations(["TODO", "FIXME", "NOTE", "WARNING", "ERROR"]))
def test_the_order_of_configured_words_does_not_matter(note, words):
    from memorybank.scoring.parts import keyword_hits

    density = {"content_analysis": {"text_quality_metrics": {"keyword_density": {"important_keywords": words}}}}
    ordered = merge(ScoringSettings, density, []).content_analysis.text_quality_metrics.keyword_density
    assert keyword_hits("TODO FIXME NOTES NOTE ERROR。WARNING", ordered) == 5
    assert score(note, merge(ScoringSettings, density, []), NOW) == score(note, ScoringSettings(), NOW)


@given(notes)
def test_scoring_is_a_pure_function(note):
    assert score(note, ScoringSettings(), NOW) == score(note._replace(), ScoringSettings(), NOW)


def test_ten_thousand_notes_are_rescored_in_a_moment(evidence):
    """15 µs a note on the machine this was written on; the bound leaves room for a slow one."""
    note, settings = evidence(3, views=3, internal=2, keyword_hits=1), ScoringSettings()
    assert min(timeit.repeat(lambda: score(note, settings, NOW), number=500, repeat=5)) / 500 < 100e-6


def test_explanations_name_the_facts(evidence):
    note = evidence(0, edits=None, access_known=False, internal=30, duplicate_of="older.md", similarity=0.9)
    rows = {row.name: row for row in explain(note, ScoringSettings(), NOW)}
    assert rows["temporal.edited_today"].contribution > 0
    assert rows["relationship.cap"].contribution < 0
    assert str(rows["access.use"].reason) == "0 views, 0 edits, 0 shares, 0 min of viewing, shown by recall on 0 days in 30 days"
    assert str(rows["content.substance"].reason) == "0 of 0 sentences with a decision, rule, cause or definition, 0 different figures and identifiers"
    assert "90% similar to older.md" in str(rows["content.uniqueness"].reason)
    assert "edits unknown" in str(rows["temporal.edit_frequency"].reason)
    assert str(rows["user"].reason) == "not rated, estimated from the text and its confirmations"


def test_explanations_without_calibration(evidence, scoring):
    note = evidence(0, edits=None, access_known=False, internal=30)
    rows = {row.name: row for row in explain(note, scoring(), NOW)}
    assert rows["relationship.cap"].contribution < 0
    assert "younger than 30 days" in str(rows["access"].reason)
    assert str(rows["user"].reason) == "not rated, counts as 5"


@given(notes, configurations(), INSTANTS, st.integers(0, 400 * DAY))
def test_only_the_temporal_part_depends_on_the_age(evidence, settings, now, passed):
    """The importance of a later day follows from the parts of today, to the digit."""
    today, later = score(evidence, settings, now), score(evidence, settings, now + passed)
    assert importance_at(today, evidence.modified, evidence.edits, settings, now + passed, {}) == later.total
