"""`dates.jsonl`: what is written is read again, any mixture of lines is a record, and nothing else is lost or believed."""

import json
import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memorybank.clock import FixedClock
from memorybank.editing import dating
from memorybank.notes import date_record
from memorybank.notes.date_record import ADOPT, INIT, BankStart, DateRecord, RecordedNote
from memorybank.storage.layout import Layout

NOW = 1_758_112_496_789
CLOCK = FixedClock(NOW)
A = RecordedNote.of("a.md", "a" * 64, NOW - 9, NOW - 5, None)
B = RecordedNote.of("設計/用語 集.md", "b" * 64, NOW - 8, NOW - 4, 3)


@pytest.fixture
def layout(tmp_path):
    (tmp_path / "active").mkdir()
    return Layout(str(tmp_path))


def lines(layout):
    with open(date_record.path(layout), encoding="utf-8") as stream:
        return stream.read().split("\n")[:-1]


def test_what_is_written_is_read_again_sorted_and_once(layout):
    dating.begin(layout, INIT, CLOCK)
    dating.put(layout, [B, A], CLOCK)
    dating.put(layout, [A], CLOCK)
    assert date_record.read(layout) == DateRecord((BankStart(INIT, NOW),), (A, B))
    assert [json.loads(line) for line in lines(layout)] == [
        {"kind": "init", "at": "2025-09-17T12:34:56.789Z"},
        {"path": "a.md", "sha256": "a" * 16, "created": "2025-09-17T12:34:56.780Z", "modified": "2025-09-17T12:34:56.784Z"},
        {"path": "設計/用語 集.md", "sha256": "b" * 16, "created": "2025-09-17T12:34:56.781Z", "modified": "2025-09-17T12:34:56.785Z", "edits": 3},
    ]


def test_a_note_has_one_line_after_each_change_of_it(layout):
    dating.put(layout, [A, B], CLOCK)
    newer = RecordedNote.of("a.md", "c" * 64, NOW - 9, NOW, 1)
    dating.put(layout, [newer], CLOCK)
    assert date_record.read(layout).notes == (newer, B)
    dating.put(layout, [], CLOCK, without=["a.md"])
    assert date_record.read(layout).notes == (B,)
    dating.put_all(layout, [A], CLOCK)
    assert date_record.read(layout).notes == (A,)


def test_a_note_that_was_created_in_the_meantime_keeps_its_line(layout, tmp_path):
    """Its line was written after the caller looked at the notes."""
    (tmp_path / "active" / "new.md").write_text("new\n")
    new, gone, hostile = (RecordedNote.of(key, "d" * 64, NOW, NOW, None) for key in ("new.md", "gone.md", "../new.md"))
    dating.put(layout, [new, gone, hostile], CLOCK)
    dating.put_all(layout, [A], CLOCK)
    assert date_record.read(layout).notes == (A, new)


def test_the_latest_start_counts(layout):
    assert date_record.read(layout).start is None
    dating.begin(layout, INIT, FixedClock(NOW - 100))
    dating.begin(layout, ADOPT, CLOCK)
    dating.begin(layout, INIT, FixedClock(NOW - 50))
    assert date_record.read(layout).start == BankStart(ADOPT, NOW)


def test_an_equal_record_is_not_written_again(layout):
    dating.put(layout, [A], CLOCK)
    before = date_record.state(layout)
    dating.put(layout, [A], CLOCK)
    assert date_record.state(layout) == before != ""


def test_markers_of_a_conflict_and_foreign_lines_are_skipped_and_then_dropped(layout):
    dating.put(layout, [A], CLOCK)
    hostile = [
        "<<<<<<< HEAD",
        "=======",
        ">>>>>>> main",
        "",
        "[]",
        "null",
        '{"path": 1}',
        '{"kind": "init", "at": "soon"}',
        '{"kind": "end", "at": "2025-01-01"}',
    ]
    hostile += [
        '{"path":"x.md","sha256":"short","created":"2025-01-01","modified":"2025-01-01"}',
        "\udcff".encode("utf-8", "surrogateescape").decode("latin-1"),
    ]
    hostile += ['{"path":"y.md","sha256":"0123456789abcdef","created":"2025-13-01","modified":"2025-01-01"}', '{"a":' * 5_000]
    with open(date_record.path(layout), "a", encoding="utf-8") as stream:
        stream.write("\r\n".join(hostile))
    assert date_record.read(layout) == DateRecord((), (A,))
    dating.put(layout, [B], CLOCK)
    assert len(lines(layout)) == 2


def test_an_odd_number_of_edits_is_unknown(layout):
    for edits in (-1, True, "3", 1.5, None):
        line = {"path": "a.md", "sha256": "a" * 16, "created": "2025-01-01", "modified": "2025-01-02", "edits": edits}
        with open(date_record.path(layout), "w", encoding="utf-8") as stream:
            stream.write(json.dumps(line))
        assert date_record.read(layout).notes[0].edits is None


@given(st.lists(st.tuples(st.text(min_size=1, max_size=9), st.integers(0, 2**40), st.integers(0, 2**40), st.none() | st.integers(0, 99)), max_size=20))
def test_any_order_of_the_lines_is_the_same_record(tmp_path_factory, drawn):
    layout = Layout(str(tmp_path_factory.mktemp("bank")))
    notes = [RecordedNote.of(key, f"{number:064x}", created, modified, edits) for number, (key, created, modified, edits) in enumerate(drawn)]
    dating.put_all(layout, notes, CLOCK)
    if not notes:
        return
    found = set(date_record.read(layout).notes)
    assert found == set(notes)
    shuffled = lines(layout)
    random.Random(1).shuffle(shuffled)
    with open(date_record.path(layout), "w", encoding="utf-8") as stream:
        stream.write("\n".join(shuffled))
    assert set(date_record.read(layout).notes) == found


def test_the_first_record_brings_the_attributes_unless_there_are_some(layout, tmp_path):
    dating.put(layout, [A], CLOCK)
    assert b"dates.jsonl merge=union" in (tmp_path / ".gitattributes").read_bytes()
    (tmp_path / "dates.jsonl").unlink()
    (tmp_path / ".gitattributes").write_text("mine\n")
    dating.put(layout, [A], CLOCK)
    assert (tmp_path / ".gitattributes").read_text() == "mine\n"


def test_a_missing_or_unreadable_file_is_an_empty_record(layout, tmp_path):
    assert (date_record.read(layout), date_record.state(layout)) == (DateRecord(), "")
    (tmp_path / "dates.jsonl").mkdir()
    assert date_record.read(layout) == DateRecord()
