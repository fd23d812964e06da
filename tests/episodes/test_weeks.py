"""Old weeks: which can be merged, what a merged week keeps, and that nothing of it is ever lost."""

import json

import pytest

from memorybank.clock import FixedClock
from memorybank.episodes import archive, compaction, coverage, repair
from memorybank.episodes.entry import Episode
from memorybank.errors import ValidationFailed

from .worlds import DAY, Repeats, keys_in, replaced

MONDAY = 1_757_894_400_000
"""2025-09-15"""


@pytest.fixture
def old(world):
    """Three days of one week, more than 180 days ago, each with its episode."""
    for day in (0, 2, 6):
        world.log("events/a").add(MONDAY + day * DAY)
    world.clock.instant = MONDAY + (6 + 182) * DAY
    world.update()
    return world


def test_a_week_is_ripe_when_its_sunday_is_older_than_180_days(old):
    old.clock.instant = MONDAY + (6 + 180) * DAY + 1
    assert old.ripe() == []
    old.clock.instant += DAY
    assert [(week.name, len(week.entries)) for week in old.ripe()] == [("2025-W38", 3)]


def test_a_merged_week_keeps_what_it_covers_and_its_days_verbatim(old):
    before = old.entries
    (week,) = old.compact()
    assert old.entries == (week,) or [entry.encoded for entry in old.entries] == [week.encoded]
    assert (week.date, week.kind, week.compressed, week.original_count) == ("2025-09-15~2025-09-21", "week", True, 3)
    assert set(week.covers) == {cover for entry in before for cover in entry.covers}
    assert [entry.encoded for entry in archive.read(old.layout, "2025-W38")] == [entry.encoded for entry in before]
    assert old.update().written == [] and old.compact() == []


def test_a_week_with_a_day_that_is_due_is_not_ripe(old):
    old.log("events/b").add(MONDAY + 3 * DAY)
    assert old.ripe() == []
    old.update(Repeats(outcome={"2025-09-18": "permanent"}))
    assert old.ripe() == []
    old.update()
    assert len(old.ripe()) == 1


def test_a_week_with_a_draft_is_not_ripe(world):
    for day in (0, 2):
        world.log("events/a").add(MONDAY + day * DAY)
    world.clock.instant = MONDAY + 200 * DAY
    world.update(Repeats("extractive"), configured="llm:m")
    assert world.ripe() == []


def test_what_is_imported_into_a_merged_week_is_told_and_merged_again(old):
    old.compact()
    old.log("events/late").add(MONDAY + 3 * DAY)
    old.update()
    assert [entry.kind for entry in old.entries] == ["week", "supplement"]
    (week,) = old.compact()
    assert keys_in(week.summary).count("events-late:0") == 1
    assert {key for entry in archive.read(old.layout, "2025-W38") for key in keys_in(entry.summary)} == {
        "events-a:0",
        "events-a:1",
        "events-a:2",
        "events-late:0",
    }
    assert ("2025-09-18", "events/late") in {(date, source) for date, source, _ in week.covers}


def test_unfolding_brings_the_days_back(old):
    before = [entry.encoded for entry in old.entries]
    old.compact()
    compaction.unfold(old.store, "2025-W38")
    assert [entry.encoded for entry in old.entries] == before
    assert [entry.kind for entry in replaced(old.layout)] == ["week"]


def test_a_list_that_changed_meanwhile_is_not_merged(old):
    """Somebody edits a day while its week is being summarised: the edit stays, and the week is not merged."""

    class Edits(Repeats):
        def summarise(self, day):
            old.store.change(lambda known: [known[0].with_fields(summary="mine"), *known[1:]])
            return super().summarise(day)

    assert old.compact(Edits()) == [] and old.entries[0].summary == "mine" and len(old.entries) == 3


@pytest.mark.parametrize("damage", ["cut", "altered", "other"])
def test_a_damaged_archive_stops_the_merge_before_the_list_changes(old, damage):
    before = [entry.encoded for entry in old.entries]
    (week,) = old.ripe()
    archive.write(old.layout, week.name, week.entries[:1], FixedClock(0))
    path = archive.path_of(old.layout, week.name)
    with open(path, encoding="utf-8") as stream:
        text = stream.read()
    with open(path, "w", encoding="utf-8") as stream:
        stream.write({"cut": text[:-20], "altered": text.replace("events-a:0", "events-a:9"), "other": "[]"}[damage])
    with pytest.raises(ValidationFailed, match="2025-W38"):
        old.compact()
    assert [entry.encoded for entry in old.entries] == before


def test_a_week_whose_archive_is_lost_is_named_by_repair(old, fixed_clock):
    (week,) = old.compact()
    import os

    os.remove(archive.path_of(old.layout, "2025-W38"))
    assert repair.repair(old.store, fixed_clock).lost == (week.date,)
    assert archive.unfolded(old.layout, week) == []


def test_repair_has_given_up_days_tried_again(world, fixed_clock):
    world.log("events/a").add(0)
    world.clock.instant = 3 * DAY
    for _ in range(3):
        world.update(Repeats(outcome={"1970-01-01": "permanent"}))
    assert repair.repair(world.store, fixed_clock).retried == ("1970-01-01",)
    assert [entry.kind for entry in world.update().written] == ["day"]


def test_the_list_of_another_program_can_be_merged_without_its_days_coming_back(world):
    for day in (0, 1):
        world.log("chat/room").add(MONDAY + day * DAY)
    world.clock.instant = MONDAY + 400 * DAY
    foreign = [
        Episode({"date": f"2025-09-{day}", "summary": "今日は一日中、記憶の仕組みについて話した。", "created_at": "2025-12-03T12:00:00"}) for day in (15, 16)
    ]
    world.store.change(lambda known: foreign)
    (week,) = world.compact()
    assert [source for _, source, _ in week.covers] == ["chat/room", "chat/room"] and world.update().written == []
    assert [entry.raw for entry in archive.read(world.layout, "2025-W38")] == [entry.raw for entry in foreign]


def test_every_member_of_an_archive_is_documented(old):
    from pathlib import Path

    page = (Path(__file__).resolve().parents[2] / "docs" / "format.md").read_text(encoding="utf-8")
    old.compact()
    with open(archive.path_of(old.layout, "2025-W38"), encoding="utf-8") as stream:
        value = json.load(stream)
    assert all(f"`{name}`" in page for name in (*value, *value["entries"][0])) and coverage.MOST_ATTEMPTS == 3
