"""The candidates of a server are ranked as the notes of a bank are, and the query asks for no more than it needs."""

import pytest

from memorybank.errors import UsageError
from memorybank.search.query import QueryUnit
from memorybank.search.ranking import WeightedQuery
from memorybank.team import searching
from memorybank.team.row import SharedRow
from memorybank.team.searching import TeamQuery

NOW = 1_758_112_496_789


def stored(number, title, text="", **fields):
    given = {
        "repository": "tea",
        "origin": "ann.00000001",
        "sequence": number,
        "title": title,
        "text": text,
        "tags": [],
        "modified": NOW,
        "origins": ["ann.00000001"],
    }
    return {**given, **fields}


def near(number, title, likeness, **fields):
    return stored(number, title, likeness=likeness, passage=1, mean=0.5, deviation=0.1, **fields)


class Scripted:
    """A server that gives the same rows whatever it is asked. called: [(function, arguments)]"""

    def __init__(self, words=(), meaning=(), documents=100, tokens=None, vocabulary=()):
        self.called = []
        self._answers = {
            "search_words": list(words),
            "search_meaning": list(meaning),
            "vocabulary": [{"token": token, "documents": count} for token, count in dict(vocabulary).items()],
            "frequencies": [{"frequencies": {"documents": documents, "length": documents * 10, "tokens": tokens or {}, "beginnings": {}}}],
        }

    def __call__(self, function, arguments):
        self.called.append((function, arguments))
        return self._answers[function]


def titles(server, query):
    found = searching.search(
        server, lambda row: SharedRow("acme", row["repository"], row["origin"], row["sequence"], "note", "k", title=row["title"]), query, NOW
    )
    return [(hit.row.title, hit.found_by) for hit in found]


def test_hits_are_ranked_by_their_evidence_not_by_the_order_of_the_candidates():
    server = Scripted([stored(1, "Cup", "kettle"), stored(2, "Kettle", "kettle descale")], tokens={"kettl": 2, "descal": 1})
    assert titles(server, TeamQuery("descale kettle")) == [("Kettle", "words"), ("Cup", "words")]


def test_words_that_nobody_wrote_ask_for_no_candidates():
    server = Scripted(tokens={})
    assert titles(server, TeamQuery("kettle")) == []
    assert {function for function, _ in server.called} == {"frequencies", "vocabulary"}


def test_a_misspelt_word_finds_what_a_bank_would_find():
    server = Scripted([stored(1, "Kettle", "kettle")], tokens={}, vocabulary={"kettl": 3, "kennel": 1})
    assert titles(server, TeamQuery("kettel")) == [("Kettle", "words")]


def test_meaning_finds_what_words_do_not_and_words_keep_a_full_match_first():
    server = Scripted([stored(1, "Kettle", "kettle")], [near(2, "Boiler", 0.9), near(3, "Far", 0.55)], tokens={"kettl": 1})
    assert titles(server, TeamQuery("kettle", (1.0,), "m", "hybrid")) == [("Kettle", "words"), ("Boiler", "meaning")]


def test_a_hit_of_both_says_so():
    server = Scripted([stored(1, "Kettle", "kettle")], [near(1, "Kettle", 0.95, origins=["a", "b", "a"])], tokens={"kettl": 1})
    assert titles(server, TeamQuery("kettle", (1.0,), "m", "hybrid")) == [("Kettle", "both")]


def test_search_by_meaning_answers_where_nothing_stands_out():
    assert titles(Scripted(meaning=[near(1, "Near", 0.52), near(2, "Far", 0.5)]), TeamQuery("kettle", (1.0,), "m", "semantic")) == [
        ("Near", "meaning"),
        ("Far", "meaning"),
    ]


def test_an_excluded_word_excludes_hits_by_meaning_too():
    server = Scripted([stored(1, "Kettle")], [near(2, "Steel boiler", 0.9), near(3, "Boiler", 0.9)], tokens={"kettl": 1})
    assert [title for title, _ in titles(server, TeamQuery("kettle NOT steel", (1.0,), "m", "hybrid"))] == ["Boiler", "Kettle"]


def units(*words):
    return [QueryUnit(tuple(word.split()), prefix=False) for word in words]


def test_a_query_looks_up_its_rare_words_and_the_common_ones_together():
    question = WeightedQuery(units("rare", "common", "frequent"), [3, 90_000, 80_000], 100_000, 10.0)
    assert searching.expression(question, [3, 90_000, 80_000], []) == "('rare' | ('common' & 'frequent'))"
    assert searching.expression(question, [3, 4, 5], units("bad one")) == "('rare' | 'common' | 'frequent') & !(('bad' <-> 'one'))"


@pytest.mark.parametrize(
    ("unit", "expected"),
    [
        (QueryUnit(("kettl",)), "'kettl'"),
        (QueryUnit(("kettl", "boil")), "('kettl' <-> 'boil')"),
        (QueryUnit(("検",), prefix=True), "'検':*"),
        (QueryUnit(("it's",)), "'it''s'"),
    ],
)
def test_units_in_the_language_of_the_database(unit, expected):
    assert searching.in_tsquery(unit) == expected


@pytest.mark.parametrize(
    "query",
    [
        TeamQuery("x", type="content"),
        TeamQuery("x", kinds=("withdrawn",)),
        TeamQuery("x", limit=0),
        TeamQuery("x", limit=201),
        TeamQuery("x", type="semantic"),
        TeamQuery("..."),
    ],
)
def test_a_question_that_cannot_be_answered_is_refused_before_the_server_is_asked(query):
    server = Scripted()
    with pytest.raises(UsageError):
        titles(server, query)
    assert server.called == []
