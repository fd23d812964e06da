"""The line format of the logs: a line is complete or invalid, never half read, and one damaged line does not affect others."""

from hypothesis import given
from hypothesis import strategies as st

from memorybank.clock import Clock, FixedClock
from memorybank.log import access, lines
from memorybank.log.access import AccessLine

VALUES = st.recursive(st.none() | st.booleans() | st.integers(-(2**53), 2**53) | st.text(max_size=20), lambda inner: st.lists(inner, max_size=3), max_leaves=5)
ENTRIES = st.dictionaries(st.text(min_size=1, max_size=8).filter(lambda name: name != "crc"), VALUES, min_size=1, max_size=5)


@given(ENTRIES)
def test_a_line_reads_back_as_written_and_holds_no_line_end(entry):
    line = lines.encode(entry)
    assert line.count(b"\n") == 1
    decoded = lines.decode(line[:-1])
    decoded.pop("crc", None)
    assert decoded == entry


@given(ENTRIES, st.data())
def test_any_changed_byte_makes_a_line_invalid(entry, data):
    line = bytearray(lines.encode(entry)[:-1])
    at = data.draw(st.integers(0, len(line) - 1))
    line[at] ^= data.draw(st.integers(1, 255))
    decoded = lines.decode(bytes(line))
    assert decoded is None or at < 0


@given(st.binary(max_size=200))
def test_decode_never_raises(data):
    lines.decode(data)


def test_a_log_cut_at_every_byte_of_its_last_lines_costs_at_most_the_torn_one(tmp_path):
    path = str(tmp_path / "log.jsonl")
    entries = [{"number": number, "語": "検索" * number} for number in range(4)]
    lines.append(path, entries, clock=Clock())
    whole = (tmp_path / "log.jsonl").read_bytes()
    ends = [line.end for line in lines.read(path)]
    for cut in range(ends[1], len(whole) + 1):
        (tmp_path / "log.jsonl").write_bytes(whole[:cut])
        assert len(list(lines.read(path))) == sum(end <= cut for end in ends)
        lines.append(path, [{"later": True}], clock=Clock())
        assert [line.fields for line in lines.read(path)][-1] == {"later": True}
        assert len(list(lines.read(path))) in (sum(end <= cut for end in ends) + 1, sum(end <= cut + 1 for end in ends) + 1)


def test_reading_goes_on_from_an_offset(tmp_path):
    path = str(tmp_path / "log.jsonl")
    lines.append(path, [{"n": 1}, {"n": 2}], clock=Clock())
    first, second = lines.read(path)
    assert [line.fields for line in lines.read(path, first.end)] == [{"n": 2}]
    assert lines.append(path, [{"n": 3}], clock=Clock()) == second.end
    assert list(lines.read(str(tmp_path / "missing.jsonl"))) == []


def test_access_lines_keep_every_field_and_unknown_ones_are_skipped(bank):
    layout = bank().layout
    entries = [AccessLine("seen", "a.md", 1000, "ab" * 32, 500), AccessLine("view", "共有/用語.md", 2000), AccessLine("dwell", "a.md", 3000, minutes=2.5)]
    access.append(layout, entries, FixedClock(0))
    lines.append(access.path(layout), [{"kind": "unheard of", "path": "a.md", "at": "1970-01-01T00:00:04.000Z"}, {"kind": "view"}], clock=FixedClock(0))
    assert [entry for _, entry in access.read(layout)] == entries


def test_read_backwards_a_log_of_any_length_has_the_same_lines(tmp_path):
    """Lines that lie across two blocks, lines longer than a block, and a torn tail included."""
    path = str(tmp_path / "log.jsonl")
    entries = [{"number": number, "語": "検索" * (number % 97) + "x" * (200_000 if number == 700 else 0)} for number in range(1_500)]
    lines.append(path, entries, clock=Clock())
    with open(path, "ab") as stream:
        stream.write(b'{"number":')
    assert [fields["number"] for fields in lines.newest_first(path)] == list(range(1_499, -1, -1))
