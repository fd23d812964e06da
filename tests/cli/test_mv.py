"""`memorybank mv`: another key, the same note."""

import json

import pytest

OLD, NEW = "planning/設計.md", "shared/深い/新しい名前.md"
NOTES = {OLD: b"\xef\xbb\xbf# A\r\n", "shared/other.md": "# Other\n\n[A](../planning/設計.md)\n"}


def test_a_renamed_note_keeps_bytes_date_views_and_bookmark(bank, run):
    scratch = bank(NOTES)
    for _ in range(3):
        run(scratch, "show", OLD)
    run(scratch, "bookmark", "add", OLD, "--note", "why")
    run(scratch, "bookmark", "add", "planning/*")
    before = json.loads(run(scratch, "list", "--format", "json").out)[0]
    status = (scratch.active / OLD).stat()
    done = run(scratch, "mv", OLD, NEW)
    assert (done.code, done.err) == (0, "")
    assert done.out.startswith(f"renamed: {OLD} -> {NEW}\n  linked from shared/other.md\nto undo it: memorybank undo ")
    assert (scratch.active / NEW).read_bytes() == NOTES[OLD] and (scratch.active / NEW).stat().st_mtime_ns == status.st_mtime_ns
    assert not (scratch.active / OLD).exists()
    listed = {note["key"]: note for note in json.loads(run(scratch, "list", "--format", "json").out)}
    assert set(listed) == {NEW, "shared/other.md"}
    assert listed[NEW]["modified_at"] == before["modified_at"] and listed[NEW]["created_at"] == before["created_at"]
    marks = json.loads(run(scratch, "bookmark", "list", "--format", "json").out)
    assert [(mark["path"], mark["note"]) for mark in marks] == [(NEW, "why"), ("planning/*", "")]
    run(scratch, "index")
    files = json.loads((scratch.root / "metadata/file_metadata.json").read_text(encoding="utf-8"))["files"]
    assert files[NEW]["access_count_30d"] == 3
    run(scratch, "rebuild")
    assert json.loads((scratch.root / "metadata/file_metadata.json").read_text(encoding="utf-8"))["files"][NEW] == files[NEW]


def test_undo_gives_the_note_its_old_key_and_history_back(bank, run):
    scratch = bank(NOTES)
    run(scratch, "bookmark", "add", OLD)
    run(scratch, "mv", OLD, NEW)
    assert run(scratch, "undo").code == 0
    assert (scratch.active / OLD).read_bytes() == NOTES[OLD] and not (scratch.active / NEW).exists()
    assert [mark["path"] for mark in json.loads(run(scratch, "bookmark", "list", "--format", "json").out)] == [OLD]
    assert run(scratch, "undo").code == 0


@pytest.mark.parametrize(
    ("new", "key"),
    [("shared/", "shared/設計.md"), ("roadmap", "roadmap.md"), (".claude/memory/active/x/y.md", "x/y.md"), ("active/z.md", "z.md")],
)
def test_a_folder_keeps_the_name_and_the_suffix_may_be_left_out(bank, run, new, key):
    scratch = bank(NOTES)
    before = scratch.snapshot()
    assert json.loads(run(scratch, "mv", OLD, new, "--dry-run", "--format", "json").out) == {
        "version": 1,
        "key": OLD,
        "new_key": key,
        "change": None,
        "linked_from": ["shared/other.md"],
    }
    assert scratch.snapshot() == before
    assert run(scratch, "mv", OLD, new).code == 0
    assert (scratch.active / key).read_bytes() == NOTES[OLD]


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        ((OLD, "shared/other.md"), 1),
        ((OLD, OLD), 1),
        ((OLD, "../outside.md"), 2),
        ((OLD, "/tmp/outside.md"), 2),
        ((OLD, ".md"), 2),
        ((OLD, "linked/x.md"), 2),
        (("planning/nowhere.md", "x.md"), 3),
        ((OLD,), 2),
    ],
)
def test_a_refused_request_changes_nothing(bank, run, tmp_path, arguments, code):
    scratch = bank(NOTES)
    outside = tmp_path / "outside"
    outside.mkdir()
    (scratch.active / "linked").symlink_to(outside)
    before = scratch.snapshot("active")
    refused = run(scratch, "mv", *arguments)
    assert refused.code == code and "\n  next: " in refused.err
    assert scratch.snapshot("active") == before and not list(outside.iterdir())
