"""Every rule of rotation and its borders, first match wins."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memorybank.clock import DAY
from memorybank.config.group import merge
from memorybank.config.rotation import RotationSettings
from memorybank.config.scoring import ScoringSettings
from memorybank.config.settings import Settings
from memorybank.errors import UsageError
from memorybank.index.row import IndexedNote
from memorybank.log.rotation_state import RotationState
from memorybank.rotation import rules
from memorybank.rotation.plan import plan
from memorybank.rotation.rules import MB
from tests.rotation.rotation_rows import NOW, row


class Marks:
    """Bookmarks as the plan sees them."""

    def __init__(self, *keys: str, malformed: object = None) -> None:
        self.keys = keys
        self.malformed = malformed

    def matches(self, key: str) -> bool:
        return self.malformed is not None or key in self.keys


def settings(rotation=None, scoring=None) -> Settings:
    faults: list = []
    made = Settings(rotation=merge(RotationSettings, rotation or {}, faults), scoring=merge(ScoringSettings, scoring or {}, faults))
    assert faults == []
    return made


def state(**restored: int) -> RotationState:
    return RotationState(restored={key.replace("_", "."): NOW - int(days * DAY) for key, days in restored.items()})


def decide(note, *, marks=(), restored=None, rotation_type="manual", rotation=None, scoring=None):
    """(action, rule) of one note."""
    decision = plan([note], Marks(*marks), restored or RotationState(), settings(rotation, scoring), NOW, rotation_type).decisions[0]
    return decision.action, decision.rule


ARCHIVE = "archive"
PRESERVE = "preserve"
KEEP = ("keep", "none")


@pytest.mark.parametrize(
    ("note", "expected"),
    [
        # importance 8.0 preserves, 7.9 does not
        (row(importance=8.0, size=11 * MB), (PRESERVE, "high")),
        (row(importance=7.9, size=11 * MB), (ARCHIVE, "size")),
        # day 7 is recent, day 8 is not; whole days count
        (row(importance=0.0, age=7), (PRESERVE, "recent")),
        (row(importance=0.0, age=7.99), (PRESERVE, "recent")),
        (row(importance=0.0, age=8), (ARCHIVE, "low")),
        # low below 2.0
        (row(importance=1.9, age=8), (ARCHIVE, "low")),
        (row(importance=2.0, age=8), KEEP),
        (row(importance=1.9, age=7), (PRESERVE, "recent")),
        # medium from day 31, importance 2.0 to below 5.0
        (row(importance=2.0, age=30), KEEP),
        (row(importance=2.0, age=30.99), KEEP),
        (row(importance=2.0, age=31), (ARCHIVE, "medium")),
        (row(importance=4.9, age=31), (ARCHIVE, "medium")),
        (row(importance=5.0, age=31), KEEP),
        (row(importance=7.9, age=4000), KEEP),
        # size above 10 MB, not at it
        (row(importance=6.0, age=8, size=10 * MB), KEEP),
        (row(importance=6.0, age=8, size=10 * MB + 1), (ARCHIVE, "size")),
        (row(importance=6.0, age=7, size=11 * MB), (PRESERVE, "recent")),
        # a person's word
        (row(importance=0.0, age=400, rating=8.0), (PRESERVE, "user_rated")),
        (row(importance=0.0, age=400, rating=7.9), (ARCHIVE, "low")),
        (row(importance=0.0, age=400, rating=10.0, size=11 * MB), (PRESERVE, "user_rated")),
        (row(importance=0.0, age=400, bookmarked=True), (PRESERVE, "bookmarked")),
        (row(importance=9.0, age=400, bookmarked=True, rating=9.0), (PRESERVE, "bookmarked")),
        # a date in the future counts as now
        (row(importance=0.0, age=-40), (PRESERVE, "recent")),
    ],
)
def test_borders(note, expected):
    assert decide(note) == expected


def test_first_match_wins_in_the_documented_order():
    note = row("a.md", importance=9.0, age=1, size=11 * MB, rating=9.0, bookmarked=True)
    old = {"modified": NOW - 40 * DAY}
    changes = [{}, {"bookmarked": False}, {"rating": None}, {}, {"importance": 7.9}, old, {"size": 1, "importance": 1.0}, {"importance": 2.0}]
    order = []
    for number, change in enumerate(changes):
        note = IndexedNote(**{field: getattr(note, field) for field in IndexedNote._fields} | change)
        order.append(decide(note, restored=state(a_md=1) if number < 3 else None)[1])
    assert order == ["bookmarked", "user_rated", "restored", "high", "recent", "size", "low", "medium"]


def test_a_file_in_bookmarks_is_preserved_like_front_matter():
    assert decide(row("a.md", importance=0.0, age=400), marks=("a.md",)) == (PRESERVE, "bookmarked")


def test_malformed_bookmarks_preserve_everything():
    notes = [row(f"{number}.md", importance=0.0, age=400, size=11 * MB) for number in range(5)]
    made = plan(notes, Marks(malformed="broken"), RotationState(), settings(), NOW)
    assert [decision.rule for decision in made.decisions] == ["bookmarked"] * 5
    assert made.leaving == ()
    assert any("bookmark file" in str(warning) for warning in made.warnings)


@pytest.mark.parametrize(("days", "rule"), [(0, "restored"), (7, "restored"), (7.99, "restored"), (8, "low")])
def test_a_restored_note_stays_for_preserve_days(days, rule):
    assert decide(row("a.md", importance=0.0, age=400), restored=state(a_md=days))[1] == rule


# types


ONE_OF_EACH = {
    "size": row("size.md", importance=6.0, age=9, size=11 * MB),
    "low": row("low.md", importance=1.0, age=9),
    "medium": row("medium.md", importance=3.0, age=40),
    "directory_size": row("directory.md", importance=6.0, age=9, size=100 * MB),
    "both": row("both.md", importance=1.0, age=40, size=11 * MB),
}


@pytest.mark.parametrize(
    ("rotation_type", "expected"),
    [
        ("manual", {"size.md": "size", "low.md": "low", "medium.md": "medium", "both.md": "size", "directory.md": "size"}),
        ("size_based", {"size.md": "size", "both.md": "size", "directory.md": "size"}),
        ("importance_based", {"low.md": "low", "both.md": "low"}),
        ("time_based", {"medium.md": "medium"}),
    ],
)
def test_each_type_runs_its_rules(rotation_type, expected):
    made = plan(list(ONE_OF_EACH.values()), Marks(), RotationState(), settings(), NOW, rotation_type)
    assert {decision.key: decision.rule for decision in made.leaving} == expected


def test_an_unknown_type_is_a_usage_error():
    with pytest.raises(UsageError):
        plan([], Marks(), RotationState(), settings(), NOW, "weekly")


@pytest.mark.parametrize(
    ("trigger", "rule", "note"),
    [("size_based", "size", ONE_OF_EACH["size"]), ("time_based", "medium", ONE_OF_EACH["medium"]), ("importance_based", "low", ONE_OF_EACH["low"])],
)
def test_a_disabled_trigger_skips_its_rule_and_the_plan_says_so(trigger, rule, note):
    off = {"rotation_policy": {"triggers": {trigger: {"enabled": False}}}}
    assert decide(note) == (ARCHIVE, rule)
    made = plan([note], Marks(), RotationState(), settings(off), NOW)
    assert made.leaving == ()
    assert rule in dict(made.skipped_rules)
    assert trigger in str(dict(made.skipped_rules)[rule])


@pytest.mark.parametrize("off", [{"enabled": False}, {"triggers": {"manual_trigger": {"enabled": False}}}])
def test_a_disabled_policy_archives_nothing_and_says_so(off):
    made = plan(list(ONE_OF_EACH.values()), Marks(), RotationState(), settings({"rotation_policy": off}), NOW)
    assert made.leaving == ()
    assert {rule for rule, _ in made.skipped_rules} == {"size", "low", "medium", "directory_size"}


def test_the_manual_switch_leaves_the_other_types_alone():
    off = settings({"rotation_policy": {"triggers": {"manual_trigger": {"enabled": False}}}})
    assert len(plan(list(ONE_OF_EACH.values()), Marks(), RotationState(), off, NOW, "importance_based").leaving) == 2


# two keys about one thing: the more cautious wins


BIG_AND_7 = row(importance=7.0, size=11 * MB)


@pytest.mark.parametrize(
    ("rotation", "scoring", "note", "expected"),
    [
        ({"rotation_strategy": {"preservation_rules": {"high_importance_files": {"threshold": 7.0}}}}, {}, BIG_AND_7, (PRESERVE, "high")),
        ({}, {"thresholds": {"high_importance": 7.0}}, BIG_AND_7, (PRESERVE, "high")),
        ({"rotation_policy": {"triggers": {"importance_based": {"min_importance_threshold": 1.0}}}}, {}, row(importance=1.0, age=9), KEEP),
        ({"rotation_policy": {"triggers": {"importance_based": {"min_importance_threshold": 4.0}}}}, {}, row(importance=2.0, age=9), KEEP),
        ({}, {"thresholds": {"low_importance": 1.0}}, row(importance=1.0, age=9), KEEP),
        ({"rotation_strategy": {"archival_rules": {"low_importance": {"threshold_max": 0.9}}}}, {}, row(importance=1.0, age=9), KEEP),
        ({"rotation_strategy": {"archival_rules": {"low_importance": {"archive_after_days": 20}}}}, {}, row(importance=1.0, age=20), KEEP),
        ({"rotation_policy": {"triggers": {"time_based": {"max_age_days": 60}}}}, {}, row(importance=3.0, age=60), KEEP),
        ({"rotation_policy": {"triggers": {"time_based": {"max_age_days": 10}}}}, {}, row(importance=3.0, age=30), KEEP),
        ({"rotation_strategy": {"archival_rules": {"medium_importance": {"archive_after_days": 60}}}}, {}, row(importance=3.0, age=60), KEEP),
        ({"rotation_strategy": {"archival_rules": {"medium_importance": {"threshold_max": 2.9}}}}, {}, row(importance=3.0, age=40), KEEP),
        ({"rotation_strategy": {"archival_rules": {"medium_importance": {"threshold_min": 3.1}}}}, {}, row(importance=3.0, age=40), KEEP),
        ({}, {"thresholds": {"medium_importance": 3.0}}, row(importance=3.0, age=40), KEEP),
        ({"rotation_strategy": {"preservation_rules": {"recent_files": {"preserve_days": 20}}}}, {}, row(importance=1.0, age=20), (PRESERVE, "recent")),
        ({"rotation_policy": {"triggers": {"size_based": {"max_file_size_mb": 1}}}}, {}, row(importance=6.0, age=9, size=MB + 1), (ARCHIVE, "size")),
    ],
)
def test_settings_move_the_borders_cautiously(rotation, scoring, note, expected):
    assert decide(note, rotation=rotation, scoring=scoring) == expected


def test_ignore_importance_asks_recency_first():
    note = row(importance=9.0, age=1)
    assert decide(note) == (PRESERVE, "high")
    assert decide(note, rotation={"rotation_strategy": {"preservation_rules": {"recent_files": {"ignore_importance": True}}}}) == (PRESERVE, "recent")


@pytest.mark.parametrize(
    ("note", "expected"),
    [
        (row(importance=9.0, age=40, size=11 * MB), (ARCHIVE, "size")),
        (row(importance=9.0, age=40), (PRESERVE, "high")),
        (row(importance=9.0, age=2, size=11 * MB), (PRESERVE, "recent")),
    ],
)
def test_preserve_indefinitely_off_protects_from_low_and_medium_only(note, expected):
    assert decide(note, rotation={"rotation_strategy": {"preservation_rules": {"high_importance_files": {"preserve_indefinitely": False}}}}) == expected


# counts and the folder


def test_the_hundred_most_important_are_preserved_and_the_rest_rank_as_7_9():
    notes = [row(f"{number:03}.md", importance=8.0 + number % 20 / 10, age=40 + number, size=11 * MB) for number in range(103)]
    made = plan(notes, Marks(), RotationState(), settings(), NOW)
    preserved = {decision.key for decision in made.decisions if decision.rule == "high"}
    ranked = sorted(notes, key=lambda note: (-note.importance, -note.modified, note.key))
    assert preserved == {note.key for note in ranked[:100]}
    assert {decision.key for decision in made.leaving} == {note.key for note in ranked[100:]}
    assert any("max_preserve_count" in str(warning) for warning in made.warnings)


def test_a_hundred_are_not_too_many():
    notes = [row(f"{number:03}.md", importance=9.0, size=11 * MB) for number in range(100)]
    made = plan(notes, Marks(), RotationState(), settings(), NOW)
    assert made.leaving == () and made.warnings == ()


def test_an_overflowing_note_of_ordinary_size_stays():
    """It ranks as 7.9, which no rule but size takes."""
    notes = [row(f"{number}.md", importance=9.0) for number in range(3)]
    one = settings({"rotation_strategy": {"preservation_rules": {"high_importance_files": {"max_preserve_count": 1}}}})
    made = plan(notes, Marks(), RotationState(), one, NOW)
    assert sorted(decision.rule for decision in made.decisions) == ["high", "none", "none"]


def test_the_folder_shrinks_by_the_least_important_then_oldest():
    notes = [
        row("keep.md", importance=9.0, age=40, size=9 * MB),
        row("recent.md", importance=0.1, age=1, size=9 * MB),
        *(row(f"{number:02}.md", importance=5.0 + number / 10, age=9, size=9 * MB) for number in range(10)),
        row("old.md", importance=5.0, age=20, size=9 * MB),
    ]
    made = plan(notes, Marks(), RotationState(), settings(), NOW)
    assert [(decision.key, decision.rule) for decision in made.leaving] == [("old.md", "directory_size"), ("00.md", "directory_size")]


def test_the_folder_may_be_exactly_full():
    notes = [row(f"{number}.md", importance=6.0, age=9, size=10 * MB) for number in range(10)]
    assert plan(notes, Marks(), RotationState(), settings(), NOW).leaving == ()
    notes.append(row("one.md", importance=5.5, age=9, size=1))
    assert [decision.key for decision in plan(notes, Marks(), RotationState(), settings(), NOW).leaving] == ["one.md"]


def test_the_folder_pass_counts_what_the_rules_have_freed():
    notes = [row("big.md", importance=1.0, age=9, size=9 * MB), *(row(f"{number}.md", importance=6.0, age=9, size=10 * MB) for number in range(10))]
    assert [decision.rule for decision in plan(notes, Marks(), RotationState(), settings(), NOW).leaving] == ["low"]


def test_notes_below_the_archive_threshold_leave_first():
    notes = [
        row("size.md", importance=6.0, age=9, size=11 * MB),
        row("one.md", importance=1.0, age=9),
        row("nine.md", importance=0.9, age=9),
        row("zero.md", importance=0.0, age=9),
    ]
    assert [decision.key for decision in plan(notes, Marks(), RotationState(), settings(), NOW).leaving] == ["zero.md", "nine.md", "size.md", "one.md"]


# levers and details


def test_levers_name_what_a_person_can_do():
    low = plan([row(importance=1.5, age=9)], Marks(), RotationState(), settings(), NOW).decisions[0]
    assert str(low.lever) == "rate 8+, bookmark, read or link (+0.5)"
    far = plan([row(importance=0.0, age=9)], Marks(), RotationState(), settings(scoring={"scoring_algorithm": {"global_adjustment": 0.1}}), NOW).decisions[0]
    assert str(far.lever) == "rate 8+ or bookmark"
    large = plan([row(importance=6.0, age=9, size=11 * MB)], Marks(), RotationState(), settings(), NOW).decisions[0]
    assert str(large.lever) == "rate 8+, bookmark, or shorten"


def test_reading_is_named_as_far_as_it_also_confirms_the_text():
    """Missing 2.5: 0.2·7.5 = 1.5 of access alone is not enough; with the text, its links and its rating confirmed by 5, 0.6·5 more."""
    note = row(importance=2.5, age=40)
    assert str(plan([note], Marks(), RotationState(), settings(), NOW).decisions[0].lever) == "rate 8+, bookmark, read or link (+2.5)"
    plain = settings(scoring={"calibration": {"enabled": False}})
    assert str(plan([note], Marks(), RotationState(), plain, NOW).decisions[0].lever) == "rate 8+ or bookmark"


def test_every_decision_explains_itself():
    for note in ONE_OF_EACH.values():
        decision = plan([note], Marks(), RotationState(), settings(), NOW).decisions[0]
        assert decision.reason and decision.lever and decision.digest == note.digest


def test_only_low_objects_get_a_date_of_deletion():
    """And only when a person asked for it."""
    assert {decision.delete_after_days for decision in plan(list(ONE_OF_EACH.values()), Marks(), RotationState(), settings(), NOW).leaving} == {None}
    after = settings({"rotation_strategy": {"archival_rules": {"low_importance": {"delete_after_archive_days": 90}}}})
    made = plan(list(ONE_OF_EACH.values()), Marks(), RotationState(), after, NOW)
    assert {decision.key: decision.delete_after_days for decision in made.leaving} == {
        "low.md": 90, "size.md": None, "medium.md": None, "both.md": None, "directory.md": None,
    }  # fmt: skip


@pytest.mark.parametrize(("which", "key"), [("low_importance", "low.md"), ("medium_importance", "medium.md")])
def test_compression_is_switched_by_class(which, key):
    off = settings({"rotation_strategy": {"archival_rules": {which: {"compress": False}}}})
    made = plan(list(ONE_OF_EACH.values()), Marks(), RotationState(), off, NOW)
    plain = {decision.key for decision in made.leaving if not decision.compress}
    assert key in plain and plain != {decision.key for decision in made.leaving}


# the brake


@pytest.mark.parametrize(("files", "size", "large"), [(10, 1, False), (11, 1, True), (5, 10 * MB, False), (5, 10 * MB + 1, True)])
def test_the_brake_begins_above_ten_files_or_fifty_megabytes(files, size, large):
    notes = [row(f"{number}.md", importance=1.0, age=9, size=size) for number in range(files)]
    made = plan(notes, Marks(), RotationState(), settings(), NOW)
    assert made.is_large is large
    off = settings({"notification_settings": {"alert_on_large_rotations": {"enabled": False}}})
    assert not plan(notes, Marks(), RotationState(), off, NOW).is_large


def test_a_limited_plan_is_the_beginning_of_the_plan():
    notes = [row(f"{number:02}.md", importance=1.0, age=40 - number / 2, size=1) for number in range(25)]
    made = plan(notes, Marks(), RotationState(), settings(), NOW)
    limited = made.limited()
    assert limited.leaving == made.leaving[:10]
    assert limited.remaining == 15
    assert not limited.is_large
    assert limited.limited() == limited


def test_a_limited_plan_stops_at_the_size_too():
    notes = [row(f"{number}.md", importance=1.0, age=40 - number, size=9 * MB) for number in range(8)]
    assert len(plan(notes, Marks(), RotationState(), settings(), NOW).limited().leaving) == 5


# properties

importances = st.integers(0, 100).map(lambda tenth: tenth / 10)
rows_of_any_kind = st.lists(
    st.builds(
        row,
        st.uuids().map(lambda value: f"{value}.md"),
        importance=importances,
        age=st.integers(-2, 200),
        size=st.sampled_from([0, 1000, 10 * MB, 10 * MB + 1, 60 * MB]),
        rating=st.none() | st.integers(0, 10).map(float),
        bookmarked=st.booleans(),
    ),
    max_size=30,
)


@given(rows_of_any_kind, st.sampled_from(rules.TYPES), st.randoms())
def test_the_order_of_the_notes_does_not_matter(notes, rotation_type, random):
    shuffled = list(notes)
    random.shuffle(shuffled)
    assert plan(notes, Marks(), RotationState(), settings(), NOW, rotation_type) == plan(shuffled, Marks(), RotationState(), settings(), NOW, rotation_type)


@given(rows_of_any_kind, st.sampled_from(rules.TYPES))
def test_what_a_person_asked_for_never_leaves(notes, rotation_type):
    made = plan(notes, Marks(), RotationState(), settings(), NOW, rotation_type)
    by_key = {note.key: note for note in notes}
    assert len(made.decisions) == len(notes)
    for decision in made.leaving:
        note = by_key[decision.key]
        assert not note.bookmarked and (note.rating is None or note.rating < 8) and decision.age_days > 7 and note.importance < 8
    assert made.preserved_counts == {
        name: sum(decision.action == "preserve" and decision.rule == rule for decision in made.decisions)
        for name, rule in {"high": "high", "recent": "recent", "bookmark": "bookmarked", "rated": "user_rated", "restored": "restored"}.items()
    }
