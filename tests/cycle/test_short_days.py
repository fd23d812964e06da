"""A short day keeps its results: after recording, folding and finishing, its episode and its session note contain what was found."""

from pathlib import Path

import pytest

from memorybank.clock import DAY
from memorybank.cycle.base import CycleContext
from memorybank.cycle.finish import macro, outbox
from memorybank.cycle.fold import cache as kept
from memorybank.cycle.fold.phrases import phrase
from memorybank.cycle.router import HookRouter
from memorybank.episodes import list_file
from memorybank.hosts.detect import dialect
from memorybank.summarize.lines import label
from tests.cycle import short_days

DAYS = short_days.days()


@pytest.mark.slow
@pytest.mark.parametrize("day", DAYS, ids=lambda day: day.name)
def test_what_was_found_stands_in_the_episode_and_in_the_session_note_before_the_goal(base, day):
    play(base, day)
    (entry,) = list_file.read(base.layout).entries
    missing = [value for value in day.values if value not in entry.summary]
    assert not missing, (missing, entry.summary)
    wanted = label("goals", day.language)
    assert wanted not in entry.summary or entry.summary.index(day.values[0]) < entry.summary.index(wanted)
    (note,) = Path(base.layout.active, "sync", "sessions").glob("*.md")
    body = note.read_text(encoding="utf-8").split("\n---\n", 1)[1]
    before, _, _ = body.partition(f"## {phrase('goals', day.language)}")
    result = before.partition(f"## {phrase('results', day.language)}\n\n- ")[2]
    assert all(value in result for value in day.values), body
    assert not any(opener.strip() and result.startswith(opener.split(".")[0].split("。")[0].strip()) for opener in short_days.OPENERS[day.language])


def test_the_days_are_as_varied_as_they_claim():
    lengths = [max(len(said) for _, _, said in day.turns) for day in DAYS]
    assert len(DAYS) == 30 and sum(day.language == "ja" for day in DAYS) == 12
    assert {len(day.turns) for day in DAYS} == {1, 3} and min(lengths) <= 80 and max(lengths) > 3_700
    assert {sum(done for _, done, _ in day.turns) for day in DAYS} >= {0, 1, 2}


def play(base: CycleContext, day: short_days.ShortDay) -> None:
    """Play the session through the hooks; then the next day comes, and the episode of the day is written."""
    for event in short_days.played(day, base.clock.now()):
        base.clock.instant = event.at
        HookRouter(CycleContext(base.layout, base.settings, base.clock), dialect(event.host).delivers).answer(event)
    base.clock.instant += DAY
    with kept.CacheConnection(base.layout) as connection:
        outbox.gather(base, connection, lambda: 10_000.0)
        macro.finish(base, connection, lambda: 10_000.0)
