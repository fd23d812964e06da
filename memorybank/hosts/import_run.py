"""Runs one import: reads groups of transcripts in parallel processes, then folds the new lines, then finishes the sessions.

Each step may be interrupted: recorded lines stay, and the next import, command or hook folds and finishes the rest.
"""

import multiprocessing
import os
import signal
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess
from typing import Any

from memorybank.cycle.base import CycleContext
from memorybank.cycle.finish import outbox
from memorybank.cycle.finish.macro import finish, write_notes
from memorybank.cycle.fold import cache, logs
from memorybank.errors import MemorybankError, ResourceExhausted
from memorybank.hosts import importing
from memorybank.hosts.importing import ImportCounts
from memorybank.hosts.transcripts.found import Transcript
from memorybank.text.secrets import redact

Progress = Callable[[str, int, int], None]
"""Called with (the current step, how much of it is done, how much there is)."""

TakeIn = Callable[..., ImportCounts]
"""Imports one group of transcripts. `step` may be given: it is called with the share of the group that is done."""

READING, FOLDING, FINISHING = "reading transcripts", "adding new events to the cache", "finishing sessions"
_WORTH_A_PROCESS = 1 << 20
"""Bytes on disk below which starting processes takes longer than it saves."""
_PORTION = 500
_SETTLED = 16 << 20
_BUSY_SECONDS = 2.0
_SILENT_SECONDS = 1.0
"""How long the workers may report nothing before the progress is shown as it was. One of them may read a single large transcript for minutes."""


@dataclass(slots=True)
class ImportReport:
    """The result of an import, or of its dry run.

    finished: number of sessions that were finished
    notes: number of session notes written
    busy: whether another process was finishing sessions at the same time
    """

    host: str
    dry_run: bool
    counts: ImportCounts = field(default_factory=ImportCounts)
    finished: int = 0
    notes: int = 0
    busy: bool = False

    def to_json(self) -> dict[str, Any]:
        counts = self.counts
        return {
            "host": self.host,
            "dry_run": self.dry_run,
            "transcripts": counts.transcripts,
            "lines": counts.lines,
            "bytes": counts.size,
            "sessions": len(counts.seen),
            "changed_sessions": len(counts.sessions),
            "found": dict(sorted(counts.found.items())),
            "added": dict(sorted(counts.added.items())),
            "known": counts.known,
            "left_to_hooks": counts.hooked,
            "corrected": counts.corrected,
            "too_old_sessions": counts.too_old,
            "left_out": dict(sorted(counts.left_out.items())),
            "problems": [{"path": fault.path, "line": fault.line, "kind": fault.kind} for fault in counts.faults],
            "finished_sessions": self.finished,
            "session_notes": self.notes,
        }


def run(
    base: CycleContext,
    host: str,
    groups: Sequence[Sequence[Transcript]],
    *,
    since: int | None = None,
    dry_run: bool = False,
    notes: bool = False,
    progress: Progress = lambda label, done, total: None,
) -> ImportReport:
    """Import groups of transcripts (`found.related`).

    since: import only sessions that were still active at this instant (ms) or later.
    notes: whether to write session notes of the imported sessions too.
    Raises ResourceExhausted when a worker process was killed.
    """
    report = ImportReport(host, dry_run)
    redact.enable_cache()
    if dry_run:
        base.assume_key()
    else:
        base.key()  # created now, before several processes need it
    total = sum(transcript.size for group in groups for transcript in group)
    done = 0
    progress(READING, 0, total)

    def step(size: int) -> None:
        progress(READING, done + size, total)

    for size, counts in _imported(groups, total, partial(importing.take_in, base, since=since, dry_run=dry_run), step):
        report.counts.add(counts)
        done += size
        progress(READING, done, total)
        if base.settings.phases.organize and not dry_run:
            _fold(base, counts.sessions)
    if not dry_run and report.counts.seen:
        _organize(base, report, notes, progress)
    return report


def _imported(groups: Sequence[Sequence[Transcript]], total: int, take_in: TakeIn, step: Callable[[int], None]) -> Iterator[tuple[int, ImportCounts]]:
    """Yield (bytes on disk, counts) of each group as it is done. The largest groups are started first.

    step: called now and then while a group is imported, with the bytes of it that are done as far as they are known.
    """
    ordered = sorted(groups, key=lambda group: (-_size(group), group[0].path))
    workers = min(len(ordered), os.cpu_count() or 1)
    if workers < 2 or total < _WORTH_A_PROCESS:
        for group in ordered:
            size = _size(group)
            yield size, take_in(group, step=lambda share, size=size: step(int(share * size)))
        return
    yield from _shared(_shares(ordered, workers), take_in, step)


def _shares(ordered: Sequence[Sequence[Transcript]], workers: int) -> list[list[Sequence[Transcript]]]:
    """Distribute the groups over the workers, about the same number of bytes for each. ordered: largest group first."""
    shares: list[list[Sequence[Transcript]]] = [[] for _ in range(workers)]
    sizes = [0] * workers
    for group in ordered:
        least = sizes.index(min(sizes))
        shares[least].append(group)
        sizes[least] += _size(group)
    return shares


def _shared(shares: Sequence[Sequence[Sequence[Transcript]]], take_in: TakeIn, step: Callable[[int], None]) -> Iterator[tuple[int, ImportCounts]]:
    """Run one process per share, each with a pipe of its own. The processes share no lock, so on an interruption all can be killed at
    once. A worker that is killed loses at most the line that it is writing."""
    context = multiprocessing.get_context("fork")
    workers: dict[Connection, BaseProcess] = {}
    try:
        for share in shares:
            receiver, sender = context.Pipe(duplex=False)
            worker = context.Process(target=_work, args=(share, take_in, sender), daemon=True)
            worker.start()
            sender.close()
            workers[receiver] = worker
        while workers:
            ready = wait(list(workers), _SILENT_SECONDS)
            if not ready:
                step(0)
            for pipe in ready:
                assert isinstance(pipe, Connection)
                try:
                    received = pipe.recv()
                except EOFError:
                    _join(workers.pop(pipe), pipe)
                    continue
                if isinstance(received, BaseException):
                    raise received
                yield received
    finally:
        for left, still_running in workers.items():
            still_running.kill()
            still_running.join()
            left.close()


def _join(worker: BaseProcess, pipe: Connection) -> None:
    worker.join()
    pipe.close()
    if worker.exitcode:
        raise ResourceExhausted(
            f"a worker process of the import ended unexpectedly (exit code {worker.exitcode})",
            next_step="run the same command again; it continues where it stopped",
        )


def _work(share: Sequence[Sequence[Transcript]], take_in: TakeIn, pipe: Connection) -> None:
    """Import a share in a worker process. Interruptions are ignored here: the parent handles them and kills its workers."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        for group in share:
            pipe.send((_size(group), take_in(group)))
    except Exception as error:
        pipe.send(error)
    finally:
        pipe.close()


def _size(group: Sequence[Transcript]) -> int:
    return sum(transcript.size for transcript in group)


def _fold(base: CycleContext, sessions: Iterable[str]) -> None:
    """Fold what these sessions gained while the workers continue. If another process is writing the cache, this can wait until the end."""
    with suppress(MemorybankError), cache.CacheConnection(base.layout, busy_seconds=_BUSY_SECONDS) as connection:
        for session in sorted(sessions):
            while logs.fold(base, connection, session=session, limit=_PORTION):
                cache.settle(base.layout, _SETTLED)


def _organize(base: CycleContext, report: ImportReport, notes: bool, progress: Progress) -> None:
    """Fold the new lines, and finish the sessions that are over."""
    if not base.settings.phases.organize:
        return
    with cache.CacheConnection(base.layout, busy_seconds=_BUSY_SECONDS) as connection:
        folded, expected = 0, sum(report.counts.added.values())
        while portion := logs.fold(base, connection, limit=_PORTION, wait=True):
            folded += portion
            cache.settle(base.layout, _SETTLED)
            progress(FOLDING, folded, max(folded, expected))
        outbox.gather(base, connection, _unlimited)
        waiting = len(outbox.due(base, connection, _unlimited))
        progress(FINISHING, 0, waiting)
        report.finished = len(finish(base, connection, _unlimited))
        report.busy = waiting > report.finished
        if notes:
            report.notes = write_notes(base, connection, sorted(report.counts.seen))
        progress(FINISHING, waiting, waiting)
        cache.settle(base.layout, 0)


def _unlimited() -> float:
    """Return the milliseconds left: unlimited, because the person waits for this command."""
    return float("inf")
