"""The page also translates the reasons that the bank gives into Japanese."""

import re
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memorybank.config.settings import Settings
from memorybank.cycle.improve import occasions
from memorybank.cycle.recall import ranking
from memorybank.metrics.alerts import ALERTS, Alert
from memorybank.notes.bookmarks import Bookmarks
from memorybank.notes.date_record import BankStart
from memorybank.reasons import english
from memorybank.reasons.reason import Reason
from memorybank.rotation import plan, rules
from memorybank.rotation.grace import grace_since
from memorybank.rotation.rules import reason_of
from memorybank.scoring.explain import explain
from memorybank.ui import pages, words

from ..archive.test_object import described
from ..rotation.rotation_rows import NOW, row
from ..scoring.conftest import make

DAY = 86_400_000
LEFT = re.compile(
    r"'|MB|ms|URL|git fetch --unshallow|git|active/|older\.md|config/\w+\.json|memorybank [\w -]+|monitoring\.search_mean_ms|max_\w+|triggers\.[\w.]+|false"
    r"|phases\.recall|budgets\.(?:personal|team)|acl|privacy|recall\.enabled\.\w+|\w+=off|finding@prompt|note:\w+"
)
"""What is the same in every language: units, names of files, keys and commands."""


def is_japanese(reason: Reason | None) -> bool:
    told = pages.said("ja", reason)
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
                assert decision.rule == "none" or words.name_of("ja", decision.rule) != decision.rule or decision.action == "preserve"


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
    counted = ("characters", "keyword_hits", "views", "recent_edits", "shares", "internal", "external")
    flags = dict(zip(("has_headings", "has_lists", "has_code", "has_links"), has, strict=True))
    evidence = make(
        age, **flags, **dict(zip(counted, counts, strict=True)), edits=edits, rating=rating, duplicate_of=duplicate, similarity=0.93, access_known=known,
        backlinks=counts[0], dwell_minutes=counts[1] / 4,
    )  # fmt: skip
    for part in explain(evidence, Settings().scoring, NOW):
        assert is_japanese(part.reason), part.reason
        assert words.name_of("ja", part.name) != part.name, part.name


@pytest.mark.parametrize(("name", "value"), list(product(ALERTS, [3, 81.25])))
def test_alerts(name, value):
    alert = Alert(name, ALERTS[name].level, 0, value, 80)
    message = pages.said("ja", alert.message)
    assert is_japanese(alert.message) and is_japanese(alert.next_step) and message != str(alert.message)
    assert re.findall(r"[\d.]+", message) == re.findall(r"\d[\d.]*", str(alert.message)), "the same numbers, written the same way"
    assert (pages.said("en", alert.message), pages.said("en", alert.next_step)) == (str(alert.message), str(alert.next_step))


@pytest.mark.parametrize("code", [code for code in english.TEMPLATES if code.startswith(("silence.", "recall.", "shown."))])
def test_why_recall_spoke_or_was_silent(code):
    """Every reason of recall, with numbers and names in its fields."""
    values = {
        "moment": "prompt",
        "why": Reason("recall.unmerged"),
        "variable": "OFF",
        "match": 0.25,
        "best": 0.5,
        "limit": 0.3,
        "least": 3,
        "most": 5,
        "day": "2025-09-17",
        "version": 3,
        "occasion": "finding@prompt",
        "subject": "note:a",
        "commit": "3456789",
        "words": ("語",),
    }
    assert is_japanese(Reason(code, **values, count=6, memory="note:a", by="b"))


def test_a_suppressed_memory():
    assert pages.said("ja", Reason(occasions.EXCLUDED, version=3, occasion="finding@prompt")) == "第 3 版のポリシーにより抑制（finding@prompt を除外）"


@pytest.mark.parametrize("rule", ["size", "low", "medium", "directory_size", "forgotten", "of_a_later_version"])
def test_why_a_note_was_archived(rule):
    """The sidecar has an English sentence. Japanese comes from its numbers, and of a rule that is not known, the sentence is shown."""
    stored = described(rule=rule, importance=3.25, size=11 * rules.MB, reason="importance 3.2, below 4.0")
    assert pages.archival_said("en", stored) == "importance 3.2, below 4.0"
    if rule == "of_a_later_version":
        assert pages.archival_said("ja", stored) == "importance 3.2, below 4.0"
    else:
        told = reason_of(stored)
        assert told is not None and is_japanese(told) and pages.archival_said("ja", stored) == pages.said("ja", told) != stored.reason


@pytest.mark.parametrize("kind", [*occasions.DERIVED, ranking.NOTE, ranking.EPISODE, "problem", "rule"])
def test_kinds_of_memories(kind):
    assert is_japanese(words.name_of("ja", kind)) and not is_japanese(words.name_of("en", kind))


def test_words_of_a_question_stay_as_they_are():
    for text in ("", "a sentence of tomorrow", "planning/bookmark, and more.md", "importance {n}", "{0}"):
        assert pages.said("ja", text) == text and pages.said("en", text) == text
    assert pages.said("en", None) == "" == pages.said("ja", None)
    assert pages.all_said("ja", ["staging", Reason("shown.same_error")]) == "staging、同じエラー"


def test_the_warning_about_a_shallow_clone():
    hidden = row().with_changes(date_source="shallow")
    [warning] = plan.plan([hidden], Bookmarks(()), type("State", (), {"restored": {}})(), Settings(), NOW).warnings
    assert is_japanese(warning), warning
