"""Months in the life of a bank, by a fixed clock and through the facade: what left, when and why; and a person's `rotate` all the time."""

import importlib
import json
import sys
from collections import Counter
from datetime import UTC, datetime
from itertools import islice, product
from pathlib import Path

import pytest

from memorybank.archive.object import ArchiveObject
from memorybank.bank.bank import Bank
from memorybank.clock import DAY, FixedClock
from memorybank.log import rotation as log
from memorybank.rotation import rules
from memorybank.rotation.plan import plan
from tests.rotation.rotation_rows import NOW, expiring, row, settings

BENCH = str(Path(__file__).resolve().parents[2] / "scripts" / "bench")
TEXTS = (
    "# 決定 {n}\n\nWe chose option {n} because it was cheaper.\n\n- cost {n}\n- 理由 {n}\n",
    "todo {n}\n",
    "# Log {n}\n\n" + "Nothing happened on day {n}. " * 30 + "\n",
    "# Setup {n}\n\n```\nmake install-{n}\n```\n\nSee [the site](https://example.org/{n}).\n",
    "# メモ {n}\n\n検索は {n} 番の索引で行う。TODO 確認する。\n",
)


pytestmark = pytest.mark.usefixtures("free_syncs")


def moment(instant: int) -> datetime:
    return datetime.fromtimestamp(instant / 1000, UTC)


def note(number: int) -> str:
    return TEXTS[number % len(TEXTS)].format(n=number)


class Months:
    """A bank that is maintained every day. left: {day: what left, as the archive describes it}"""

    def __init__(self, scratch) -> None:
        self.scratch = scratch
        self.clock = FixedClock(NOW)
        self.left: dict[int, list[ArchiveObject]] = {}
        self.day = 0

    @property
    def bank(self) -> Bank:
        return Bank.open(str(self.scratch.root), clock=self.clock)

    @property
    def active(self) -> int:
        return len(list(self.scratch.active.rglob("*.md")))

    def maintain(self):
        """One day later, one run."""
        self.day += 1
        self.clock.instant = NOW + self.day * DAY
        report = self.bank.rotation.maintain()
        gone = {note.key for rotation in report.rotations for note in rotation.rotated}
        if gone:
            self.left[self.day] = [each for each in self.bank.archive.list() if each.original_path in gone]
        return report


@pytest.mark.slow
def test_forty_notes_stay_for_a_year_and_a_person_may_still_rotate(bank):
    months = Months(bank({f"planning/{n}.md": note(n) for n in range(40)}))
    for _ in range(73):
        months.day += 4
        months.maintain()
    assert months.left == {} and months.active == 40
    status = months.bank.status()
    assert status.needed == () and len(status.leaving) > 20
    report = months.bank.rotation.execute(months.bank.rotation.plan(), yes=True)
    assert {each.key for each in report.rotated} == {decision.key for decision in status.leaving}


@pytest.mark.slow
def test_a_bank_of_500_old_notes_comes_down_to_300_ten_a_day_the_poorest_first(bank, request):
    """From day 14 on: until then, memorybank has just been put into use on this machine."""
    months = Months(bank({f"知識/{n:03}.md": note(n) for n in range(500)}, days_old=400))
    months.day = 0 if request.config.getoption("--all") else 11  # the runs of the first days do nothing
    scores = {each.key: each.importance for each in months.bank.status().leaving}
    assert len(scores) == 400, "the decisions stay"
    assert len(months.bank.status().needed) == 200
    while months.day < 35:
        months.maintain()
    assert {day: len(found) for day, found in months.left.items()} == dict.fromkeys(range(14, 34), 10)
    assert months.active == 300
    gone = [each for found in months.left.values() for each in found]
    assert {each.rule for each in gone} <= {"low", "medium"} and all("days old" in str(each.reason) for each in gone)
    stayed = [importance for key, importance in scores.items() if key not in {each.original_path for each in gone}]
    assert max(scores[each.original_path] for each in gone) <= min(stayed)
    assert {rotation.trigger for rotation in log.read(months.scratch.layout).rotations.values()} == {rules.PRESSURE}
    report = months.maintain()
    assert report.rotations == [] and report.occupancy.text == "300 notes, 300 allowed"


@pytest.mark.slow
def test_a_team_that_adds_ten_notes_a_day_keeps_every_note_for_a_month(bank, request):
    """The bank is full on day 30; from then on each day takes about as many notes as it brings, and none that the rules protect, such as two decisions
    a day."""
    months = Months(bank({}))
    last = 60 if request.config.getoption("--all") else 35
    for day in range(1, last + 1):
        for number in range(10):
            months.scratch.write(f"設計/{day:02}-{number}.md", note(10 * day + number), at=NOW + day * DAY)
        months.maintain()
        assert months.active <= max(300, 31 * 10 + 2 * (day - 31)), day
    first = min(months.left)
    assert 30 < first <= 33
    assert sum(map(len, months.left.values())) == 10 * last - months.active
    for day, found in months.left.items():
        assert len(found) <= 10
        for each in found:
            age = day - int(each.original_path.partition("/")[2][:2])
            limit = 7 if each.rule == "low" else 30
            assert age > limit, f"{each.original_path} left on day {day}"
            assert f"{age} days old" in str(each.reason)
    assert Counter(each.rule for found in months.left.values() for each in found).keys() <= {"low", "medium"}


@pytest.mark.slow
def test_session_notes_do_not_drive_out_what_people_wrote(bank):
    months = Months(bank({f"planning/{n}.md": note(n) for n in range(50)}, days_old=90))
    for day in range(1, 46):
        for number in range(4):
            months.scratch.write(f"sync/sessions/{day:02}-{number}.md", f"# Session {day}-{number}\n\n作業 {day} {number}\n", at=NOW + day * DAY)
        months.maintain()
    gone = [each.original_path for found in months.left.values() for each in found]
    assert gone and all(key.startswith("sync/sessions/") for key in gone)
    assert len(list((months.scratch.active / "planning").iterdir())) == 50


@pytest.mark.slow
def test_by_rules_everything_of_low_or_medium_importance_leaves_with_time(bank):
    """What the specification's triggers do with the first bank."""
    scratch = bank({f"planning/{n}.md": note(n) for n in range(40)}, days_old=0)
    scratch.configure("rotation", json.dumps({"unattended": "by_rules"}))
    months = Months(scratch)
    for _ in range(60):
        months.maintain()
    assert min(months.left) >= 14 and months.active < 20
    assert all(day > (7 if each.rule == "low" else 30) for day, found in months.left.items() for each in found)


# four banks (scripts/bench/months prints their tables)


@pytest.fixture(scope="module")
def four():
    sys.path.insert(0, BENCH)
    module = importlib.import_module("simulated_months")
    sys.path.remove(BENCH)
    return module


def test_forty_notes_of_a_new_bank(four, tmp_path):
    """In a year nothing leaves on its own. A person's rotation takes nothing in the grace, then the poorer notes, and never those in use."""
    months = four.forty(tmp_path, days=60, step=10)
    assert months.left == [] and len(months.active) == 40
    leaving = {person.day: set(person.leaving) for person in months.persons}
    assert leaving[0] == leaving[1] == leaving[15] == set()
    assert 8 <= len(leaving[31]) <= 20
    scores = {note.key: note.importance for note in months.bank.scores.score(as_of=moment(four.BEGIN + 31 * DAY))}
    assert max(scores[key] for key in leaving[31]) < 5.0 <= min(importance for key, importance in scores.items() if key not in leaving[31])
    for day in (31, 40):
        assert not {four.OPENED, four.RECALLED} & leaving[day], "shown in nine sessions, or opened three times"
    assert four.OPENED not in leaving[60] and four.RECALLED in leaving[60], "recall has not shown it for 24 days"


def test_as_of_a_month_later_not_all_of_32_notes_leave(four, tmp_path):
    """Untouched for 31 days: the poorer half, by the time rule, and none that is better than one that stays."""
    months = four.Months(tmp_path / ".claude/memory")
    Bank.create(months.root, zone="UTC", clock=months.clock)
    for key, text in islice(four.varied(), 0, 60, 2):
        months.write(key, text)
    for number in range(2):
        months.write(f"shared/extra-{number}.md", four.TEXTS[number].format(n=number))
    plan = months.bank.rotation.plan(as_of=moment(four.BEGIN + 31 * DAY))
    leaving, staying = ([each.importance for each in plan.decisions if (each.action == "archive") is leaves] for leaves in (True, False))
    assert len(plan.decisions) == 32 and 10 <= len(leaving) <= 22
    assert max(leaving) < min(staying)
    assert months.bank.rotation.plan(as_of=moment(four.BEGIN + 13 * DAY)).leaving == ()


@pytest.mark.slow
@pytest.mark.parametrize("recorded", [True, False], ids=["with dates.jsonl", "with git alone"])
def test_a_clone_of_500_notes(four, tmp_path, recorded):
    """Nothing leaves in the first two weeks. With the committed record, the shallow clone plans the same as the full one, note by note."""
    full, shallow = four.clones(tmp_path, days=14, step=4, recorded=recorded, commits=10).values()
    assert full.left == shallow.left == [] and len(full.active) == len(shallow.active) == 501
    plans = [months.bank.rotation.plan() for months in (full, shallow)]
    ages = [{decision.key: decision.age_days for decision in plan.decisions} for plan in plans]
    of_git = {f"知識/{number:03}.md": 400 + 14 - number // 50 * (400 - 40) // 10 for number in range(0, 500, 50)}
    assert {key: ages[0][key] for key in of_git} == of_git
    assert 200 <= len(plans[0].leaving) <= 400 and plans[0].warnings == (), "the specification's rules, and not all 501"
    if recorded:
        assert plans[0].decisions == plans[1].decisions and plans[0].essence == plans[1].essence
        assert plans[1].warnings == ()
    else:
        assert set(ages[1].values()) == {15}, "as old as the one commit that the clone has"
        assert len(plans[1].leaving) < len(plans[0].leaving)
        assert any("this shallow clone hides when 501 notes were last changed" in str(warning) for warning in plans[1].warnings)
    assert full.bank.status().waits is None and len(full.bank.status().needed) == 201
    full.step = shallow.step = 1
    full.pass_days(16)
    assert [departure.day for departure in full.left] == [15] * 10 + [16] * 10
    assert all("days old" in str(departure.reason) for departure in full.left)
    if recorded:
        shallow.pass_days(16)
        assert shallow.left == full.left


def test_a_memory_bank_folder_copied_in_with_its_old_dates(four, tmp_path):
    months = four.cline(tmp_path, days=31, step=5)
    assert months.left == [] and len(months.active) == len(four.CLINE)
    persons = {person.day: person for person in months.persons}
    assert (persons[0].leaving, persons[1].leaving) == ({}, {}) and persons[0].deferred >= 4
    for day in (15, 31):
        assert set(persons[day].leaving.values()) <= {"low", "medium"} and 2 <= len(persons[day].leaving) <= 5
        assert not {"memory-bank/activeContext.md", "memory-bank/progress.md"} & set(persons[day].leaving), "edited every week"


def test_a_person_can_do_without_the_grace(bank, fixed_clock):
    """The plan says what the grace keeps; without it the rules of age apply at once, and the rules of size apply all the time."""
    scratch = bank({"a.md": "todo\n", "共有/b.md": "短い\n"}, days_old=400)
    scratch.write("big.md", "one line\n" * 2_000, days_old=8)
    size = {"rotation_policy": {"triggers": {"size_based": {"max_file_size_mb": 0.01}}}}
    scratch.configure("rotation", json.dumps(size))
    opened = Bank.create(scratch.root, zone="UTC", clock=fixed_clock)
    plan = opened.rotation.plan()
    assert [decision.key for decision in plan.leaving] == ["big.md"]
    assert [decision.key for decision in plan.deferred] == ["a.md", "共有/b.md"]
    assert str(plan.deferred[0].reason) == "rule low, but nothing leaves by its age until 2025-10-01: the bank was created on 2025-09-17"
    assert plan.to_json()["summary"]["grace"]["files_deferred"] == 2
    assert len(opened.rotation.plan(ignore_grace=True).leaving) == 3
    assert len(opened.rotation.plan(as_of=moment(NOW + 14 * DAY)).leaving) == 3
    scratch.configure("rotation", json.dumps({"grace_days": 0, **size}))
    assert len(Bank.open(scratch.root, clock=fixed_clock).rotation.plan().leaving) == 3


# a person's rotation


class Marks:
    def matches(self, key):
        return key.startswith("しおり/")


class Restored:
    def __init__(self):
        self.restored = {"restored/5.md": NOW - 5 * DAY}


def specified(importance: float, age: int, size: int, rating: float | None, key: str) -> str:
    """The specification's table, written again: the first line that matches."""
    if key.startswith("しおり/") or (rating is not None and rating >= 8) or key == "restored/5.md":
        return "stays"
    if importance >= 8.0 or age <= 7:
        return "stays"
    if size > 10 * 1_048_576 or importance < 2.0:
        return "leaves"
    return "leaves" if age > 30 and importance < 5.0 else "stays"


BORDERS = (0.0, 0.9, 1.0, 1.9, 2.0, 2.1, 4.9, 5.0, 5.1, 7.9, 8.0, 10.0)
AGES = (0, 6, 7, 8, 29, 30, 31, 400)


@pytest.mark.parametrize("unattended", ["under_pressure", "by_rules"])
@pytest.mark.parametrize("limits", [{}, {"notes": 0}, {"size_mb": 0.001}, {"notes": 10_000, "size_mb": 900}], ids=["default", "no notes", "no bytes", "empty"])
def test_a_persons_rotation_is_the_table_of_the_specification_whatever_the_pressure(limits, unattended):
    notes = []
    for importance, age, size, rating, folder in product(BORDERS, AGES, (1_000, 10 * 1_048_576, 10 * 1_048_576 + 1), (None, 7.9, 8.0), ("設計", "しおり")):
        notes.append(row(f"{folder}/{len(notes)}.md", importance=importance, age=age, size=size, rating=rating))
    notes.append(row("restored/5.md", importance=1.0, age=90))
    # The limit on all of active/ and the one on preserved notes select among notes; this table is about each note alone.
    alone = {
        "rotation_policy": {"triggers": {"size_based": {"max_directory_size_mb": 1_000_000}}},
        "rotation_strategy": {"preservation_rules": {"high_importance_files": {"max_preserve_count": 10_000}}},
    }
    using = settings(pressure=limits, unattended=unattended, **alone)
    made = plan(notes, Marks(), Restored(), using, NOW)
    expected = {note.key for note in notes if specified(note.importance, (NOW - note.modified) // DAY, note.size, note.rating, note.key) == "leaves"}
    assert {decision.key for decision in made.leaving} == expected
    assert {decision.key for decision in plan(notes, Marks(), Restored(), using, NOW, rules.PRESSURE).leaving} <= expected


@pytest.mark.parametrize("deletion", [None, 90], ids=["off", "on"])
def test_two_notes_rated_zero_survive_a_clock_that_is_ahead(bank, deletion):
    """Through the facade: +91 days and +365 days, then the right time again."""
    scratch = bank({"a.md": "---\nrating: 0\n---\nx\n", "共有/メモ.md": "---\nrating: 0\n---\n短い\n"}, days_old=60)
    scratch.configure("scoring", '{"scoring_algorithm": {"global_adjustment": 0.3}}')
    scratch.configure("rotation", json.dumps(expiring(deletion).rotation.to_json()))
    clock = FixedClock(NOW)
    opened = Bank.open(str(scratch.root), clock=clock)
    report = opened.rotation.execute(opened.rotation.plan())
    assert {each.rule for each in report.rotated} == {"low"} and len(report.rotated) == 2
    for days in (91, 365):
        clock.instant = NOW + days * DAY
        assert opened.rotation.maintain().deleted == []
    clock.instant = NOW + DAY
    assert opened.rotation.maintain(yes=True).deleted == []
    assert opened.archive.verify().is_sound
    assert {each.key for each in opened.rotation.undo().returned} == {"a.md", "共有/メモ.md"}
    assert (scratch.active / "共有/メモ.md").read_text(encoding="utf-8").endswith("短い\n")
