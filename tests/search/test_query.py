"""How a question is cut into units."""

from contextlib import closing

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memorybank.errors import UsageError
from memorybank.search.query import QueryUnit, units


def plain(text):
    return [" ".join(unit.tokens) + ("*" if unit.prefix else "") for unit in units(text)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Why did we choose sqlite?", ["choos", "sqlite"]),
        ("what is the", ["what", "is", "the"]),
        ('"rotation plan" brake', ["rotat plan", "brake"]),
        ("“to be or not”", ["to be or not"]),
        ("日本で梅雨がない", ["日本", "本で", "で梅", "梅雨", "雨が"]),
        ("について", ["につ", "つい", "いて"]),
        ("語", ["語*"]),
        ("3月の予算", ["3", "月の", "の予", "予算"]),
        ('"検索エンジン"', ["検索 索エ エン ンジ ジン"]),
        ('"語"', ["語*"]),
        ("Python 3.11 at 10:30", ["3 11", "10 30", "python"]),
        ("parseConfig", ["parseconfig", "pars", "config"]),
        ("cache cache Caches", ["cach"]),
    ],
)
def test_units(text, expected):
    assert plain(text) == expected


@pytest.mark.parametrize("text", ["2023-05-08", "8 May 2023", "2023年5月8日"])
def test_a_day_is_asked_in_its_canonical_form(text):
    assert "2023-05-08" in plain(text)


@pytest.mark.parametrize("text", ["", '"', '""', "?!", "、。", "''", " \n "])
def test_a_query_without_a_word_is_a_usage_error(text):
    with pytest.raises(UsageError):
        units(text)


@given(st.text(st.sampled_from("ab \"“”検索の。'-.:3*^(){}\\\n\x00NOR"), max_size=40))
def test_any_text_is_units_or_a_usage_error_and_a_valid_expression(text):
    import sqlite3

    from memorybank.index.schema import FULL_TEXT

    try:
        found = units(text)
    except UsageError:
        return
    with closing(sqlite3.connect(":memory:")) as connection:
        connection.execute(f"CREATE VIRTUAL TABLE t {FULL_TEXT}")
        connection.execute("SELECT rowid FROM t WHERE t MATCH ?", (" OR ".join(unit.expression() for unit in found),)).fetchall()
    assert all(isinstance(unit, QueryUnit) and unit.tokens and all(unit.tokens) for unit in found)
