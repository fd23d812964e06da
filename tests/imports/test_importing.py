"""Importing transcripts: completely, only once, in portions, after hooks, and without secrets."""

import json
import multiprocessing
import os
import random
import signal

import pytest

from memorybank.clock import FixedClock, parse
from memorybank.cycle.base import describe
from memorybank.cycle.fold import cache
from memorybank.cycle.router import HookRouter
from memorybank.errors import NotFound
from memorybank.hosts import import_run, importing
from memorybank.hosts.claude_code import ClaudeCode
from memorybank.hosts.transcripts import claude_code, found
from memorybank.log import chain, events, seal
from memorybank.storage import appending
from memorybank.text.commands.fingerprint import action
from tests.text import secrets_by_lot as drawn

from .written import PROJECT, SESSION, START, Transcript, working_day

OTHER = "5e1f0c2a-0000-4000-8000-000000000002"


def told(lines):
    return [" ".join(str(part) for part in (line["event"], line["tool"], line["status"]) if part) for line in lines]


def test_a_transcript_becomes_a_log_like_a_hooks(place):
    working_day().write(place.folder)
    report = place.take_in()
    lines = place.log(SESSION)
    assert told(lines) == [
        "session_start",
        "prompt",
        *("tool_before Bash", "tool_after Bash failure"),
        *("tool_before Edit", "tool_after Edit success"),
        *("tool_before Bash", "tool_after Bash success"),
        "turn_end success",
        "prompt",
        *("tool_before Bash", "tool_after Bash success"),
        "turn_end success",
        "session_end",
    ]
    assert report.counts.added == report.counts.found and sum(report.counts.added.values()) == len(lines)
    assert {line["origin"] for line in lines} == {"import"} and {line["host"] for line in lines} == {"claude-code"}
    assert [parse(line["timestamp"]) for line in lines] == sorted(parse(line["timestamp"]) for line in lines)
    assert parse(lines[0]["timestamp"]) == START + 1_000
    assert [(line["signal"], line["lessons"]) for line in lines if "lessons" in line] == [(1, ["いつも pytest は -q を付けて実行して"])]
    assert all(check.state == "whole" for check in chain.check(place.bank.layout))


def test_paths_are_relative_to_the_folder_of_each_line(place):
    """Not to the repository that imports them; the transcript's folder need not exist on this machine."""
    working_day().write(place.folder)
    place.take_in()
    edit = next(line for line in place.log(SESSION) if line["event"] == "tool_after" and line["tool"] == "Edit")
    assert (edit["files"], edit["inputs"]["file_path"]) == (["src/kettle.py"], "src/kettle.py")
    assert edit["fingerprint"] == action("Edit", {"file_path": f"{PROJECT}/src/kettle.py"}, PROJECT, PROJECT)


def test_folders_that_lie_here_are_asked_for_their_repository(place, tmp_path):
    (tmp_path / "elsewhere" / ".git").mkdir(parents=True)
    roots = importing.ProjectRoots(str(place.bank.repository), "/launched")
    assert roots(f"{place.bank.repository}/deep/down") == str(place.bank.repository)
    assert roots(f"{tmp_path}/elsewhere/below") == f"{tmp_path}/elsewhere"
    assert roots("/launched/below") == "/launched"
    assert roots("/gone") == "/gone"


def test_the_task_is_the_transcripts_branch_and_never_todays(place, monkeypatch):
    monkeypatch.setenv("MEMORYBANK_TASK", "TODAY-1")
    (place.bank.repository / ".git" / "HEAD").write_text("ref: refs/heads/feature/today\n")
    working_day(branch="fix/kettle").write(place.folder)
    working_day(OTHER, branch="main").write(place.folder)
    place.take_in()
    assert {line["task_id"] for line in place.log(SESSION)} == {"fix/kettle"}
    assert {line["task_id"] for line in place.log(OTHER)} == {None}


def test_twice_is_once(place):
    working_day().write(place.folder)
    first = place.take_in()
    before = place.logs()
    again = place.take_in()
    assert place.logs() == before
    assert sum(again.counts.added.values()) == 0 and again.counts.known == sum(first.counts.added.values())


def test_a_dry_run_counts_the_same_and_writes_nothing(place):
    working_day().write(place.folder)
    before = place.bank.snapshot()
    planned = place.take_in(dry_run=True)
    assert place.bank.snapshot() == before
    assert planned.counts.added == place.take_in().counts.added
    assert sum(place.take_in(dry_run=True).counts.added.values()) == 0


def test_compressed_transcripts_are_the_same(place, bank, fixed_clock):
    working_day().write(place.folder, f"{SESSION}.jsonl.gz")
    place.take_in()
    lines = place.log(SESSION)
    assert len(lines) == 14 and lines[1]["inputs"]["text"] == "the kettle test fails, mend it please"


def test_a_compressed_transcript_that_is_cut_short_gives_what_there_is(place):
    path = working_day().write(place.folder, f"{SESSION}.jsonl.gz")
    path.write_bytes(path.read_bytes()[:-30])
    report = place.take_in()
    assert report.counts.faults[-1].kind == "damaged"


def test_a_line_over_the_limit_is_named_and_the_others_are_recorded(place, monkeypatch):
    """Before, its pieces were read as two lines that are not JSON, which says nothing about why."""
    from memorybank.hosts.transcripts import found
    from memorybank.replay import sources

    path = working_day().write(place.folder)
    whole = path.read_bytes()
    longest = max(map(len, whole.splitlines(keepends=True)))
    monkeypatch.setattr(found, "MAX_LINE_BYTES", longest + 10)
    path.write_bytes(whole + b'{"type":"user","text":"' + "長".encode() * longest + b'"}\n' + b"x" * (longest + 10))
    report = place.take_in()
    lines = whole.count(b"\n")
    assert sorted((fault.line, fault.kind) for fault in report.counts.faults) == [(lines + 1, "too_long"), (lines + 2, "not_json")]
    assert len(place.log(SESSION)) == 14 and report.counts.lines == lines + 2
    assert sources.of_transcripts([str(path)]).skipped == [f"{path}:{lines + 1}: a line over the limit of 64 MiB, so it is not read"]


def test_a_transcript_that_grew_is_gone_on_with(place):
    day = working_day()
    day.write(place.folder)
    place.take_in()
    day.prompt("and now the teapot").say("Done too.").write(place.folder)
    report = place.take_in()
    assert report.counts.added == {"prompt": 1, "turn_end": 1, "session_end": 1}


def test_a_session_that_goes_on_has_no_end_yet(place):
    place.clock.instant = START + 60_000
    working_day().write(place.folder)
    place.take_in()
    assert "session_end" not in {line["event"] for line in place.log(SESSION)}


def test_sub_agents_stand_in_the_log_of_their_session_at_their_time(place):
    main = Transcript().prompt("look").call("Task", {"subagent_type": "Explore", "prompt": "x"}, answered=False, identifier="t1")
    main.write(place.folder)
    Transcript(agent="a1b2", start=main.at).user("x").bash("ls").say("seen").write(place.folder)
    main.at += 60_000
    block = {"type": "tool_result", "tool_use_id": "t1", "content": "seen"}
    main.user([block], toolUseResult={"status": "completed", "agentId": "a1b2"}).say("seen").write(place.folder)
    Transcript(agent="acompact-1", start=main.at).user("summarise").say("summary").write(place.folder)
    report = place.take_in()
    assert told(place.log(SESSION)) == [
        *("session_start", "prompt", "tool_before Agent"),
        *("tool_before Bash", "tool_after Bash success", "turn_end success"),
        *("tool_after Agent success", "turn_end success", "session_end"),
    ]
    sub = [line for line in place.log(SESSION) if line["agent_id"] == "a1b2"]
    assert {(line["agent_role"], line["privacy"]) for line in sub} == {("Explore", "agent-only")} and len(sub) == 3
    assert report.counts.left_out["internal_agent"] == 1


def test_a_fork_repeats_nothing_of_what_it_was_forked_from(place):
    original = working_day()
    original.write(place.folder)
    fork = Transcript(OTHER, start=original.at)
    fork.lines = [{**line, "sessionId": OTHER} for line in original.lines]
    fork.prompt("another way").say("Indeed.").write(place.folder)
    report = place.take_in()
    assert told(place.log(OTHER)) == ["prompt", "turn_end success"]
    assert len(place.log(SESSION)) == 14 and report.counts.left_out["copied"] == 13


def test_old_sessions_are_left_out(place):
    working_day().write(place.folder)
    working_day(OTHER, start=START + 10 * 86_400_000).write(place.folder)
    report = place.take_in(since=START + 86_400_000)
    assert (place.log(SESSION), report.counts.too_old) == ([], 1)
    assert len(place.log(OTHER)) == 14


def test_tools_that_hooks_are_not_asked_about_have_no_intent(place):
    Transcript().prompt("look").call("Read", {"file_path": f"{PROJECT}/a"}, result={"file": {"content": "x"}}).write(place.folder)
    place.take_in()
    assert told(place.log(SESSION))[2:3] == ["tool_after Read success"]


def test_sessions_are_folded_and_finished_and_no_note_is_written_unasked(place):
    working_day().write(place.folder)
    report = place.take_in()
    assert (report.finished, report.notes) == (1, 0)
    with cache.CacheConnection(place.bank.layout) as connection:
        ((told_of,),) = connection.execute("SELECT text FROM summaries")
        stated = connection.execute("SELECT text FROM statements").fetchall()
        failures = connection.execute("SELECT said, mended IS NOT NULL FROM failures").fetchall()
        said = {row[0] for row in connection.execute("SELECT text FROM passages WHERE kind = 'said'")}
    cache.close()
    assert stated == [("いつも pytest は -q を付けて実行して",)]
    assert [("the kettle is cold" in error, mended) for error, mended in failures] == [(True, 1)]
    assert "the kettle test fails, mend it please" in said
    assert "the kettle test fails" in told_of and "src/kettle.py" in told_of
    assert list(place.bank.active.rglob("*.md")) == []
    assert place.take_in(notes=True).notes == 1  # also for sessions finished earlier
    (note,) = place.bank.active.rglob("*.md")
    assert note.parent.name == "sessions" and "the kettle test fails" in note.read_text()
    written = note.read_bytes()
    assert place.take_in(notes=True).notes == 1 and note.read_bytes() == written


def through_hooks(place, transcript, until=None):
    """Run the hook with the payloads that correspond to a transcript's lines, as Claude Code would: events without a time of their own."""
    reading = claude_code.read(transcript.encoded())
    for each in reading.events[:until]:
        at, each.event.at = each.event.at, None
        if each.event.name in ("turn_end", "session_start"):
            each.event.strong_id = None
        router = HookRouter(describe(place.bank.layout, FixedClock(at + 40)), ClaudeCode().delivers)
        router.answer(each.event)
    cache.close()


def test_after_hooks_an_import_adds_nothing(place):
    day = working_day(cwd=str(place.bank.repository)).queue("enqueue", "typed meanwhile").queue("remove")
    day.write(place.folder)
    through_hooks(place, day)
    before = place.logs()
    report = place.take_in()
    assert place.logs() == before
    assert sum(report.counts.added.values()) == 0 and report.counts.hooked > 0


def test_hooks_after_an_import_add_nothing(place):
    day = working_day(cwd=str(place.bank.repository))
    day.write(place.folder)
    place.take_in()
    before = {line["id"] for line in place.log(SESSION)}
    through_hooks(place, day)
    later = [line for line in place.log(SESSION) if line["id"] not in before]
    assert {line["event"] for line in later} <= {"session_start", "turn_end", "exposure", "resident_exposure"}


def test_what_happened_before_hooks_were_installed_is_added(place):
    day = working_day(cwd=str(place.bank.repository))
    day.write(place.folder)
    reading = claude_code.read(day.encoded())
    half = next(number for number, each in enumerate(reading.events) if each.event.name == "turn_end") + 1
    for each in reading.events[half:]:
        at, each.event.at = each.event.at, None
        HookRouter(describe(place.bank.layout, FixedClock(at + 40)), ClaudeCode().delivers).answer(each.event)
    cache.close()
    report = place.take_in()
    assert report.counts.added == {"prompt": 1, "tool_before": 3, "tool_after": 3, "turn_end": 1}
    assert report.counts.hooked == 2  # the start and the end of the session
    assert {line["epoch"] for line in place.log(SESSION)} == {1}


def test_ids_older_than_the_end_of_the_log_are_doubles_too(place, monkeypatch):
    """A hook looks for duplicates in the last 64 kB; an import must know the entire log, including lines that others write meanwhile."""
    monkeypatch.setattr(events, "TAIL_BYTES", 1 << 11)
    day = working_day(cwd=str(place.bank.repository))
    for number in range(40):
        day.bash(f"echo {number} {'x' * 200}")
    day.write(place.folder)
    through_hooks(place, day)
    before = place.logs()
    place.take_in()
    assert place.logs() == before


@pytest.mark.parametrize("tail", [1 << 16, 1 << 11])
@pytest.mark.parametrize("moment", ["redacting", "waiting"])
def test_hooks_that_write_meanwhile_are_seen_under_the_lock(place, monkeypatch, tail, moment):
    """tail: how far back every writer looks for itself. What hooks wrote meanwhile can be longer than that.

    moment: the import redacts its lines, or it waits for the lock.
    """
    monkeypatch.setattr(events, "TAIL_BYTES", tail)
    day = working_day(cwd=str(place.bank.repository))
    day.write(place.folder)
    module, name = {"redacting": (seal, "seal"), "waiting": (appending, "flock_within")}[moment]
    real = getattr(module, name)

    overtakes = [True]

    def overtaken(*arguments):
        if overtakes:
            overtakes.clear()
            through_hooks(place, day)
        return real(*arguments)

    monkeypatch.setattr(module, name, overtaken)
    place.take_in()
    identifiers = [line["id"] for line in place.log(SESSION)]
    assert len(set(identifiers)) == len(identifiers)
    assert [line["event"] for line in place.log(SESSION)].count("tool_after") == 4


def test_a_log_that_stays_locked_loses_nothing(place, monkeypatch):
    """The lines wait in the spool; the next import, or any hook, appends them to the log."""
    from memorybank.cycle.phases import intake
    from memorybank.storage.appending import Appending

    monkeypatch.setattr(intake, "_PATIENCE", 0.0)
    working_day().write(place.folder)
    path = events.path_of(place.bank.layout, SESSION)
    os.makedirs(os.path.dirname(path))
    with Appending(path, place.clock, 0.0):
        report = place.take_in()
    assert sum(report.counts.added.values()) == 14 and place.log(SESSION) == []
    assert sum(place.take_in().counts.added.values()) <= 14
    assert len({line["id"] for line in place.log(SESSION)}) == len(place.log(SESSION)) == 14


def test_a_transcript_that_is_named_brings_its_sub_agents(place):
    main = Transcript().prompt("look").write(place.folder)
    Transcript(agent="a1b2").user("x").bash("ls").write(place.folder)
    assert place.take_in(main).counts.added["tool_after"] == 1


def test_a_link_to_nowhere_is_a_problem_and_no_end(place):
    working_day().write(place.folder)
    (place.folder / "gone.jsonl").symlink_to(place.folder / "nowhere")
    report = place.take_in()
    assert [fault.kind for fault in report.counts.faults] == ["damaged"] and len(place.log(SESSION)) == 14


def interrupted(place, after):
    """Import in a child process that is killed after it has written `after` batches."""
    child = os.fork()
    if child == 0:
        written = 0
        append = events.EventWriter.append

        def count(*arguments, **more):
            nonlocal written
            if written == after:
                os.kill(os.getpid(), signal.SIGKILL)
            written += 1
            return append(*arguments, **more)

        events.EventWriter.append = count
        try:
            place.take_in()
        finally:
            os._exit(0)
    return os.waitpid(child, 0)[1]


def test_a_killed_import_is_finished_by_the_next(place, bank, fixed_clock, monkeypatch):
    from memorybank.cycle.phases import intake

    monkeypatch.setattr(intake, "_BATCH", 3)
    working_day().write(place.folder)
    for after in range(3):
        assert os.WIFSIGNALED(interrupted(place, after))
    assert 0 < len(place.log(SESSION)) < 14
    place.take_in()
    assert len({line["id"] for line in place.log(SESSION)}) == len(place.log(SESSION)) == 14
    assert all(check.state == "whole" for check in chain.check(place.bank.layout))


def test_several_processes_write_what_one_does(place, bank, fixed_clock, tmp_path, monkeypatch):
    for number in range(6):
        working_day(f"5e1f0c2a-0000-4000-8000-00000000010{number}").write(place.folder)
    place.take_in()
    alone = {name: [json.loads(line)["event"] for line in data.splitlines()] for name, data in place.logs().items()}
    monkeypatch.setattr(import_run, "_WORTH_A_PROCESS", 0)
    monkeypatch.setattr(os, "cpu_count", lambda: 3)
    other = type(place)(bank(), fixed_clock, place.folder)
    report = other.take_in()
    assert {name: [json.loads(line)["event"] for line in data.splitlines()] for name, data in other.logs().items()} == alone
    assert sum(report.counts.added.values()) == sum(map(len, alone.values())) and multiprocessing.active_children() == []


@pytest.mark.slow
@pytest.mark.parametrize("seed", [11, 20_261_122])
def test_no_secret_of_a_transcript_lies_below_the_bank(place, seed):
    lot = random.Random(seed)
    found_secrets = drawn.secrets(lot)
    carriers = list(drawn.CARRIERS)
    day = Transcript()
    for number, (_, _, text) in enumerate(found_secrets):
        carrier = carriers[number % len(carriers)]
        carried = drawn.CARRIERS[carrier](text)
        if carrier == "Japanese sentence":
            day.prompt(carried)
        elif carrier == "error message":
            day.bash("make deploy", error=f"Exit code 1\n{carried}")
        elif carrier in ("command line", "URL"):
            day.bash(carried)
        elif carrier == "diff":
            day.edit(f"{PROJECT}/a.py", "x", carried)
        elif carrier == "JSON":
            day.say(carried).prompt("go on")
        else:
            day.bash("cat settings", carried)
    day.write(place.folder)
    place.take_in(notes=True)
    stored = b"\0".join(path.read_bytes() for path in place.bank.root.rglob("*") if path.is_file())
    forms = {secret: {secret.encode(), secret.replace("\n", "\\n").replace('"', '\\"').encode()} for _, secret, _ in found_secrets}
    assert [secret for secret, written in forms.items() if any(form in stored for form in written)] == []
    assert stored.count(b"[REDACTED:") > len(found_secrets) * 0.9


def test_what_is_not_there_is_said_with_what_to_do(place):
    with pytest.raises(NotFound) as missing:
        place.take_in(place.folder / "nowhere")
    assert missing.value.next_step
    with pytest.raises(NotFound):
        place.take_in()


def test_own_transcripts_are_found_by_folder_and_by_what_they_say(tmp_path):
    """Several projects may share the host's form of a folder name; a repository below a project is another project."""
    project = tmp_path / "work" / "tea"
    (project / "vendor" / "pot" / ".git").mkdir(parents=True)
    home = tmp_path / "home"
    projects = home / ".claude" / "projects"
    for number, cwd in enumerate((project, project / "docs", f"{project}-2", project / "vendor" / "pot")):
        name = "".join(sign if sign.isalnum() else "-" for sign in str(cwd))
        working_day(f"5e1f0c2a-0000-4000-8000-00000000020{number}", str(cwd)).write(projects / name)
    own = found.of_projects("claude-code", [str(project)], {"HOME": str(home)})
    assert sorted(each.session[-1] for each in own) == ["0", "1"]
    moved = found.of_projects("claude-code", [str(project)], {"HOME": "/nowhere", "CLAUDE_CONFIG_DIR": str(home / ".claude")})
    assert moved == own
