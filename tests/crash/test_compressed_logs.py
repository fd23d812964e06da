"""An event log is compressed, continued or purged, and the machine stops anywhere: each event is in the log exactly once, and the next command finishes.

The states are those of a power loss, from a recorded trace, and those that SIGKILL really leaves.
"""

import os
import shutil
import signal
from collections.abc import Callable
from dataclasses import dataclass
from multiprocessing import Process
from pathlib import Path

import pytest
import zstandard

from memorybank.clock import DAY, Clock, FixedClock
from memorybank.errors import LockTimeout
from memorybank.log import chain, events, key, lines
from memorybank.log.compressing import compress
from memorybank.log.purge import purge
from memorybank.storage.layout import Layout
from memorybank.text.secrets.needle import PurgeNeedle
from tests.crash.disk_model import Model
from tests.crash.explorer import scratch
from tests.crash.recorder import Counting, Killing, Passing, Recorder, replaced
from tests.log.written import NOW, SESSION, append, line, verified

pytestmark = pytest.mark.slow

FLOOR = 45
COUNT, NEXT, LAST = 40, 41, 42
LEAK = "合言葉はガギグゲゴです"
_counts: dict[str, int] = {}


def prepare(layout: Layout) -> None:
    append(layout, [line(number, f"make 目標{number} {'x' * 90}") for number in range(1, COUNT)] + [line(COUNT, f"echo {LEAK}")])
    make_old(layout)


def make_old(layout: Layout) -> None:
    os.utime(events.path_of(layout, SESSION), ns=((NOW - 60 * DAY) * 1_000_000,) * 2)


def prepare_compressed(layout: Layout) -> None:
    prepare(layout)
    run_compress(layout)


def prepare_both(layout: Layout) -> None:
    prepare(layout)
    data = Path(events.path_of(layout, SESSION)).read_bytes()
    run_compress(layout)
    Path(events.path_of(layout, SESSION)).write_bytes(data)
    make_old(layout)


def run_compress(layout: Layout) -> None:
    compress(layout, NOW - 31 * DAY, FixedClock(NOW))


def run_append(layout: Layout) -> None:
    append(layout, [line(NEXT)], durable=True)


def run_purge(layout: Layout) -> None:
    purge(layout, PurgeNeedle(LEAK), FixedClock(NOW))


@dataclass(frozen=True)
class Written:
    """prepare: makes the log; run: what is interrupted, and what runs again afterwards; needed: kinds of syncs without which a state loses events."""

    name: str
    prepare: Callable[[Layout], None]
    run: Callable[[Layout], None]
    needed: int = 0


WRITTEN = (
    Written("compress", prepare, run_compress, 2),
    Written("compress again after a kill", prepare_both, run_compress, 2),
    Written("append to a compressed log", prepare_compressed, run_append, 2),
    Written("append to one that a kill left twice", prepare_both, run_append),
    Written("purge a compressed log", prepare_compressed, run_purge, 2),
)
EACH = pytest.mark.parametrize("written", WRITTEN, ids=lambda written: written.name)


def made(written: Written, folder: str) -> Layout:
    layout = Layout(os.path.join(folder, "bank"))
    os.makedirs(layout.root)
    with replaced(Passing()):
        written.prepare(layout)
    return layout


def wrong(root: str) -> list[str]:
    """What is wrong with the log in a state: events that are missing or doubled, for the product's readers and in the files themselves."""
    layout = Layout(root)
    path = Path(events.path_of(layout, SESSION))
    found = [int(str(each.fields["id"]), 16) for each in events.read(layout, path.name)]
    expected = list(range(1, COUNT + 1))
    said = [] if found in (expected, [*expected, NEXT]) else [f"events {found}"]
    plain = path.read_bytes() if path.exists() else b""
    if not plain:
        plain = zstandard.ZstdDecompressor().decompress(Path(f"{path}.zst").read_bytes())
    said += [f"event {number} is missing in the file" for number in expected if b'"id":"%032x"' % number not in plain]
    return said + ([] if events.names(layout) == [path.name] else [f"logs {events.names(layout)}"])


def finished(written: Written, root: str) -> list[str]:
    """Run the command again, and return what it did not finish."""
    layout = Layout(root)
    with replaced(Passing()):
        written.run(layout)
    said = wrong(root)
    path = Path(events.path_of(layout, SESSION))
    kept = sorted(name for name in os.listdir(path.parent) if not name.startswith(".mb-tmp-"))
    said += [] if len(kept) == 1 else [f"files {kept}"]
    said += [] if chain.check(layout)[0].state == "whole" else ["the chain is broken"]
    if written.run is run_purge and PurgeNeedle(LEAK).is_in(path.read_bytes()):
        said.append("the text is still there")
    return said


def explored(written: Written, folder: str, before: str, trace: list[tuple], *, follow: bool) -> tuple[int, list[str]]:
    """Return (number of states, what is wrong in them)."""
    count, said = 0, []
    for where, state in Model(before).crashes(trace):
        count += 1
        root = os.path.join(folder, "state")
        state.write_to(root)
        try:
            said += [f"{where}: {each}" for each in (*wrong(root), *(finished(written, root) if follow else ()))]
        except Exception as error:
            said.append(f"{where}: {type(error).__name__}: {error}")
        shutil.rmtree(root)
    return count, said


def recorded(written: Written, folder: str) -> tuple[str, list[tuple]]:
    """Return (a copy of the bank before the command, what the command changed on the disk)."""
    layout = made(written, folder)
    before = shutil.copytree(layout.root, os.path.join(folder, "before"))
    recorder = Recorder(layout.root)
    with replaced(recorder):
        written.run(layout)
    return before, recorder.trace


@EACH
def test_a_power_loss_loses_and_doubles_no_event(written):
    with scratch() as folder:
        count, said = explored(written, folder, *recorded(written, folder), follow=True)
    _counts[written.name] = count
    assert said == []


def test_enough_states_were_enumerated(capsys):
    if len(_counts) < len(WRITTEN):
        pytest.skip("counts the states of the tests above, so it runs with them")
    with capsys.disabled():
        print(f"\nstates of compressed logs: {sum(_counts.values())}, each followed by the next command, 0 events lost or doubled")
    assert sum(_counts.values()) >= FLOOR


@pytest.mark.parametrize("written", [each for each in WRITTEN if each.needed], ids=lambda written: written.name)
def test_a_sync_that_is_left_out_is_noticed(written):
    """Otherwise the states above would prove nothing about a power loss."""
    with scratch() as folder:
        before, trace = recorded(written, folder)
        syncs = [number for number, step in enumerate(trace) if step[0] in ("sync", "sync_folder")]
        noticed = sum(bool(explored(written, folder, before, trace[:number] + trace[number + 1 :], follow=False)[1]) for number in syncs)
    assert noticed >= written.needed


@EACH
def test_a_killed_process_loses_and_doubles_no_event(written):
    with scratch() as folder:
        layout, counting = made(written, folder), Counting()
        before = shutil.copytree(layout.root, os.path.join(folder, "before"))
        with replaced(counting):
            written.run(layout)
        for k in range(len(counting.calls)):
            root = shutil.copytree(before, os.path.join(folder, f"killed{k}"))
            assert killed(written, root, k) == signal.SIGKILL
            assert [*wrong(root), *finished(written, root)] == [], f"killed before {counting.calls[k]}, change {k}"


def killed(written: Written, root: str, k: int) -> int:
    child = os.fork()
    if child == 0:
        try:
            with replaced(Killing(k, after=False)):
                written.run(Layout(root))
        finally:
            os._exit(0)
    _, status = os.waitpid(child, 0)
    return os.WTERMSIG(status) if os.WIFSIGNALED(status) else 0


def test_writers_readers_and_two_compressors_at_once(tmp_path, request):
    """Every event of every writer is in its log once, in one chain; a reader never sees fewer than before."""
    rounds = 400 if request.config.getoption("--all") else 40
    layout = Layout(str(tmp_path / "bank"))
    prepare(layout)
    workers = [Process(target=work, args=(layout.root, rounds)) for work in (write, write_more, squeeze, squeeze, watch)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join(300)
    assert [worker.exitcode for worker in workers] == [0] * len(workers)
    path = events.path_of(layout, SESSION)
    found = [str(each.fields["id"]) for each in lines.read(path)]
    assert len(found) == len(set(found)) == COUNT + 2 * rounds
    append(layout, [line(LAST + 10_000)])  # puts the log back, so that the independent checker can read it
    assert verified(path, key.load(layout)) == COUNT + 2 * rounds + 1


def write(root: str, rounds: int, first: int = 1_000) -> None:
    for number in range(first, first + rounds):
        assert append(Layout(root), [line(number)], Clock(), timeout=60.0) is not None


def write_more(root: str, rounds: int) -> None:
    write(root, rounds, 5_000)


def squeeze(root: str, rounds: int) -> None:
    for _ in range(rounds):
        try:
            compress(Layout(root), Clock().now() + DAY, FixedClock(Clock().now()))
        except LockTimeout:
            continue


def watch(root: str, rounds: int) -> None:
    layout, most = Layout(root), 0
    for _ in range(rounds * 4):
        count = sum(1 for _ in events.read(layout, events.name_of(SESSION)))
        size = lines.size(events.path_of(layout, SESSION))
        assert count >= most and size >= lines.MAX_LINE_BYTES // 1_000, (count, most, size)
        most = count
