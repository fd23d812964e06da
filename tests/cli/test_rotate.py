"""rotate: a dry run that leaves no trace, a brake that asks, a report that says how to undo it."""

import json
import os
import pty
import select
import sys
from pathlib import Path

import pytest

from memorybank.cli import output
from memorybank.cli.rotate import TYPES
from memorybank.errors import PermissionRefused
from memorybank.rotation import rules

ROOT = Path(__file__).resolve().parents[2]
LEAVING = {
    "planning/old-plan.md": "# Old plan\n\nnothing of note\n",
    "sync/議事録-二〇二四年九月の定例会議.md": "---\ntitle: 九月の定例\n---\n議事録。\n",
    "shared/scratch.md": "scratch\n",
}
STAYING = {
    "shared/用語集.md": "---\nrating: 9\n---\n# 用語集\n\n検索の索引。\n",
    "planning/kept.md": "---\nbookmarked: true\n---\n# Kept\n",
}


@pytest.fixture
def scratch(bank):
    """Three notes of 90 days that would leave, two that a person protects, one that is new."""
    made = bank({**LEAVING, **STAYING}, days_old=90)
    made.write("planning/new.md", "# New\n", days_old=1)
    return made


def many(bank, count=12):
    return bank({f"shared/memo-{number:02}.md": f"memo {number}\n" for number in range(count)}, days_old=90)


@pytest.mark.parametrize("indexed", [False, True])
@pytest.mark.parametrize("when", [[], ["--as-of", "+60d"], ["--as-of", "2025-01-01"]])
def test_a_dry_run_changes_no_path_byte_or_date(scratch, run, indexed, when):
    """With and without a cache, today and for another day, and also when notes changed since the cache was made."""
    if indexed:
        run(scratch, "index")
        scratch.write("planning/later.md", "# Later\n", days_old=40)
    before = scratch.snapshot()
    assert run(scratch, "rotate", "--dry-run", *when).code == 0
    assert run(scratch, "rotate", "--dry-run", "--format", "json", *when).code == 0
    assert scratch.snapshot() == before


def test_a_dry_run_works_in_a_bank_that_cannot_be_written(scratch, process):
    folders = [path for path in (scratch.root, *scratch.root.rglob("*")) if path.is_dir()]
    for folder in folders:
        folder.chmod(0o500)
    try:
        assert process(scratch, "rotate", "--dry-run").code == 0
    finally:
        for folder in folders:
            folder.chmod(0o700)


def test_the_plan_names_what_would_leave_first_then_why_the_others_stay(scratch, run):
    planned = json.loads(run(scratch, "rotate", "--dry-run", "--format", "json").out)
    assert [decision["action"] for decision in planned["decisions"]] == ["archive"] * 3 + ["preserve"] * 3
    assert {decision["path"] for decision in planned["decisions"][:3]} == set(LEAVING)
    assert {decision["rule"] for decision in planned["decisions"][3:]} == {"bookmarked", "user_rated", "recent"}
    assert all(decision["reason"] and decision["lever"] for decision in planned["decisions"])
    assert planned["summary"]["files_to_archive"] == 3 and planned["summary"]["needs_confirmation"] is False


@pytest.mark.parametrize("columns", ["", "60", "80"])
def test_the_plan_begins_with_its_result_and_shows_what_leaves(scratch, run, monkeypatch, columns):
    monkeypatch.setenv("COLUMNS", columns)
    text = run(scratch, "rotate", "--dry-run").out
    assert text.startswith("would archive 3 of 6 notes, ") and text.splitlines()[0].endswith(": 2 low, 1 medium")
    words = " ".join(text.split())
    assert "preserved 3: 1 recent, 1 bookmark, 1 rated" in words and "not reached" in words and "3 notes stay; --all shows why" in words
    assert all(key in text for key in LEAVING) and not any(key in text for key in STAYING)
    assert "rate 8+" in words and "90 days old, more than 30" in words


def test_all_also_shows_why_every_other_note_stays(scratch, run):
    text = run(scratch, "rotate", "--dry-run", "--all").out
    assert all(key in text for key in (*LEAVING, *STAYING)) and "--all" not in text
    positions = [text.index(key) for key in (*LEAVING, *STAYING)]
    assert max(positions[:3]) < min(positions[3:])


def test_a_plan_that_archives_nothing_says_so_in_its_first_line(bank, run):
    assert run(bank({"a.md": "# A\n"}, days_old=1), "rotate", "--dry-run").out.splitlines()[0] == "would archive none of 1 note"
    assert run(bank({}), "rotate", "--dry-run").out.splitlines()[0] == "would archive none of 0 notes"


def test_eighty_columns_are_enough(scratch, run, monkeypatch):
    """Plan, report and lists fold to the page and lose nothing, in both scripts."""
    long = "implementation/" + "とても長い名前の" * 6 + "-and-a-rather-long-name-in-english.md"
    scratch.write(long, "# 長い\n", days_old=100)
    monkeypatch.setenv("COLUMNS", "80")
    for arguments in (["rotate", "--dry-run"], ["rotate"], ["archive", "list"], ["undo", "--list"], ["backup", "list"], ["verify"], ["undo"], ["maintain"]):
        result = run(scratch, *arguments)
        assert result.code == 0, result.err
        assert max(map(output.width, result.out.splitlines())) <= 80, arguments
        if arguments[0] == "rotate":
            assert long in "".join(line.strip() for line in result.out.splitlines())


def test_needed_archives_what_has_to_leave_and_nothing_else(bank, run):
    scratch = bank({f"共有/{number}.md": f"古い {number}\n" + "長い文 " * number * 40 for number in range(1, 7)}, days_old=90)
    scratch.configure("rotation", '{"pressure": {"notes": 4}}')
    before = scratch.snapshot()
    plan = json.loads(run(scratch, "rotate", "--needed", "--dry-run", "--format", "json").out)
    assert (plan["rotation_type"], plan["summary"]["files_to_archive"], plan["summary"]["occupancy"]["is_over"]) == ("pressure", 2, True)
    assert {decision["rule"] for decision in plan["decisions"]} == {"medium", "not_needed"}
    text = " ".join(run(scratch, "rotate", "--needed", "--dry-run", "--all").out.split())
    assert "2 notes need to leave (6 notes, 4 allowed)" in text and "the rules allow it to leave, but nothing has to" in text
    assert scratch.snapshot() == before
    leaving = [decision["path"] for decision in plan["decisions"] if decision["action"] == "archive"]
    done = json.loads(run(scratch, "rotate", "--needed", "--format", "json").out)
    assert [note["path"] for note in done["rotated"]] == leaving
    assert "nothing needs to leave (4 notes, 4 allowed)" in " ".join(run(scratch, "rotate", "--needed", "--dry-run").out.split())
    assert json.loads(run(scratch, "rotate", "--needed", "--format", "json").out)["rotated"] == []


def test_needed_of_another_day_and_with_a_type(bank, run):
    scratch = bank({f"{number}.md": f"text {number}\n" for number in range(3)}, days_old=1)
    scratch.configure("rotation", '{"pressure": {"notes": 1}}')
    assert json.loads(run(scratch, "rotate", "--needed", "--dry-run", "--format", "json").out)["summary"]["files_to_archive"] == 0
    later = json.loads(run(scratch, "rotate", "--needed", "--dry-run", "--as-of", "+60d", "--format", "json").out)
    assert later["summary"]["files_to_archive"] == 2
    refused = run(scratch, "rotate", "--needed", "--type", "time_based")
    assert refused.code == 2 and "--type time_based" in refused.err
    assert run(scratch, "rotate", "--needed", "--type", "manual", "--dry-run").code == 0


def test_only_the_first_rows_are_printed_unless_all_are_asked_for(bank, run):
    scratch = many(bank, 30)
    text = run(scratch, "rotate", "--dry-run").out
    assert text.count("shared/memo-") == 20 and "10 more notes; --all" in text
    assert run(scratch, "rotate", "--dry-run", "--all").out.count("shared/memo-") == 30
    assert len(json.loads(run(scratch, "rotate", "--dry-run", "--format", "json").out)["decisions"]) == 30


def test_markdown_is_a_list_and_a_table(scratch, run):
    text = run(scratch, "rotate", "--dry-run", "--format", "markdown").out
    assert text.startswith("would archive 3 of 6 notes, ") and "- preserved: 3" in text
    assert "| note | action | rule | reason | importance | age | size | lever |" in text


def test_skipped_rules_and_warnings_are_told(scratch, run):
    scratch.configure("rotation", '{"rotation_policy": {"triggers": {"time_based": {"enabled": false}}}}')
    (scratch.root / "bookmarks.json").write_text("{", encoding="utf-8")
    words = " ".join(run(scratch, "rotate", "--dry-run").out.split())
    assert "rule skipped medium: triggers.time_based.enabled is false" in words
    assert "the bookmark file cannot be read" in words and words.startswith("would archive none of 6 notes")


def test_another_day_is_for_plans_only(scratch, run):
    before = scratch.snapshot()
    assert run(scratch, "rotate", "--as-of", "+60d").code == 2
    assert scratch.snapshot() == before


def test_types_are_those_of_the_rules(scratch, run):
    assert set(TYPES) == set(rules.TYPES)
    planned = json.loads(run(scratch, "rotate", "--dry-run", "--type", "size_based", "--format", "json").out)
    assert planned["rotation_type"] == "size_based" and planned["summary"]["files_to_archive"] == 0
    assert run(scratch, "rotate", "--type", "nonsense").code == 2


def test_a_rotation_does_what_the_dry_run_said_and_tells_how_to_undo_it(scratch, run):
    planned = json.loads(run(scratch, "rotate", "--dry-run", "--format", "json").out)
    result = run(scratch, "rotate")
    assert result.code == 0
    [undo] = [line.split("memorybank ")[1] for line in result.out.splitlines() if line.startswith("to undo it")]
    remaining = {path.relative_to(scratch.active).as_posix() for path in scratch.active.rglob("*.md")}
    assert remaining == {decision["path"] for decision in planned["decisions"] if decision["action"] != "archive"}
    assert run(scratch, *undo.split()).code == 0
    assert {path.relative_to(scratch.active).as_posix() for path in scratch.active.rglob("*.md")} == {decision["path"] for decision in planned["decisions"]}


def test_the_report_in_json(scratch, run):
    report = json.loads(run(scratch, "rotate", "--format", "json").out)
    assert {note["path"] for note in report["rotated"]} == set(LEAVING)
    assert all((scratch.root / note["archive_path"]).is_file() and (scratch.root / note["backup_path"]).is_file() for note in report["rotated"])


def test_nothing_to_do_is_no_error(bank, run):
    result = run(bank({"shared/new.md": "# New\n"}, days_old=1), "rotate")
    assert result.code == 0 and "none of 1 note" in result.out and "undo" not in result.out


def test_a_large_rotation_without_a_person_is_refused(bank, run):
    scratch = many(bank)
    result = run(scratch, "rotate")
    assert result.code == 8 and "--yes" in result.err and "12 notes" in result.err
    assert len(list(scratch.active.rglob("*.md"))) == 12
    assert json.loads(run(scratch, "rotate", "--format", "json").err)["error"]["code"] == "brake"
    assert run(scratch, "rotate", "--yes").code == 0
    assert not list(scratch.active.rglob("*.md"))


def test_a_refused_rotation_is_repeated_with_its_own_options_and_says_how_large_it_is(bank, run):
    scratch = many(bank)
    for options in (("--no-grace",), ("--type", "importance_based"), ("--needed", "--no-grace"), ()):
        if (refused := run(scratch, "rotate", *options)).code == 0:
            assert "--needed" in options, "nothing needs to leave"
            continue
        named = " ".join(("memorybank rotate", *options))
        assert f"'{named} --dry-run', then run '{named} --yes'" in refused.err
        assert " B;" in refused.err and ", 0.0 MB" not in refused.err
    keys = [path.relative_to(scratch.active).as_posix() for path in scratch.active.rglob("*.md")]
    assert "'memorybank forget KEY... --yes'" in run(scratch, "forget", *keys).err


def test_the_slower_of_two_rotations_says_that_the_other_one_archived_the_notes(bank, run, monkeypatch):
    from memorybank.bank.rotations import Rotations

    def overtaken(self, planned, execute=Rotations.execute, **given):
        execute(self, planned, yes=True)
        return execute(self, planned, **given)

    scratch = many(bank)
    monkeypatch.setattr(Rotations, "execute", overtaken)
    out = run(scratch, "rotate", "--yes").out
    [faster] = [each for each in json.loads(run(scratch, "undo", "--list", "--json").out)]
    assert [line.split(maxsplit=1) for line in out.splitlines()] == [
        ["archived", "nothing"],
        ["not", f"needed  another rotation has just archived 12 notes of this plan; to undo it: memorybank undo {faster['rotation_id']}"],
    ]


def on_a_terminal(scratch, answer: bytes, *arguments: str) -> tuple[int, str]:
    """(exit code, all that was printed) of a command on a terminal of 80 columns; the answer is typed when it asks."""
    child, terminal = pty.fork()
    if child == 0:
        os.chdir(scratch.repository)
        os.environ.update(PYTHONPATH=str(ROOT), TERM="xterm", NO_COLOR="1")
        os.execv(sys.executable, [sys.executable, "-m", "memorybank", *arguments])
    shown, typed = b"", False
    while select.select([terminal], [], [], 60)[0]:
        try:
            chunk = os.read(terminal, 4096)
        except OSError:  # Linux says so when the other side has ended
            break
        if not chunk:
            break
        shown += chunk
        if b"[y/N]" in shown and not typed:
            os.write(terminal, answer)
            typed = True
    os.close(terminal)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), shown.decode()


@pytest.mark.slow
def test_on_a_terminal_a_large_rotation_shows_the_summary_and_asks(bank):
    scratch = many(bank)
    code, shown = on_a_terminal(scratch, b"n\n", "rotate")
    assert code == 8 and "would archive" in shown and "asks first" in shown and "nothing was archived" in shown
    assert len(list(scratch.active.rglob("*.md"))) == 12
    code, shown = on_a_terminal(scratch, b"y\n", "rotate")
    assert code == 0 and "Archive 12 notes?" in shown and "to undo it" in shown
    assert not list(scratch.active.rglob("*.md"))


def test_saying_yes_to_the_size_is_not_yes_to_a_strange_clock(bank, run, fixed_clock, monkeypatch):
    """The brake is answered on the terminal; a clock that went back still refuses, and names --yes."""
    scratch = many(bank)
    run(scratch, "index")
    fixed_clock.instant -= 30 * 86_400_000
    monkeypatch.setattr("memorybank.cli.rotate.is_somebody_there", lambda: True)
    monkeypatch.setattr("click.confirm", lambda *_, **__: True)
    result = run(scratch, "rotate")
    assert result.code == 8 and "clock" in result.err and len(list(scratch.active.rglob("*.md"))) == 12


def test_a_partial_failure_finishes_the_rest_and_exits_with_the_gravest_code(scratch, run, monkeypatch):
    from memorybank.rotation import move

    def refuse(layout, record, move_out=move.move_out):
        if record.key == "planning/old-plan.md":
            raise PermissionRefused("planning/old-plan.md: permission denied")
        return move_out(layout, record)

    monkeypatch.setattr(move, "move_out", refuse)
    result = run(scratch, "rotate")
    assert result.code == 4 and "permission denied" in result.err
    assert "stayed" in result.out and "2 notes" in result.out
    assert (scratch.active / "planning/old-plan.md").exists() and not (scratch.active / "shared/scratch.md").exists()
    again = run(scratch, "rotate", "--format", "json")
    assert again.code == 4 and json.loads(again.out)["errors"][0]["path"] == "planning/old-plan.md"


def test_the_executor_tells_how_far_it_is(bank, fixed_clock):
    from memorybank import Bank

    scratch = many(bank, 70)
    opened = Bank.open(str(scratch.root), clock=fixed_clock)
    told: list[tuple[int, int]] = []
    opened.rotation.execute(opened.rotation.plan(), yes=True, progress=lambda done, total: told.append((done, total)))
    assert told == [(64, 70), (70, 70)]


def test_the_grace_of_a_new_bank_is_shown_and_can_be_left_out(bank, run):
    """In the plan, in each reason, after a rotation, in status and in maintain."""
    scratch = bank({f"共有/メモ-{number}.md": f"メモ {number}\n" for number in range(3)}, days_old=90)
    assert "dates.jsonl" in run(scratch, "init").out
    shown = " ".join(run(scratch, "rotate", "--dry-run", "--all").out.split())
    said = "3 notes stay in spite of their age until 2025-10-01, because the bank was created on 2025-09-17; --no-grace applies the rules now"
    assert shown.startswith("would archive none of 3 notes") and said in shown
    assert "rule low, but nothing leaves by its age until 2025-10-01: the bank was created on 2025-09-17" in shown
    plan = json.loads(run(scratch, "rotate", "--dry-run", "--json").out)
    assert plan["summary"]["grace"] == {
        "began": "2025-09-17T12:34:56.789Z",
        "until": "2025-10-01T12:34:56.789Z",
        "why": "init",
        "files_deferred": 3,
    }
    assert {decision["rule"] for decision in plan["decisions"]} == {"grace"}
    assert said in " ".join(run(scratch, "rotate").out.split())
    assert "then 3 notes could: memorybank rotate --dry-run" in " ".join(run(scratch, "status").out.split())
    scratch.configure("rotation", '{"pressure": {"notes": 1}}')
    maintained = " ".join(run(scratch, "maintain").out.split())
    assert "active notes nothing leaves yet (3 notes, 1 allowed) grace nothing leaves by its age until 2025-10-01" in maintained
    assert run(scratch, "rotate", "--no-grace").code == 0
    assert len(list(scratch.active.rglob("*.md"))) == 0
    assert json.loads(run(scratch, "rotate", "--dry-run", "--no-grace", "--json").out)["summary"]["grace"] is None


def test_a_first_maintenance_on_a_machine_waits_and_says_so(bank, run, fixed_clock):
    scratch = bank({f"共有/メモ-{number}.md": f"メモ {number}\n" for number in range(3)}, days_old=90)
    scratch.configure("rotation", '{"pressure": {"notes": 1}}')
    for day in (0, 13):
        fixed_clock.instant += day * 86_400_000
        said = " ".join(run(scratch, "maintain").out.split())
        assert "until 2025-10-01, because the bank was first used on this machine on 2025-09-17" in said and "archived 0 notes" in said
    assert "nothing leaves unattended until 2025-10-01" in " ".join(run(scratch, "status").out.split())
    assert "would archive 2 of 3 notes" in run(scratch, "rotate", "--needed", "--dry-run").out
    fixed_clock.instant += 86_400_000
    assert "archived 2 notes" in " ".join(run(scratch, "maintain").out.split())
