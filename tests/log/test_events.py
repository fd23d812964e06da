"""The event log: no line is lost, duplicated or torn, however many write at the same time, and anybody can check the chain."""

import multiprocessing
import os

import pytest

from memorybank.clock import Clock, FixedClock, isoformat
from memorybank.log import chain, events, key
from memorybank.log.seal import blank
from memorybank.storage.layout import Layout

from .written import NOW, SESSION, append, line, verified


def test_lines_are_chained_and_an_independent_checker_agrees(layout):
    for number in range(5):
        assert append(layout, [line(number, f"echo 記憶 {number}", error="x" * 5000, lessons=["いつも uv を使う"])])
    assert verified(events.path_of(layout, SESSION), key.load(layout)) == 5
    assert [check.state for check in chain.check(layout)] == ["whole"]


def test_the_same_event_is_recorded_once(layout):
    """The hook installed twice, or a host that reads another host's settings."""
    assert len(append(layout, [line(1), line(2), line(1)])) == 2
    assert append(layout, [line(2)]) == []
    assert len(list(events.read(layout, events.names(layout)[0]))) == 2


def test_an_event_without_id_and_time_is_a_double_only_right_after_itself(layout):
    def stop(number, at, text="done"):
        return line(number, event="turn_end", outputs={"text": text}, anonymous=True, timestamp=isoformat(at))

    assert len(append(layout, [stop(1, NOW)])) == 1
    assert append(layout, [stop(2, NOW + 400)]) == []
    assert len(append(layout, [stop(3, NOW + 500, "something else")])) == 1
    assert len(append(layout, [stop(4, NOW + 600)])) == 1, "another one came between"
    assert len(append(layout, [stop(5, NOW + 5_700)])) == 1, "later than five seconds"
    assert not any("anonymous" in found.fields for found in events.read(layout, events.names(layout)[0]))


def test_epochs_open_at_startup_clear_and_compact_and_resume_keeps_them(layout):
    def start(number, source):
        return line(number, event="session_start", source=source)

    written = append(layout, [start(1, "startup"), line(2), start(3, "compact"), line(4), start(5, "resume"), line(6), start(7, "clear")])
    assert [fields["epoch"] for fields in written] == [1, 1, 2, 2, 2, 2, 3]


def test_a_start_that_its_first_prompt_overtook_begins_no_second_epoch(layout):
    """Copilot runs the hooks of the first prompt while those of the session's start still run."""
    prompt = line(900, event="prompt", inputs={"text": "検索を直して"})
    start = line(2, event="session_start", source="startup")
    assert [fields["epoch"] for fields in append(layout, [prompt])] == [1]
    assert [fields["epoch"] for fields in append(layout, [start, line(3)])] == [1, 1]
    again = line(1_000, event="session_start", source="startup")
    assert [fields["epoch"] for fields in append(layout, [again])] == [2], "a second start is another conversation"


@pytest.mark.parametrize(
    "start",
    [
        {"source": "clear"},
        {"source": "compact"},
        {"source": "startup", "reason": "resume"},
        {"source": "startup", "timestamp": isoformat(NOW + 60_000)},
    ],
    ids=["clear", "compact", "resume", "later"],
)
def test_any_other_start_begins_one_though_none_was_seen_before(layout, start):
    append(layout, [line(1)])
    assert [fields["epoch"] for fields in append(layout, [line(2, event="session_start", **start)])] == [2]


def test_a_ticket_named_in_a_prompt_holds_until_another_is_named(layout):
    append(layout, [line(1, event="prompt", task_id="ABC-7", task_from="prompt")])
    append(layout, [line(2, task_id="feature/x", task_from="branch")])
    append(layout, [line(3)])
    append(layout, [line(4, event="prompt", task_id="ABC-8", task_from="prompt"), line(5)])
    append(layout, [line(6, task_id="forced", task_from="environment"), line(7)])
    assert [found.fields["task_id"] for found in events.read(layout, events.names(layout)[0])] == ["ABC-7", "ABC-7", "ABC-7", "ABC-8", "ABC-8", "forced", None]


@pytest.mark.parametrize("end", [b"", b"\n"], ids=["torn", "closed by a later writer"])
def test_an_event_of_which_only_a_part_was_written_is_recorded_when_it_comes_again(layout, end):
    """A hook's line that waits in the spool, or an import that was interrupted, is written again after a kill in the middle of a write."""
    append(layout, [line(1), line(2)])
    path = events.path_of(layout, SESSION)
    with open(path, "r+b") as stream:
        stream.truncate(os.path.getsize(path) - 40)
        stream.seek(0, os.SEEK_END)
        stream.write(end)
    assert [one["id"] for one in append(layout, [line(1), line(2)])] == [line(2)["id"]]
    assert append(layout, [line(1), line(2)]) == []
    assert [one.fields["id"] for one in events.read(layout, events.name_of(SESSION))] == [line(1)["id"], line(2)["id"]]


def test_a_torn_tail_is_closed_skipped_and_named(layout):
    append(layout, [line(1), line(2)])
    path = events.path_of(layout, SESSION)
    with open(path, "rb+") as stream:
        stream.truncate(os.path.getsize(path) - 40)
    assert [check.state for check in chain.check(layout)] == ["open"]
    append(layout, [line(3)])
    check = chain.check(layout)[0]
    assert (check.state, check.lines, [fault.code for fault in check.faults]) == ("whole", 2, ["line_torn"])


@pytest.mark.parametrize("change", ["alter", "remove", "swap", "text"])
def test_a_line_that_was_changed_is_named(layout, change):
    append(layout, [line(number) for number in range(4)])
    path = events.path_of(layout, SESSION)
    from memorybank.log import lines as log_lines

    found = [entry.fields for entry in log_lines.read(path)]
    if change == "alter":
        found[1]["status"] = "failure"
    elif change == "text":
        found[1]["inputs"] = {"command": "rm -rf /"}
    elif change == "remove":
        del found[1]
    else:
        found[1], found[2] = found[2], found[1]
    with open(path, "wb") as stream:
        stream.write(b"".join(map(log_lines.encode, found)))
    check = chain.check(layout)[0]
    assert check.state == "faulty"
    assert check.faults[0].line == 2 and check.faults[0].code == ("text_altered" if change == "text" else "chain_broken")


def test_without_the_key_nothing_is_claimed(layout):
    append(layout, [line(1)])
    os.unlink(key.path(layout))
    assert [check.state for check in chain.check(layout)] == ["unknown"]


def test_a_purged_text_leaves_the_chain_whole(layout):
    append(layout, [line(number) for number in range(3)])
    path = events.path_of(layout, SESSION)
    from memorybank.log import lines as log_lines

    found = [entry.fields for entry in log_lines.read(path)]
    found[1]["inputs"] = blank(found[1]["inputs"])
    with open(path, "wb") as stream:
        stream.write(b"".join(map(log_lines.encode, found)))
    check = chain.check(layout)[0]
    assert (check.state, check.purged) == ("whole", 1)


def test_a_busy_lock_spools_and_the_next_writer_brings_it_home(layout, impatient_clock):
    """Lines are never dropped: they keep their own time and id, and the chain includes the merged line."""
    from memorybank.storage import appending

    append(layout, [line(1)])
    with appending.Appending(events.path_of(layout, SESSION), FixedClock(NOW), 1.0):
        assert append(layout, [line(2)], impatient_clock) is None
        assert append(layout, [line(2)], impatient_clock) is None
    assert len(os.listdir(os.path.join(layout.log, "spool"))) == 2
    assert [fields["id"] for fields in append(layout, [line(3)])] == [f"{3:032x}"]
    assert [found.fields["id"][-1] for found in events.read(layout, events.names(layout)[0])] == ["1", "2", "3"]
    assert os.listdir(os.path.join(layout.log, "spool")) == []
    assert verified(events.path_of(layout, SESSION), key.load(layout)) == 3


def spooled(layout, number, impatient_clock, session=SESSION):
    """Append a line while somebody holds the log, so that it waits in the spool."""
    from memorybank.storage import appending

    os.makedirs(events.folder(layout), exist_ok=True)
    with appending.Appending(events.path_of(layout, session), FixedClock(NOW), 1.0):
        writer = events.EventWriter(layout, key.ensure(layout), impatient_clock, 2000)
        assert writer.append(session, [line(number, session_id=session)]) is None


def test_a_spool_goes_only_after_its_lines_were_synced(layout, impatient_clock, monkeypatch):
    """Also where lines are not synced otherwise: the spool is the only other place where they are."""
    from memorybank.storage import appending, disk

    happened = []
    real = disk.remove
    monkeypatch.setattr(appending.os, "fdatasync", lambda descriptor: happened.append("synced"))
    monkeypatch.setattr(disk, "remove", lambda path: (happened.append("removed"), real(path)))
    append(layout, [line(1)])
    assert happened == []
    spooled(layout, 2, impatient_clock)
    append(layout, [line(3)])
    assert happened == ["synced", "removed"]


def test_a_writer_that_fails_leaves_the_spool_to_the_next(layout, impatient_clock, monkeypatch):
    from memorybank.storage import appending

    spooled(layout, 1, impatient_clock)
    with monkeypatch.context() as patch:
        patch.setattr(appending.Appending, "write", lambda *_, **__: (_ for _ in ()).throw(KeyboardInterrupt))
        with pytest.raises(KeyboardInterrupt):
            append(layout, [line(2)])
    append(layout, [line(3)])
    assert [found.fields["id"][-1] for found in events.read(layout, events.names(layout)[0])] == ["1", "3"]


def test_a_writer_takes_only_the_spool_of_its_own_session(layout, impatient_clock):
    """One session's id can be the beginning of another one's."""
    spooled(layout, 1, impatient_clock, SESSION + "-2")
    append(layout, [line(2)])
    assert [found.fields["id"][-1] for found in events.read(layout, events.name_of(SESSION))] == ["2"]
    assert len(os.listdir(os.path.join(layout.log, "spool"))) == 1


def test_of_two_processes_that_create_the_key_both_use_the_same(layout, monkeypatch):
    from memorybank.storage import disk

    real = disk.make_directories

    def meanwhile(path, *arguments, **options):
        real(path, *arguments, **options)
        with open(key.path(layout), "w", encoding="ascii") as stream:
            stream.write("ab" * key.BYTES)

    monkeypatch.setattr(disk, "make_directories", meanwhile)
    assert key.ensure(layout) == bytes.fromhex("ab" * key.BYTES) == key.load(layout)


def test_the_key_is_readable_by_its_owner_alone(layout):
    key.ensure(layout)
    assert os.stat(key.path(layout)).st_mode & 0o777 == 0o600


@pytest.mark.parametrize(
    ("session", "safe"), [("abc-DEF_1", True), ("../../etc/passwd", False), ("", False), ("a" * 65, False), ("記憶", False), ("a.b", False)]
)
def test_only_a_safe_session_id_names_a_file(session, safe):
    name = events.name_of(session)
    assert name == f"{session}.jsonl" if safe else len(name) == 38 and "/" not in name


def _writer(root: str, number: int, count: int, size: int) -> None:
    layout = Layout(root)
    secret = key.ensure(layout)
    clock = Clock()
    for index in range(count):
        events.EventWriter(layout, secret, clock, size + 100).append(SESSION, [line(number * 1_000_000 + index, "x" * size)], timeout=30.0)


@pytest.mark.slow
@pytest.mark.parametrize("size", [100, 20_000])
def test_eight_writers_lose_double_and_tear_nothing(layout, size, request):
    """8 processes, with lines of 100 B and 20 kB; the full number of lines is written only under --all."""
    count = (2_000 if request.config.getoption("--all") else 150) if size == 100 else (2_000 if request.config.getoption("--all") else 60)
    context = multiprocessing.get_context("fork")
    writers = [context.Process(target=_writer, args=(layout.root, number, count, size)) for number in range(8)]
    for writer in writers:
        writer.start()
    for writer in writers:
        writer.join(300)
        assert writer.exitcode == 0
    identifiers = [found.fields["id"] for found in events.read(layout, events.names(layout)[0])]
    assert len(identifiers) == len(set(identifiers)) == 8 * count
    assert verified(events.path_of(layout, SESSION), key.load(layout)) == 8 * count
