"""Histories, logs and transcripts become the same events in one fictitious folder."""

import gzip
import json
import os
from pathlib import Path

import pytest

from memorybank.config.cycle import CycleSettings
from memorybank.cycle.event import Event
from memorybank.errors import NotFound, UsageError, ValidationFailed
from memorybank.replay import arena, measure, sources
from memorybank.replay.play import play, scratch

from .told import NOW, Told, pairs

FOLDER = os.environ.get("MEMORYBANK_TRANSCRIPTS", "")
LEAST_EVENTS = 500
"""Events of real sessions in which there is something to recall."""


def silence(done, whole):
    pass


def event(session="s", at=NOW, **fields):
    return Event(host="claude-code", name="prompt", session_id=session, at=at, **fields)


def test_events_come_by_time_then_session_then_as_the_session_has_them():
    told = [event("b", 5, prompt="1"), event("b", 5, prompt="2"), event("a", 5, prompt="3"), event("a", None, prompt="4"), event("c", 1, prompt="5")]
    assert [each.prompt for each in sources.in_order(told)] == ["5", "3", "4", "1", "2"]


def test_a_folder_is_another_one_wherever_its_path_stands():
    (moved,) = sources.moved(
        [event(cwd="/home/me/app", prompt="see /home/me/app/src/a.py, not /home/me/apple", inputs={"paths": ["/home/me/app/b"]})], "/home/me/app"
    )
    assert moved.cwd == sources.PROJECT
    assert moved.prompt == f"see {sources.PROJECT}/src/a.py, not /home/me/apple"
    assert moved.inputs == {"paths": [f"{sources.PROJECT}/b"]}
    assert next(iter(sources.moved([event(prompt="as it was")], ""))).prompt == "as it was"


def test_a_history_is_read_and_what_is_no_event_is_named(history):
    folder = history(*pairs(2), notes={"shared/メモ.md": "# メモ\n"})
    source = sources.of_paths([str(folder)])
    assert (source.kind, source.sessions) == (sources.HISTORY, 2)
    assert [(note.key, note.modified < NOW) for note in source.notes] == [("shared/メモ.md", True)]
    (folder / "sessions" / "s0.jsonl").write_text('{"host": 1}\n')
    with pytest.raises(ValidationFailed, match=r"s0\.jsonl:1"):
        sources.of_paths([str(folder)])


def test_a_banks_own_log_plays_as_it_was_recorded(bank, history):
    """The log's anchors, statuses and moments are those of the recorded sessions; its session notes are not replayed."""
    source = sources.of_paths([str(history(*pairs(3)))])
    settings = CycleSettings()
    note = "# Limits\n\nsrc/limits.py holds them.\n"
    with scratch(source, settings) as base:
        recorded = play(base, source, silence)
        scratch_bank = bank({"planning/limits.md": note, "sync/sessions/2025-09-17-00000000.md": "# A session\n"})
        events = scratch_bank.root / "log" / "events"
        events.mkdir(parents=True)
        for path in Path(base.layout.log, "events").glob("*.jsonl"):
            (events / path.name).write_bytes(path.read_bytes())
    again = sources.of_paths([str(scratch_bank.repository)])
    assert again.kind == sources.LOG
    assert [note.key for note in again.notes] == ["planning/limits.md"]
    with scratch(again, arena.silent(again.settings)) as base:
        replayed = play(base, again, silence)
    told = [[(line.session, line.event, line.at, line.anchors, line.status, line.fingerprint) for line in run.lines] for run in (recorded, replayed)]
    assert [line for line in told[0] if "exposure" not in line[1]] == told[1]
    assert [moment.moment for moment in recorded.moments] == [moment.moment for moment in replayed.moments]


def test_transcripts_are_what_the_import_reads(tmp_path):
    common = {"sessionId": "t1", "cwd": "/home/me/app", "gitBranch": "main", "version": "2.1.0", "isSidechain": False}
    call = {"type": "tool_use", "id": "toolu_1", "name": "Edit", "input": {"file_path": "/home/me/app/src/a.py", "old_string": "a", "new_string": "b"}}
    answer = {"type": "tool_result", "tool_use_id": "toolu_1", "content": "ok"}
    lines = [
        {**common, "type": "user", "uuid": "u1", "timestamp": "2026-01-01T00:00:00Z", "message": {"role": "user", "content": "アップロードを直して"}},
        {**common, "type": "assistant", "uuid": "u2", "timestamp": "2026-01-01T00:00:01Z", "message": {"role": "assistant", "content": [call]}},
        {**common, "type": "user", "uuid": "u3", "timestamp": "2026-01-01T00:00:02Z", "message": {"role": "user", "content": [answer]}},
    ]
    with gzip.open(tmp_path / "t1.jsonl.gz", "wt", encoding="utf-8") as stream:
        stream.writelines(json.dumps(line, ensure_ascii=False) + "\n" for line in lines)
    source = sources.of_paths([str(tmp_path)])
    assert source.kind == sources.TRANSCRIPTS
    assert [told.name for told in source.events] == ["session_start", "prompt", "tool_before", "tool_after", "session_end"]
    assert source.events[2].inputs["file_path"] == f"{sources.PROJECT}/src/a.py"
    assert all(told.delivery for told in source.events[:4])


def test_a_session_that_no_hook_would_have_seen_is_left_out(tmp_path):
    """A transcript may consist of a sub-agent's calls for which no hook is registered."""
    common = {"sessionId": "t2", "cwd": "/home/me/app", "gitBranch": "main", "version": "2.1.0", "isSidechain": True, "agentId": "a1"}
    call = {"type": "tool_use", "id": "toolu_1", "name": "TodoWrite", "input": {"todos": []}}
    line = {**common, "type": "assistant", "uuid": "u1", "timestamp": "2026-01-01T00:00:00Z", "message": {"role": "assistant", "content": [call]}}
    folder = tmp_path / "t2" / "subagents"
    folder.mkdir(parents=True)
    with gzip.open(folder / "agent-a1.jsonl.gz", "wt", encoding="utf-8") as stream:
        stream.write(json.dumps(line) + "\n")
    assert sources.of_paths([str(tmp_path)]).events == []


def test_only_transcripts_are_replayed_together(bank, history, tmp_path):
    with pytest.raises(UsageError):
        sources.of_paths([str(history(*pairs(1))), str(bank().root)])
    (tmp_path / "empty").mkdir()
    with pytest.raises(NotFound):
        sources.of_paths([str(tmp_path / "empty")])
    with pytest.raises(NotFound):
        sources.of_history(str(tmp_path / "empty"))


def test_a_session_without_anything_is_no_trouble(history):
    played = arena.run(sources.of_paths([str(history(Told("s0")))]), arena.ReplayPlan(arena.ARMS, (arena.FROZEN,), (500,)), CycleSettings(), silence)
    assert all(sum(counts.targets for counts in found.values()) == 0 for found in played.sessions.values())


@pytest.mark.full
@pytest.mark.skipif(not FOLDER, reason="MEMORYBANK_TRANSCRIPTS is not set: no real session is played")
def test_real_days_have_targets_and_an_honest_report():
    """Takes several minutes with a hundred sessions."""
    source = sources.of_paths([FOLDER])
    if len(source.events) < LEAST_EVENTS:
        pytest.skip(f"{len(source.events)} events are too few to find targets in")
    played = arena.baselines(source, arena.ReplayPlan(arena.ARMS, (), (1_000,)), source.settings, silence)
    (without_recall,) = (sessions for arm, sessions in played.sessions.items() if arm.name == "none")
    assert sum(tally.targets for tally in measure.total(without_recall.values()).kinds.values()) > 20
    assert {arm.name for arm in played.sessions} == {"none", "random", "recent", "frequent", "keyword"}
