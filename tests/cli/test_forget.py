"""`memorybank forget`: to the archive by name, and back by `undo`."""

import json

import pytest

NOTES = {
    "planning/古い計画.md": "# 古い計画\n\n[staging](../shared/staging.md)\n",
    "shared/staging.md": b"\xef\xbb\xbf---\r\ntitle: Staging\r\nrating: 9\r\n---\r\n\r\nReset on Mondays.\r\n",
    "shared/keep.md": "# Keep\n",
}


def test_a_forgotten_note_is_archived_and_undo_brings_it_back_byte_for_byte(bank, run):
    scratch = bank(NOTES)
    notes = {path: state for path, state in scratch.snapshot("active").items() if path.endswith(".md")}
    done = run(scratch, "forget", "shared/staging.md")
    assert (done.code, done.err) == (0, "")
    assert "archived: shared/staging.md\n  linked from planning/古い計画.md\n" in done.out
    assert not (scratch.active / "shared/staging.md").exists()
    assert "shared/staging.md" in run(scratch, "archive", "list").out
    assert run(scratch, "undo", done.out.split()[-1]).code == 0
    assert {path: state for path, state in scratch.snapshot("active").items() if path.endswith(".md")} == notes


def test_several_notes_are_one_rotation_and_links_among_them_are_not_listed(bank, run):
    scratch = bank(NOTES)
    done = run(scratch, "forget", "shared/staging.md", ".claude/memory/active/planning/古い計画.md", "--format", "json")
    told = json.loads(done.out)
    assert sorted(note["path"] for note in told["rotated"]) == ["planning/古い計画.md", "shared/staging.md"]
    assert told["linked_from"] == {"planning/古い計画.md": [], "shared/staging.md": []}
    assert run(scratch, "undo").out.startswith("2 notes")


def test_a_dry_run_changes_nothing(bank, run):
    scratch = bank(NOTES)
    before = scratch.snapshot()
    done = run(scratch, "forget", "shared/staging.md", "--dry-run")
    assert done.out == "would archive: shared/staging.md\n  linked from planning/古い計画.md\n"
    assert json.loads(run(scratch, "forget", "shared/staging.md", "--dry-run", "--format", "json").out)["rotation_type"] == "forget"
    assert scratch.snapshot() == before


@pytest.mark.parametrize(
    ("arguments", "code"),
    [(("shared/stage.md",), 3), (("shared/keep.md", "shared/nowhere.md"), 3), (("shared/keep.md",), 1), (("shared/staging.md", "shared/keep.md"), 1), ((), 2)],
)
def test_a_refused_request_changes_no_note(bank, run, arguments, code):
    scratch = bank(NOTES)
    run(scratch, "bookmark", "add", "shared/keep.md")
    before = scratch.snapshot("active")
    refused = run(scratch, "forget", *arguments)
    assert refused.code == code and refused.err
    assert scratch.snapshot("active") == before


def test_many_notes_need_a_confirmation(bank, run):
    scratch = bank({f"shared/{number}.md": f"# {number}\n" for number in range(12)})
    keys = [f"shared/{number}.md" for number in range(12)]
    assert run(scratch, "forget", *keys).code == 8
    assert len(list(scratch.active.rglob("*.md"))) == 12
    assert run(scratch, "forget", "-y", *keys).code == 0
    assert not list(scratch.active.rglob("*.md"))


def test_a_link_is_refused(bank, run, tmp_path):
    scratch = bank(NOTES)
    (tmp_path / "x.md").write_text("# X\n")
    (scratch.active / "shared/link.md").symlink_to(tmp_path / "x.md")
    assert run(scratch, "forget", "shared/link.md").code == 3
    assert (tmp_path / "x.md").exists()
