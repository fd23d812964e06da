"""Files and rows that were found equal are not compared row by row again, and every later change is seen all the same."""

import os
import random
import shutil

import pytest

from memorybank.bank import Bank
from memorybank.index import files, queries, staleness, store
from memorybank.index.fold import refresh


@pytest.fixture
def large(bank, fixed_clock):
    """(scratch, Bank) of a bank that counts as large, after a look that found no difference."""
    scratch = bank({"planning/a.md": "# A\n", "shared/用語.md": "# 用語\n", "sync/b.md": "# B\n"}, days_old=9)
    scratch.configure("index", '{"freshness": {"max_sweep_notes": 0}}')
    opened = Bank.open(str(scratch.root), clock=fixed_clock)
    for _ in range(2):
        look(opened)
    return scratch, opened


@pytest.fixture
def compared(monkeypatch):
    """The folders whose rows were read, in order; "all" for the rows of all notes."""
    found, of_folder, of_all = [], queries.file_states_in, queries.each_file_state
    monkeypatch.setattr(queries, "file_states_in", lambda connection, prefix: found.append(prefix) or of_folder(connection, prefix))

    def all_or_some(connection, keys=None):
        found.extend(["all"] if keys is None else [])
        return of_all(connection, keys)

    monkeypatch.setattr(queries, "each_file_state", all_or_some)
    return found


def look(opened: Bank) -> list[tuple[str, str]]:
    with opened.opened() as index:
        refresh(index, fresh=True)
        return [(note.key, note.digest) for note in index.notes()]


def test_rows_are_not_read_as_long_as_nothing_changes(large, compared):
    _, opened = large
    assert look(opened) == look(opened) and compared == []


def edited(scratch):
    scratch.write("planning/a.md", "# Other\n")


def edited_with_the_old_date(scratch):
    path = scratch.root / "active/planning/a.md"
    before = path.stat()
    path.write_text("# B\n")
    os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))


def added(scratch):
    scratch.write("planning/new.md", "# New\n")


def removed(scratch):
    (scratch.root / "active/sync/b.md").unlink()


def renamed(scratch):
    (scratch.root / "active/sync/b.md").rename(scratch.root / "active/sync/c.md")


@pytest.mark.parametrize("change", [edited, edited_with_the_old_date, added, removed, renamed])
def test_a_change_is_seen_although_files_and_rows_were_equal(large, change):
    scratch, opened = large
    before = look(opened)
    change(scratch)
    after = look(opened)
    assert after != before and after == look(opened)
    opened.index.rebuild()
    assert look(opened) == after


def test_rows_that_another_process_changed_are_compared(large, compared):
    scratch, opened = large
    scratch.write("planning/a.md", "# Other\n")
    Bank.open(str(scratch.root), clock=opened.clock).index.update("selective", ["planning/a.md"])
    compared.clear()
    assert dict(look(opened)) and compared == ["planning/"], "the rows of no other folder can differ"
    compared.clear()
    assert dict(look(opened)) and compared == []


def test_an_index_in_memory_records_nothing_on_disk(large):
    scratch, opened = large
    scratch.write("planning/a.md", "# Other\n")
    reading = Bank.open(str(scratch.root), clock=opened.clock, read_only=True)
    assert look(reading) == look(reading) == look(opened)


def differences(opened: Bank) -> staleness.IndexDifference:
    """What a comparison of every file with its row finds, whatever was recorded."""
    with opened.opened() as index:
        return staleness.differing(index, files.sweep(index))


def test_a_bank_of_any_size_reads_no_rows_twice(bank, fixed_clock, compared):
    opened = Bank.open(str(bank({"planning/a.md": "# A\n", "top.md": "# Top\n"}, days_old=9).root), clock=fixed_clock)
    look(opened)
    compared.clear()
    assert look(opened) == look(opened) and compared == []


def test_only_folders_with_a_change_are_compared(large, compared):
    scratch, opened = large
    scratch.write("top.md", "# Top\n", at=opened.clock.now() - 10**9)
    look(opened)
    compared.clear()
    (scratch.root / "active/sync/b.md").rename(scratch.root / "active/planning/b.md")
    look(opened)
    assert set(compared) == {"planning/", "sync/"}


@pytest.mark.slow
@pytest.mark.parametrize("few", [0, 50])
def test_rows_agree_after_any_sequence_of_changes(large, monkeypatch, few):
    monkeypatch.setattr(staleness, "_FEW_FOLDERS", few)
    scratch, opened = large
    active, chance = scratch.root / "active", random.Random(few)
    folders = ["", "planning", "planning/deep", "planning/deep/er", "共有", "a b"]

    def notes():
        return sorted(path for path in active.rglob("*.md") if path.is_file())

    def write(path, text):
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        os.utime(path, ns=(0, (opened.clock.now() - chance.randrange(10**6, 10**9)) * 10**6))

    for step in range(60):
        for _ in range(chance.randrange(3)):
            note, folder = chance.choice(notes() or [active / "first.md"]), active / chance.choice(folders)
            match chance.choice(("add", "edit", "same", "move", "remove", "folder")):
                case "add":
                    write(folder / f"{step}語.md", f"# Note {step}\n")
                case "edit":
                    write(note, f"# Edited {step}\n")
                case "same" if note.exists():
                    before = note.stat()
                    note.write_bytes(bytes(reversed(note.read_bytes())))
                    os.utime(note, ns=(before.st_atime_ns, before.st_mtime_ns))
                case "move" if note.exists():
                    folder.mkdir(parents=True, exist_ok=True)
                    note.rename(folder / note.name)
                case "remove" if note.exists():
                    note.unlink()
                case "folder" if folder != active:
                    shutil.rmtree(folder, ignore_errors=True)
        found = look(opened)
        assert [key for key, _ in found] == [path.relative_to(active).as_posix() for path in notes()]
        assert differences(opened).is_none


def test_a_file_of_a_source_is_seen_although_no_note_changed(large):
    scratch, opened = large
    rules = scratch.repository / "docs/rules.md"
    rules.parent.mkdir()
    scratch.configure("sources", '{"sources": [{"name": "docs", "kind": "docs", "path": "docs"}]}')
    seen = []
    for text in ("# Use tabs\n", "# Use spaces\n", "# Use both\n"):
        rules.write_text(text)
        os.utime(rules, ns=(0, 10**18))
        with opened.opened() as index:
            refresh(index, fresh=True)
            seen += [note.title for note in index.source_notes()]
        assert differences(opened).is_none
    assert seen == ["Use tabs", "Use spaces", "Use both"]
    rules.unlink()
    look(opened)
    assert differences(opened).is_none


def test_rows_that_changed_since_they_were_compared_are_not_recorded_as_equal(large):
    scratch, opened = large
    scratch.write("planning/new.md", "# New\n", at=opened.clock.now() - 10**9)
    look(opened)
    with opened.opened() as index:
        index.connection.execute("UPDATE listings SET listing = NULL")
        found = staleness.difference(index, files.sweep(index), None)
        assert found.is_none and len(found.listings) == 3
        with Bank.open(str(scratch.root), clock=opened.clock).opened() as other:
            scratch.write("planning/new.md", "# Newer\n", at=opened.clock.now() - 10**9)
            refresh(other, fresh=True)
        before = index.connection.execute("SELECT path, listing FROM listings").fetchall()
        staleness.record_agreement(index, found)
        assert index.connection.execute("SELECT path, listing FROM listings").fetchall() == before


def test_a_row_that_a_slow_fold_made_from_an_older_file_is_compared(large, compared):
    _, opened = large
    with opened.opened() as index:
        (file,) = files.find_keys(index, ["planning/a.md"]).found
        row = queries.id_of(index.connection, file.key)
        store.touch(index.connection, row, file._replace(mtime_ns=file.mtime_ns - 1), 1, racy=False)
    compared.clear()
    look(opened)
    assert compared[0] == "planning/" and differences(opened).is_none
