"""Event logs that nobody continues are compressed: every reader sees the same lines at the same offsets, a session can go on, and nothing is counted twice."""

import os
from pathlib import Path

import pytest
import zstandard

from memorybank.clock import DAY, FixedClock
from memorybank.errors import MemorybankError
from memorybank.log import chain, compressing, events, key, lines, sessions
from memorybank.log.purge import expire, purge
from memorybank.storage import appending, compressed
from memorybank.text.secrets.needle import PurgeNeedle
from memorybank.transfer import contents
from tests.crash.recorder import CHANGES, READS, Counting, Failing, replaced

from .written import NOW, SESSION, append, line, verified

OLD, YOUNG = NOW - 40 * DAY, NOW - 30 * DAY
UNTIL = NOW - 31 * DAY
OTHER = "別のセッション"
LEAK = "合言葉はガギグゲゴです"


def entries(count=40, first=1, **more):
    return [line(number, f"make 目標{number} {'x' * 90}", **more) for number in range(first, first + count)]


def aged(path, at=OLD):
    os.utime(path, ns=(at * 1_000_000, at * 1_000_000))


@pytest.fixture
def path(layout):
    """An old log of a session."""
    append(layout, entries())
    aged(events.path_of(layout, SESSION))
    return Path(events.path_of(layout, SESSION))


def packed(path):
    return Path(f"{path}.zst")


def run(layout, at=NOW):
    return compressing.compress(layout, UNTIL, FixedClock(at))


def read_everything(layout):
    """What every reader of event logs says about a bank."""
    path = events.path_of(layout, SESSION)
    found = list(lines.complete_lines(path))
    middle = found[len(found) // 2][0] if found else 0
    exported = {file.path: (file.data, file.mtime_ns) for file in contents.collect(layout) if file.path.startswith(contents.EVENTS)}
    return {
        "lines": found,
        "from the middle": list(lines.complete_lines(path, middle)),
        "fields": [(each.offset, each.end, each.fields) for each in lines.read(path)],
        "containing": list(lines.read_containing(path, "目標7".encode())),
        "backwards": list(lines.newest_first(path)),
        "problems": list(lines.problems(path, "log")),
        "size": (lines.size(path), lines.is_closed(path), [lines.size(events.path_of(layout, each)) for each in (SESSION, OTHER)]),
        "names": (events.names(layout), events.listed(layout)),
        "tail": (events.end_of(layout, SESSION), list(events.peek(layout, SESSION))),
        "sessions": (sessions.listing(layout), sessions.last(layout), sessions.newest(layout, 9), sessions.find(layout, SESSION[:6])),
        "chain": chain.check(layout),
        "export": exported,
        "dates": compressed.modified_ns(path),
    }


def test_every_reader_says_the_same_of_a_compressed_log(layout, path):
    append(layout, entries(session_id=OTHER), session=OTHER)
    before, data, mtime = read_everything(layout), path.read_bytes(), path.stat().st_mtime_ns
    report = run(layout)
    assert (report.logs, report.before, report.after) == (1, len(data), packed(path).stat().st_size)
    assert report.after < report.before / 3
    assert not path.exists() and (packed(path).stat().st_mtime_ns, packed(path).stat().st_mode & 0o777) == (mtime, 0o600)
    assert read_everything(layout) == before
    assert before["chain"][0].state == "whole"


def test_any_zstd_gives_the_log_back(layout, path):
    """The way back without memorybank: `zstd -d --rm log/events/*.zst`."""
    data = path.read_bytes()
    run(layout)
    assert zstandard.ZstdDecompressor().decompress(packed(path).read_bytes()) == data
    path.write_bytes(data)
    packed(path).unlink()
    assert verified(str(path), key.load(layout)) == 40


@pytest.mark.parametrize(("age", "size"), [(YOUNG, 40), (OLD, 2)], ids=["young", "small"])
def test_what_is_young_or_small_stays(layout, age, size):
    append(layout, entries(size))
    aged(events.path_of(layout, SESSION), age)
    before = Path(events.path_of(layout, SESSION)).read_bytes()
    assert run(layout).logs == 0
    assert Path(events.path_of(layout, SESSION)).read_bytes() == before


def test_the_day_decides(layout, path):
    aged(path, UNTIL)
    assert run(layout).logs == 0
    aged(path, UNTIL - 1)
    assert run(layout).logs == 1


def test_a_log_that_is_too_large_to_be_held_in_memory_stays(layout, path, monkeypatch):
    monkeypatch.setattr(compressed, "MOST_BYTES", path.stat().st_size - 1)
    assert run(layout).logs == 0 and path.exists()


def test_a_log_that_somebody_writes_is_left_for_the_next_run(layout, path):
    with appending.Appending(str(path), FixedClock(NOW), 1):
        assert run(layout).logs == 0
    assert run(layout).logs == 1


def test_a_session_goes_on_in_one_chain(layout, path):
    run(layout)
    assert append(layout, entries(2, first=40)) is not None
    assert not packed(path).exists()
    assert verified(str(path), key.load(layout)) == 41, "line 40 was recorded before, so it is not recorded again"
    assert [each.fields["id"] for each in lines.read(str(path))][-1] == f"{41:032x}"
    assert path.stat().st_mtime_ns // 1_000_000 > UNTIL, "it is in use again"


@pytest.mark.parametrize("plain", ["whole", "empty", "longer", "shorter"])
def test_of_two_files_each_event_counts_once(layout, path, plain):
    """What a kill leaves: while the log was compressed, while a writer put it back, while `zstd -d` wrote."""
    data = path.read_bytes()
    run(layout)
    path.write_bytes({"whole": data, "empty": b"", "longer": data, "shorter": data[:-999]}[plain])
    if plain == "longer":
        append(layout, entries(1, first=41))
        compressed.pack(str(path), data, OLD)
        path.write_bytes(data)
    if plain != "shorter":
        assert [each.fields["id"] for each in events.read(layout, path.name)] == [f"{number:032x}" for number in range(1, 41)]
    append(layout, entries(1, first=50))
    assert not packed(path).exists() and verified(str(path), key.load(layout)) == 41


def test_the_next_run_settles_two_files(layout, path):
    data = path.read_bytes()
    run(layout)
    path.write_bytes(data)
    aged(path, YOUNG)
    assert run(layout).logs == 0
    assert path.read_bytes() == data and not packed(path).exists()


def test_what_an_older_memorybank_added_to_a_compressed_session_is_kept(layout, path):
    """It sees no log and begins one. Its lines follow the earlier ones, which nothing overwrites."""
    data = path.read_bytes()
    run(layout)
    append(layout, entries(3, first=60), session="elsewhere")
    path.write_bytes(added := Path(events.path_of(layout, "elsewhere")).read_bytes())
    run(layout)
    assert path.read_bytes() == data + added and not packed(path).exists()


@pytest.fixture
def damaged(layout, path):
    run(layout)
    frame = bytearray(packed(path).read_bytes())
    frame[len(frame) // 2] ^= 0xFF
    packed(path).write_bytes(frame)
    return path


def test_damage_is_named_keeps_the_offsets_and_is_never_replaced(layout, damaged):
    size, frame = lines.size(str(damaged)), packed(damaged).read_bytes()
    assert sum(len(raw) + 1 for _, _, raw in lines.complete_lines(str(damaged))) == size
    check = chain.check(layout)[0]
    assert check.state == "faulty" and any("damaged" in fault.message for fault in check.faults)
    append(layout, entries(1, first=70))
    aged(damaged)
    run(layout)
    assert [each.fields["id"] for each in lines.read(str(damaged))] == [f"{70:032x}"]
    assert packed(damaged).read_bytes() == frame


@pytest.mark.parametrize("content", [b"", b"\x28\xb5\x2f\xfd", b"no frame\n" * 9, b"\x28\xb5\x2f\xfd\xff" + b"\xff" * 30], ids=range(4))
def test_no_content_of_a_compressed_file_stops_a_reader(layout, path, content):
    run(layout)
    packed(path).write_bytes(content)
    assert list(events.read(layout, path.name)) == [] and chain.check(layout)[0].state == "faulty"
    assert events.names(layout) == [path.name] and len(contents.collect(layout)) > 0


def test_purge_removes_a_text_from_a_compressed_log(layout, path):
    append(layout, [line(90, f"echo {LEAK}")])
    aged(path)
    before = [(each.offset, each.end) for each in lines.read(str(path))]
    run(layout)
    assert purge(layout, PurgeNeedle(LEAK), FixedClock(NOW)).fields == 1
    assert not packed(path).exists() and not PurgeNeedle(LEAK).is_in(path.read_bytes())
    assert [(each.offset, each.end) for each in lines.read(str(path))] == before
    assert verified(str(path), key.load(layout), purged=True) == 41
    assert run(layout).logs == 1, "it is as old as before, so it is compressed again"


def test_old_texts_expire_in_a_compressed_log(layout, path):
    append(layout, [line(91, event="prompt", tool=None, inputs={"text": LEAK}, at=OLD)])
    aged(path)
    run(layout)
    assert expire(layout, UNTIL, FixedClock(NOW)).fields == 1
    assert LEAK not in path.read_text(encoding="utf-8")


def test_a_failing_disk_loses_nothing(layout, path, tmp_path):
    """At every change and reading of the disk, once and from then on: no space, an error, a disk that became read-only."""
    data, counting = path.read_bytes(), Counting(CHANGES + READS)
    with replaced(counting):
        run(layout)
    packed(path).unlink()
    failures = 0
    for k in range(len(counting.calls)):
        for number, forever in ((28, False), (28, True), (5, False), (30, True)):
            path.write_bytes(data)
            aged(path)
            try:
                with replaced(Failing(k, number, forever=forever)):
                    run(layout)
            except MemorybankError:
                failures += 1
            assert compressed.read(str(path)) == data, (counting.calls[k], number, forever)
            assert run(layout).logs <= 1
            assert compressed.read(str(path)) == data and not [name for name in os.listdir(path.parent) if "tmp" not in name and name not in _allowed(path)]
            path.unlink(missing_ok=True)
            packed(path).unlink(missing_ok=True)
    assert failures > 40


def _allowed(path):
    return path.name, packed(path).name
