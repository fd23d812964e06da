"""Which days are due, and what an update does with them."""

import json
from pathlib import Path

import pytest

from memorybank.episodes import coverage, list_file, running, store, update
from memorybank.episodes.entry import ERROR_TEXT
from memorybank.episodes.running import EpisodesLock
from memorybank.errors import LockTimeout
from memorybank.summarize.summarizer import SummarizerUnusable

from .worlds import DAY, Repeats, keys_in, replaced


def bytes_of(world):
    return Path(list_file.path_of(world.layout)).read_bytes()


def test_today_is_not_over(world):
    world.clock.instant = 5 * DAY + 1000
    world.log("events/a").add(5 * DAY)
    world.log("events/a").add(4 * DAY)
    assert [entry.date for entry in world.update().written] == ["1970-01-05"]


def test_a_day_is_that_of_the_banks_zone(bank):
    from .worlds import World

    world = World(bank().layout, "Asia/Tokyo", 9 * DAY)
    world.log("events/a").add(DAY - 3_600_000)  # 08:00 of the next day in Tokyo
    world.update()
    assert [entry.date for entry in world.entries] == ["1970-01-02"]
    assert world.entries[0].created_at.endswith("+09:00")


def test_nothing_is_due_twice(world):
    world.log("events/a").add(0)
    world.clock.instant = 3 * DAY
    assert len(world.update().written) == 1
    before = bytes_of(world)
    assert world.update().written == [] and bytes_of(world) == before


def test_what_comes_late_gets_a_supplement_with_what_is_new(world):
    world.log("events/a").add(0)
    world.clock.instant = 3 * DAY
    world.update()
    world.log("events/a").add(1_000)
    world.log("events/b").add(2_000)
    world.update()
    day, supplement = world.entries
    assert (day.kind, supplement.kind) == ("day", "supplement")
    assert keys_in(supplement.summary) == ["events-a:1", "events-b:0"]


def test_a_short_day_is_a_brief_without_a_summarizer(world):
    world.log("events/a").add(0, 20)
    world.clock.instant = 3 * DAY
    asked = Repeats()
    world.update(asked)
    assert asked.asked == [] and world.entries[0].kind == "brief" and not world.entries[0].is_showable


def test_a_refused_day_is_recorded_tried_in_three_runs_and_then_given_up(world):
    world.log("events/a").add(0)
    world.clock.instant = 3 * DAY
    for attempt in (1, 2, 3):
        report = world.update(Repeats(outcome={"1970-01-01": "permanent"}))
        assert len(report.failed) == 1
        (entry,) = world.entries
        assert entry.summary == ERROR_TEXT and entry.error["attempts"] == attempt and entry.error["kind"] == "refusal" and not entry.is_showable
    asked = Repeats()
    assert world.update(asked).given_up == ("1970-01-01",) and asked.asked == []


def test_more_of_a_failed_day_is_another_day_to_try(world):
    world.log("events/a").add(0)
    world.clock.instant = 3 * DAY
    for _ in range(3):
        world.update(Repeats(outcome={"1970-01-01": "permanent"}))
    world.log("events/a").add(1_000)
    assert [entry.kind for entry in world.update().written] == ["day"]


def test_the_first_good_summary_replaces_the_record_of_failure(world):
    world.log("events/a").add(0)
    world.clock.instant = 3 * DAY
    world.update(Repeats(outcome={"1970-01-01": "permanent"}))
    world.update()
    assert [(entry.kind, keys_in(entry.summary)) for entry in world.entries] == [("day", ["events-a:0"])]


def test_a_foreign_record_of_failure_counts_as_missing(world):
    """The words of the program that kept the list before, with other words around them and no further members."""
    world.log("events/a").add(0)
    world.clock.instant = 3 * DAY
    foreign = {"date": "1970-01-01", "summary": "（エラーにより要約できませんでした：503）", "created_at": "1970-01-02T00:00:00"}
    world.store.change(lambda known: [store.Episode(foreign)])
    world.update()
    assert [entry.kind for entry in world.entries] == ["day"]
    assert [entry.raw for entry in replaced(world.layout)] == [foreign]


def test_a_busy_summarizer_saves_nothing_and_three_days_in_a_row_end_the_run(world):
    for day in range(6):
        world.log("events/a").add(day * DAY)
    world.clock.instant = 10 * DAY
    outcome = {f"1970-01-0{day}": "transient" for day in (2, 3, 4)}
    report = world.update(Repeats(outcome=outcome))
    assert report.skipped == ["1970-01-02", "1970-01-03", "1970-01-04"] and report.left == 2
    assert [entry.date for entry in world.entries] == ["1970-01-01"]
    assert [entry.date for entry in world.update().written] == [f"1970-01-0{day}" for day in (2, 3, 4, 5, 6)]


def test_a_summarizer_that_cannot_be_used_leaves_the_list_as_it_is(world):
    world.log("events/a").add(0)
    world.log("events/b").add(DAY)
    world.clock.instant = 5 * DAY
    world.update(until="1970-01-01")
    before = bytes_of(world)

    class Wrong(Repeats):
        def summarise(self, day):
            raise SummarizerUnusable("no", kind="key", next_step="name one")

    with pytest.raises(SummarizerUnusable):
        world.update(Wrong())
    assert bytes_of(world) == before


def test_a_draft_is_told_anew_by_the_better_summarizer_and_kept_in_the_archives(world):
    world.log("events/a").add(0)
    world.clock.instant = 3 * DAY
    world.update(Repeats("extractive"), configured="llm:m")
    assert world.entries[0].draft
    world.update(Repeats("extractive"), configured="llm:m")
    assert world.entries[0].by == "extractive"
    world.update(Repeats("llm:m"))
    assert [(entry.by, entry.draft) for entry in world.entries] == [("llm:m", False)]
    assert [entry.by for entry in replaced(world.layout)] == ["extractive"]


def test_a_text_that_a_person_edited_is_never_due(world):
    world.log("events/a").add(0)
    world.clock.instant = 3 * DAY
    world.update(Repeats("extractive"), configured="llm:m")
    world.store.change(lambda known: [entry.with_fields(summary="私の言葉") for entry in known])
    world.update(Repeats("llm:m"))
    assert [entry.summary for entry in world.entries] == ["私の言葉"]


def test_a_colleagues_entry_covers_what_it_says(world):
    """The same logs on two machines: what one committed is not due on the other, and a draft whose logs are elsewhere stays as it is."""
    world.log("events/a").add(0)
    world.clock.instant = 3 * DAY
    world.update(Repeats("extractive"), configured="llm:m")
    del world.logs["events/a"]
    assert world.update(Repeats("llm:m")).written == [] and world.entries[0].draft


def test_the_list_of_another_program_tells_its_dates_of_the_chat_logs(world):
    world.log("chat/room").add(0)
    world.log("events/a").add(0)
    world.clock.instant = 3 * DAY
    world.store.change(lambda known: [store.Episode({"date": "1970-01-01", "summary": "話した", "created_at": "1970-01-02T00:00:00"})])
    world.update()
    assert [(entry.kind, [source for _, source, _ in entry.covers]) for entry in world.entries] == [("day", []), ("supplement", ["events/a"])]


def test_a_second_run_waits_and_says_how_far_the_first_is(world, impatient_clock):
    with EpisodesLock(world.layout, "memorybank episodes update", world.clock) as run:
        run.at(3, 12, "2025-09-17")
        found = running.progress(world.layout)
        assert (found.done, found.total, found.day) == (3, 12, "2025-09-17") and found.started_at == world.clock.now()
        with pytest.raises(LockTimeout, match="3 of 12 days done, now at 2025-09-17"), EpisodesLock(world.layout, "x", impatient_clock):
            pass
    assert running.progress(world.layout) is None


def test_every_member_of_an_entry_is_documented(world):
    page = (Path(__file__).resolve().parents[2] / "docs" / "format.md").read_text(encoding="utf-8")
    world.log("events/a").add(0)
    world.log("events/b").add(DAY)
    world.clock.instant = 400 * DAY
    world.update(Repeats(outcome={"1970-01-02": "permanent"}), configured="llm:m")
    for entry in json.loads(bytes_of(world)):
        assert all(f"`{name}`" in page for name in (*entry, *(entry.get("error") or {})))


def test_a_covered_day_is_not_planned_at_all(world):
    """Whoever gathers its messages would find none either, after reading its log."""
    world.log("events/a").add(0)
    world.clock.instant = 3 * DAY
    world.update()
    assert coverage.plan(update.inventory(world.logs.values()), world.entries, world.today, by="extractive").due == ()


class Meanwhile(Repeats):
    """A summarizer during whose work somebody else does something."""

    def __init__(self, happens, name="extractive"):
        super().__init__(name)
        self.happens = happens

    def summarise(self, day):
        self.happens()
        return super().summarise(day)


def test_a_day_that_somebody_else_summarised_meanwhile_is_not_summarised_twice(world):
    world.log("events/a").add(0)
    world.clock.instant = 3 * DAY
    assert world.update(Meanwhile(world.update)).written == []
    assert [entry.date for entry in world.entries] == ["1970-01-01"]


@pytest.mark.parametrize("removed", [False, True])
def test_a_draft_that_a_person_edited_or_removed_meanwhile_is_left_so(world, removed):
    world.log("events/a").add(0)
    world.clock.instant = 3 * DAY
    world.update(configured="llm:m")

    def changed(known):
        return [] if removed else [entry.with_fields(summary="私の言葉で") for entry in known]

    assert world.update(Meanwhile(lambda: world.store.change(changed), "llm:m"), configured="llm:m").written == []
    assert [entry.summary for entry in world.entries] == ([] if removed else ["私の言葉で"])
