"""Files and rows that were found equal are not compared row by row again, and every later change is seen all the same."""

import os

import pytest

from memorybank.bank import Bank
from memorybank.index import queries
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
    monkeypatch.setattr(queries, "each_file_state", lambda connection, keys=None: found.append("all") or of_all(connection, keys))
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
