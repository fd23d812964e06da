"""`memorybank episodes`: what it says, what it writes, what it refuses."""

import io
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from memorybank.clock import DAY, FixedClock, isoformat
from memorybank.log import events, lines

ROOT = Path(__file__).resolve().parents[2]
NOW = 1_758_112_496_789
"""2025-09-17T12:34:56Z"""


def say(scratch, session, days_ago, prompt, *, answer="", edits=(), **scope):
    """A prompt, some edits and an answer, so many days ago."""
    at = NOW - int(days_ago * DAY)
    common = {"session_id": session, "host": "claude-code", "agent_id": "main", "agent_role": "main", "epoch": 1, **scope}
    said = [{"event": "prompt", "inputs": {"text": prompt}}]
    for file in edits:
        change = {"file_path": file, "old_string": "one", "new_string": "def two():\n" + "    work()\n" * 150}
        said.append({"event": "tool_after", "tool": "Edit", "status": "success", "files": [file], "inputs": change})
    said.append({"event": "turn_end", "status": "success", "outputs": {"head": answer or f"{prompt}: done."}})
    path = events.path_of(scratch.layout, session)
    begin = sum(1 for _ in lines.read(path))
    entries = [
        {"id": f"{session}-{begin + number}", "timestamp": isoformat(at + number * 1000), **common, **fields, "signature": "0" * 64}
        for number, fields in enumerate(said)
    ]
    lines.append(path, entries, clock=FixedClock(NOW))


@pytest.fixture
def week(bank):
    """Three days of work, and today."""
    scratch = bank()
    say(
        scratch, "monday", 2, "Make the parser read ranges of dates with any tilde", edits=["src/dates.py"], answer="The parser reads ~ and the wide tilde now."
    )
    say(
        scratch,
        "tuesday",
        1,
        "検索の並び順を日付の新しい順に直してください",
        edits=["src/search.py"],
        answer="並び順を新しい順に直しました。テストも通りました。",
    )
    say(scratch, "today", 0, "Write the release notes", edits=["NOTES.md"])
    return scratch


def listed(scratch):
    return json.loads((scratch.root / "episodes" / "episodic_memory.json").read_text(encoding="utf-8"))


def test_a_dry_run_says_which_days_are_due_and_changes_nothing(week, run):
    before = week.snapshot()
    code, out, _ = run(week, "episodes", "update", "--dry-run")
    assert code == 0 and [line.split()[0] for line in out.splitlines()[1:]] == ["2025-09-15", "2025-09-16"]
    assert [day["date"] for day in json.loads(run(week, "episodes", "update", "--dry-run", "--format", "json").out)["due"]] == ["2025-09-15", "2025-09-16"]
    assert week.snapshot() == before


def test_an_update_writes_one_entry_a_day_and_a_second_one_nothing(week, run):
    assert run(week, "episodes", "update").code == 0
    found = listed(week)
    assert [(entry["date"], entry["kind"], entry["by"]) for entry in found] == [("2025-09-15", "day", "extractive"), ("2025-09-16", "day", "extractive")]
    assert "src/dates.py" in found[0]["summary"] and "並び順" in found[1]["summary"] and "目的" in found[1]["summary"]
    before = week.snapshot("episodes")
    assert "every finished day has an episode" in run(week, "episodes", "update").out
    assert week.snapshot("episodes") == before


def test_since_leaves_earlier_days_for_later(week, run):
    run(week, "episodes", "update", "--since", "2025-09-16")
    assert [entry["date"] for entry in listed(week)] == ["2025-09-16"]
    assert run(week, "episodes", "update", "--since", "soon").code == 2


def test_list_and_show_print_them(week, run):
    assert "'memorybank episodes update' writes them" in run(week, "episodes", "list").out
    run(week, "episodes", "update")
    assert [line.split()[:3] for line in run(week, "episodes", "list").out.splitlines()[1:]] == [
        ["2025-09-15", "day", "extractive"],
        ["2025-09-16", "day", "extractive"],
    ]
    assert json.loads(run(week, "episodes", "list", "--format", "json").out) == listed(week)
    assert "any tilde" in run(week, "episodes", "show", "2025-09-15").out
    assert run(week, "episodes", "show", "2025-09-10").code == 3


def test_what_not_everybody_may_see_is_told_nowhere(week, run):
    say(week, "secret", 2, "canary-one plan of the takeover", edits=["src/canary-one.py"], privacy="private")
    say(week, "mine", 2, "canary-two for this session alone", edits=["src/canary-two.py"], acl="session")
    say(week, "held", 40, "canary-three", edits=["src/canary-three.py"], privacy="agent-only", hold=True)
    run(week, "episodes", "update")
    printed = run(week, "episodes", "inject", "--lookback", "3m").out
    assert "canary" not in json.dumps(listed(week)) + printed


def test_inject_prints_the_days_before_the_raw_log_and_what_it_does_not_hold(week, run):
    run(week, "episodes", "update")
    text = run(week, "episodes", "inject", "--raw-from", "2025-09-17").out
    assert text.startswith("## Episodic memory\n\n") and text.index("[2025-09-15]") < text.index("[2025-09-16]") and "release notes" not in text
    beside = run(week, "episodes", "inject", "--raw-from", "2025-09-17", "--session", "monday").out
    assert "[2025-09-17, today]" in beside and "release notes" in beside
    shorter = run(week, "episodes", "inject", "--raw-from", "2025-09-16").out
    assert "[2025-09-15]" in shorter and "2025-09-16" not in shorter
    assert run(week, "episodes", "inject", "--lookback", "0").out == ""


def test_days_without_an_episode_are_told_in_a_few_words(week, run):
    text = run(week, "episodes", "inject", "--raw-from", "2025-09-17").out
    assert "[2025-09-15, monday]" in text and "[2025-09-16, tuesday]" in text


def test_inject_as_json_counts_and_names(week, run):
    run(week, "episodes", "update")
    found = json.loads(run(week, "episodes", "inject", "--raw-from", "2025-09-17", "--format", "json").out)
    assert found["dates"] == ["2025-09-15", "2025-09-16"] and found["omitted"] == [] and found["boundary"] == "2025-09-17"
    assert found["utf16"] == len(found["text"].encode("utf-16-le")) // 2 and found["tokens_estimate"] > 0
    less = json.loads(run(week, "episodes", "inject", "--raw-from", "2025-09-17", "--budget", str(found["utf16"] - 5), "--format", "json").out)
    assert less["dates"] == found["dates"] and less["omitted"] == [] and less["utf16"] <= found["utf16"] - 5, "the older day is told in brief"
    least = json.loads(run(week, "episodes", "inject", "--raw-from", "2025-09-17", "--budget", "150", "--format", "json").out)
    assert least["text"] == "" and least["dates"] == [] and least["omitted"] == found["dates"]


def test_a_raw_log_decides_by_its_stamps(week, run, tmp_path):
    run(week, "episodes", "update")
    log = tmp_path / "log.txt"
    log.write_text("## USER:\nas said on 2020-01-01\n\n2025-09-16 (Tue) 09:00:00\n## USER:\nlater\n\n2025-09-17 (Wed) 08:00:00\n", encoding="utf-8")
    found = json.loads(run(week, "episodes", "inject", "--raw-log", str(log), "--format", "json").out)
    assert found["boundary"] == "2025-09-16" and "2025-09-15" in found["dates"]
    assert json.loads(run(week, "episodes", "inject", "--raw-log", str(log), "--raw-turns", "1", "--format", "json").out)["boundary"] == "2025-09-17"


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        (("--raw-from", "soon"), 2),
        (("--raw-from", "2025-09-17", "--raw-log", "x"), 2),
        (("--raw-turns", "3"), 2),
        (("--lookback", "soon"), 2),
        (("--lookback", "-3"), 2),
        (("--session", "nobody"), 3),
        (("--raw-log", "/nowhere/at/all"), 2),
    ],
)
def test_what_cannot_be_asked_is_refused_with_the_next_step(week, run, arguments, code):
    result = run(week, "episodes", "inject", *arguments)
    assert result.code == code and result.out == "" and "memorybank:" in result.err


@pytest.mark.parametrize("arguments", [("update",), ("list",), ("show", "2025-09-15"), ("inject",), ("compact",)])
def test_a_broken_list_is_named_and_stays(week, run, arguments):
    run(week, "episodes", "update")
    path = week.root / "episodes" / "episodic_memory.json"
    path.write_text(path.read_text(encoding="utf-8").replace('"date"', "date", 1), encoding="utf-8")
    before = week.snapshot("episodes")
    result = run(week, "episodes", *arguments)
    assert result.code == 9 and "episodes repair" in result.err and week.snapshot("episodes") == before


def test_repair_keeps_a_broken_list_and_goes_on_with_the_rest(week, run):
    run(week, "episodes", "update")
    path = week.root / "episodes" / "episodic_memory.json"
    broken = path.read_text(encoding="utf-8").replace('"date"', "date", 1)
    path.write_text(broken, encoding="utf-8")
    assert "1 of its entries were recovered" in run(week, "episodes", "repair").out
    (aside,) = (week.root / "episodes").glob("episodic_memory.broken-*.json")
    assert aside.read_text(encoding="utf-8") == broken and [entry["date"] for entry in listed(week)] == ["2025-09-16"]
    run(week, "episodes", "update")
    assert [entry["date"] for entry in listed(week)] == ["2025-09-15", "2025-09-16"]
    assert run(week, "episodes", "repair").out == "nothing to repair\n"


def test_old_weeks_are_merged_shown_and_unfolded(week, run, fixed_clock):
    run(week, "episodes", "update")
    before = listed(week)
    fixed_clock.instant += 200 * DAY
    run(week, "episodes", "update")
    assert "2025-W38" in run(week, "episodes", "compact", "--dry-run").out and len(listed(week)) == 3
    run(week, "episodes", "compact")
    assert [entry["date"] for entry in listed(week)] == ["2025-09-15~2025-09-21"]
    assert before[0]["summary"] in run(week, "episodes", "show", "2025-09-15").out
    assert run(week, "episodes", "repair", "--unfold", "2025-W38").code == 0 and listed(week)[:2] == before
    assert run(week, "episodes", "repair", "--unfold", "2025-W39").code == 3
    assert run(week, "episodes", "repair", "--unfold", "soon").code == 2


def test_nothing_leaves_this_machine_before_somebody_agreed(week, run, monkeypatch):
    monkeypatch.setattr("sys.stdin", io.StringIO())
    result = run(week, "episodes", "update", "--summarizer", "ollama", "--model", "m")
    assert result.code == 2 and "localhost:11434" in result.err and "--yes" in result.err and not (week.root / "episodes").exists()


def test_the_question_says_what_would_be_sent_in_days_or_in_weeks(week, run, monkeypatch, fixed_clock):
    monkeypatch.setattr("sys.stdin", io.StringIO())
    model = ("--summarizer", "ollama", "--model", "m")
    assert "2 days, about" in run(week, "episodes", "update", *model).err
    run(week, "episodes", "update")
    fixed_clock.instant += 200 * DAY
    run(week, "episodes", "update")
    assert "1 week, about" in run(week, "episodes", "compact", *model).err


def test_a_chat_log_of_the_repository_has_days_too(week, run):
    folder = week.repository / "room"
    folder.mkdir()
    folder.joinpath("log.txt").write_text(
        "## USER:\n" + "Let us name the new module after the sea, and write its tests before its code this time.\n" * 12 + "\n2025-09-14 (Sun) 09:00:00\n",
        encoding="utf-8",
    )
    week.configure("episodes", '{"chat_logs": ["room"]}')
    run(week, "episodes", "update")
    assert listed(week)[0]["covers"][0]["source"] == "chat/room" and "sea" in listed(week)[0]["summary"]
    (week.repository / "out").symlink_to("/etc")
    week.configure("episodes", '{"chat_logs": ["out"]}')
    assert run(week, "episodes", "update").code == 2
    week.configure("episodes", '{"chat_logs": ["../elsewhere"]}')
    assert run(week, "episodes", "update").code == 6


@pytest.mark.slow
def test_two_updates_at_once_write_each_day_once(bank):
    """The second update waits, or says who is at work. Together they finish, and no day is written twice."""
    scratch = bank()
    for day in range(1, 25):
        say(scratch, f"s{day}", 400 + day, f"Day {day}: make the parser read ranges", edits=["src/dates.py"])
    command = [sys.executable, "-m", "memorybank", "episodes", "update"]
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    runs = [
        subprocess.Popen(command, cwd=scratch.repository, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, encoding="utf-8") for _ in range(3)
    ]
    for done in runs:
        _, err = done.communicate(timeout=120)
        assert done.returncode == 0 or (done.returncode == 7 and "is working on the episodes" in err)
    assert 0 in [done.returncode for done in runs]
    assert len(listed(scratch)) == len({entry["date"] for entry in listed(scratch)}) == 24
