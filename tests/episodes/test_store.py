"""The list of episodes: what it may contain, what stays, what is never lost."""

import json

import pytest

from memorybank.clock import FixedClock
from memorybank.episodes import dates, list_file
from memorybank.episodes.entry import Episode, file_text, made, sort
from memorybank.episodes.store import EpisodeStore
from memorybank.errors import ValidationFailed

from .worlds import Repeats, replaced

CLOCK = FixedClock(0)


def written(scratch, value):
    path = scratch.root / "episodes" / list_file.NAME
    path.parent.mkdir(exist_ok=True)
    path.write_text(value if isinstance(value, str) else json.dumps(value, ensure_ascii=False), encoding="utf-8")
    return path


def day(date, summary="something was done", source="events/a", digest="d1", **more):
    return made(date, summary, f"{date}T20:00:00+00:00", kind=more.pop("kind", "day"), by=more.pop("by", "extractive"), covers=[(date, source, digest)], **more)


@pytest.mark.parametrize("sign", ["~", "～", "〜"])
def test_a_range_is_read_with_any_tilde_and_blanks_and_written_with_one(sign):
    entry = Episode({"date": f" 2025-10-20 {sign} 2025-10-26 ", "summary": "週のまとめ"})
    assert (entry.first, entry.last, entry.kind) == ("2025-10-20", "2025-10-26", "week")
    assert '"date": "2025-10-20~2025-10-26"' in entry.encoded


@pytest.mark.parametrize("date", ["", "yesterday", "2025-10-26~2025-10-20", "2025-13-01", "2025-10-20~", 5, None, ["2025-10-20"]])
def test_what_is_no_date_stays_and_is_never_told(bank, date):
    scratch = bank()
    written(scratch, [{"date": date, "summary": "kept"}])
    (entry,) = list_file.read(scratch.layout).entries
    assert not entry.is_showable and entry.raw == {"date": date, "summary": "kept"}
    EpisodeStore(scratch.layout, CLOCK).change(lambda known: [*known, day("2025-01-01")])
    assert {"date": date, "summary": "kept"} in json.loads((scratch.root / "episodes" / list_file.NAME).read_text())


def test_unknown_members_and_entries_of_any_form_survive_a_rewrite(bank):
    scratch = bank()
    odd = [{"date": "2025-10-20", "summary": "x", "mood": {"joy": [1, 2]}}, "a text", 5, None, [], {}, {"summary": {"deep": True}, "covers": "none"}]
    written(scratch, odd)
    EpisodeStore(scratch.layout, CLOCK).change(lambda known: [*known, day("2025-01-01")])
    found = json.loads((scratch.root / "episodes" / list_file.NAME).read_text())
    assert len(found) == len(odd) + 1 and all(item in found for item in odd)
    assert found[0]["date"] == "2025-01-01"  # sorted by date, what has none at the end


@pytest.mark.parametrize("text", ["", "[", "{}", '[{"date": "2025-10-20", "summary": "a"},]', "not json", "[1, 2"])
def test_a_broken_list_is_never_replaced(bank, text):
    """Reading returns the reason, changing refuses, and the bytes stay."""
    scratch = bank()
    path = written(scratch, text)
    assert list_file.read(scratch.layout).broken
    with pytest.raises(ValidationFailed, match="episodic_memory"):
        EpisodeStore(scratch.layout, CLOCK).change(lambda known: [day("2025-01-01")])
    assert path.read_text() == text


def test_a_broken_list_is_set_aside_and_what_can_be_read_goes_on(bank, fixed_clock):
    scratch = bank()
    whole = '{"date": "2025-10-20", "summary": "one"}', '{"date": "2025-10-22", "summary": "三日目", "n": {"x": 1}}'
    text = f'[{whole[0]}, {{"date": "2025-10-21", "summary": "two" broken}}, {whole[1]},'
    path = written(scratch, text)
    name, saved = EpisodeStore(scratch.layout, CLOCK).set_aside(fixed_clock)
    assert saved == 2 and (path.parent / name).read_text() == text
    assert [entry.summary for entry in list_file.read(scratch.layout).entries] == ["one", "三日目"]


def test_a_list_in_which_nothing_can_be_read_is_not_replaced_by_an_empty_one(bank, fixed_clock):
    scratch = bank()
    path = written(scratch, "\x00\x01 nothing")
    name, saved = EpisodeStore(scratch.layout, CLOCK).set_aside(fixed_clock)
    assert saved == 0 and not path.exists() and (path.parent / name).read_text() == "\x00\x01 nothing"


def test_what_leaves_the_list_lies_in_the_archives(bank):
    scratch = bank()
    first, better = day("2025-10-20", "a draft", draft=True), day("2025-10-20", "a better text", by="llm:m")
    kept = EpisodeStore(scratch.layout, CLOCK)
    kept.change(lambda known: [first])
    kept.change(lambda known: [better])
    assert [entry.summary for entry in replaced(scratch.layout)] == ["a draft"]
    assert first.id == better.id


def test_an_edit_of_the_file_between_two_changes_is_kept(bank):
    """Other people's edits win: a change applies to the list as it is now."""
    scratch = bank()
    kept = EpisodeStore(scratch.layout, CLOCK)
    kept.change(lambda known: [day("2025-10-20")])
    path = scratch.root / "episodes" / list_file.NAME
    path.write_text(path.read_text().replace("something was done", "my own words"), encoding="utf-8")
    kept.change(lambda known: [*known, day("2025-10-21")])
    assert [entry.summary for entry in list_file.read(scratch.layout).entries] == ["my own words", "something was done"]
    path.write_text(path.read_text().replace("something was done", "her words"), encoding="utf-8")
    kept.change(lambda known: [*known, day("2025-10-22")])
    assert [entry.summary for entry in list_file.read(scratch.layout).entries] == ["my own words", "her words", "something was done"]
    assert list_file.read(scratch.layout).entries[0].is_edited


def conflict(ours, theirs):
    return f"[\n<<<<<<< HEAD\n{ours}\n=======\n{theirs}\n>>>>>>> main\n]\n"


def test_conflict_marks_of_git_are_both_copies(bank):
    scratch = bank()
    mine, yours = day("2025-10-20", "mine", "events/a"), day("2025-10-20", "yours", "events/b")
    path = written(scratch, conflict(mine.encoded, yours.encoded))
    stored = list_file.read(scratch.layout)
    assert stored.merged and {entry.summary for entry in stored.entries} == {"mine", "yours"}
    EpisodeStore(scratch.layout, CLOCK).change(lambda known: known)
    assert "<<<<" not in path.read_text() and len(json.loads(path.read_text())) == 2


def test_of_two_texts_about_the_same_the_better_stays_and_the_other_is_archived(bank):
    scratch = bank()
    draft, final = day("2025-10-20", "draft", draft=True), day("2025-10-20", "final", by="llm:m")
    written(scratch, conflict(draft.encoded, final.encoded))
    EpisodeStore(scratch.layout, CLOCK).change(lambda known: known)
    assert [entry.summary for entry in list_file.read(scratch.layout).entries] == ["final"]
    assert [entry.summary for entry in replaced(scratch.layout)] == ["draft"]


@pytest.mark.parametrize("lesser", [day("2025-10-20", "draft", draft=True), day("2025-10-21", "in the week", "events/w")])
def test_a_merged_list_shows_the_better_text_and_the_next_change_archives_the_other(bank, lesser):
    """A merge driver keeps both entries, because it may write no second file."""
    scratch = bank()
    final = day("2025-10-20", "final", by="llm:m")
    covers = [("2025-10-21", "events/w", "d1"), ("2025-10-22", "events/w", "d1")]
    week = made("2025-10-21~2025-10-26", "週", "2025-10-27T00:00:00+00:00", kind="week", by="llm:m", covers=covers)
    path = written(scratch, file_text(sort([final, week, lesser])))
    stored = list_file.read(scratch.layout)
    assert [entry.summary for entry in stored.entries] == ["final", "週"] and [entry.encoded for entry in stored.dropped] == [lesser.encoded]
    assert not stored.merged and lesser.summary in path.read_text(), "reading changes nothing"
    EpisodeStore(scratch.layout, CLOCK).change(lambda known: known)
    assert lesser.summary not in path.read_text() and [entry.summary for entry in replaced(scratch.layout)] == [lesser.summary]


def test_supplements_of_one_source_are_different_things(world):
    """Two late imports into one session: each covers what was new then, and a union keeps both."""
    world.log("events/a").add(0)
    world.clock.instant = 2 * 86_400_000
    world.update()
    for _ in range(2):
        world.log("events/a").add(1_000)
        world.update()
    assert [entry.kind for entry in world.entries] == ["day", "supplement", "supplement"]
    mine = [entry.encoded for entry in world.entries]
    path = list_file.path_of(world.layout)
    with open(path, "w", encoding="utf-8") as stream:
        stream.write(conflict(",\n".join(mine), ",\n".join(mine[:1])))
    assert [entry.encoded for entry in list_file.read(world.layout).entries] == mine


def test_weeks_have_the_names_of_iso_8601():
    assert [dates.week_name(date) for date in ("2025-09-17", "2024-12-30", "2021-01-03", "2020-12-31")] == ["2025-W38", "2025-W01", "2020-W53", "2020-W53"]
    assert dates.week_of("2020-W53") == "2020-12-28"
    assert [dates.week_of(name) for name in ("2021-W53", "2025-38", "W38", "")] == [None] * 4


def test_two_colleagues_who_worked_apart_lose_nothing(bank, world):
    """Each summarised the logs on his own machine. After the merge every text is in the list or in the archives, and no day is due again."""
    from .worlds import World

    other = World(bank().layout, now=world.clock.now())
    world.log("events/mine").add(0)
    other.log("events/yours").add(0)
    both = (world, other)
    for one in both:
        one.log("events/shared").add(10)
        one.clock.instant = 3 * 86_400_000
        one.update(Repeats("extractive"))
    ours, theirs = ([entry.encoded for entry in one.entries] for one in both)
    with open(list_file.path_of(world.layout), "w", encoding="utf-8") as stream:
        stream.write(conflict(",\n".join(ours), ",\n".join(theirs)))
    texts = {entry.summary for one in both for entry in one.entries}
    assert world.update().written == []
    EpisodeStore(world.layout, CLOCK).change(lambda known: known)
    assert texts <= {entry.summary for entry in world.entries} | {entry.summary for entry in replaced(world.layout)}
