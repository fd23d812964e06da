"""A restored note is active and no longer archived, wherever notes are counted: the archive keeps a copy of it, which has a name of its own."""

import json

import pytest

from memorybank.bank import Bank

DAY = 86_400_000
NOTES = {f"planning/{number}.md": f"# Note {number}\n\nText of note {number}.\n" for number in range(4)}


@pytest.fixture
def restored(bank, run, fixed_clock):
    """A bank of four notes: three were archived, two of these came back, and one of the two was archived again."""
    scratch = bank(NOTES)
    assert run(scratch, "forget", "planning/0.md", "planning/1.md", "planning/2.md", "--yes").code == 0
    ids = {each["original_path"]: each["id"] for each in json.loads(run(scratch, "archive", "list", "--json").out)}
    fixed_clock.instant += DAY
    assert run(scratch, "archive", "restore", ids["planning/0.md"], ids["planning/1.md"]).code == 0
    fixed_clock.instant += DAY
    assert run(scratch, "forget", "planning/1.md", "--yes").code == 0
    return scratch


def of_mcp(scratch, fixed_clock) -> str:
    bank = Bank.open(str(scratch.root), clock=fixed_clock)
    state = bank.seen_by(None).state()
    return f"{state.notes} {state.archived}"


def test_every_count_of_archived_notes_leaves_the_copies_of_restored_notes_out(restored, run, fixed_clock):
    status = json.loads(run(restored, "status", "--json").out)
    storage = json.loads(run(restored, "metrics", "--json").out)["memory_bank_metrics"]["storage_metrics"]
    assert (status["active_files"], status["archived_files"]) == (2, 2)
    assert (storage["active_files"], storage["archived_files"], storage["total_files"]) == (2, 2, 4)
    assert of_mcp(restored, fixed_clock) == "2 2"
    assert "2 active" in (shown := run(restored, "status").out) and "2 archived, 2 copies of restored ones (" in shown


def test_the_list_marks_what_was_restored(restored, run):
    listed = {(each["original_path"], each["archived_at"][:10]): each["restored_at"] for each in json.loads(run(restored, "archive", "list", "--json").out)}
    assert {key: at[:10] if at else None for key, at in listed.items()} == {
        ("planning/0.md", "2025-09-17"): "2025-09-18", ("planning/1.md", "2025-09-17"): "2025-09-18",
        ("planning/2.md", "2025-09-17"): None, ("planning/1.md", "2025-09-19"): None,
    }  # fmt: skip
    assert run(restored, "archive", "list").out.count("2025-09-18") == 2


def test_without_a_cache_that_can_be_written_the_count_is_the_same(restored, run, fixed_clock):
    (restored.root / "cache/bank.sqlite3").unlink()
    assert of_mcp(restored, fixed_clock) == "2 2"


def test_a_purged_object_stays_the_copy_of_a_restored_note(bank, run, fixed_clock):
    scratch = bank({"a.md": "# A\n\nthe word is quokka-verysecret here\n"})
    run(scratch, "forget", "a.md", "--yes")
    fixed_clock.instant += DAY
    run(scratch, "undo")
    assert "archived notes  1 replaced" in run(scratch, "purge", "quokka-verysecret").out
    assert json.loads(run(scratch, "status", "--json").out)["archived_files"] == 0
    assert [bool(each["restored_at"]) for each in json.loads(run(scratch, "archive", "list", "--json").out)] == [True]
