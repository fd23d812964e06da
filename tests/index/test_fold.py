"""The fold does what changed and nothing else, and never touches a note."""

import os
import threading

import pytest

from memorybank import clock
from memorybank.bank import Bank
from memorybank.clock import DAY, FixedClock
from memorybank.config.settings import load
from memorybank.errors import LockTimeout
from memorybank.index import rescore
from memorybank.index.fold import fold
from memorybank.index.working import open_index
from memorybank.log import access
from memorybank.notes import scan
from memorybank.storage.lock import Lock

NOW = 1_758_112_496_789


@pytest.fixture
def reads(monkeypatch):
    """The keys of the files that folds open."""
    opened = []
    real = scan.read

    def counting(layout, found):
        opened.append(found.key)
        return real(layout, found)

    monkeypatch.setattr(scan, "read", counting)
    return opened


def test_one_changed_note_among_many_reads_one_file(bank, folded, reads):
    scratch = bank({f"shared/note-{number}.md": f"# Note {number}\n\nbody {number}\n" for number in range(500)})
    with folded(scratch) as index:
        assert index.report.added == 500
    reads.clear()
    scratch.write("shared/note-7.md", "# Changed\n\n検索\n", days_old=3)
    with folded(scratch, NOW + 1000) as index:
        assert (reads, index.report.read, index.report.changed) == (["shared/note-7.md"], 1, 1)


@pytest.mark.full
def test_one_changed_note_among_ten_thousand_reads_one_file(bank, folded, reads):
    scratch = bank({f"shared/note-{number}.md": f"# Note {number}\n\nbody {number}\n" for number in range(10_000)})
    with folded(scratch):
        reads.clear()
    scratch.write("shared/note-7.md", "# Changed\n\n検索\n", days_old=3)
    with folded(scratch, NOW + 1000):
        assert reads == ["shared/note-7.md"]


def test_nothing_changed_writes_nothing(bank, folded):
    scratch = bank({"planning/a.md": "# A\n", "shared/日本語.md": "# 日本語\n"})
    with folded(scratch):
        pass
    before = scratch.snapshot()
    with folded(scratch, NOW + 1000) as index:
        assert index.report.altered == index.report.read == index.report.rescored == 0
    after = scratch.snapshot()
    del before["cache"], after["cache"]  # SQLite makes and removes its write-ahead log there
    assert after == before


def test_a_touched_file_is_read_and_its_content_found_unchanged(bank, folded):
    scratch = bank({"a.md": "# A\n"})
    with folded(scratch):
        pass
    os.utime(scratch.active / "a.md", ns=(NOW * 10**6 - 10**12, NOW * 10**6 - 10**12))
    with folded(scratch, NOW + 1000) as index:
        assert (index.report.read, index.report.changed) == (1, 0)


def test_a_file_that_was_whole_only_when_it_was_read_gets_its_size(bank, monkeypatch, fixed_clock):
    """An editor empties a file, the fold looks, the editor writes, the fold reads: later the size must be that of what was read, published too."""
    scratch = bank({"a.md": "# A\n", "共有/語.md": "# 語\n"})
    real = scan.sweep

    def too_early(layout):
        swept = real(layout)
        return scan.NoteSweep([found._replace(size=0, mtime_ns=NOW * 10**6) for found in swept.found], swept.folders, swept.problems)

    monkeypatch.setattr(scan, "sweep", too_early)
    opened = Bank.open(str(scratch.root), clock=fixed_clock)
    opened.index.update()
    monkeypatch.undo()
    report = opened.index.update()
    assert (report.read, opened.index.update().read) == (2, 0)
    published = (scratch.root / "indexes/content_index.json").read_bytes()
    opened.index.rebuild()
    assert (scratch.root / "indexes/content_index.json").read_bytes() == published and b'"size_bytes": 0' not in published


def test_a_file_written_while_the_fold_began_is_read_again(bank, folded, reads):
    """git's "racily clean": the clock of the file system may not tell a second write from the first."""
    scratch = bank()
    path = scratch.write("a.md", "# first\n", at=NOW - 5)
    with folded(scratch):
        status = os.stat(path)
    path.write_bytes(b"# other\n")
    os.utime(path, ns=(status.st_atime_ns, status.st_mtime_ns))
    with folded(scratch, NOW + 60_000) as index:
        assert index.note("a.md").title == "other"
    reads.clear()
    with folded(scratch, NOW + 120_000):
        assert reads == []


def test_selective_folds_the_named_note_only(bank, folded):
    scratch = bank({"a.md": "# A\n", "b.md": "# B\n"})
    with folded(scratch):
        pass
    scratch.write("a.md", "# A2\n", days_old=1)
    scratch.write("b.md", "# B2\n", days_old=1)
    with folded(scratch, NOW + 1000, only=["b.md"]) as index:
        assert (index.note("a.md").title, index.note("b.md").title) == ("A", "B2")
    (scratch.active / "a.md").unlink()
    with folded(scratch, NOW + 2000, only=["a.md"]) as index:
        assert index.keys() == ["b.md"]


def test_a_frozen_fold_changes_no_path_byte_or_mtime(bank, folded):
    scratch = bank({"a.md": "# A\n", "共有/用語.md": "# 用語\n"})
    before = scratch.snapshot()
    with folded(scratch, frozen=True) as index:
        assert index.keys() == ["a.md", "共有/用語.md"]
    assert scratch.snapshot() == before
    with folded(scratch):
        pass
    scratch.write("a.md", "# A2\n", days_old=1)
    before = scratch.snapshot()
    with folded(scratch, NOW + 5 * DAY, frozen=True) as index:
        assert index.note("a.md").title == "A2"
    assert scratch.snapshot() == before


def test_a_fold_that_dies_leaves_the_old_rows_and_doubles_no_line(bank, folded, monkeypatch):
    scratch = bank({"a.md": "# A\n"})
    with folded(scratch):
        pass
    scratch.write("a.md", "# A2\n", days_old=1)

    def die(*_):
        raise RuntimeError("killed")

    with monkeypatch.context() as patch:
        patch.setattr(rescore, "settle", die)
        with pytest.raises(RuntimeError), folded(scratch, NOW + 1000):
            pass
    with folded(scratch, NOW + 2000) as index:
        assert index.note("a.md").title == "A2"
    kinds = [entry.kind for _, entry in access.read(scratch.layout)]
    assert kinds == ["seen", "edit"]


def test_two_folds_at_once_do_not_meet(bank, impatient_clock):
    scratch = bank({"a.md": "# A\n"})
    layout = scratch.layout
    with (
        open_index(layout, load(layout), impatient_clock) as index,
        Lock(os.path.join(layout.cache, "fold.lock"), "another fold", FixedClock(NOW)),
        pytest.raises(LockTimeout, match="another fold"),
    ):
        fold(index)


def test_threads_that_fold_together_leave_each_note_once(bank):
    scratch = bank({f"n{number}.md": f"# {number}\n" for number in range(40)})
    layout = scratch.layout
    errors = []

    def work() -> None:
        try:
            with open_index(layout, load(layout), FixedClock(NOW)) as index:
                fold(index)
        except LockTimeout:
            return  # a slow machine: the others fold
        except Exception as error:
            errors.append(error)

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert errors == []
    assert len([entry for _, entry in access.read(layout) if entry.kind == "seen"]) == 40


def test_another_scoring_config_scores_everything_again(bank, folded):
    scratch = bank({"a.md": "# A\n" + "word " * 300})
    with folded(scratch) as index:
        before = index.note("a.md").importance
    scratch.configure("scoring", '{"scoring_algorithm": {"global_adjustment": 0.5}}')
    with folded(scratch, NOW + 1000) as index:
        assert index.note("a.md").importance < before
    assert len(list(access.read(scratch.layout))) == 1, "the same content is no new observation"


def test_time_alone_moves_scores_only_when_it_is_due(bank, folded):
    scratch = bank({"a.md": "# A\n"}, days_old=2)
    with folded(scratch) as index:
        first = index.note("a.md").importance
    with folded(scratch, NOW + 1000) as index:
        assert index.report.rescored == 0
    with folded(scratch, NOW + DAY) as index:
        assert index.report.rescored == 1
        assert index.note("a.md").importance < first


@pytest.mark.parametrize("year", [1600, 2300, 9000])
def test_a_time_that_sqlite_cannot_store_is_clamped(bank, folded, year):
    """A note and a folder with such an mtime are indexed, found unchanged by the next fold, and listed with the problem `date_in_future`."""
    scratch = bank({"shared/note.md": "# A note\n"})
    at = (year - 1970) * 31_556_952 * 10**9
    for path in (scratch.layout.note_path("shared/note.md"), os.path.join(scratch.layout.active, "shared")):
        os.utime(path, ns=(at, at))
    stored = os.stat(scratch.layout.note_path("shared/note.md")).st_mtime_ns  # the file system may have limits of its own
    with folded(scratch) as index:
        assert index.report.added == 1
    with folded(scratch) as index:
        assert (index.report.added, index.report.changed) == (0, 0)
        (note,) = index.notes()
        assert note.mtime_ns == clock.storable(stored) and abs(note.mtime_ns) < 2**63
    problems = {problem.code for problem in Bank.open(str(scratch.root), clock=FixedClock(NOW)).notes.problems()}
    assert problems == ({"date_in_future"} if stored // 10**6 > NOW else set())
