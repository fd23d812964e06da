"""The page also translates the reasons that the bank gives into Japanese."""

import re
from dataclasses import replace
from itertools import product
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memorybank.bank import memory
from memorybank.config.settings import Settings
from memorybank.cycle.improve import occasions
from memorybank.cycle.recall import opening, ranking, recollect, shown
from memorybank.metrics.alerts import ALERTS, Alert
from memorybank.notes.bookmarks import Bookmarks
from memorybank.notes.date_record import BankStart
from memorybank.rotation import plan, rules
from memorybank.rotation.grace import grace_since
from memorybank.scoring.explain import explain
from memorybank.ui import reasons

from ..rotation.rotation_rows import NOW, row
from ..scoring.conftest import make

DAY = 86_400_000
LEFT = re.compile(
    r"'|MB|ms|URL|git fetch --unshallow|git|active/|older\.md|config/\w+\.json|memorybank [\w -]+|monitoring\.search_mean_ms|max_\w+|triggers\.[\w.]+|false"
)
"""What is the same in every language: units, names of files, keys and commands."""


def is_japanese(text: str) -> bool:
    told = reasons.translated("ja", text)
    return told == "" or not re.search(r"[A-Za-z]{2,}", LEFT.sub("", told))


@given(
    importance=st.integers(0, 100).map(lambda tenths: tenths / 10),
    age=st.integers(0, 4000),
    size=st.integers(1, 30_000_000),
    rating=st.none() | st.sampled_from([2, 8.5]),
    bookmarked=st.booleans(),
)
def test_reasons_of_a_rotation(importance, age, size, rating, bookmarked):
    noted = row(importance=importance, age=age, size=size, rating=rating, bookmarked=bookmarked)
    for rotation_type in rules.TYPES:
        for restored in ({}, {noted.key: NOW - 3 * DAY}):
            state = type("State", (), {"restored": restored})()
            new = [grace_since(BankStart(why, NOW - DAY), Settings(), NOW) for why in ("init", "adopt", "here")]
            made = [plan.plan([noted], Bookmarks(()), state, Settings(), NOW, rotation_type, grace) for grace in (None, *new)]
            for decision in (decision for each in made for decision in each.decisions):
                assert is_japanese(decision.reason) and is_japanese(decision.lever), (decision.reason, decision.lever)
                assert decision.rule == "none" or reasons.translated_name("ja", decision.rule) != decision.rule or decision.action == "preserve"


@given(
    has=st.tuples(st.booleans(), st.booleans(), st.booleans(), st.booleans()),
    counts=st.tuples(*[st.sampled_from([0, 1, 2, 1234]) for _ in range(7)]),
    edits=st.sampled_from([None, 0, 1, 7]),
    rating=st.sampled_from([None, 7]),
    duplicate=st.sampled_from([None, "older.md"]),
    age=st.sampled_from([0, 1, 400]),
    known=st.booleans(),
)
def test_parts_of_an_importance(has, counts, edits, rating, duplicate, age, known):
    names = ("characters", "keyword_hits", "views", "recent_edits", "shares", "internal", "external")
    flags = dict(zip(("has_headings", "has_lists", "has_code", "has_links"), has, strict=True))
    evidence = make(
        age, **flags, **dict(zip(names, counts, strict=True)), edits=edits, rating=rating, duplicate_of=duplicate, similarity=0.93, access_known=known,
        backlinks=counts[0], dwell_minutes=counts[1] / 4,
    )  # fmt: skip
    for part in explain(evidence, Settings().scoring, NOW):
        assert is_japanese(part.reason), part.reason
        assert reasons.translated_name("ja", part.name) != part.name, part.name


@pytest.mark.parametrize(("name", "value"), list(product(ALERTS, [3, 81.25])))
def test_alerts(name, value):
    alert = Alert(name, ALERTS[name].level, 0, value, 80)
    message, next_step = reasons.alert_text("ja", alert)
    assert is_japanese(message) and is_japanese(next_step) and message != alert.message
    assert re.findall(r"[\d.]+", message) == re.findall(r"\d[\d.]*", alert.message), "the same numbers, written the same way"
    assert reasons.alert_text("en", alert) == (alert.message, alert.next_step)


def test_why_recall_spoke_or_was_silent():
    source = Path(memory.__file__).read_text(encoding="utf-8").partition("def _silence")[2]
    told = re.findall(r'"((?:too|no)[^"{]*)"', source)
    assert len(told) >= 3
    for sentence in (*told, *shown._WORDS.values(), "what a person asked for", "the same error", memory.EARLIER_DAYS):
        assert is_japanese(sentence), sentence


def test_why_a_memory_was_left_out():
    """Every reason that ranking, composing, the start of a session and learning give."""
    source = Path(ranking.__file__).read_text(encoding="utf-8")
    told = [re.sub(r"\{[^}]*\}", "0.25", sentence) for sentence in re.findall(r'(?:return|one\.why =) f?"([a-z][^"]+)"', source)]
    assert len(told) >= 5
    told += [ranking.ALREADY_SHOWN, recollect.BEYOND_LIMIT.format(top_k=5), recollect.NOTE_MISSING, opening.COVERED_BY_EPISODES, opening.BEYOND_BUDGET]
    for sentence in told:
        assert is_japanese(sentence), sentence
    excluded = reasons.translated("ja", occasions.EXCLUDED.format(version=3, occasion="finding@prompt"))
    assert excluded == "第 3 版のポリシーにより抑制（finding@prompt を除外）"
    assert is_japanese(occasions.UNUSED.format(day="2025-09-17", count=6))


@pytest.mark.parametrize("kind", [*occasions.DERIVED, ranking.NOTE, ranking.EPISODE, "problem", "rule"])
def test_kinds_of_memories(kind):
    assert reasons.translated_name("ja", kind) != kind and reasons.translated_name("en", kind) == kind


def test_what_is_unknown_and_what_is_english_stays_as_it_is():
    for text in ("", "a sentence of tomorrow", "planning/bookmark, and more.md", "importance {n}", "{0}"):
        assert reasons.translated("ja", text) == text and reasons.translated("en", text) == text
    assert reasons.translated("en", "bookmarked") == "bookmarked" and reasons.translated("ja", "95% like {x}, y.md") == "{x}, y.md と 95% 類似"


def test_the_warning_about_a_shallow_clone():
    hidden = replace(row(), date_source="shallow")
    [warning] = plan.plan([hidden], Bookmarks(()), type("State", (), {"restored": {}})(), Settings(), NOW).warnings
    assert is_japanese(warning), warning
