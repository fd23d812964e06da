"""status: one screen. Healthy or not, what changed since the last session, what would leave within a week."""

import json
import os

import pytest

from memorybank.bank import Bank
from memorybank.clock import DAY, HOUR, MINUTE, isoformat
from memorybank.storage.lock import Lock

from .remembered import worthless

NOW = 1_758_112_496_789


def session(scratch, clock, *events: str, name: str = "tea-1") -> None:
    """Record what Claude Code reports, a second for each event."""
    from memorybank.cycle.base import describe as base
    from memorybank.cycle.router import HookRouter
    from memorybank.hosts.detect import detect

    for event in events:
        clock.instant += 1_000
        payload = {"session_id": name, "cwd": str(scratch.repository), "transcript_path": "/nowhere.jsonl", "hook_event_name": event}
        payload |= {"SessionStart": {"source": "startup"}, "UserPromptSubmit": {"prompt": "Brew the tea."}, "SessionEnd": {"reason": "other"}}.get(event, {})
        dialect = detect(payload, {"CLAUDECODE": "1"}, None)
        router = HookRouter(base(scratch.layout, clock), dialect.delivers)
        told = dialect.to_event(payload, {"CLAUDECODE": "1"}, None)
        router.answer(told)
        router.finish(told)


WHOLE = ("SessionStart", "UserPromptSubmit", "SessionEnd")


def status(scratch, clock):
    return Bank.open(str(scratch.root), clock=clock).status()


def test_an_empty_bank_is_healthy_and_says_what_to_do(bank, run):
    result = run(bank(), "status")
    assert result.code == 0 and result.out.startswith("healthy") and "hooks install" in result.out


def test_what_changed_since_the_last_session(bank, run, fixed_clock):
    keys = ("changed", "touched", "gone", "kept", "moved", "old")
    scratch = bank({f"planning/{key}.md": f"# {key}\n\nThe {key} note.\n" for key in keys}, days_old=1)
    scratch.write("planning/old.md", "old\n", days_old=200)
    Bank.open(str(scratch.root), clock=fixed_clock).index.update()
    session(scratch, fixed_clock, *WHOLE)
    fixed_clock.instant += HOUR
    after = fixed_clock.instant
    scratch.write("planning/changed.md", "# changed\n\nOther words.\n", at=after)
    scratch.write("planning/touched.md", "# touched\n\nThe touched note.\n", at=after)
    scratch.write("共有/新しい.md", "# 新しい\n", at=after)
    (scratch.active / "planning/gone.md").unlink()
    (scratch.active / "planning/moved.md").rename(scratch.active / "planning/renamed.md")
    fixed_clock.instant += MINUTE
    bank = Bank.open(str(scratch.root), clock=fixed_clock)
    bank.rotation.execute(bank.rotation.plan(), yes=True)
    told = status(scratch, fixed_clock)
    assert told.session is not None and (told.session.session_id, told.session.is_over) == ("tea-1", True)
    assert told.changes.added == ("共有/新しい.md",)
    assert told.changes.changed == ("planning/changed.md",)
    assert told.changes.removed == ("planning/gone.md", "planning/moved.md")
    assert told.changes.archived == ("planning/old.md",)
    bank.archive.restore(bank.archive.list()[0].id)
    told = status(scratch, fixed_clock)
    assert (told.changes.archived, told.changes.restored) == ((), ("planning/old.md",))
    out = run(scratch, "status").out
    assert "tea-1 of claude-code, ended" in out and "共有/新しい.md" in out and "restored since" in out


def test_a_note_that_came_back_to_an_older_text_has_changed(bank, fixed_clock):
    """A branch is checked out: what counts is the text at the end of the session, not whether it was ever seen."""
    scratch = bank({"a.md": "# first\n"}, days_old=3)
    for text in ("# second\n", "# first\n"):
        Bank.open(str(scratch.root), clock=fixed_clock).index.update()
        if text == "# first\n":
            session(scratch, fixed_clock, *WHOLE)
        fixed_clock.instant += HOUR
        scratch.write("a.md", text, at=fixed_clock.instant)
    fixed_clock.instant += MINUTE
    assert status(scratch, fixed_clock).changes.changed == ("a.md",)


def test_what_a_session_did_itself_is_not_news(bank, fixed_clock):
    scratch = bank({"a.md": "# A\n"})
    Bank.open(str(scratch.root), clock=fixed_clock).index.update()
    session(scratch, fixed_clock, "SessionStart", "UserPromptSubmit")
    scratch.write("a.md", "# edited by the agent\n", at=fixed_clock.instant)
    session(scratch, fixed_clock, "SessionEnd")
    fixed_clock.instant += MINUTE
    changes = status(scratch, fixed_clock).changes
    assert (changes.added, changes.changed, changes.removed) == ((), (), ())


def test_episodes_that_were_written_since_the_last_session_are_told(bank, run, fixed_clock):
    """Also what its own end wrote, milliseconds after its last line and dated to the second; not what nobody could summarise."""
    scratch = bank({"a.md": "# A\n"})
    scratch.configure("episodes", '{"timezone": "Asia/Tokyo"}')
    session(scratch, fixed_clock, *WHOLE)
    scratch.episodes(
        {"date": "2025-09-14", "summary": "前から。", "created_at": "2025-09-15T09:00:00+09:00"},
        {"date": "2025-09-16", "summary": "Its own end wrote this.", "created_at": "2025-09-17T21:34:59"},
        {"date": "2025-09-01~2025-09-07", "summary": "一週間。", "created_at": "2025-09-17T22:00:00+09:00", "kind": "week"},
        {
            "date": "2025-09-13",
            "summary": "",
            "kind": "error",
            "created_at": "2025-09-17T22:00:00+09:00",
            "error": {"kind": "x", "attempts": 1, "last_at": "x"},
        },
        {"date": "2025-09-12", "summary": "of a program that writes no date"},
    )
    fixed_clock.instant += HOUR
    assert status(scratch, fixed_clock).session.at == NOW + 3_000
    assert status(scratch, fixed_clock).changes.episodes == ("2025-09-01~2025-09-07", "2025-09-16")
    assert "episodes since" in run(scratch, "status").out
    told = json.loads(run(scratch, "status", "--format", "json").out)
    assert told["changes"]["episodes"] == ["2025-09-01~2025-09-07", "2025-09-16"]
    (scratch.root / "episodes/episodic_memory.json").write_text("no list")
    assert status(scratch, fixed_clock).changes.episodes == ()


def test_what_another_worktree_archived_did_not_leave_here(bank, fixed_clock):
    """They share one log of rotations; the notes are each worktree's own."""
    scratch = bank({"a.md": "# A\n"}, git=True)
    scratch.git("add", "-A")
    scratch.git("commit", "-qm", "a")
    other = scratch.repository.parent / "linked"
    scratch.git("worktree", "add", "-q", str(other))
    session(scratch, fixed_clock, *WHOLE)
    fixed_clock.instant += HOUR
    old = other / ".claude/memory/active/planning/old.md"
    old.parent.mkdir()
    old.write_text("old\n")
    os.utime(old, ns=(0, (NOW - 200 * DAY) * 1_000_000))
    linked = Bank.open(str(other / ".claude/memory"), clock=fixed_clock)
    assert linked.rotation.execute(linked.rotation.plan(), yes=True).rotated
    assert linked.status().changes.archived == ("planning/old.md",)
    assert status(scratch, fixed_clock).changes.archived == ()


def test_a_session_that_still_runs_is_not_the_last_one(bank, fixed_clock):
    """Whoever asks within a session wants to know what changed since the one before."""
    scratch = bank()
    session(scratch, fixed_clock, *WHOLE, name="first")
    session(scratch, fixed_clock, "SessionStart", "UserPromptSubmit", name="second")
    told = status(scratch, fixed_clock).session
    assert told is not None and (told.session_id, told.is_over) == ("first", True)


def test_when_none_is_over_the_open_one_is_named(bank, run, fixed_clock):
    scratch = bank()
    session(scratch, fixed_clock, "SessionStart", "UserPromptSubmit")
    assert "still open" in run(scratch, "status").out


def test_what_would_leave_now_and_within_a_week(bank, run, fixed_clock):
    scratch = bank({"shared/now.md": "x\n"}, days_old=60)
    scratch.write("shared/もうすぐ.md", "もうすぐ規則によって退避されるが、まだ残っているノート。\n", days_old=27)
    scratch.write("shared/later.md", "A later note about something else.\n", days_old=1)
    told = status(scratch, fixed_clock)
    assert [decision.key for decision in told.leaving] == ["shared/now.md"]
    assert [decision.key for decision in told.soon] == ["shared/もうすぐ.md"]
    fixed_clock.instant += 7 * DAY
    leaving = {decision.key for decision in status(scratch, fixed_clock).leaving}
    assert leaving == {"shared/now.md", "shared/もうすぐ.md"}, "what was said comes true"


def test_one_line_says_whether_anything_needs_to_leave_and_what_could(bank, run):
    scratch = bank({f"共有/{number}.md": f"古い {number}\n" for number in range(9)}, days_old=60)
    scratch.write("shared/new.md", "# New\n", days_old=1)

    def said():
        return " ".join(run(scratch, "status").out.split())

    told = "rotation nothing needs to leave (10 notes, 300 allowed)"
    assert told + "; 9 could: memorybank rotate --dry-run in 7 days 1 more note could leave: shared/new.md" in said()
    told = json.loads(run(scratch, "status", "--format", "json").out)["rotation"]
    assert (len(told["now"]), told["needed"], told["unattended"]) == (9, [], "under_pressure")
    assert (told["occupancy"]["notes"], told["occupancy"]["notes_limit"]) == (10, 300)
    scratch.configure("rotation", '{"pressure": {"notes": 8}, "grace_days": 0}')
    told = "rotation 2 notes need to leave (10 notes, 8 allowed): memorybank rotate --needed --dry-run"
    assert told + "; 9 could: memorybank rotate --dry-run in 7 days" in said()
    assert len(json.loads(run(scratch, "status", "--format", "json").out)["rotation"]["needed"]) == 2
    scratch.configure("rotation", '{"unattended": "by_rules", "grace_days": 0}')
    assert "rotation 9 notes would leave by the rules: memorybank rotate --dry-run in 7 days" in said()


def test_a_bank_in_which_nothing_may_leave_says_so(bank, run):
    scratch = bank({"a.md": "# 新しい\n", "b.md": "# B\n"}, days_old=1)
    assert "rotation nothing needs to leave (2 notes, 300 allowed) in 7 days 2 more notes could leave: " in " ".join(run(scratch, "status").out.split())
    scratch.configure("rotation", '{"pressure": {"notes": 1}}')
    assert "rotation nothing may leave by the rules (2 notes, 1 allowed) in 7 days" in " ".join(run(scratch, "status").out.split())
    scratch.configure("rotation", '{"unattended": "by_rules"}')
    assert "rotation nothing would leave by the rules in 7 days" in " ".join(run(scratch, "status").out.split())


def test_the_week_ahead_is_the_plan_of_that_day(bank, fixed_clock):
    """Scores moved by time alone, without a copy of the index: the same decisions as of a rotation asked as of that day."""
    scratch = bank()
    for number in range(60):
        linked = f"[to](note-{number // 2}.md) " * (number % 5)
        text = f"---\nrating: {number % 11}\n---\n# Note {number}\n\n{'語 word ' * (number * 7)}\n{linked}\nTODO {number}\n"
        scratch.write(f"planning/note-{number}.md", text, days_old=number * 0.9)
    opened = Bank.open(str(scratch.root), clock=fixed_clock)
    opened.index.update()
    for key in ("planning/note-40.md", "planning/note-41.md", "planning/note-59.md"):
        opened.notes.read(key)
    for days in (0, 3, 20, 28):
        fixed_clock.instant += days * DAY
        told = status(scratch, fixed_clock)
        later = opened.rotation.plan(as_of=isoformat(fixed_clock.instant + 7 * DAY)).leaving
        now = opened.rotation.plan().leaving
        assert told.leaving == now and told.soon == tuple(decision for decision in later if decision.key not in {each.key for each in now})
    assert told.leaving


def test_everything_that_recall_keeps_back_is_named_with_its_reason(bank, run, fixed_clock):
    scratch = bank({"a.md": "# A\n"})
    session(scratch, fixed_clock, *WHOLE)
    assert "not recalled" not in run(scratch, "status").out
    run(scratch, "policy", "set", "exclusions", "files@prompt")
    run(scratch, "policy", "set", "top_k", "4")
    worthless(scratch, "answer:0123456789abcdef.0", "finding", "prompt")
    worthless(scratch, "answer:fedcba9876543210.0", "finding", "prompt", samples=(0.0,) * 5)
    worthless(scratch, "rule:0123456789ab", "rule", "session_start")
    told = json.loads(run(scratch, "status", "--format", "json").out)["suppressed"]
    learned = "suppressed by learning since 2025-09-17: shown 6 times at this moment, and not used"
    assert told == [
        {"what": "files@prompt", "moment": "prompt", "reason": "suppressed by a person since policy 1", "code": "recall.excluded_by_person"},
        {"what": "answer:0123456789abcdef.0", "moment": "prompt", "reason": learned, "code": "recall.unused"},
    ]
    said = run(scratch, "status").out
    assert said.count("not recalled") == 2 and f"answer:0123456789abcdef.0 at prompt: {learned}" in said
    scratch.configure("cycle", '{"phases": {"improve": false}}')
    assert [one["what"] for one in json.loads(run(scratch, "status", "--format", "json").out)["suppressed"]] == ["files@prompt"]


def test_it_says_when_it_is_not_healthy(bank, run, monkeypatch):
    scratch = bank({"a.md": "# A\n"})
    scratch.configure("rotation", '{"rotation_policy": {"triggers": {"size_based": {"max_directory_size_mb": 0.000001}}}}')
    for columns in ("", "60"):
        monkeypatch.setenv("COLUMNS", columns)
        assert "storage_high" in run(scratch, "status").out
    told = json.loads(run(scratch, "status", "--format", "json").out)
    assert told["level"] == "WARN" and [alert["id"] for alert in told["alerts"]] == ["storage_high"]
    markdown = run(scratch, "status", "--format", "markdown").out
    assert markdown.startswith("healthy, with warnings\n\n- ") and "\n- WARN storage_high: active/ takes" in markdown


def test_settings_that_cannot_be_used_are_a_finding_and_an_error(bank, run):
    scratch = bank({"a.md": "# A\n"})
    scratch.configure("index", "{bad")
    result = run(scratch, "status")
    assert result.code == 6 and result.out.startswith("not healthy") and "index_config.json" in result.out


@pytest.mark.parametrize("command", ["status", "metrics"])
def test_numbers_from_before_somebody_elses_update_say_so(bank, run, capsys, impatient_clock, command):
    """Another process updates the index and holds the lock: the numbers are older, a notice says so, and stdout does not change."""
    from memorybank.cli.call import CommandCall
    from memorybank.cli.main import run as run_command

    scratch = bank({"a.md": "# A\n"})
    run(scratch, "index")
    scratch.write("共有/語.md", "# 語\n")
    with Lock(str(scratch.root / "cache/fold.lock"), "another process", impatient_clock):
        capsys.readouterr()
        assert run_command([command], CommandCall(clock=impatient_clock)) == 0
        told = capsys.readouterr()
    assert told.out and told.err == "memorybank: another process is updating the index; this answer is from 2025-09-17T12:34:56.789Z\n"
    assert run(scratch, command).err == ""


def test_it_changes_nothing_but_the_cache(bank, run, fixed_clock):
    scratch = bank({"a.md": "# A\n", "共有/語.md": "# 語\n"})
    run(scratch, "index")
    session(scratch, fixed_clock, *WHOLE)
    before = scratch.snapshot()
    assert run(scratch, "status").code == run(scratch, "status", "--format", "json").code == 0
    after = scratch.snapshot()
    changed = {path for path in before.keys() | after.keys() if before.get(path) != after.get(path) and not path.startswith("cache")}
    assert changed == set()


@pytest.mark.parametrize("damage", [b"", b"not json\n", b'{"event":"session_end"}\n', b"\xff\xfe\n"])
def test_a_damaged_event_log_is_no_session(bank, fixed_clock, damage):
    scratch = bank()
    folder = scratch.root / "log/events"
    folder.mkdir(parents=True)
    (folder / "x.jsonl").write_bytes(damage)
    assert Bank.open(str(scratch.root), clock=fixed_clock).status().session is None


def test_learned_notes_are_announced_with_the_way_to_be_rid_of_them(run, bank):
    scratch = bank({"learned/problem-npx-tsc-0a1b2c3d.md": "# Use `tsc`: `npx tsc` fails here\n", "learned/mine.md": "# Mine\n"})
    told = run(scratch, "status").out
    assert "learned notes" in told and "1 note: learned/problem-npx-tsc-0a1b2c3d.md; 'memorybank know reject'" in " ".join(told.split())
    assert json.loads(run(scratch, "status", "--format", "json").out)["learned_notes"] == ["learned/problem-npx-tsc-0a1b2c3d.md"]
    assert "learned notes" not in run(bank(), "status").out


def test_without_a_session_it_says_whether_hooks_are_registered(bank, run):
    """Right after `hooks install`, advice to install hooks reads as if that had failed."""
    scratch = bank({}, git=True)
    assert "none is recorded; 'memorybank hooks install' makes a coding agent record them" in run(scratch, "status").out
    assert run(scratch, "hooks", "install").code == 0
    registered = run(scratch, "status").out
    assert "none is recorded yet; hooks are registered, so the next session of your agent is recorded" in registered and "hooks install" not in registered
