"""Rollouts of Codex: their events, and the outcomes that its hooks could not know."""

import json

import pytest

from memorybank.clock import FixedClock, isoformat
from memorybank.cycle import rebuild
from memorybank.cycle.base import describe
from memorybank.cycle.finish.summaries import lines_of
from memorybank.cycle.fold import cache, logs
from memorybank.cycle.router import HookRouter
from memorybank.hosts.codex import Codex
from memorybank.hosts.transcripts import codex
from memorybank.log import chain

from .written import START

THREAD = "01a20199-828d-76d2-bef4-58923207e877"
CWD = "/home/somebody/tea"


class Rollout:
    def __init__(self, thread: str = THREAD, **meta) -> None:
        self.at = START
        self.lines: list[dict] = []
        self.calls = 0
        self.add("session_meta", id=thread, cwd=CWD, cli_version="0.169.0", git={"branch": "fix/kettle"}, **meta)

    def add(self, line_type: str, **payload) -> "Rollout":
        self.at += 1_000
        self.lines.append({"timestamp": isoformat(self.at), "ordinal": len(self.lines), "type": line_type, "payload": payload})
        return self

    def event(self, kind: str, **payload) -> "Rollout":
        return self.add("event_msg", **{"type": kind, **payload})

    def item(self, kind: str, **payload) -> "Rollout":
        return self.add("response_item", **{"type": kind, **payload})

    def prompt(self, text: str, turn: str) -> "Rollout":
        self.event("task_started", turn_id=turn)
        self.item("message", role="user", content=[{"type": "input_text", "text": "<environment_context>x</environment_context>"}])
        return self.event("item_completed", turn_id=turn, item={"type": "UserMessage", "id": "u", "content": [{"type": "text", "text": text}]})

    def command(self, command: str, code: int | None, output: str = "", *, told_by: str = "item") -> "Rollout":
        """told_by: where the exit code is: in an item of its own, in the header of the output, or in JSON (older versions)."""
        self.calls += 1
        call = f"call_{self.calls}"
        self.item("function_call", name="exec_command", arguments=json.dumps({"cmd": command}), call_id=call)
        text = {"item": output, "head": f"Chunk ID: 1\nProcess exited with code {code}\nOutput:\n{output}"}.get(told_by)
        if told_by == "item" and code is not None:
            done = {"type": "CommandExecution", "id": call, "exit_code": code, "aggregated_output": output, "duration": {"secs": 1, "nanos": 5_000_000}}
            self.event("item_completed", item=done)
        if text is None:
            text = json.dumps({"output": output, "metadata": {"exit_code": code, "duration_seconds": 0.2}})
        return self.item("function_call_output", call_id=call, output=text)

    def patch(self, text: str, answer: str) -> "Rollout":
        self.calls += 1
        self.item("custom_tool_call", name="apply_patch", input=text, call_id=f"call_{self.calls}")
        return self.item("custom_tool_call_output", call_id=f"call_{self.calls}", output=answer)

    def encoded(self) -> list[bytes]:
        return [json.dumps(line, ensure_ascii=False).encode() + b"\n" for line in self.lines]

    def write(self, folder) -> None:
        (folder / f"rollout-{self.lines[0]['payload']['id']}.jsonl").write_bytes(b"".join(self.encoded()))


PATCH = "*** Begin Patch\n*** Update File: kettle.py\n@@\n-heat = 0\n+heat = 100\n*** End Patch\n"
APPLIED = "Exit code: 0\nWall time: 0 seconds\nOutput:\nSuccess. Updated the following files:\nM kettle.py\n"


def working_day() -> Rollout:
    day = Rollout().prompt("急須のテストを直して", "turn-1")
    day.command("pytest -q", 1, "E   AssertionError: the kettle is cold").patch(PATCH, APPLIED).command("pytest -q", 0, "the kettle is hot")
    return day.event("task_complete", turn_id="turn-1", last_agent_message="直しました。")


def told(rollout: Rollout) -> list[str]:
    return [" ".join(str(part) for part in (each.event.name, each.event.tool, each.event.status) if part) for each in codex.read(rollout.encoded()).events]


def test_a_rollout_tells_how_commands_ended():
    reading = codex.read(working_day().encoded())
    assert told(working_day()) == [
        *("session_start", "prompt", "tool_before Bash", "tool_after Bash failure"),
        *("tool_before Edit", "tool_after Edit success", "tool_before Bash", "tool_after Bash success", "turn_end"),
    ]
    prompt, failed = reading.events[1].event, reading.events[3].event
    assert (prompt.prompt, prompt.strong_id, prompt.human) == ("急須のテストを直して", "turn-1", True)
    assert (failed.exit_code, failed.latency_ms, failed.error, failed.strong_id) == (1, 1_005, "E   AssertionError: the kettle is cold", "call_1")
    assert {(each.event.session_id, each.event.cwd, each.event.branch) for each in reading.events} == {(THREAD, CWD, "fix/kettle")}
    assert reading.faults == []


@pytest.mark.parametrize("told_by", ["item", "head", "json"])
@pytest.mark.parametrize("output", ["nothing found", ""])
def test_exit_codes_are_found_wherever_a_version_writes_them(told_by, output):
    failed, fine, unknown = (
        each.event
        for each in codex.read(
            Rollout().command("x", 3, output, told_by=told_by).command("y", 0, output, told_by=told_by).command("z", None, output).encoded()
        ).events
        if each.event.name == "tool_after"
    )
    assert (failed.status, failed.exit_code, failed.output) == ("failure", 3, output) and failed.error
    assert (fine.status, fine.exit_code, fine.output) == ("success", 0, output)
    assert unknown.status == "unknown"


def test_a_command_that_went_on_in_the_background_gets_its_end_later():
    rollout = Rollout().command("make", None, "Process running with session ID 7")
    rollout.event("item_completed", item={"type": "CommandExecution", "id": "call_1", "exit_code": 2, "aggregated_output": "no rule"})
    (result,) = [each.event for each in codex.read(rollout.encoded()).events if each.event.name == "tool_after"]
    assert (result.status, result.error) == ("failure", "no rule")


def test_older_lines_tell_prompts_and_ends_in_their_own_form():
    rollout = Rollout().event("user_message", message="hello").event("user_message", message="and more")
    rollout.item("function_call", name="shell", arguments='{"command": ["bash", "-lc", "ls"]}', call_id="c")
    rollout.event("exec_command_end", call_id="c", exit_code=1, aggregated_output="gone").item("function_call_output", call_id="c", output="gone")
    rollout.event("turn_aborted", reason="interrupted").add("compacted", message="summary")
    assert told(rollout) == [
        *("session_start", "prompt", "prompt", "tool_before Bash", "tool_after Bash failure"),
        *("turn_end partial", "compact_before", "session_start"),
    ]


def test_a_spawned_agents_rollout_belongs_to_the_session_that_spawned_it():
    rollout = Rollout("thread-2", session_id=THREAD, source={"subagent": {"thread_spawn": {"parent_thread_id": THREAD, "agent_role": "explorer"}}})
    events = [each.event for each in codex.read(rollout.command("ls", 0).encoded()).events]
    assert {(event.session_id, event.agent_id, event.agent_role) for event in events} == {(THREAD, "thread-2", "explorer")}
    assert [event.name for event in events] == ["tool_before", "tool_after"]


def test_broken_and_unknown_lines_are_named():
    rollout = Rollout().add("hologram", x=1)
    rollout.item("function_call_output", call_id="nobody", output="x")
    reading = codex.read([*rollout.encoded(), b"{half\n", b'{"type": "event_msg"}\n'])
    assert [(fault.line, fault.kind) for fault in reading.faults] == [(2, "unknown:hologram"), (3, "no_call"), (4, "not_json"), (5, "unknown:no type")]


def hooked(place, day: Rollout) -> None:
    """What Codex's hooks would have recorded: results without an outcome, and nothing about a patch that did not apply."""
    for each in codex.read(day.encoded()).events:
        event, at = each.event, each.event.at
        if event.tool == "Edit" and event.status == "failure":
            continue
        if event.name == "tool_after" and event.tool == "Bash":
            event.status, event.error, event.exit_code, event.latency_ms = "unknown", None, None, None
        event.at, event.cwd = None, str(place.bank.repository)
        HookRouter(describe(place.bank.layout, FixedClock(at + 40)), Codex().delivers).answer(event)


def rows(place) -> dict:
    with cache.CacheConnection(place.bank.layout) as connection:
        summaries = connection.execute("SELECT session, text, detail FROM summaries ORDER BY session").fetchall()
        events = connection.execute("SELECT event, status, latency FROM events ORDER BY file, offset").fetchall()
        failures = connection.execute(
            "SELECT form, said, mended, how, remedy FROM failures f LEFT JOIN remedies r ON r.failure = f.id ORDER BY 1, 2, 4"
        ).fetchall()
        passages = connection.execute("SELECT memory, kind, offset, text FROM passages ORDER BY memory").fetchall()
    cache.close()
    return {"summaries": summaries, "events": events, "failures": failures, "passages": passages}


def test_unknown_outcomes_are_corrected_and_teach(place):
    """A failure and the success that repaired it, which no hook could know; the lines themselves stay."""
    day = working_day()
    hooked(place, day)
    day.write(place.folder)
    before = place.log(THREAD)
    report = place.take_in(host="codex")
    assert report.counts.corrected == 2 and sum(report.counts.added.values()) == 0
    lines = place.log(THREAD)
    assert lines[: len(before)] == before
    failed, fine = lines[len(before) :]
    assert (failed["event"], failed["status"], failed["error"], failed["latency_ms"]) == (
        "correction",
        "failure",
        "AssertionError: the kettle is cold",
        1_005,
    )
    assert (fine["status"], failed["corrects"]) == ("success", before[3]["id"])
    assert all(check.state == "whole" for check in chain.check(place.bank.layout))
    learned = rows(place)
    ((form, said, mended, _, _),) = learned["failures"]
    assert "pytest" in form and "the kettle is cold" in said and mended is not None
    assert [status for event, status, *_ in learned["events"] if event == "tool_after"] == ["failure", "success", "success"]
    assert place.take_in(host="codex").counts.corrected == 0


def test_corrections_folded_late_or_at_once_give_the_same_rows(place):
    day = working_day()
    hooked(place, day)
    with cache.CacheConnection(place.bank.layout) as connection:
        logs.fold(place.base, connection)
    cache.close()
    day.write(place.folder)
    place.take_in(host="codex")
    late = rows(place)
    rebuild.rebuild(place.base)
    assert rows(place) == late


def test_summaries_read_corrections(place):
    day = working_day()
    hooked(place, day)
    day.write(place.folder)
    place.take_in(host="codex")
    read = lines_of(place.base, THREAD, 1 << 40)
    assert [line.status for line in read if line.event == "tool_after"] == ["failure", "success", "success"]
    assert "correction" not in {line.event for line in read}
    with cache.CacheConnection(place.bank.layout) as connection:
        (text,) = connection.execute("SELECT text FROM summaries").fetchone()
    cache.close()
    assert "the kettle is cold" in text


def test_a_patch_that_did_not_apply_is_told_by_the_transcript_alone(place):
    day = (
        Rollout()
        .prompt("work", "turn-1")
        .patch(PATCH, "apply_patch verification failed: Failed to find expected lines")
        .event("task_complete", turn_id="turn-1")
    )
    hooked(place, day)
    day.write(place.folder)
    assert place.take_in(host="codex").counts.added == {"tool_after": 1}
    assert place.log(THREAD)[-1]["status"] == "failure"
