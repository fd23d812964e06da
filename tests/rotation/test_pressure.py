"""The pressure rule: unattended, only what has to leave does; the rules still decide what may."""

import random

import pytest

from memorybank.clock import DAY, HOUR, FixedClock
from memorybank.config.settings import Settings
from memorybank.errors import UsageError
from memorybank.log import rotation as log
from memorybank.rotation import maintain, rules
from memorybank.rotation.plan import NOT_NEEDED, plan
from tests.rotation.rotation_rows import NOW, active, row, rows, settings


class NoBookmarks:
    def matches(self, key):
        return False


class NothingRestored:
    def __init__(self):
        self.restored = {}


def planned(notes, rotation_type=rules.PRESSURE, **rotation):
    return plan(notes, NoBookmarks(), NothingRestored(), settings(**rotation), NOW, rotation_type)


def left(made):
    return [decision.key for decision in made.leaving]


def test_below_every_limit_nothing_leaves_and_the_plan_says_what_could():
    made = planned([row(f"メモ/{number}.md", importance=3.0, age=400) for number in range(300)])
    assert left(made) == [] and made.needed == ()
    assert {(decision.action, decision.rule, decision.reason) for decision in made.decisions} == {("keep", "not_needed", NOT_NEEDED)}
    assert made.occupancy.text == "300 notes, 300 allowed" and not made.occupancy.is_over


def test_above_the_limit_the_least_important_leave_and_no_more_than_necessary():
    notes = [row(f"メモ/{number:03}.md", importance=round(2.0 + number % 29 / 10, 1), age=40 + number % 3) for number in range(310)]
    made = planned(notes)
    expected = sorted(notes, key=lambda note: (note.importance, note.modified, note.key))[:10]
    assert left(made) == [note.key for note in expected]
    assert {decision.rule for decision in made.leaving} == {"medium"}
    assert made.occupancy.text == "310 notes, 300 allowed"


def test_only_notes_that_the_rules_allow_leave():
    """The poorest notes are new, rated or good: older and better ones go in their place."""
    new = [row(f"new/{number}.md", importance=0.5, age=3) for number in range(200)]
    rated = [row(f"rated/{number}.md", importance=1.0, age=90, rating=9.0) for number in range(100)]
    old = [row(f"old/{number}.md", importance=4.0, age=31) for number in range(5)]
    assert sorted(left(planned([*new, *rated, *old]))) == [f"old/{number}.md" for number in range(5)]
    few = planned([*new, *rated, *old, row("one/more.md", importance=6.0, age=90)])
    assert len(left(few)) == 5 and few.occupancy.is_over, "one too many stays, because no rule lets it go"


def test_session_notes_have_a_limit_of_their_own():
    sessions = [row(f"sync/sessions/{number:03}.md", importance=2.5 + number % 7 / 10, age=40) for number in range(104)]
    others = [row(f"設計/{number}.md", importance=2.0, age=400) for number in range(300)]
    made = planned([*sessions, *others])
    assert len(left(made)) == 4 and all(key.startswith("sync/sessions/") for key in left(made))
    assert made.occupancy.text == "104 session notes, 100 allowed"
    assert left(planned([*sessions[:100], *others])) == []


def test_size_counts_too_and_one_large_note_does_not_drag_small_ones_along():
    small = [row(f"small/{number}.md", importance=2.0, age=60, size=1_000) for number in range(50)]
    made = planned([*small, row("large.md", importance=4.0, age=60, size=6 * rules.MB)])
    assert left(made) == ["large.md"]
    assert made.occupancy.text == f"{rules.megabytes(6 * rules.MB + 50_000)}, 5.0 MB allowed"
    half = [row(f"half/{number}.md", importance=2.0 + number / 10, age=60, size=rules.MB // 2) for number in range(12)]
    assert left(planned(half)) == ["half/0.md", "half/1.md"]


@pytest.mark.parametrize("seed", range(60))
def test_what_leaves_is_enough_and_nothing_of_it_is_superfluous(seed):
    """Whatever is in the bank: after the plan no limit is exceeded that the rules could prevent, and any one note more would be over again."""
    chance = random.Random(seed)
    notes = [
        row(
            f"{chance.choice(('設計', 'sync/sessions'))}/{number}.md",
            importance=chance.randrange(0, 100) / 10,
            age=chance.randrange(60),
            size=chance.choice((0, 500, 20_000, 400_000)),
        )
        for number in range(chance.randrange(5, 60))
    ]
    limits = {"notes": chance.randrange(30), "session_notes": chance.randrange(20), "size_mb": chance.choice((0.01, 1, 4, 50))}
    allowed = {decision.key for decision in planned(notes, "manual", pressure=limits).leaving}
    gone = set(left(planned(notes, pressure=limits)))
    assert gone <= allowed

    def over(keys):
        return {
            "notes": sum(not key.startswith("sync/sessions/") for key in keys) > limits["notes"],
            "sessions": sum(key.startswith("sync/sessions/") for key in keys) > limits["session_notes"],
            "size": sum(note.size for note in notes if note.key in keys) > limits["size_mb"] * rules.MB,
        }

    staying = {note.key for note in notes} - gone
    now_over = over(staying)
    spare = allowed - gone
    assert not (now_over["notes"] and any(not key.startswith("sync/sessions/") for key in spare))
    assert not (now_over["sessions"] and any(key.startswith("sync/sessions/") for key in spare))
    assert not (now_over["size"] and spare)
    for key in gone:
        again = over(staying | {key})
        assert any(again.values()), f"{key} did not have to leave"


def test_switches_of_the_rules_count_and_the_switch_of_the_manual_trigger_does_not():
    notes = [row(f"{number}.md", importance=3.0, age=60) for number in range(5)]
    few = {"notes": 2}
    assert len(left(planned(notes, pressure=few))) == 3
    assert len(left(planned(notes, pressure=few, rotation_policy={"triggers": {"manual_trigger": {"enabled": False}}}))) == 3
    assert left(planned(notes, pressure=few, rotation_policy={"triggers": {"time_based": {"enabled": False}}})) == []
    assert left(planned(notes, pressure=few, rotation_policy={"enabled": False})) == []


def test_an_unknown_type_is_refused():
    with pytest.raises(UsageError):
        planned([], "sometimes")


# maintenance


def maintained(layout, at, using, importance=3.0):
    return maintain.maintain(layout, using, FixedClock(at), lambda: rows(layout, importance, at))


def test_maintenance_archives_nothing_on_the_first_day_however_old_the_notes_are(bank):
    layout = bank({f"古い/{number}.md": str(number) for number in range(32)}, days_old=400).layout
    report = maintained(layout, NOW, Settings())
    assert (report.evaluated, report.rotations, len(active(layout))) == (["pressure"], [], 32)
    assert report.occupancy.text == "32 notes, 300 allowed"


def test_pressure_is_checked_not_more_often_than_size(bank):
    layout = bank({f"{number}.md": str(number) for number in range(5)}, days_old=60).layout
    few = settings(pressure={"notes": 4})
    assert maintained(layout, NOW, few).evaluated == ["pressure"] and len(active(layout)) == 4
    assert maintained(layout, NOW + 6 * HOUR - 1, few).not_due == {"pressure": NOW + 6 * HOUR}
    assert maintained(layout, NOW + 6 * HOUR, few).evaluated == ["pressure"]
    assert maintain.due({}, settings(rotation_policy={"enabled": False}).rotation, NOW) == ([], {})


def test_the_brake_holds_under_pressure_and_the_least_important_are_first(bank):
    layout = bank({f"{number:02}.md": str(number) for number in range(25)}, days_old=60).layout
    importance = {f"{number:02}.md": 4.9 - number / 10 for number in range(25)}
    few = settings(pressure={"notes": 3})
    report = maintained(layout, NOW, few, importance)
    assert [note.key for note in report.rotations[0].rotated] == [f"{number:02}.md" for number in range(24, 14, -1)]
    assert report.remaining == 12
    for days in (1, 2):
        report = maintained(layout, NOW + days * DAY, few, importance)
    assert sorted(active(layout)) == ["00.md", "01.md", "02.md"] and report.remaining == 0


def test_the_log_names_pressure_as_the_trigger(bank):
    layout = bank({"a.md": "a", "b.md": "b"}, days_old=60).layout
    maintained(layout, NOW, settings(pressure={"notes": 1}))
    assert [rotation.trigger for rotation in log.read(layout).rotations.values()] == ["pressure"]


def test_by_rules_is_what_the_specification_says(bank):
    """Its triggers, whatever `pressure` says: nothing is full, and everything that the rules select leaves."""
    layout = bank({f"古い/{number}.md": str(number) for number in range(5)}, days_old=31).layout
    report = maintained(layout, NOW, settings(unattended="by_rules"))
    assert report.evaluated == ["size_based", "importance_based", "time_based"]
    assert active(layout) == {} and report.occupancy is None
