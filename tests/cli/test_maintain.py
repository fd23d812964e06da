"""maintain: what is due, without asking anybody, within the brake."""

import json

from memorybank.errors import PermissionRefused

DAY = 86_400_000
BY_RULES = '{"unattended": "by_rules", "grace_days": 0}'
"""The triggers of the specification, which archive without pressure, from the first day on."""


def test_it_does_what_is_due_and_then_nothing_until_it_is_due_again(bank, run, fixed_clock):
    scratch = bank({"planning/old.md": "old\n", "shared/古いメモ.md": "古い。\n"}, days_old=90)
    scratch.configure("rotation", BY_RULES)
    first = json.loads(run(scratch, "maintain", "--format", "json").out)
    assert sorted(first["evaluated"]) == ["importance_based", "size_based", "time_based"]
    assert {note["path"] for rotation in first["rotations"] for note in rotation["rotated"]} == {"planning/old.md", "shared/古いメモ.md"}
    second = json.loads(run(scratch, "maintain", "--format", "json").out)
    assert second["evaluated"] == [] and set(second["not_due"]) == set(first["evaluated"])
    fixed_clock.instant += DAY
    assert len(json.loads(run(scratch, "maintain", "--format", "json").out)["evaluated"]) == 3


def test_it_says_what_it_did_and_how_to_undo_it(bank, run):
    scratch = bank({"shared/古いメモ.md": "古い。\n"}, days_old=90)
    scratch.configure("rotation", BY_RULES)
    result = run(scratch, "maintain")
    assert result.code == 0 and "shared/古いメモ.md" in result.out and "memorybank undo 2025" in result.out
    assert "not due" in run(scratch, "maintain").out
    assert run(scratch, "maintain", "--format", "markdown").out.startswith("- rules run: none\n")


def test_the_brake_holds_and_the_rest_is_named(bank, run):
    """Ten notes leave, two are left for a person; --yes is for the clock and does not lift the brake."""
    scratch = bank({f"shared/memo-{number:02}.md": f"memo {number}\n" for number in range(12)}, days_old=90)
    scratch.configure("rotation", BY_RULES)
    result = run(scratch, "maintain", "--yes")
    assert result.code == 0 and " ".join(result.out.split()).count("left for later 2 notes") == 1
    assert len(list(scratch.active.rglob("*.md"))) == 2


def test_a_strange_clock_needs_yes(bank, run, fixed_clock):
    scratch = bank({"shared/a.md": "a\n"}, days_old=90)
    run(scratch, "maintain")
    fixed_clock.instant += 500 * DAY
    assert run(scratch, "maintain").code == 8
    assert run(scratch, "maintain", "--yes").code == 0


def test_an_error_about_one_note_ends_with_its_code(bank, run, monkeypatch):
    from memorybank.rotation import move

    def refuse(layout, record):
        raise PermissionRefused(f"{record.key}: permission denied")

    monkeypatch.setattr(move, "move_out", refuse)
    scratch = bank({"shared/古いメモ.md": "古い。\n"}, days_old=90)
    scratch.configure("rotation", BY_RULES)
    result = run(scratch, "maintain")
    assert result.code == 4 and "permission denied" in result.out


def test_findings_of_backups_are_told(bank, run, fixed_clock):
    scratch = bank({"shared/古いメモ.md": "古い。\n"}, days_old=90)
    scratch.configure("rotation", BY_RULES)
    run(scratch, "maintain")
    [backup] = scratch.root.glob("backups/**/古いメモ.md")
    backup.write_text("編集した。\n", encoding="utf-8")
    fixed_clock.instant += 60 * DAY
    result = run(scratch, "maintain")
    assert result.code == 0 and "late_edit" in result.out and backup.exists()


def test_without_pressure_nothing_leaves_and_the_answer_says_so(bank, run):
    scratch = bank({f"共有/{number}.md": f"古い {number}\n" for number in range(32)}, days_old=90)
    result = run(scratch, "maintain")
    assert result.code == 0 and "nothing needs to leave (32 notes, 300 allowed)" in " ".join(result.out.split())
    assert len(list(scratch.active.rglob("*.md"))) == 32


def test_under_pressure_it_archives_what_has_to_leave(bank, run):
    scratch = bank({f"共有/{number}.md": f"古い {number}\n" for number in range(5)}, days_old=90)
    scratch.configure("rotation", '{"pressure": {"notes": 3}, "grace_days": 0}')
    told = json.loads(run(scratch, "maintain", "--format", "json").out)
    assert told["evaluated"] == ["pressure"] and len(told["rotations"][0]["rotated"]) == 2
    assert told["occupancy"] == {
        "notes": 5,
        "notes_limit": 3,
        "session_notes": 0,
        "session_notes_limit": 100,
        "bytes": 5 * len("古い 0\n".encode()),
        "bytes_limit": 5 << 20,
        "is_over": True,
    }
    assert "2 notes need to leave" not in run(scratch, "maintain").out
