"""Measure complete processes: wall and CPU time and peak memory of each, with variants interleaved and medians compared.

Machines are noisy; only the ratio of two medians of one interleaved run is meaningful.
"""

import os
import statistics
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field


@dataclass
class Sample:
    """One finished process. seconds: wall; cpu: user + system; peak: resident set in bytes; code: exit code; output: its stdout."""

    seconds: float
    cpu: float
    peak: int
    code: int
    output: bytes


@dataclass
class Variant:
    """One side of a comparison: a command, built again for each round, and what must happen before it (not measured).

    stdin: the file that the process reads from.
    """

    name: str
    command: Callable[[int], Sequence[str]]
    before: Callable[[int], None] = lambda round_number: None
    stdin: str = os.devnull
    accepts: tuple[int, ...] = (0,)
    samples: list[Sample] = field(default_factory=list)

    @property
    def seconds(self) -> float:
        return statistics.median(sample.seconds for sample in self.samples)

    @property
    def cpu(self) -> float:
        return statistics.median(sample.cpu for sample in self.samples)

    @property
    def slow(self) -> float:
        """Return the 95th percentile of the wall times."""
        times = sorted(sample.seconds for sample in self.samples)
        return times[min(len(times) - 1, int(len(times) * 0.95))]

    @property
    def peak(self) -> int:
        return max(sample.peak for sample in self.samples)


class CommandFailed(Exception):
    """A measured command ended with an exit code that its row does not accept."""


def fixed(name: str, command: Sequence[str], **options: object) -> Variant:
    """Return a variant whose command is the same in every round."""
    return Variant(name, lambda round_number: command, **options)  # type: ignore[arg-type]


def run(command: Sequence[str], stdin: str = os.devnull) -> Sample:
    """Run one process to its end. Its stdout is captured, its stderr discarded."""
    read_end, write_end = os.pipe()
    actions = [
        (os.POSIX_SPAWN_DUP2, write_end, 1),
        (os.POSIX_SPAWN_OPEN, 2, os.devnull, os.O_WRONLY, 0),
        (os.POSIX_SPAWN_OPEN, 0, stdin, os.O_RDONLY, 0),
        (os.POSIX_SPAWN_CLOSE, read_end),
    ]
    started = time.perf_counter()
    process = os.posix_spawnp(command[0], command, os.environ, file_actions=actions)
    os.close(write_end)
    chunks = []
    while chunk := os.read(read_end, 1 << 20):
        chunks.append(chunk)
    os.close(read_end)
    _, status, usage = os.wait4(process, 0)
    elapsed = time.perf_counter() - started
    unit = 1 if sys.platform == "darwin" else 1024
    return Sample(elapsed, usage.ru_utime + usage.ru_stime, usage.ru_maxrss * unit, os.waitstatus_to_exitcode(status), b"".join(chunks))


def interleave(variants: Sequence[Variant], rounds: int, *, warm_up: int = 1) -> None:
    """Run every variant once per round. The first `warm_up` rounds fill caches and are not counted."""
    for number in range(rounds + warm_up):
        for variant in variants:
            variant.before(number)
            sample = run(variant.command(number), variant.stdin)
            if sample.code not in variant.accepts:
                raise CommandFailed(f"{variant.name}: exit code {sample.code}: {' '.join(variant.command(number))[:300]}")
            if number >= warm_up:
                variant.samples.append(sample)


def sync_seconds(folder: str, count: int = 40) -> float:
    """Return the median time of writing 3 kB to a new file and syncing it in `folder`: the cost of one sync on this machine."""
    times = []
    for number in range(count):
        path = os.path.join(folder, f".sync-{number}")
        descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        os.write(descriptor, b"x" * 3000)
        started = time.perf_counter()
        os.fsync(descriptor)
        times.append(time.perf_counter() - started)
        os.close(descriptor)
        os.unlink(path)
    return statistics.median(times)
