"""Episodes of finished sessions, written once when their days are over: offline, within the deadline, and without blocking another run."""

import contextlib
import io
import os
import shutil
import tempfile
from pathlib import Path
from types import SimpleNamespace

import pytest

from memorybank.clock import DAY, HOUR, FixedClock
from memorybank.config.cycle import CycleSettings
from memorybank.cycle.base import CycleContext
from memorybank.cycle.finish import durations, episode_step, macro, outbox
from memorybank.cycle.fold import schema
from memorybank.episodes import list_file
from memorybank.episodes.running import EpisodesLock
from memorybank.log import events, organize
from memorybank.storage import database
from memorybank.storage.layout import Layout
from tests.crash.disk_model import Model
from tests.crash.recorder import Recorder, replaced

from .conftest import MINUTE, NOW, Killed, Session

ENOUGH = 10_000.0
TOMORROW = NOW + DAY


def worked(base, name="s1", at=NOW - 60 * MINUTE, text="Make the search find Japanese words.", ends=True):
    session = Session(base.layout, base.clock, name, at)
    session.prompt(text)
    session.run("pytest tests/a.py", error="AssertionError: 検索")
    session.edit("src/tokens.py", "return 1", "return pairs")
    session.run("pytest tests/a.py")
    session.turn_end("検索が日本語の単語を見つけるようになりました。")
    if ends:
        session.end()
    return session


def run(base, cache, milliseconds=ENOUGH):
    left = milliseconds if callable(milliseconds) else lambda: milliseconds
    outbox.gather(base, cache, left)
    return macro.finish(base, cache, left)


def due(base, cache, milliseconds=ENOUGH):
    outbox.gather(base, cache, lambda: milliseconds)
    return [one.session for one in outbox.due(base, cache, lambda: milliseconds)]


def entries(base):
    return list_file.read(base.layout).entries


def said(base):
    return [(step.session, step.details.get("skipped", "told")) for step in organize.read(base.layout) if step.step == organize.EPISODES]


def test_a_session_of_today_waits_until_its_day_is_over_and_is_told_then(base, cache):
    worked(base)
    run(base, cache)
    assert entries(base) == () and said(base) == [] and due(base, cache) == [], "not over: nobody looks at it again today"
    base.clock.instant = TOMORROW
    assert due(base, cache) == ["s1"]
    run(base, cache)
    (entry,) = entries(base)
    assert (entry.date, entry.kind, entry.by, entry.draft) == ("2025-09-17", "day", "extractive", False)
    assert "Make the search find" in entry.summary and said(base) == [("s1", "told")] and due(base, cache) == []
    before = entry.encoded
    run(base, cache)
    assert [each.encoded for each in entries(base)] == [before] and said(base) == [("s1", "told")]


@pytest.mark.parametrize(("zone", "over"), [("UTC", False), ("Asia/Tokyo", True), ("America/New_York", False)])
def test_a_day_is_over_in_the_banks_own_zone(base, cache, bank, zone, over):
    """12:34 UTC is 21:34 in Tokyo; three hours later it is tomorrow there."""
    os.makedirs(base.layout.config)
    Path(base.layout.config, "episodes_config.json").write_text(f'{{"timezone": "{zone}"}}', encoding="utf-8")
    worked(base)
    run(base, cache)
    base.clock.instant = NOW + 3 * HOUR
    assert due(base, cache) == (["s1"] if over else [])
    run(base, cache)
    assert [entry.date for entry in entries(base)] == (["2025-09-17"] if over else [])


def test_several_sessions_of_a_day_are_one_episode_and_one_that_ended_later_a_supplement(base, cache):
    worked(base, "s1")
    worked(base, "s2", NOW - 30 * MINUTE, "文書を直してください。リリースの手順も書いてください。")
    late = worked(base, "s3", NOW - 10 * MINUTE, "Publish the release calendar for everybody.", ends=False)
    run(base, cache)
    base.clock.instant = TOMORROW
    late.at = TOMORROW - MINUTE
    late.prompt("And go on today.")
    run(base, cache)
    (entry,) = entries(base)
    assert {source for _, source, _ in entry.covers} == {"events/s1", "events/s2"} and entry.kind == "day"
    late.end()
    run(base, cache)
    assert said(base) == [("s1", "told"), ("s2", "told")], "it went on today: that day is not over"
    base.clock.instant = TOMORROW + DAY
    run(base, cache)
    assert [(entry.date, entry.kind) for entry in entries(base)] == [("2025-09-17", "day"), ("2025-09-17", "supplement"), ("2025-09-18", "brief")]
    assert due(base, cache) == []


def test_what_does_not_fit_waits_in_the_outbox_with_what_it_takes(base, cache):
    worked(base)
    run(base, cache)
    base.clock.instant = TOMORROW
    assert due(base, cache, durations.LEAST[organize.EPISODES] - 1) == []
    run(base, cache, durations.LEAST[organize.EPISODES] - 1)
    assert entries(base) == () and due(base, cache) == ["s1"]
    organize.append(base.layout, [organize.OrganizeStep("earlier", organize.EPISODES, NOW, 0, 0, "", {"ms": 700})], base.clock)
    assert due(base, cache, 1_000) == [] and due(base, cache, 1_050) == ["s1"]


def test_a_run_that_has_no_time_left_halfway_keeps_what_it_told_and_the_next_one_goes_on(base, cache):
    long = worked(base, at=NOW - 3 * DAY, ends=False)
    for day in (2, 1, 0):
        long.at = NOW - day * DAY
        long.prompt("Let the parser read ranges of dates with any tilde, and say so.")
        long.edit("src/dates.py", "a", "b")
    long.end()
    run(base, cache)
    base.clock.instant = TOMORROW
    left = [ENOUGH]

    def little(function):
        def called(*arguments, **named):
            left[0] = 0.0 if len(entries(base)) == 2 else ENOUGH
            return function(*arguments, **named)

        return called

    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(episode_step.EpisodeRun, "_in_time", little(episode_step.EpisodeRun._in_time))
        run(base, cache, lambda: left[0])
    assert [entry.date for entry in entries(base)] == ["2025-09-14", "2025-09-15"] and said(base) == []
    assert due(base, cache) == ["s1"]
    run(base, cache)
    assert [entry.date for entry in entries(base)] == ["2025-09-14", "2025-09-15", "2025-09-16", "2025-09-17"] and said(base) == [("s1", "told")]


@pytest.mark.parametrize("why", ["switched_off", "long_ago", "imported", "too_long", "corrupt", "config"])
def test_what_a_hook_cannot_or_must_not_tell_is_left_to_commands_and_keeps_no_outbox_busy(base, cache, why, monkeypatch):
    session = worked(base, ends=False)
    if why == "imported":
        path = Path(events.path_of(base.layout, "s1"))
        path.unlink()
        session = Session(base.layout, base.clock, "s1", NOW - 60 * MINUTE)
        session.line("prompt", inputs={"text": "Imported from elsewhere, with enough characters to be told."}, origin="import")
        session.line("session_end", origin="import")
    else:
        session.end()
    run(base, cache)
    base.clock.instant = TOMORROW
    path = Path(list_file.path_of(base.layout))
    path.parent.mkdir()
    if why == "switched_off":
        base = CycleContext(base.layout, CycleSettings(session_episodes=False), base.clock)
    elif why == "long_ago":
        base.clock.instant = NOW + 30 * DAY
    elif why == "too_long":
        monkeypatch.setattr(episode_step, "BYTES_A_MILLISECOND", 0.001)
    elif why == "corrupt":
        path.write_text("[broken", encoding="utf-8")
    elif why == "config":
        os.makedirs(base.layout.config)
        Path(base.layout.config, "episodes_config.json").write_text('{"summary_characters": "many"}', encoding="utf-8")
    run(base, cache)
    ((session_id, reason),) = said(base)
    assert session_id == "s1" and reason == {"corrupt": "validation", "config": "config_invalid"}.get(why, why)
    assert due(base, cache) == [] and (path.read_text(encoding="utf-8") == "[broken" if why == "corrupt" else entries(base) == ())


def test_the_first_line_of_a_log_shows_that_it_was_not_imported(base, cache, monkeypatch):
    """Each end of a turn asks this about every session that waits: reading them to their ends would leave no time for anything else."""
    worked(base)
    run(base, cache)
    base.clock.instant = TOMORROW

    class Lines(io.BytesIO):
        def __next__(self):
            return super().__next__() if not self.tell() else pytest.fail("the log was read further")

    monkeypatch.setattr(macro, "compressed", SimpleNamespace(stream=lambda path: Lines(Path(path).read_bytes())))
    run(base, cache)
    assert said(base) == [("s1", "told")]


def test_it_is_a_draft_for_who_set_up_a_model(base, cache, monkeypatch):
    monkeypatch.setenv("MEMORYBANK_SUMMARIZER", "ollama")
    monkeypatch.setenv("MEMORYBANK_LLM_MODEL", "m")
    worked(base)
    run(base, cache)
    base.clock.instant = TOMORROW
    run(base, cache)
    assert [entry.draft for entry in entries(base)] == [True]


def test_it_waits_for_nobody_and_goes_on_later(base, cache):
    worked(base)
    run(base, cache)
    base.clock.instant = TOMORROW
    with EpisodesLock(base.layout, "memorybank episodes update", base.clock):
        run(base, cache)
        assert entries(base) == () and said(base) == []
    assert due(base, cache) == ["s1"]
    run(base, cache)
    assert len(entries(base)) == 1


def test_what_not_everybody_may_see_reaches_no_episode(base, cache):
    session = worked(base, ends=False)
    session.edit("deploy/secret.pem", "", "CANARY-1", acl="session", privacy="private", hold=True)
    session.edit("src/sub.py", "", "CANARY-2", agent="a1")
    session.end()
    run(base, cache)
    base.clock.instant = TOMORROW
    run(base, cache)
    text = Path(list_file.path_of(base.layout)).read_text(encoding="utf-8")
    assert "Make the search" in text and "CANARY" not in text and "secret.pem" not in text


def test_a_step_that_was_killed_is_not_tried_at_every_turn(base, cache, monkeypatch, killed):
    worked(base)
    run(base, cache)
    base.clock.instant = TOMORROW
    monkeypatch.setattr(episode_step.EpisodeRun, "_write", killed)
    with contextlib.suppress(Killed):
        run(base, cache)
    for _ in range(3):
        run(base, cache)
    assert killed.tried == 1 and said(base) == [("s1", "too_long")], "left to commands"
    monkeypatch.undo()
    worked(base, "s2", TOMORROW)
    run(base, cache)
    base.clock.instant = TOMORROW + DAY
    run(base, cache)
    assert [entry.date for entry in entries(base)] == ["2025-09-18"], "other days are tried again"


def test_no_crash_loses_or_doubles_a_day_and_the_next_run_finishes():
    """Every state that a crash or power loss can leave between the writes of the step, the list and the log."""
    folder = tempfile.mkdtemp(prefix="memorybank-step-")
    try:
        root = f"{folder}/bank"
        base = CycleContext(Layout(root), CycleSettings(), FixedClock(NOW))
        os.makedirs(root)
        worked(base)
        finish(base)
        base.clock.instant = TOMORROW
        model, recorder = Model(root), Recorder(root)
        with replaced(recorder):
            finish(base)
        (wanted,) = [entry.encoded for entry in entries(base)]
        count = 0
        for where, state in model.crashes(recorder.trace):
            count += 1
            state.write_to(f"{folder}/state")
            again = CycleContext(Layout(f"{folder}/state"), CycleSettings(), FixedClock(TOMORROW))
            assert not list_file.read(again.layout).broken, where
            finish(again)
            assert [entry.encoded for entry in entries(again)] == [wanted], where
            assert organize.EPISODES in [each.step for each in organize.read(again.layout)], where
            shutil.rmtree(f"{folder}/state")
        assert count >= 10
    finally:
        shutil.rmtree(folder)


def finish(base):
    """SQLite's own writes are not recorded: the cache is in memory, so it is always lost."""
    with contextlib.closing(database.in_memory(schema.TABLES, schema.VERSION)) as cache:
        run(base, cache)
