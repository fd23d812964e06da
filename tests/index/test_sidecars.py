"""What the archive weighs, reading only sidecars that changed."""

import os

import pytest

from memorybank.archive import files, store
from memorybank.bank import Bank
from memorybank.errors import ResourceExhausted
from memorybank.index.archive_size import ArchiveSize, archive_size
from memorybank.storage import database


@pytest.fixture
def archived(bank, fixed_clock):
    """(scratch, Bank) with three archived notes."""
    scratch = bank({"planning/old.md": "old\n" * 200, "shared/古いメモ.md": "古い。\n" * 200, "sync/a.md": "a\n" * 50}, days_old=90)
    opened = Bank.open(str(scratch.root), clock=fixed_clock)
    opened.rotation.execute(opened.rotation.plan(), yes=True)
    return scratch, opened


@pytest.fixture
def reads(monkeypatch):
    """The sidecars that were read, in order."""
    read = []
    real = store.read_sidecar
    monkeypatch.setattr(store, "read_sidecar", lambda layout, path: read.append(path) or real(layout, path))
    return read


def weight_of(opened: Bank) -> ArchiveSize:
    with opened.opened() as index:
        return archive_size(index)


def oracle(scratch) -> ArchiveSize:
    """Every sidecar read anew."""
    found = store.listing(scratch.layout)[0]
    return ArchiveSize(len(found), sum(each.object_size for each in found), sum(each.size for each in found))


def paths(scratch) -> list:
    return sorted((scratch.root / "archive/by_date").rglob("*.json"))


def test_an_empty_archive_weighs_nothing(bank, fixed_clock):
    assert weight_of(Bank.open(str(bank().root), clock=fixed_clock)) == ArchiveSize(0, 0, 0)


def test_a_sidecar_is_read_once(archived, reads):
    scratch, opened = archived
    assert weight_of(opened) == oracle(scratch) and weight_of(opened).files == 3
    reads.clear()
    assert weight_of(opened) == weight_of(opened) and reads == []


def test_only_what_came_is_read_and_what_went_is_forgotten(archived, reads, fixed_clock):
    scratch, opened = archived
    weight_of(opened)
    scratch.write("planning/新しい.md", "x\n" * 99, days_old=90)
    gone = paths(scratch)[0]
    fixed_clock.instant += 5_000
    opened.rotation.execute(opened.rotation.plan(), yes=True)
    gone.unlink()
    reads.clear()
    told = weight_of(opened)
    assert told.files == 3 and ["新しい" in path for path in reads] == [True]
    assert told == oracle(scratch)
    reads.clear()
    assert weight_of(opened) == told and reads == []


@pytest.mark.parametrize("harm", [lambda path: path.write_bytes(b"{}"), lambda path: path.write_bytes(path.read_bytes().replace(b'"size"', b'"sise"'))])
def test_a_sidecar_that_cannot_be_trusted_any_more_weighs_nothing(archived, reads, harm):
    """Also when it was harmed in place and is as long as before; it is not read again and again."""
    scratch, opened = archived
    weight_of(opened)
    harm(paths(scratch)[1])
    assert weight_of(opened) == oracle(scratch) and weight_of(opened).files == 2
    reads.clear()
    assert weight_of(opened).files == 2 and reads == []


@pytest.fixture
def settled(archived, monkeypatch):
    """(scratch, Bank, the months that are listed from now on), after a look long after the archive was last changed."""
    scratch, opened = archived
    for month in {path.parent for path in paths(scratch)}:
        os.utime(month, (opened.clock.now() / 1000 - 60,) * 2)
    weight_of(opened)
    listed, real = [], files.sidecars
    monkeypatch.setattr(files, "sidecars", lambda layout, month: listed.append(month) or real(layout, month))
    return scratch, opened, listed


def test_a_folder_that_nobody_changed_is_not_listed(settled, reads):
    scratch, opened, listed = settled
    assert weight_of(opened).files == 3 and reads == listed == []
    assert weight_of(opened) == oracle(scratch)


def test_a_sidecar_that_was_harmed_in_place_is_noticed_without_listing_its_folder(settled):
    scratch, opened, listed = settled
    paths(scratch)[1].write_bytes(b"{}")
    assert weight_of(opened).files == 2 and listed == []
    assert weight_of(opened) == oracle(scratch)


@pytest.fixture
def examined(monkeypatch):
    """The names of the sidecars that were examined with `stat`, in order."""
    names, real = [], files.states
    monkeypatch.setattr(files, "states", lambda layout, month, listed: names.extend(listed) or real(layout, month, listed))
    return names


def test_the_sidecars_of_a_large_archive_are_examined_in_turn(settled, examined, reads, monkeypatch):
    scratch, opened, listed = settled
    monkeypatch.setattr("memorybank.index.archive_size._PORTION", 2)
    names = [path.name for path in paths(scratch)]
    for portion in ([0, 1], [2, 0], [1, 2], [0, 1]):
        examined.clear()
        assert weight_of(opened).files == 3 and examined == [names[number] for number in portion]
    assert reads == listed == []


@pytest.mark.parametrize("harmed", range(3))
def test_a_sidecar_of_a_large_archive_that_was_harmed_in_place_is_noticed_when_its_turn_comes(settled, monkeypatch, harmed):
    scratch, opened, listed = settled
    monkeypatch.setattr("memorybank.index.archive_size._PORTION", 2)
    paths(scratch)[harmed].write_bytes(b"{}")
    found = [weight_of(opened).files for _ in range(4)]
    assert found[:2] in ([2, 2], [3, 2]) and found[2:] == [2, 2] and listed == []
    assert weight_of(opened) == oracle(scratch)


@pytest.mark.parametrize("portion", [3, 4])
def test_every_sidecar_of_a_small_archive_is_examined_each_time(settled, examined, monkeypatch, portion):
    scratch, opened, _ = settled
    monkeypatch.setattr("memorybank.index.archive_size._PORTION", portion)
    for _ in range(3):
        examined.clear()
        assert weight_of(opened).files == 3
        assert sorted(examined) == [path.name for path in paths(scratch)]


def test_who_cannot_remember_where_it_stopped_examines_every_sidecar(settled, examined, monkeypatch):
    scratch, opened, _ = settled
    monkeypatch.setattr("memorybank.index.archive_size._PORTION", 2)
    weight_of(opened)
    examined.clear()
    assert weight_of(Bank.open(str(scratch.root), clock=opened.clock, read_only=True)).files == 3
    assert sorted(examined) == [path.name for path in paths(scratch)]


def test_a_sidecar_that_comes_or_goes_is_noticed(settled):
    scratch, opened, _ = settled
    gone = paths(scratch)[1]
    data = gone.read_bytes()
    gone.unlink()
    assert weight_of(opened) == oracle(scratch) and weight_of(opened).files == 2
    gone.write_bytes(data)
    assert weight_of(opened) == oracle(scratch) and weight_of(opened).files == 3


def test_a_sidecar_outside_the_months_weighs_nothing(archived):
    scratch, opened = archived
    elsewhere = paths(scratch)[0].parent / "copies"
    elsewhere.mkdir()
    (elsewhere / paths(scratch)[0].name).write_bytes(paths(scratch)[0].read_bytes())
    assert weight_of(opened) == oracle(scratch) and weight_of(opened).files == 3


def test_a_disk_that_cannot_be_read_now_is_asked_again(archived, monkeypatch):
    scratch, opened = archived
    with monkeypatch.context() as full:
        full.setattr(store, "read_sidecar", lambda *_: (_ for _ in ()).throw(ResourceExhausted("too many open files")))
        assert weight_of(opened).files == 0
    assert weight_of(opened) == oracle(scratch)


def test_a_name_that_is_not_utf8_is_no_sidecar(archived):
    scratch, opened = archived
    strange = os.fsencode(paths(scratch)[0].parent) + b"/20250917T123456Z-\xff-00000000.json"
    try:
        with open(strange, "wb") as stream:
            stream.write(b"{}")
    except OSError:
        pytest.skip("this file system takes no such name")
    assert weight_of(opened).files == 3


def test_nothing_is_written_for_who_may_only_read(archived):
    scratch, opened = archived
    before = scratch.snapshot()
    assert weight_of(Bank.open(str(scratch.root), clock=opened.clock, read_only=True)) == oracle(scratch)
    assert scratch.snapshot() == before


def test_while_another_process_writes_the_cache_the_weight_is_told_all_the_same(archived, reads):
    scratch, opened = archived
    with opened.opened() as other, database.transaction(other.connection), opened.opened() as index:
        index.connection.execute("PRAGMA busy_timeout = 0")
        assert archive_size(index) == oracle(scratch)
    reads.clear()
    assert weight_of(opened) == oracle(scratch) and len(reads) == 6, "three to weigh them again, three of the oracle"


def test_a_rebuild_forgets_what_was_known(archived):
    scratch, opened = archived
    weight_of(opened)
    with opened.opened() as index:
        index.connection.execute("UPDATE sidecars SET stored = 0")
    assert weight_of(opened).stored == 0, "the rows are what is asked"
    opened.index.rebuild()
    assert weight_of(opened) == oracle(scratch)
