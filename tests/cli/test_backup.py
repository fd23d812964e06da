"""backup list, prune: the originals of each rotation until they expire; a late edit is never removed."""

import json

DAY = 86_400_000
NOTES = {"planning/old.md": "# Old\n" + "text\n" * 100, "shared/古いメモ.md": "古いメモ。\n" * 50}


def test_the_list_counts_and_dates(rotated, run):
    before = rotated.snapshot()
    [found] = json.loads(run(rotated, "backup", "list", "--format", "json").out)
    assert (found["files"], found["missing"], found["edited"]) == (2, 0, []) and found["expires_at"].startswith("2025-10-17")
    assert found["rotation_id"] in run(rotated, "backup", "list").out
    assert rotated.snapshot() == before


def test_pruning_compresses_after_a_day_and_removes_after_a_month(rotated, run, fixed_clock):
    assert run(rotated, "backup", "prune").out.startswith("0 backups compressed, 0 removed")
    fixed_clock.instant += 2 * DAY
    assert len(json.loads(run(rotated, "backup", "prune", "--format", "json").out)["compressed"]) == 2
    fixed_clock.instant += 60 * DAY
    assert "2 removed" in run(rotated, "backup", "prune").out
    assert run(rotated, "backup", "list").out == "no backups\n"
    assert run(rotated, "verify").code == 0


def test_an_edited_backup_is_reported_and_stays(rotated, run, fixed_clock):
    [edited] = rotated.root.glob("backups/**/古いメモ.md")
    edited.write_text("編集した。\n", encoding="utf-8")
    fixed_clock.instant += 60 * DAY
    result = run(rotated, "backup", "prune")
    assert result.code == 0 and "late_edit" in result.out and "memorybank undo" in result.out
    assert edited.read_text(encoding="utf-8") == "編集した。\n"
    [found] = json.loads(run(rotated, "backup", "list", "--format", "json").out)
    assert found["edited"] == ["shared/古いメモ.md"]


def test_the_only_copy_is_kept_and_exit_9(rotated, run, fixed_clock):
    [stored] = rotated.root.glob("archive/by_date/**/*-old-*.zst")
    stored.unlink()
    fixed_clock.instant += 60 * DAY
    result = run(rotated, "backup", "prune")
    assert result.code == 9 and "backup_only_copy" in result.out
    assert list(rotated.root.glob("backups/**/old.md*"))


def test_a_strange_clock_needs_yes(rotated, run, fixed_clock):
    fixed_clock.instant += 500 * DAY
    refused = run(rotated, "backup", "prune")
    assert refused.code == 8 and "--yes" in refused.err
    assert run(rotated, "backup", "prune", "--yes").code == 0
