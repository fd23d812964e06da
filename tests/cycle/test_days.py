"""The event log as a source of episodes: which lines count, how a day is described, and what a late line changes."""

import pytest

from memorybank.clock import DAY, FixedClock, isoformat
from memorybank.cycle.base import describe
from memorybank.cycle.finish.days import EventLogs
from memorybank.episodes.dates import LocalCalendar
from memorybank.log import events, lines

NOON = 1_758_110_400_000
"""2025-09-17T12:00:00Z"""


def write(scratch, session, *said, begin=0, **scope):
    """said: (hours after NOON, fields)."""
    common = {"session_id": session, "host": "claude-code", "agent_id": "main", "agent_role": "main", "epoch": 1, **scope}
    entries = [
        {"id": f"{session}-{number}", "timestamp": isoformat(NOON + int(hours * 3_600_000)), **common, **fields, "signature": "0" * 64}
        for number, (hours, fields) in enumerate(said, begin)
    ]
    lines.append(events.path_of(scratch.layout, session), entries, clock=FixedClock(NOON + 2 * DAY))


def prompt(text, **more):
    return {"event": "prompt", "inputs": {"text": text}, **more}


def edit(file):
    return {
        "event": "tool_after",
        "tool": "Edit",
        "status": "success",
        "files": [file],
        "inputs": {"file_path": file, "old_string": "a", "new_string": "def b(): ..."},
    }


def answer(text):
    return {"event": "turn_end", "status": "success", "outputs": {"head": text}}


def sources(scratch, zone="UTC"):
    return {source.name: source for source in EventLogs(describe(scratch.layout, FixedClock(NOON)), LocalCalendar(zone)).sources()}


def told(source, date):
    return [(what.section, what.text) for _, what in source.material(source.read(date).messages).items]


def test_a_session_over_midnight_is_two_days_and_the_second_knows_what_was_asked(bank):
    scratch = bank()
    write(scratch, "s", (10, prompt("Build the window")), (11, edit("a.py")), (13, edit("b.py")), (13.5, answer("The window is built and tested.")))
    (source,) = sources(scratch).values()
    assert sorted(source.digests()) == ["2025-09-17", "2025-09-18"]
    assert ("goals", "since an earlier day: Build the window") in told(source, "2025-09-18")
    assert not [text for _, text in told(source, "2025-09-18") if "a.py" in text]
    assert sorted(sources(scratch, "Asia/Tokyo")["events/s"].digests()) == ["2025-09-18"]


@pytest.mark.parametrize("zone", ["UTC", "Pacific/Kiritimati", "Etc/GMT+12"])
def test_days_from_a_date_on_have_the_digests_that_they_have_among_all(bank, zone, monkeypatch):
    """Lines of earlier days are not decoded, and no text that looks like an instant keeps a line from counting."""
    scratch = bank()
    call = {"event": "tool_after", "tool": "Write", "status": "success", "inputs": {"timestamp": "2000-01-01T00:00:00Z", "content": '"timestamp":"2000'}}
    write(scratch, "s", *((hour, prompt(f"依頼 {hour}")) for hour in range(-24 * 9, 48, 7)), (47.5, call), (47.6, answer("done")))
    source = sources(scratch, zone)["events/s"]
    everything = source.digests()
    decoded = []
    monkeypatch.setattr(lines, "decode", lambda raw, decode=lines.decode: decoded.append(raw) or decode(raw))
    for date in everything:
        found = source.digests(date)
        assert {day: digest for day, digest in found.items() if day >= date} == {day: digest for day, digest in everything.items() if day >= date}
    decoded.clear()
    source.digests(max(everything))
    assert 2 < len(decoded) < 20


@pytest.mark.parametrize(
    "scope", [{"privacy": "private"}, {"privacy": "agent-only"}, {"acl": "session"}, {"acl": "agent"}, {"hold": True}, {"privacy": "privte"}]
)
def test_only_what_everybody_may_see_counts(bank, scope):
    scratch = bank()
    write(scratch, "narrow", (0, prompt("secret")), (1, edit("a.py")), **scope)
    assert sources(scratch)["events/narrow"].digests() == {}


def test_a_late_line_of_an_earlier_day_is_behind_what_was_told(bank):
    """The digest of the lines that were recorded first equals that of a beginning of the current lines."""
    scratch = bank()
    write(scratch, "s", (0, prompt("one")), (1, answer("two")))
    before = sources(scratch)["events/s"].digests()["2025-09-17"]
    write(scratch, "s", (0.5, edit("late.py")), begin=2)
    log = sources(scratch)["events/s"].read("2025-09-17")
    assert log.covered_count({before}) == 2 and [message.role for message in log.messages[2:]] == ["tool"]


def test_a_correction_changes_the_outcome_and_not_the_day(bank):
    scratch = bank()
    call = {"event": "tool_after", "tool": "Bash", "status": "unknown", "fingerprint": "bash make", "inputs": {"command": "make"}}
    write(scratch, "s", (0, prompt("Build it")), (1, call))
    before = sources(scratch)["events/s"].digests()
    better = {**call, "event": "correction", "corrects": "s-1", "status": "failure", "error": "make: no rule"}
    write(scratch, "s", (30, better), begin=2)
    source = sources(scratch)["events/s"]
    assert source.digests() == before
    assert [message.line.status for message in source.read("2025-09-17").messages] == [None, "failure"]


@pytest.mark.parametrize("heading", ["Next steps", "今後の課題"])
def test_what_was_taken_up_the_same_day_is_not_open(bank, heading):
    scratch = bank()
    write(
        scratch,
        "s",
        (0, prompt("Build it")),
        (1, edit("a.py")),
        (1.1, answer(f"{heading}:\nStill to do: write the tests for the parser.")),
        (2, prompt("Go on with the tests")),
        (3, edit("test_a.py")),
    )
    assert [text for section, text in told(sources(scratch)["events/s"], "2025-09-17") if section == "open_ends"] == []


def test_a_session_in_which_nothing_was_done_is_told_by_what_was_said(bank):
    scratch = bank()
    write(scratch, "s", (0, prompt("なぜ索引は二つあるのですか")), (1, answer("一つは検索用、もう一つは公開用です。")))
    assert told(sources(scratch)["events/s"], "2025-09-17") == [("goals", "なぜ索引は二つあるのですか"), ("results", "一つは検索用、もう一つは公開用です。")]


def test_many_files_are_told_by_their_folders(bank):
    scratch = bank()
    write(scratch, "s", (0, prompt("Rename it everywhere")), *((1, edit(f"src/{number}.py")) for number in range(9)), (1, edit("docs/a.md")))
    assert ("changed", "src (9), docs") in told(sources(scratch)["events/s"], "2025-09-17")


def test_no_place_of_this_machine_is_told(bank):
    scratch = bank()
    write(scratch, "s", (0, prompt("Look")), (1, edit("a.py")), (2, answer(f"Done in {scratch.repository}/a.py as asked.")))
    assert str(scratch.repository) not in str(told(sources(scratch)["events/s"], "2025-09-17"))


def run(command, error=""):
    ended = {"status": "failure", "error": error} if error else {"status": "success"}
    return {"event": "tool_after", "tool": "Bash", "fingerprint": command, "anchors": [f"cmd:{command}"], "inputs": {"command": command}, **ended}


def test_each_part_says_of_which_session_it_is(bank):
    scratch = bank()
    write(scratch, "s", (0, prompt("Build the window")), (1, edit("a.py")), (2, answer("The window is built.")))
    source = sources(scratch)["events/s"]
    assert {what.session for _, what in source.material(source.read("2025-09-17").messages).items} == {"events/s"}


@pytest.mark.parametrize(("heading", "left"), [("## Next steps", "The gate"), ("**残課題**", "門")])
def test_an_answer_is_told_without_its_plans_and_with_its_end(bank, heading, left):
    text = f"The window is built and tested in every room.\n\n{heading}\n\n- {left}\n\n## Tests\n\nAll 12 pass."
    scratch = bank()
    write(scratch, "s", (0, prompt("Build the window")), (1, edit("a.py")), (2, answer(text)), (3, prompt("Go on with the gate")), (4, answer("Yes.")))
    results = [text for section, text in told(sources(scratch)["events/s"], "2025-09-17") if section == "results"]
    assert len(results) == 1 and left not in results[0] and "All 12 pass." in results[0]


@pytest.mark.parametrize(("wish", "goes_on"), [("Build the window", "it went on the next day"), ("窓を作ってください", "翌日に続いた")])
def test_a_day_that_ends_in_the_middle_of_a_turn_says_so(bank, wish, goes_on):
    scratch = bank()
    write(scratch, "s", (10, prompt(wish)), (11, edit("a.py")), (13, edit("b.py")), (13.5, answer("Done.")))
    source = sources(scratch)["events/s"]
    assert ("open_ends", goes_on) in told(source, "2025-09-17")
    assert not [text for _, text in told(source, "2025-09-18") if text == goes_on]


def test_a_session_that_was_stopped_before_anything_was_done_is_left_open(bank):
    scratch = bank()
    write(scratch, "s", (0, prompt("Why does the window not open?")), (1, {"event": "turn_end", "status": "partial", "reason": "interrupted"}))
    assert told(sources(scratch)["events/s"], "2025-09-17") == [("goals", "Why does the window not open?"), ("open_ends", "the last turn was interrupted")]


def test_a_commit_that_a_check_refused_is_told_and_one_that_git_refused_is_not(bank):
    scratch = bank()
    refused = (run('git add a.py && git commit -m "one"', "Pre-commit validation failed: [TYPES] a.py"), run('git add a.py && git commit -m "one"'))
    write(scratch, "s", (0, prompt("Build the window")), (1, edit("a.py")), (2, refused[0]), (2.5, edit("a.py")), (3, refused[1]), (4, answer("Done.")))
    write(
        scratch,
        "t",
        (0, prompt("Build the door")),
        (1, edit("b.py")),
        (2, run("git push", "fatal: no upstream branch")),
        (3, run("git push")),
        (4, answer("Done.")),
    )
    fixes = [text for section, text in told(sources(scratch)["events/s"], "2025-09-17") if section == "fixes"]
    assert len(fixes) == 1 and fixes[0].startswith("`git commit` failed: Pre-commit validation failed") and "It succeeded after a.py" in fixes[0]
    assert not [text for section, text in told(sources(scratch)["events/t"], "2025-09-17") if section == "fixes"]
