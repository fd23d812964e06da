"""A row carries its words as a `tsvector` takes them, and its vectors passage by passage."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memorybank.meaning.vectors import packed
from memorybank.team.row import WITHDRAWN, SharedRow, TeamHit, content_digest, quoted, tokens_of, withdrawn
from memorybank.text.words import tokens

ELEMENT = re.compile(r"'((?:[^'\\]|''|\\\\)+)'(?::(\d+[AB]?(?:,\d+[AB]?)*))?")


def row(**fields):
    return SharedRow(**{"organisation": "acme", "repository": "tea", "origin": "ann.00000001", "sequence": 1, "kind": "note", "key": "k", **fields})


@pytest.mark.parametrize(
    ("title", "tags", "text", "expected"),
    [
        ("Retry", ("net",), "retries again", ("'again':4", "'net':2B", "'retri':1A,3")),
        ("急須", (), "茶渋", ("'急須':1A", "'渋':5", "'茶渋':4", "'須':2A")),
        ("", (), "", ()),
    ],
)
def test_tokens_carry_their_positions_and_where_they_were_found(title, tags, text, expected):
    assert tokens_of(title, tags, text) == expected


@given(st.text(max_size=80), st.lists(st.text(max_size=12), max_size=3), st.text(max_size=400))
def test_whatever_is_written_becomes_elements_of_a_tsvector_with_exactly_its_tokens(title, tags, text):
    found = tokens_of(title, tags, text)
    matches = [ELEMENT.fullmatch(element) for element in found]
    assert all(matches)
    names = {match[1].replace("''", "'").replace("\\\\", "\\") for match in matches}
    assert names == {token for part in (title, *tags, text) for token in tokens.tokens(part)}


def test_a_token_that_is_everywhere_stays_within_the_limits_of_a_tsvector():
    (element,) = tokens_of("", (), "kettle " * 20_000)
    positions = [int(place) for place in element.partition(":")[2].split(",")]
    assert len(positions) <= 255 and max(positions) <= 16_383


def test_quoting_leaves_no_way_out_of_a_token():
    assert quoted("a'b\\") == "'a''b\\\\'"


def test_a_tombstone_contains_nothing_of_the_memory():
    full = row(
        path="shared/secret.md", digest="d", title="Secret", text="secret", tags=("secret",), tokens=("'secret':1",), vector=b"x", dimension=1, model="m"
    )
    tombstone = withdrawn(full, 2, 99)
    assert tombstone == SharedRow("acme", "tea", "ann.00000001", 2, WITHDRAWN, "k", modified=99)
    assert tombstone.is_withdrawn and not full.is_withdrawn


def test_the_vectors_of_a_row_are_those_of_its_passages():
    parts = (packed((1, 2, 3)), packed((3, 2, 1)))
    assert row(vector=b"".join(parts), dimension=3).vectors == parts
    assert row().vectors == ()


def test_the_digest_tells_title_tags_and_text_apart():
    assert len({content_digest("a", ("b",), "c"), content_digest("a", (), "b\0c"), content_digest("a", ("b", "c"), ""), content_digest("ab", (), "c")}) == 4


@pytest.mark.parametrize(("lines", "expected"), [((1, 2), "two\nthree"), (None, "one\ntwo\nthree\nfour\nfive")])
def test_an_excerpt_is_the_best_passage_or_the_beginning(lines, expected):
    assert TeamHit(row(text="one\ntwo\nthree\nfour\nfive\nsix"), 1.0, lines).excerpt == expected
