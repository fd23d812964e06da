"""Ranking is arithmetic on tokens: each rule on its own."""

import pytest

from memorybank.search import ranking
from memorybank.search.query import QueryUnit
from memorybank.search.ranking import LONG, SHORT, DocumentEvidence, DocumentTokens, WeightedQuery, affordable, lending, supported, with_standing
from memorybank.text.words import tokens


def question(*words, frequencies=None, notes=100, average=20.0):
    return WeightedQuery([QueryUnit(tuple(word.split())) for word in words], frequencies or [5] * len(words), notes, average)


def text(body="", title="", headings="", tags=""):
    return DocumentTokens(*(tokens.read(column).indexed for column in (title, headings, tags, body)))


def score(asked, body, **columns):
    return asked.evidence(text(body, **columns)).score


def test_rarer_words_weigh_more():
    asked = question("zebra", "hors", frequencies=[1, 50])
    assert score(asked, "zebra") > score(asked, "horse")


def test_occurrences_saturate():
    asked = question("zebra")
    once, twice, often = (score(asked, "zebra " * count + "x " * (50 - count)) for count in (1, 2, 50))
    assert once < twice < often < 3 * once


@pytest.mark.parametrize("column", ["title", "headings", "tags"])
def test_title_headings_and_front_matter_count_more_than_the_body(column):
    """Measured without the passage, which only a body has."""
    asked = question("zebra")
    assert asked.evidence(text("x", **{column: "zebra"})).counts[0] > asked.evidence(text("zebra")).counts[0]


@pytest.mark.parametrize("column", DocumentTokens._fields)
def test_every_column_is_scored_as_far_as_its_limit(column, monkeypatch):
    monkeypatch.setattr(ranking, "LONGEST_COLUMN", 40)
    asked = question("zebra")
    assert asked.evidence(text(**{column: "zebra " + "x " * 40 + "zebra"})).counts == asked.evidence(text(**{column: "zebra"})).counts


def test_words_that_stand_together_beat_words_far_apart():
    asked = question("zebra", "hors")
    gap = "x " * 80
    assert score(asked, f"zebra horse {gap}") > score(asked, f"zebra {gap} horse")


def test_words_in_the_order_asked_beat_the_reverse():
    asked = question("zebra", "hors")
    assert score(asked, "zebra horse") > score(asked, "horse zebra")


def test_the_best_passage_is_named_by_its_lines():
    asked = question("zebra", "hors")
    found = asked.evidence(text("zebra\n" + "filler words\n" * 60 + "a zebra\nand a horse\nend\n"))
    assert found.lines == (61, 62)


def test_a_phrase_matches_across_a_line_end_and_nowhere_else():
    asked = question("zebra cross")
    assert asked.evidence(text("a zebra\ncrossing")).counts == (1.0,)
    assert asked.evidence(text("zebra and crossing")).counts == (0.0,)


def test_a_prefix_matches_the_beginnings_of_tokens():
    asked = WeightedQuery([QueryUnit(("検",), prefix=True)], [5], 100, 20.0)
    assert asked.evidence(text("検索と点検")).counts == (2.0,)


def test_a_unit_in_every_note_weighs_next_to_nothing_but_never_less():
    assert 0 < score(question("zebra", frequencies=[100], notes=100), "zebra") < 0.1
    assert score(question("zebra", frequencies=[120], notes=100), "zebra") > 0


def test_the_rarest_units_are_looked_up_within_the_budget():
    assert affordable([50, 3, 0, 900, 20], 100) == [1, 4, 0]
    assert affordable([900], 100) == []


def evidence(value):
    return DocumentEvidence(value, (1.0,), 10, None)


def test_neighbours_lend_and_the_nearer_lends_more():
    own = evidence(1.0)
    alone = supported(own, [], [], 0.0, 1.0)
    near = supported(own, [evidence(5.0)], [], 0.0, 1.0)
    far = supported(own, [], [evidence(0.0), evidence(5.0)], 0.0, 1.0)
    assert alone < far < near
    assert supported(own, [evidence(5.0)], [], 9.0, 0.0) == own.score


def test_only_series_of_remarks_lend():
    assert lending([SHORT] * 3) == 1.0
    assert lending([LONG] * 3) == 0.0
    assert 0.0 < lending([SHORT, LONG]) < 1.0


def test_importance_and_recency_only_break_ties():
    best, worst = with_standing(1.0, 10.0, 0.0), with_standing(1.0, 0.0, 10_000.0)
    assert worst == pytest.approx(1.0)
    assert best == pytest.approx(1.1)
    assert with_standing(1.0, 5.0, -3.0) == with_standing(1.0, 5.0, 0.0)
