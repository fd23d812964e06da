"""A run goes through the real router, gives the same result in any environment, and leaves nothing behind."""

import json
import os
import subprocess
import sys
import tempfile
from contextlib import suppress
from pathlib import Path

import pytest

from memorybank.config.cycle import CycleSettings
from memorybank.cycle.event import Event
from memorybank.replay import arena, measure, sources
from memorybank.replay.play import play, scratch
from memorybank.storage import scratch as storage

from .told import DAY, NOW, Told, pairs

pytestmark = pytest.mark.slow

ROOT = Path(__file__).resolve().parents[2]
SETTINGS = CycleSettings()


def silence(done, whole):
    pass


def recalled(source, budget=1_000, policy=arena.FROZEN):
    with scratch(source, arena.live(SETTINGS, policy, budget)) as base:
        return play(base, source, silence)


def test_recall_shows_what_other_sessions_did_within_its_tokens(history):
    source = sources.of_paths([str(history(*pairs(4)))])
    for budget in (60, 200):
        shown = measure.shown_in(recalled(source, budget=budget).lines)
        assert {memory.session for memory in shown} == {"s1", "s2", "s3"}
        for session in ("s1", "s2", "s3"):
            assert 0 < sum(memory.tokens for memory in shown if memory.session == session) <= budget
    found = [memory for memory in shown if memory.moment == "prompt"]
    assert found and all("file:docs/アップロード.md" in memory.anchors for memory in found)


def test_every_shown_text_is_known_by_its_memory(history):
    """At starts, where memories are lines of one list, and at all other moments."""
    failing = [
        Told(f"f{n}", at=NOW + n * DAY).prompt("Run the tests.").run("rtk bun test", error="error: no such subcommand bun").run("bun test") for n in range(4)
    ]
    run = recalled(sources.of_paths([str(history(*(told.end() for told in failing), *pairs(4)))]))
    shown = {(memory.session, memory.memory) for memory in measure.shown_in(run.lines)}
    assert {(text.session, text.memory) for text in run.texts} == shown
    assert {memory.partition(":")[0] for _, memory in shown} >= {"problem", "answer"}
    assert all(("bun test" in text.text) == text.memory.startswith("problem:") for text in run.texts)


def test_every_event_is_recorded_at_its_own_time_and_sessions_are_finished(history):
    told = pairs(3)
    source = sources.of_paths([str(history(*told))])
    run = recalled(source)
    recorded = [(line.session, line.event, line.at) for line in run.lines if "exposure" not in line.event]
    assert recorded == sorted(((event.session_id, event.name, event.at) for event in source.events), key=lambda item: (item[2], item[0]))
    assert {memory.memory[:7] for memory in measure.shown_in(run.lines) if memory.moment == "prompt"} == {"answer:"}


def test_a_long_history_needs_no_more_open_files_than_a_short_one(history):
    """A hook leaves its caches open for its process to close; the process that plays thousands of events would run out of file descriptors."""
    source = sources.of_paths([str(history(*pairs(12)))])
    counts = []
    with scratch(source, arena.live(SETTINGS, arena.FROZEN, 1_000)) as base:
        run = play(base, source, lambda done, whole: counts.append(len(os.listdir("/dev/fd"))))
    assert len(run.moments) >= 24
    half = len(counts) // 2
    assert max(counts[half:]) <= max(counts[:half])


def test_playing_leaves_the_events_as_they_were(history):
    source = sources.of_paths([str(history(*pairs(2)))])
    before = [Event(**event.fields()) for event in source.events]
    recalled(source)
    assert source.events == before


def test_a_moment_is_where_memory_is_asked_for(history):
    told = Told("s0").prompt("a person's words").prompt("<task-notification>", human=False).run("make", error="Error: no rule")
    told.tell("subagent_start", agent_id="sub", agent_role="planner", delivery=True).prompt("unheard", delivery=False)
    run = recalled(sources.of_paths([str(history(told.end()))]))
    assert [moment.moment for moment in run.moments] == ["session_start", "prompt", "tool_before", "failure", "subagent_start"]


def test_reading_a_file_that_another_session_changed_is_a_moment(history):
    """Claude Code starts no process before a read, so the hook asks at its result. Every arm asks there."""
    earlier = Told("s0").prompt("Shorten the retry of uploads.").edit("src/retry.py").end("`src/retry.py` waits two seconds now.")
    later = Told("s1", at=earlier.at + DAY).prompt("Lengthen the retry of uploads.")
    for path in ("src/retry.py", "src/other.py"):
        later.read(path)
    later.events = [event for event in later.events if event["name"] != "tool_before"]
    source = sources.of_paths([str(history(earlier, later.end()))])
    run = recalled(source)
    assert [moment.moment for moment in run.moments if moment.session == "s1"] == ["session_start", "prompt", "tool_before"]
    with scratch(source, arena.silent(SETTINGS)) as base:
        silent = play(base, source, silence)
    assert [(moment.moment, moment.position) for moment in silent.moments] == [(moment.moment, moment.position) for moment in run.moments]


def test_the_moment_of_a_command_follows_its_output(history):
    """Before every call, and at a failure hidden by a pipe, but not at a search without results."""
    told = Told("s0").run("pytest -q | tail -2", output="1 failed in 0.1s").run("grep kettle a.py", error="Exit code 1")
    run = recalled(sources.of_paths([str(history(told.end()))]))
    assert [moment.moment for moment in run.moments] == ["session_start", "tool_before", "failure", "tool_before"]


def test_a_log_that_is_played_again_keeps_its_outcomes(history):
    """The line contains the host's own status where it differs; the output that showed another one may have been cut."""
    told = Told("s0").run("pytest -q | tail -2", output="1 failed in 0.1s").run("./boil.sh | tail -1", output="water")
    source = sources.of_paths([str(history(told.end()))])
    with scratch(source, arena.live(SETTINGS, arena.FROZEN, 1_000)) as base:
        play(base, source, silence)
        again = sources.of_log(base.layout)
    calls = [event for event in again.events if event.name == "tool_after"]
    assert [(event.status, event.host_status) for event in calls] == [("failure", "success"), ("unknown", "success")]
    for event in calls:
        event.output = "cut"
    assert [line.status for line in recalled(again).lines if line.event == "tool_after"] == ["failure", "unknown"]


def test_the_scratch_bank_is_gone_also_when_the_run_is_stopped(history, monkeypatch, tmp_path):
    monkeypatch.setattr(storage, "IN_MEMORY", str(tmp_path / "nowhere"))
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    source = sources.of_paths([str(history(*pairs(2)))])

    def stop(done, whole):
        assert list(tmp_path.glob("memorybank-replay-*"))
        raise KeyboardInterrupt

    for progress in (silence, stop):
        with suppress(KeyboardInterrupt):
            arena.recalled(source, SETTINGS, arena.FROZEN, 500, progress)
        assert not list(tmp_path.glob("memorybank-replay-*"))


def test_targets_are_the_same_for_every_arm(history):
    source = sources.of_paths([str(history(*pairs(5)))])
    played = arena.run(source, arena.ReplayPlan(arena.ARMS, arena.POLICIES, (500, 2_000)), SETTINGS, silence)
    counted = {tuple((session, counts.targets, counts.novel, counts.moments) for session, counts in found.items()) for found in played.sessions.values()}
    assert len(counted) == 1
    assert len(played.sessions) == 1 + 4 * 2 + 2 * 2


def test_several_sources_are_pooled_session_by_session(history):
    plays = [arena.run(sources.of_paths([str(history(*pairs(count)))]), arena.ReplayPlan(["recent"], (), (500,)), SETTINGS, silence) for count in (2, 3)]
    pooled = arena.pooled(plays)
    arm = arena.Arm("recent", "", 500)
    assert len(pooled.sessions[arm]) == 5
    assert measure.total(pooled.sessions[arm].values()).targets == sum(measure.total(played.sessions[arm].values()).targets for played in plays)
    assert pooled.outcomes.turns == 5


@pytest.mark.parametrize("policy", arena.POLICIES)
def test_the_report_is_the_same_whatever_the_surroundings(history, policy, tmp_path):
    """With another order of files, hash seed, time zone, locale, home and temporary folder."""
    folder = history(*pairs(6))
    again = tmp_path / "again" / folder.name
    (again / "sessions").mkdir(parents=True)
    for path in sorted(folder.rglob("*.json*"), reverse=True):
        (again / path.relative_to(folder)).write_bytes(path.read_bytes())
    surroundings = (
        {"PYTHONHASHSEED": "1", "TZ": "UTC", "LC_ALL": "C"},
        {"PYTHONHASHSEED": "2", "TZ": "Asia/Tokyo", "LC_ALL": "C.UTF-8", "HOME": str(tmp_path), "TMPDIR": str(tmp_path)},
    )
    reports = []
    for place, more in zip((folder, again), surroundings, strict=True):
        command = [sys.executable, "-m", "memorybank", "replay", str(place), "--policy", policy, "--budget", "500", "--format", "json"]
        done = subprocess.run(command, env={**os.environ, "PYTHONPATH": str(ROOT), **more}, capture_output=True, cwd=tmp_path, check=True, timeout=120)
        reports.append(done.stdout)
    assert reports[0] == reports[1]
    assert any(row["shown"] for row in json.loads(reports[0])["rows"])


def test_a_clock_that_stands_still_stops_no_step(history):
    """Deadlines exist for people who wait; in a replay they would make the report depend on the machine."""
    source = sources.of_paths([str(history(*pairs(2)))])
    with scratch(source, SETTINGS) as base:
        play(base, source, silence)
        assert base.milliseconds_left(10) == 10
        notes = Path(base.layout.active, "sync", "sessions")
        assert len(list(notes.glob("*.md"))) == 2
        assert base.clock.now() >= NOW
