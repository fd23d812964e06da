"""The value on, before and after every border of the formulas."""

import pytest

from memorybank.scoring.importance import BUCKETS, bucket, rounded, score
from memorybank.scoring.parts import (
    access,
    age_days,
    decay_score,
    is_known,
    keyword_hits,
    keyword_score,
    length_score,
    relationship,
    structure_score,
    temporal,
    uniqueness_score,
    user,
)

DAY = 86_400_000
NOW = 1_758_112_496_789


@pytest.fixture
def metrics(scoring):
    return scoring().content_analysis.text_quality_metrics


@pytest.mark.parametrize(
    ("characters", "expected"),
    [
        (0, 0.0), (1, 0.1), (25, 2.5), (49, 4.9), (50, 5.0), (51, 5.0 + 5 / 950), (525, 7.5), (999, 5.0 + 5 * 949 / 950), (1000, 10.0),
        (1001, 10 - 3 / 9000), (5500, 8.5), (9999, 10 - 3 * 8999 / 9000), (10000, 7.0), (10001, 7.0), (10**9, 7.0),
    ],
)  # fmt: skip
def test_length(characters, expected, metrics):
    assert length_score(characters, metrics.length_score) == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize("present", range(16))
def test_structure_adds_what_is_there(present, evidence, metrics):
    flags = {name: bool(present >> bit & 1) for bit, name in enumerate(("has_headings", "has_lists", "has_code", "has_links"))}
    points = sum(value for value, there in zip((2.0, 1.5, 2.5, 1.2), flags.values(), strict=True) if there)
    assert structure_score(evidence(**flags), metrics.structure_score) == pytest.approx(points)


def test_structure_is_capped_at_ten(evidence, scoring):
    points = {"has_headers": 9.0, "has_lists": 9.0}
    settings = scoring({"content_analysis": {"text_quality_metrics": {"structure_score": points}}})
    note = evidence(has_headings=True, has_lists=True)
    assert structure_score(note, settings.content_analysis.text_quality_metrics.structure_score) == 10.0


@pytest.mark.parametrize(
    ("hits", "characters", "expected"),
    [
        (0, 0, 0.0), (0, 1000, 0.0), (1, 0, 3.0), (1, 1, 3.0), (1, 999, 3.0), (1, 1000, 3.0), (1, 1001, 3000 / 1001), (1, 2000, 1.5), (3, 1000, 9.0),
        (4, 1000, 10.0), (10, 3000, 10.0), (9, 3000, 9.0), (10**6, 10**6, 10.0),
    ],
)  # fmt: skip
def test_keyword_density(hits, characters, expected, metrics):
    """A text under 1,000 characters counts as 1,000."""
    assert keyword_score(hits, characters, metrics.keyword_density) == pytest.approx(expected)


@pytest.mark.parametrize(("similarity", "expected"), [(0.0, 10.0), (0.7999, 10.0), (0.8, 5.0), (1.0, 5.0)])
def test_uniqueness(similarity, expected, evidence, metrics):
    assert uniqueness_score(evidence(duplicate_of="older.md", similarity=similarity), metrics.uniqueness_score) == expected
    assert uniqueness_score(evidence(similarity=similarity), metrics.uniqueness_score) == 10.0


@pytest.mark.parametrize(
    ("prose", "hits"),
    [
        ("", 0), ("TODO", 1), ("TODO: TODO", 2), ("todo", 0), ("TODOS", 0), ("aTODO", 0), ("TODO_x", 0), ("TODO1", 0), ("TODOを直す", 1), ("これはTODOです", 1),
        ("あとでFIXMEとNOTE", 2),
        ("(WARNING)", 1), ("ERROR/WARNING", 2), ("ÉTODO", 1), ("TODO\nTODO", 2), ("TODO-ERROR", 2), ("NOTE　全角", 1), ("ＴＯＤＯ", 0),
        ("# TODO #FIXME", 2),
    ],
)  # fmt: skip
def test_keywords_are_counted_between_ascii_borders(prose, hits, metrics):
    assert keyword_hits(prose, metrics.keyword_density) == hits


def test_keywords_of_any_script(scoring):
    """A border is asked only where the keyword's own edge is ASCII; longer keywords are found before their beginnings."""
    values = {"important_keywords": ["重要", "NOTE", "NOTE!", "C++", "v2"]}
    density = scoring({"content_analysis": {"text_quality_metrics": {"keyword_density": values}}}).content_analysis.text_quality_metrics.keyword_density
    assert keyword_hits("最重要事項 NOTE! C++x C+++ v2 v20 av2 NOTE", density) == 6
    none = scoring({"content_analysis": {"text_quality_metrics": {"keyword_density": {"important_keywords": []}}}})
    assert keyword_hits("TODO", none.content_analysis.text_quality_metrics.keyword_density) == 0


@pytest.mark.parametrize(
    ("elapsed", "age"),
    [
        (0, 0), (1, 0), (DAY - 1, 0), (DAY, 1), (DAY + 1, 1), (7 * DAY, 7), (8 * DAY - 1, 7), (8 * DAY, 8), (31 * DAY - 1, 30), (31 * DAY, 31),
        (-1, 0), (-400 * DAY, 0),
    ],
)  # fmt: skip
def test_age_is_whole_days_and_the_future_is_now(elapsed, age):
    assert age_days(NOW - elapsed, NOW) == age


@pytest.mark.parametrize(("age", "decay"), [(0, 1.0), (7, 0.5), (14, 0.25), (21, 0.125), (23, 2 ** (-23 / 7)), (24, 0.1), (1000, 0.1), (10**6, 0.1)])
def test_decay_halves_and_stands_still(age, decay, scoring):
    """2^(−23/7) = 0.1025 is the last day above the minimum."""
    assert decay_score(age, scoring().temporal_analysis) == pytest.approx(decay)


@pytest.mark.parametrize(("edits", "frequency"), [(None, 0.5), (0, 0.0), (1, 0.30103), (8, 0.9542425), (9, 1.0), (10, 1.0), (10**9, 1.0)])
def test_edit_frequency(edits, frequency, evidence, scoring):
    assert temporal(evidence(1, edits=edits), scoring(), NOW).edit_frequency == pytest.approx(frequency)


def test_the_boost_is_for_the_day_of_the_edit_only(evidence, scoring):
    note = evidence(0, edits=None)
    assert temporal(note, scoring(), NOW + DAY - 1).part == 10.0
    assert temporal(note, scoring(), NOW + DAY).part == pytest.approx(10 * (0.8 * 2 ** (-1 / 7) + 0.1))


@pytest.mark.parametrize(
    ("uses", "part"),
    [({}, 1.0), ({"shares": 1}, 1.0), ({"views": 1}, 1.0), ({"views": 2}, 3.0103), ({"views": 9}, 9.5424251), ({"views": 10}, 10.0), ({"views": 10**6}, 10.0),
     ({"recent_edits": 10}, 8.4509804), ({"shares": 4}, 3.0103), ({"dwell_minutes": 10.0}, 4.7712125), ({"dwell_minutes": 0.1}, 1.0)],
)  # fmt: skip
def test_access(uses, part, evidence, scoring):
    """log10 of the weighted count, never below 0.1: one view is still 0.1."""
    assert access(evidence(**uses), scoring()).part == pytest.approx(part)


def test_access_is_unknown_while_the_log_is_young(evidence, scoring):
    assert access(evidence(access_known=False, views=50), scoring()).part == 5.0


@pytest.mark.parametrize(("views", "part"), [(0, 0.0), (1, 1.0), (5, 5.0), (10, 10.0), (11, 10.0)])
def test_access_without_log_scaling_is_a_tenth_of_the_count(views, part, evidence, scoring):
    settings = scoring({"access_patterns": {"frequency_scoring": {"log_scaling": False}}})
    assert access(evidence(views=views), settings).part == pytest.approx(part)


def test_the_window_of_access_is_open_behind_and_closed_before(scoring):
    settings = scoring()
    assert is_known(NOW - 30 * DAY, NOW, settings)
    assert not is_known(NOW - 30 * DAY + 1, NOW, settings)
    assert not is_known(None, NOW, settings)


@pytest.mark.parametrize(
    ("internal", "external", "backlinks", "part"),
    [(0, 0, 0, 0.0), (1, 0, 0, 0.6), (0, 1, 0, 0.4), (0, 0, 1, 1.2), (1, 1, 1, 2.2), (16, 1, 0, 10.0), (0, 25, 0, 10.0), (0, 0, 8, 9.6), (0, 0, 9, 10.0)],
)
def test_relationship(internal, external, backlinks, part, evidence, scoring):
    assert relationship(evidence(internal=internal, external=external, backlinks=backlinks), scoring()) == pytest.approx(part)


@pytest.mark.parametrize(("rating", "part"), [(None, 5.0), (0.0, 0.0), (7.5, 7.5), (10.0, 10.0)])
def test_user(rating, part, evidence):
    assert user(evidence(rating=rating)) == part


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (-1.0, 0.0), (0.0, 0.0), (0.0499, 0.0), (0.05, 0.1), (1.95, 2.0), (1.949, 1.9), (2.05, 2.1), (4.35, 4.4), (7.95, 8.0), (8.0, 8.0), (9.96, 10.0),
        (10.0, 10.0), (37.0, 10.0),
    ],
)  # fmt: skip
def test_rounding_is_half_up_once(value, expected):
    """1.95 and 4.35 are no binary fractions; a person computes 2.0 and 4.4, and so do we."""
    assert rounded(value) == expected


def test_every_one_decimal_border_rounds_up_however_it_was_summed():
    for tenths in range(100):
        exact = (tenths + 0.5) / 10
        assert rounded(exact) == rounded(sum([exact / 7] * 7)) == (tenths + 1) / 10


@pytest.mark.parametrize(
    ("total", "name"),
    [
        (0.0, "minimal"), (0.9, "minimal"), (1.0, "low"), (3.9, "low"), (4.0, "medium"), (6.9, "medium"), (7.0, "high"), (8.9, "high"),
        (9.0, "critical"), (10.0, "critical"),
    ],
)  # fmt: skip
def test_buckets(total, name):
    assert bucket(total) == name


def test_every_score_lies_in_the_range_of_its_bucket():
    for tenths in range(101):
        low, high = BUCKETS[bucket(tenths / 10)]
        assert low <= tenths / 10 <= high


REASONS = {
    "high_access_frequency": ({"views": 5}, {"views": 4}),
    "many_internal_links": ({"internal": 5}, {"internal": 4}),
    "many_backlinks": ({"backlinks": 3}, {"backlinks": 2}),
    "recent_updates": ({"age": 7}, {"age": 8}),
    "rich_structure": ({"has_headings": True, "has_lists": True, "has_code": True}, {"has_headings": True, "has_code": True, "has_links": True}),
    "priority_keywords": ({"keyword_hits": 1}, {"keyword_hits": 1, "characters": 1001}),
    "user_rated": ({"rating": 0.0}, {"rating": None}),
    "bookmarked": ({"bookmarked": True}, {"bookmarked": False}),
    "duplicate": ({"duplicate_of": "a.md", "similarity": 0.8}, {"duplicate_of": "a.md", "similarity": 0.79}),
    "stale": ({"age": 31}, {"age": 30}),
}


@pytest.mark.parametrize("reason", REASONS)
def test_each_reason_begins_at_its_border(reason, evidence, scoring):
    named, not_named = REASONS[reason]
    assert reason in score(evidence(**named), scoring(), NOW).reasons
    assert reason not in score(evidence(**not_named), scoring(), NOW).reasons


def test_reasons_keep_their_order_and_a_used_note_is_not_stale(evidence, scoring):
    note = evidence(31, views=6, internal=5, backlinks=3, rating=1.0, bookmarked=True)
    assert score(note, scoring(), NOW).reasons == ("high_access_frequency", "many_internal_links", "many_backlinks", "user_rated", "bookmarked")


def test_unknown_access_is_no_high_access(evidence, scoring):
    assert "high_access_frequency" not in score(evidence(views=50, access_known=False), scoring(), NOW).reasons


def test_the_reasons_are_documented():
    from pathlib import Path

    page = (Path(__file__).resolve().parents[2] / "docs" / "configuration.md").read_text(encoding="utf-8")
    assert [reason for reason in REASONS if f"| `{reason}` |" not in page] == []
