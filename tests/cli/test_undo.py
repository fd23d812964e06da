"""undo: what was restored, at its old path or next to the file that took it; and the list of rotations."""

import json

import pytest

DAY = 86_400_000
NOTES = {"planning/old.md": "# Old\n\ntext\n", "shared/古いメモ.md": "古いメモ。\r\n"}


@pytest.fixture
def rotated(bank, run):
    """A bank whose two notes a rotation archived."""
    scratch = bank(NOTES, days_old=90)
    before = scratch.snapshot("active")
    assert run(scratch, "rotate").code == 0
    scratch.before = {path: found for path, found in before.items() if path.endswith(".md")}
    return scratch


def notes_of(scratch):
    return {path: found for path, found in scratch.snapshot("active").items() if path.endswith(".md")}


def test_the_latest_rotation_comes_back_byte_for_byte_with_its_dates(rotated, run):
    result = run(rotated, "undo")
    assert result.code == 0 and "2 notes" in result.out and all(key in result.out for key in NOTES)
    assert notes_of(rotated) == rotated.before


def test_twice_changes_no_more_than_once(rotated, run):
    run(rotated, "undo")
    result = run(rotated, "undo")
    assert result.code == 0 and result.out.startswith("nothing to restore")
    assert notes_of(rotated) == rotated.before


def test_a_note_that_is_there_by_now_stays(rotated, run):
    rotated.write("shared/古いメモ.md", "新しい本文。\n")
    result = run(rotated, "undo")
    assert (rotated.active / "shared/古いメモ.md").read_text(encoding="utf-8") == "新しい本文。\n"
    [beside] = [note for note in json.loads(run(rotated, "archive", "list", "--format", "json").out) if note["original_path"] == "shared/古いメモ.md"]
    assert "so the note was restored next to it" in result.out
    assert (rotated.active / f"shared/古いメモ~{beside['sha256'][:8]}.md").read_bytes() == NOTES["shared/古いメモ.md"].encode()


def test_a_late_edit_comes_back_and_is_named(rotated, run):
    [backup] = rotated.root.glob("backups/*/**/old.md")
    backup.write_text("# Old\n\nedited after the rotation\n", encoding="utf-8")
    result = run(rotated, "undo")
    assert "edits made after the rotation" in result.out
    assert (rotated.active / "planning/old.md").read_text(encoding="utf-8") == "# Old\n\nedited after the rotation\n"


def test_the_list_is_newest_first_and_says_how_much_is_back(rotated, run, fixed_clock):
    fixed_clock.instant += DAY
    rotated.write("shared/another.md", "another\n", days_old=80)
    run(rotated, "rotate")
    run(rotated, "undo")
    before = rotated.snapshot()
    newest, oldest = json.loads(run(rotated, "undo", "--list", "--format", "json").out)
    assert (newest["files_archived"], newest["files_returned"], oldest["files_archived"], oldest["files_returned"]) == (1, 1, 2, 0)
    assert newest["rotation_id"] > oldest["rotation_id"]
    assert rotated.snapshot() == before, "listing only reads"
    assert [line.split()[0] for line in run(rotated, "undo", "--list").out.splitlines()] == ["id", newest["rotation_id"], oldest["rotation_id"]]
    report = json.loads(run(rotated, "undo", oldest["rotation_id"], "--format", "json").out)
    assert {note["key"] for note in report["returned"]} == set(NOTES)


def test_what_cannot_be_undone(bank, run):
    scratch = bank(NOTES, days_old=90)
    assert run(scratch, "undo").code == 3
    assert run(scratch, "undo", "--list").out == "nothing to undo: no command has archived, edited or renamed a note yet\n"
    unknown = run(scratch, "undo", "20200101T000000000Z-000000")
    assert unknown.code == 3 and "undo --list" in unknown.err
    assert run(scratch, "undo", "x", "--list").code == 2


def test_a_note_that_is_lost_stops_only_itself(rotated, run):
    """Archive object and backup of one note are deleted: the other note is restored, and the exit code reports the failure."""
    for lost in [*rotated.root.glob("archive/by_date/**/*-old-*.md.zst"), *rotated.root.glob("backups/*/**/old.md")]:
        lost.unlink()
    result = run(rotated, "undo")
    assert result.code == 9 and "still archived: planning/old.md" in result.out and "1 note " in result.out
    assert (rotated.active / "shared/古いメモ.md").exists()


def test_rotations_complete_in_the_shell(rotated, run, process):
    [rotation] = json.loads(run(rotated, "undo", "--list", "--format", "json").out)
    result = process(rotated, COMP_WORDS="memorybank undo 2025", COMP_CWORD="2", _MEMORYBANK_COMPLETE="bash_complete")
    assert f"plain,{rotation['rotation_id']}" in result.out.splitlines()


def test_each_undo_goes_one_step_further_back(bank, run, fixed_clock):
    scratch = bank({"a.md": "---\ntags: [old]\n---\n# A\n", "b.md": "# B\n\ntext\n"})
    before = notes_of(scratch)
    renamed = [("tags", "rename", "old", "new"), ("tags", "rename", "new", "newer")]
    steps = [renamed[0], ("mv", "b.md", "c.md"), ("forget", "c.md", "--yes"), renamed[1], ("forget", "a.md", "--yes")]
    states = []
    for step in steps:
        states.append(notes_of(scratch))
        fixed_clock.instant += DAY
        assert run(scratch, *step).code == 0
    for state in reversed(states):
        fixed_clock.instant += DAY
        assert run(scratch, "undo").code == 0
        assert notes_of(scratch) == state
    assert states[0] == before
    assert run(scratch, "undo").out == "nothing to restore: everything that 'memorybank undo --list' shows has been undone already\n"
    assert json.loads(run(scratch, "undo", "--json").out)["returned"] == [] and notes_of(scratch) == before


def test_a_rating_is_a_step_of_its_own_and_the_date_stays(bank, run):
    """`rate` writes one line of a note and keeps its date, so that taking it back gives the former bytes and importance."""
    scratch = bank({"shared/a.md": "# A\n\nAlpha.\n", "計画/b.md": "---\nrating: 2\n---\n# B\n\nBeta.\n"})
    paths = [scratch.active / "shared" / "a.md", scratch.active / "計画" / "b.md"]
    before, listed = [path.read_bytes() for path in paths], json.loads(run(scratch, "list", "--json").out)
    for key, rating in (("shared/a.md", "9"), ("計画/b.md", "7"), ("計画/b.md", "4")):
        assert run(scratch, "rate", key, rating).code == 0
    assert [each["trigger"] for each in json.loads(run(scratch, "undo", "--list", "--json").out)] == ["memorybank rate"] * 3
    assert "as before: 計画/b.md" in run(scratch, "undo").out and "rating: 7" in (scratch.active / "計画" / "b.md").read_text(encoding="utf-8")
    run(scratch, "undo")
    run(scratch, "undo")
    assert [path.read_bytes() for path in paths] == before and json.loads(run(scratch, "list", "--json").out) == listed
    assert "nothing to restore" in run(scratch, "undo").out


def test_a_rating_after_which_somebody_edited_the_note_stays(bank, run):
    scratch = bank({"shared/a.md": "# A\n\nAlpha.\n"})
    run(scratch, "rate", "shared/a.md", "9")
    path = scratch.active / "shared" / "a.md"
    path.write_text(path.read_text() + "More.\n")
    refused = run(scratch, "undo")
    assert refused.code == 1 and "More." in path.read_text() and "rating: 9" in path.read_text()
