"""A plan made from the index is the plan made from every note: the same notes leave for the same reasons, and the same numbers stay."""

import json
import sqlite3
from unicodedata import normalize

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memorybank.bank import Bank
from memorybank.bank.status import FIRST, status
from memorybank.clock import DAY, isoformat
from memorybank.config.group import merge
from memorybank.config.rotation import RotationSettings
from memorybank.config.scoring import ScoringSettings
from memorybank.config.settings import Settings
from memorybank.index.schema import TABLES
from memorybank.index.working import Index
from memorybank.log.rotation_state import RotationState
from memorybank.notes.bookmarks import Bookmark, Bookmarks, parse
from memorybank.notes.date_record import SHALLOW, BankStart
from memorybank.reasons.reason import Reason
from memorybank.rotation import rules
from memorybank.rotation.grace import grace_since
from memorybank.rotation.rules import MB
from memorybank.rotation.selecting import PlanSource
from memorybank.storage.layout import Layout

from .rotation_rows import NOW, row

NAMES = ("planning/a.md", "planning/日本語のメモ.md", normalize("NFD", "shared/ガイド.md"))
SESSIONS = ("sync/sessions/x.md", "sync/sessions.md", "sync/sessions0.md")
KEYS = (*NAMES, *SESSIONS, *(f"implementation/{number}.md" for number in range(20)))
MARKS = (
    Bookmarks(),
    Bookmarks((Bookmark("planning/日本語のメモ.md"), Bookmark(normalize("NFC", "shared/ガイド.md")))),
    Bookmarks((Bookmark("implementation/1*.md"), Bookmark("planning/"))),
    parse(b"{", "bookmarks.json"),
)
CONFIGURED = (
    {},
    {"rotation_policy": {"enabled": False}},
    {"rotation_policy": {"triggers": {"size_based": {"enabled": False}}}},
    {"rotation_policy": {"triggers": {"size_based": {"max_directory_size_mb": 15}}}},
    {"rotation_strategy": {"preservation_rules": {"high_importance_files": {"max_preserve_count": 2, "threshold": 5.0}}}},
    {"rotation_strategy": {"preservation_rules": {"high_importance_files": {"preserve_indefinitely": False}, "recent_files": {"ignore_importance": True}}}},
    {"rotation_strategy": {"preservation_rules": {"recent_files": {"preserve_days": 0}}, "archival_rules": {"low_importance": {"archive_after_days": 0}}}},
    {"rotation_strategy": {"archival_rules": {"medium_importance": {"threshold_min": 3.0, "threshold_max": 3.5}}}, "pressure": {"notes": 3, "size_mb": 1}},
)
COLUMNS = {
    "name": "", "mtime_ns": 0, "ctime_ns": 0, "inode": 0, "racy": 0, "blob": "", "category": "", "characters": 0, "keyword_hits": 0, "has_headings": 0,
    "has_lists": 0, "has_code": 0, "has_links": 0, "external": 0, "sentences": 0, "statements": 0, "specifics": 0, "kind": 0,
}  # fmt: skip

noted = st.builds(
    row,
    st.sampled_from(KEYS),
    importance=st.integers(0, 100).map(lambda tenth: tenth / 10),
    age=st.integers(-2, 60) | st.floats(0, 60),
    size=st.sampled_from([0, 1000, 10 * MB, 10 * MB + 1]),
    rating=st.none() | st.sampled_from([0.0, 7.9, 8.0, 10.0]),
    bookmarked=st.booleans(),
)
notes_of_any_kind = st.lists(st.tuples(noted, st.sampled_from(["mtime", SHALLOW])), max_size=24, unique_by=lambda pair: pair[0].key)


def configured(rotation=None, scoring=None) -> Settings:
    faults: list = []
    made = Settings(rotation=merge(RotationSettings, rotation or {}, faults), scoring=merge(ScoringSettings, scoring or {}, faults))
    assert not faults
    return made


def indexed(notes, settings) -> Index:
    """An index with these notes, and with a file of a source that matches every rule."""
    connection = sqlite3.connect(":memory:", isolation_level=None)
    for statement in TABLES:
        connection.execute(statement)
    for note, date_source, source in (*((note, date_source, "") for note, date_source in notes), (row("./docs/x.md", size=90 * MB), "mtime", "docs")):
        values = COLUMNS | {field: getattr(note, field) for field in note._fields if field not in ("breakdown", "tags", "topics")}
        values |= {"tags": json.dumps(note.tags), "topics": json.dumps(note.topics), "date_source": date_source, "source": source}
        values |= {field: getattr(note.breakdown, field) for field in ("content", "temporal", "access", "relationship", "user")}
        connection.execute(f"INSERT INTO notes ({', '.join(values)}) VALUES ({', '.join('?' * len(values))})", list(values.values()))
    return Index(connection, Layout("/nowhere"), settings, StoppedClock(), now=NOW, frozen=False)


class StoppedClock:
    def now(self):
        return NOW


@given(
    notes_of_any_kind,
    st.sampled_from(CONFIGURED),
    st.sampled_from(MARKS),
    st.dictionaries(st.sampled_from(KEYS), st.integers(0, 20), max_size=3),
    st.sampled_from((*rules.TYPES, rules.PRESSURE)),
    st.sampled_from([None, BankStart("init", NOW - DAY)]),
)
def test_the_plan_of_the_index_is_the_plan_of_every_note(notes, rotation, marks, restored, rotation_type, start):
    settings = configured(rotation)
    index = indexed(notes, settings)
    grace = None if start is None else grace_since(start, settings, NOW)
    source = PlanSource(index, marks, RotationState(restored={key: NOW - days * DAY for key, days in restored.items()}))
    every, selected = (source.plan(rotation_type, grace, every=every) for every in (True, False))
    index.close()
    assert every.notes == selected.notes == len(notes) == len(every.decisions)
    for name in ("leaving", "needed", "deferred", "warnings", "digest", "essence", "occupancy", "preserved_counts", "kept", "skipped_rules", "is_large"):
        assert getattr(selected, name) == getattr(every, name), name
    assert selected.to_json(every=False) == every.to_json(every=False)
    assert set(selected.decisions) <= set(every.decisions), "what is decided about a note does not depend on how the others are read"


@given(
    notes_of_any_kind,
    st.sampled_from(CONFIGURED),
    st.sampled_from(MARKS),
    st.dictionaries(st.sampled_from(KEYS), st.integers(0, 20), max_size=3),
    st.sampled_from((*rules.TYPES, rules.PRESSURE)),
    st.sampled_from([None, BankStart("init", NOW - DAY)]),
    st.integers(0, 5),
)
def test_a_brief_plan_has_the_numbers_and_the_first_notes_of_the_full_one(notes, rotation, marks, restored, rotation_type, start, first):
    settings = configured(rotation)
    index = indexed(notes, settings)
    grace = None if start is None else grace_since(start, settings, NOW)
    outdated = {note.key: Reason("claims.outdated", outdated=1, known=2) for note, _ in notes[:3]}
    source = PlanSource(index, marks, RotationState(restored={key: NOW - days * DAY for key, days in restored.items()}))
    full, brief = source.plan(rotation_type, grace, outdated), source.brief(first, grace, outdated, rotation_type=rotation_type)
    index.close()
    for name in ("notes", "leaving_count", "needed_count", "deferred_count", "leaving_bytes", "warnings", "occupancy", "preserved_counts", "kept"):
        assert getattr(brief, name) == getattr(full, name), name
    assert list(brief.leaving_by_rule.items()) == list(full.leaving_by_rule.items()), "also in the order in which they leave"
    assert (brief.skipped_rules, brief.is_large, brief.grace) == (full.skipped_rules, full.is_large, full.grace)
    assert brief.leaving[:first] == full.leaving[:first]
    assert brief.unlisted is None or len(brief.leaving) == min(first, full.leaving_count)


def test_a_brief_plan_reads_only_the_shown_notes():
    notes = [(row(f"{number:03}.md", importance=3.0, age=40 + number % 7), "mtime") for number in range(500)]
    index = indexed(notes, Settings())
    loaded, real = [], index.notes_of_rows
    index.notes_of_rows = lambda ids: [loaded.append(note.key) or note for note in real(ids)]
    planned = PlanSource(index, Bookmarks(), RotationState()).brief(20)
    index.close()
    assert (planned.leaving_count, planned.needed_count, len(planned.leaving), len(loaded)) == (500, 200, 20, 20)


def test_a_brief_plan_reads_the_important_notes_where_they_compete_and_no_other():
    notes = [(row(f"{number:03}.md", importance=3.0, age=40), "mtime") for number in range(300)]
    notes += [(row(f"high-{number:03}.md", importance=8.5, age=90), "mtime") for number in range(120)]
    index = indexed(notes, Settings())
    source = PlanSource(index, Bookmarks(), RotationState())
    brief, full = source.brief(5), source.plan()
    index.close()
    assert brief.unlisted is not None and len(brief.decisions) == 5 + 120 and brief.leaving == full.leaving[:5]
    assert brief.warnings == full.warnings and "20" in str(brief.warnings[0])
    assert (brief.leaving_count, brief.kept, brief.preserved_counts) == (full.leaving_count, full.kept, full.preserved_counts)


def test_a_brief_plan_says_how_many_notes_bytes_require_to_leave():
    """Three notes of 1 MB are allowed, and five may leave."""
    notes = [(row(f"{number}.md", importance=3.0, age=40, size=MB), "mtime") for number in range(5)]
    index = indexed(notes, configured({"pressure": {"size_mb": 3}}))
    planned = PlanSource(index, Bookmarks(), RotationState()).brief(1)
    index.close()
    assert (planned.leaving_count, planned.needed_count, [each.key for each in planned.leaving]) == (5, 2, ["0.md"])


def test_notes_that_no_rule_can_select_are_not_read():
    notes = [(row(f"{number}.md", importance=7.5, age=90), "mtime") for number in range(50)] + [(row("low.md", importance=0.5), "mtime")]
    index = indexed(notes, Settings())
    planned = PlanSource(index, Bookmarks(), RotationState()).plan()
    index.close()
    assert [decision.key for decision in planned.decisions] == ["low.md"]
    assert (planned.notes, planned.kept) == (51, 50)


SCORED = (
    {},
    {"calibration": {"enabled": False}},
    {"temporal_analysis": {"modification_tracking": {"recent_edit_boost": 0.2}}},
    {"temporal_analysis": {"recency_scoring": {"half_life_days": 2}}},
    {"scoring_algorithm": {"global_adjustment": 0.6}},
)


@pytest.mark.parametrize("scoring", SCORED)
@pytest.mark.parametrize("rotation", [CONFIGURED[0], CONFIGURED[3], CONFIGURED[4], CONFIGURED[6]])
def test_the_week_ahead_is_the_plan_of_that_day(bank, fixed_clock, scoring, rotation):
    """Only notes near a limit are scored for that day, and still the same notes leave with the same scores and reasons."""
    scratch = bank()
    scratch.configure("scoring", json.dumps(scoring))
    scratch.configure("rotation", json.dumps(rotation))
    for number in range(40):
        linked = f"[to](ノート-{number // 2}.md) " * (number % 3)
        dated = f"The switch {number} stays until 2025-10-0{number % 9 + 1}.\n" if number % 4 == 0 else ""
        rating = f"---\nrating: {number % 11}\n---\n" if number % 3 == 0 else ""
        scratch.write(f"planning/ノート-{number}.md", f"{rating}# Note {number}\n\n{'語 word ' * (number % 5)}\n{linked}\n{dated}", days_old=number)
    opened = Bank.open(str(scratch.root), clock=fixed_clock)
    opened.index.update()
    for number in range(0, 40, 3):
        opened.notes.read(f"planning/ノート-{number}.md")
    for days in (0, 3, 20, 64):
        fixed_clock.instant += days * DAY
        told = opened.status()
        now = opened.rotation.plan(ignore_grace=True).leaving
        later = opened.rotation.plan(as_of=isoformat(fixed_clock.instant + 7 * DAY), ignore_grace=True).leaving
        already = {decision.key for decision in now}
        assert shared(told.leaving) == shared(now)
        assert shared(told.soon) == shared(decision for decision in later if decision.key not in already)
        assert told.soon_count == len(told.soon)
        counted = status(opened, every=False)
        assert (counted.soon, counted.soon_count) == (told.soon[:FIRST], told.soon_count)


@pytest.mark.parametrize("rotation", [CONFIGURED[0], CONFIGURED[3], CONFIGURED[4]])
def test_notes_whose_importance_falls_below_a_limit_within_the_week_are_named(bank, fixed_clock, rotation):
    """Nothing but their age changes, and some are old enough already. Those that count with less are in the order of their own importance."""
    scratch = bank()
    weights = {"content_quality": 0.1, "temporal_relevance": 0.6, "access_frequency": 0.1, "relationship_density": 0.1, "user_rating": 0.1}
    scratch.configure("scoring", json.dumps({"scoring_algorithm": {"weights": weights}, "temporal_analysis": {"recency_scoring": {"half_life_days": 60}}}))
    scratch.configure("rotation", json.dumps(rotation))
    for number in range(60):
        text = f"---\nrating: {number % 5}\n---\n# Note {number}\n\n{'A plain text. ' * (number % 7)}\n"
        scratch.write(f"planning/落ちる-{number}.md", text, days_old=20 + number / 2)
    opened = Bank.open(str(scratch.root), clock=fixed_clock)
    now, told, counted = opened.rotation.plan(ignore_grace=True).leaving, opened.status(), status(opened, every=False)
    later = opened.rotation.plan(as_of=isoformat(fixed_clock.instant + 7 * DAY), ignore_grace=True).leaving
    falling = [decision for decision in later if decision.key not in {each.key for each in now}]
    assert len(falling) > FIRST and len(later) < 60 and (rotation or any(decision.age_days > 40 for decision in falling))
    assert shared(told.soon) == shared(falling)
    assert (counted.soon_count, counted.soon) == (told.soon_count, told.soon[:FIRST])


def shared(decisions):
    """What status and plan say alike; only a plan says which claims of a note are outdated."""
    return [decision._replace(reason=None, lever=None) for decision in decisions]
