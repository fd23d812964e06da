"""`memorybank log`: what was recorded, as tables and JSON, and what is wrong with it."""

import json
import os

import pytest

from memorybank.clock import FixedClock, isoformat
from memorybank.log import events, key, organize
from memorybank.log import lines as log_lines
from tests.log.written import NOW, event_line

ONE, TWO, THREE = "3f0c1f6e-1111-4000-8000-000000000001", "3f0cffff-2222-4000-8000-000000000002", "セッション/3"


def line(number: int, event: str = "tool_after", session: str = ONE, **more: object) -> dict[str, object]:
    return event_line(number, event, timestamp=isoformat(NOW + number * 1000), session_id=session, **more)


@pytest.fixture
def recorded(bank):
    """Two sessions whose ids begin alike, and one whose id cannot be a file name."""
    scratch = bank({})
    layout = scratch.layout

    def write(session: str, *entries: dict[str, object]) -> None:
        events.EventWriter(layout, key.ensure(layout), FixedClock(NOW), 2000).append(session, entries)

    write(
        ONE,
        line(1, "session_start", source="startup"),
        line(2, "prompt", inputs={"text": "設計を直して\nplease"}),
        line(3, tool="Bash", inputs={"command": "make test"}, status="failure", error="Exit code 2\nno rule"),
        line(4, tool="Edit", inputs={"file_path": "src/a.py"}, status="success", agent_role="reviewer"),
        line(5, "exposure", trigger={"event": "prompt"}, exposures=[{"memory": "note:planning/a.md", "shown": True}, {"memory": "note:b.md", "shown": False}]),
        line(6, "turn_end", outputs={"text": "done"}, status="success"),
        line(7, "session_end", reason="exit"),
    )
    write(TWO, line(20, "prompt", TWO, inputs={"text": "second"}), line(21, session=TWO, tool="Bash", inputs={"command": "ls"}, status="success"))
    write(THREE, line(30, "prompt", THREE, inputs={"text": "third"}, host="codex"))
    return scratch


def blank(bank, session: str, number: int, field: str) -> None:
    path = events.path_of(bank.layout, session)
    found = [entry.fields for entry in log_lines.read(path)]
    found[number][field] = {}
    with open(path, "wb") as stream:
        stream.write(b"".join(map(log_lines.encode, found)))


def alter(bank, session: str, number: int, **more: object) -> None:
    path = events.path_of(bank.layout, session)
    found = [entry.fields for entry in log_lines.read(path)]
    found[number].update(more)
    with open(path, "wb") as stream:
        stream.write(b"".join(map(log_lines.encode, found)))


def test_the_list_is_sorted_by_the_newest_line(recorded, run):
    found = json.loads(run(recorded, "log", "list", "--format", "json").out)
    assert [session["session_id"] for session in found] == [THREE, TWO, ONE]
    assert found[2] == {
        "file": f"log/events/{ONE}.jsonl", "session_id": ONE, "host": "claude-code", "first": isoformat(NOW + 1000), "last": isoformat(NOW + 7000), "lines": 7,
        "prompts": 1, "failures": 1, "purged": 0, "state": "finished",
    }  # fmt: skip
    assert [session["state"] for session in found[:2]] == ["open", "open"]
    assert [session["session_id"] for session in json.loads(run(recorded, "log", "list", "--limit", "1", "--format", "json").out)] == [THREE]


def test_the_list_in_a_pipe_is_one_line_a_session(recorded, run):
    lines = run(recorded, "log", "list").out.splitlines()
    assert lines[0].split() == ["session", "host", "first", "last", "lines", "prompts", "failures", "purged", "state"]
    assert len(lines) == 4 and lines[3].startswith(ONE) and lines[3].endswith("finished")


def test_a_session_that_was_summarised_since_its_last_line_is_finished(recorded, run):
    path = events.path_of(recorded.layout, TWO)
    step = organize.OrganizeStep(TWO, organize.SYNC, NOW, os.path.getsize(path), 2, list(log_lines.read(path))[-1].fields["signature"], {})
    organize.append(recorded.layout, (step,), FixedClock(NOW))
    states = {session["session_id"]: session["state"] for session in json.loads(run(recorded, "log", "list", "--format", "json").out)}
    assert states == {ONE: "finished", TWO: "finished", THREE: "open"}


def test_show_tells_each_event_in_a_line(recorded, run):
    out = run(recorded, "log", "show", ONE[:6]).out
    rows = out.splitlines()
    assert len(rows) == 8
    assert "設計を直して please" in rows[2]
    assert "reviewer" in rows[4] and "src/a.py" in rows[4]
    assert "make test → Exit code 2 no rule" in rows[3] and "failure" in rows[3]
    assert "shown: note:planning/a.md" in rows[5] and "note:b.md" not in rows[5]


def test_show_as_json_has_the_lines_as_they_are_recorded(recorded, run):
    found = json.loads(run(recorded, "log", "show", TWO, "--format", "json").out)
    assert found == [entry.fields for entry in log_lines.read(events.path_of(recorded.layout, TWO))]


def test_a_session_is_found_by_an_id_that_is_no_file_name(recorded, run):
    assert "third" in run(recorded, "log", "show", THREE).out
    assert "third" in run(recorded, "log", "show", "セッ").out


@pytest.mark.parametrize(
    ("arguments", "numbers"),
    [
        (["--event", "prompt"], [2]),
        (["--event", "prompt", "--event", "turn_end"], [2, 6]),
        (["--tool", "Edit"], [4]),
        (["--status", "failure"], [3]),
        (["--limit", "2"], [6, 7]),
        (["--status", "success", "--limit", "1"], [6]),
        (["--since", isoformat(NOW + 5000)], [5, 6, 7]),
        (["--tool", "Write"], []),
    ],
)
def test_filters_of_show(recorded, run, arguments, numbers):
    found = json.loads(run(recorded, "log", "show", ONE, *arguments, "--format", "json").out)
    assert [int(fields["id"], 16) for fields in found] == numbers
    if not numbers:
        assert run(recorded, "log", "show", ONE, *arguments).out == "no event of this session matches\n"


def test_a_blanked_text_is_shown_as_purged(recorded, run):
    blank(recorded, ONE, 1, "inputs")
    assert "[PURGED]" in run(recorded, "log", "show", ONE, "--event", "prompt").out
    assert json.loads(run(recorded, "log", "show", ONE, "--event", "prompt", "--format", "json").out)[0]["inputs"] == {}
    assert "1  finished" in run(recorded, "log", "list").out


def test_a_beginning_that_names_several_sessions_is_refused_with_candidates(recorded, run):
    result = run(recorded, "log", "show", "3f0c")
    assert result.code == 3 and ONE in result.err and TWO in result.err and "next:" in result.err
    result = run(recorded, "log", "show", "nothing")
    assert result.code == 3 and "memorybank log list" in result.err


def test_tail_merges_all_sessions_and_ends_with_the_newest(recorded, run):
    found = json.loads(run(recorded, "log", "tail", "-n", "4", "--format", "json").out)
    assert [int(fields["id"], 16) for fields in found] == [7, 20, 21, 30]
    assert len(run(recorded, "log", "tail").out.splitlines()) == 11
    assert run(recorded, "log", "tail", "-n", "0").code == 2


def test_tail_reads_a_long_log_from_its_end(bank, run):
    scratch = bank({})
    layout = scratch.layout
    entries = [line(number, inputs={"text": f"{number} " + "長い" * 400}) for number in range(150)]
    events.EventWriter(layout, key.ensure(layout), FixedClock(NOW), 2000).append(ONE, entries)
    assert os.path.getsize(events.path_of(layout, ONE)) > 3 * (1 << 16)
    found = json.loads(run(scratch, "log", "tail", "-n", "120", "--format", "json").out)
    assert [int(fields["id"], 16) for fields in found] == list(range(30, 150))


def test_verify_says_whole_and_exits_zero(recorded, run):
    result = run(recorded, "log", "verify")
    assert (result.code, result.out.count(" whole ")) == (0, 3)
    assert [check["state"] for check in json.loads(run(recorded, "log", "verify", "--format", "json").out)] == ["whole"] * 3


def test_verify_names_what_was_altered_and_exits_nine(recorded, run):
    alter(recorded, ONE, 2, status="success")
    alter(recorded, TWO, 0, inputs={"text": "another"})
    result = run(recorded, "log", "verify")
    assert result.code == 9 and "2 sessions with faults" in result.err and "next:" in result.err
    assert f"log/events/{ONE}.jsonl:3" in result.out and "chain_broken" in result.out
    assert f"log/events/{TWO}.jsonl:1" in result.out and "text_altered" in result.out
    result = run(recorded, "log", "verify", "--format", "json")
    assert result.code == 9
    assert {check["state"] for check in json.loads(result.out)} == {"faulty", "whole"}


def test_verify_misses_a_finished_session_that_is_gone_or_cut(recorded, run):
    for session in (ONE, TWO):
        path = events.path_of(recorded.layout, session)
        step = organize.OrganizeStep(session, organize.SYNC, NOW, os.path.getsize(path), 2, list(log_lines.read(path))[-1].fields["signature"], {})
        organize.append(recorded.layout, (step,), FixedClock(NOW))
    os.unlink(events.path_of(recorded.layout, ONE))
    path = events.path_of(recorded.layout, TWO)
    with open(path, "rb+") as stream:
        stream.truncate(next(log_lines.read(path)).end)
    result = run(recorded, "log", "verify")
    assert result.code == 9 and "log_missing" in result.out and "log_truncated" in result.out


def test_a_line_cut_short_by_a_kill_is_named_and_is_no_fault(recorded, run):
    with open(events.path_of(recorded.layout, ONE), "ab") as stream:
        stream.write(b'{"id":"half of a li')
    result = run(recorded, "log", "verify")
    assert result.code == 0 and "tail_open" in result.out and " open " in result.out


def test_without_the_key_nothing_is_claimed(recorded, run):
    os.unlink(key.path(recorded.layout))
    result = run(recorded, "log", "verify")
    assert result.code == 0 and result.out.count(" unknown ") == 3 and "log/.key" in result.err


def test_a_bank_without_a_log_says_so(bank, run):
    scratch = bank({})
    for arguments in (["list"], ["tail"], ["verify"]):
        result = run(scratch, "log", *arguments)
        assert result.code == 0 and "recorded yet" in result.out
    assert not (scratch.root / "log").exists()


def test_looking_changes_no_byte(recorded, run):
    before = recorded.snapshot()
    for arguments in (["list"], ["tail"], ["verify"], ["show", ONE]):
        run(recorded, "log", *arguments)
        run(recorded, "log", *arguments, "--format", "json")
    assert recorded.snapshot() == before


def test_a_page_shows_cards_without_control_characters(recorded, run, monkeypatch):
    alter(recorded, ONE, 1, inputs={"text": "red \x1b[31m and \u202eback"})
    monkeypatch.setenv("COLUMNS", "80")
    for arguments in (["list"], ["tail"], ["verify"], ["show", ONE]):
        out = run(recorded, "log", *arguments).out
        assert "\x1b" not in out and "\u202e" not in out
        assert all(len(text) <= 80 for text in out.splitlines())


def test_sessions_complete_in_the_shell(recorded, process):
    found = process(recorded, COMP_WORDS="memorybank log show 3f", COMP_CWORD="3", _MEMORYBANK_COMPLETE="bash_complete").out
    assert ONE in found and TWO in found
