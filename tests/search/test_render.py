"""Answers as text: the fields a program reads, and what a person sees."""

import json

from memorybank.reasons.reason import Reason
from memorybank.search import render
from memorybank.search.hit import Hit, SearchAnswer

NOTE = Hit(
    "planning/認証.md",
    ".claude/memory/active/planning/認証.md",
    "認証",
    7.25,
    1_758_112_496_789,
    120,
    "keyword",
    (3, 5),
    "The token is トークン",
    ((4, 9), (13, 17)),
    1.5,
)
LINE = NOTE.with_changes(match_type="content", lines=(4, 4))
ARCHIVED = NOTE.with_changes(archive_id="20250917T000000Z-auth-0a1b2c3d")


def test_a_content_hit_has_the_fields_of_the_source_document():
    (hit,) = json.loads(render.as_json(SearchAnswer("token", "content", (LINE,))))["hits"]
    assert {name: hit[name] for name in ("file_path", "line_number", "content_snippet", "importance_score", "file_size", "match_type")} == {
        "file_path": ".claude/memory/active/planning/認証.md",
        "line_number": 4,
        "content_snippet": "The token is トークン",
        "importance_score": 7.25,
        "file_size": 120,
        "match_type": "content",
    }


def test_a_keyword_hit_names_note_passage_and_score():
    answer = json.loads(render.as_json(SearchAnswer("token", "keyword", (NOTE,), stale=(Reason("stale.in_place", seconds=60.0), Reason("stale.fresh")))))
    (hit,) = answer["hits"]
    assert (answer["query"], answer["type"], answer["stale"]) == (
        "token",
        "keyword",
        "in-place edits of the last 60 s may not be in this answer; --fresh checks every note first",
    )
    assert (hit["path"], hit["lines"], hit["marks"], hit["importance"], hit["score"]) == (NOTE.path, [3, 5], [[4, 9], [13, 17]], 7.25, 1.5)
    assert hit["modified"] == "2025-09-17T12:34:56.789Z"
    assert "restore" not in hit


def test_an_archived_hit_names_the_command_that_restores_it():
    command = "memorybank archive restore 20250917T000000Z-auth-0a1b2c3d"
    assert json.loads(render.as_json(SearchAnswer("", "recent", (ARCHIVED,))))["hits"][0]["restore"] == command
    assert command in render.as_markdown(SearchAnswer("", "recent", (ARCHIVED,)))
    assert command in render.as_summary(SearchAnswer("", "recent", (ARCHIVED,)))


def test_markdown_marks_what_matched():
    text = render.as_markdown(SearchAnswer("token", "keyword", (NOTE, NOTE)))
    assert "The **token** is **トークン**" in text
    assert "`planning/認証.md:3-5`" in text
    assert "\n2. " in text


def test_an_empty_answer_says_so():
    empty = SearchAnswer("x", "keyword", ())
    assert json.loads(render.as_json(empty))["hits"] == []
    assert (render.as_markdown(empty), render.as_summary(empty)) == ("No hits.", "no hits")
