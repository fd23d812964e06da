"""The lock of all commands that change episodes: `update`, `compact`, `repair` and the topics exclude one another. Recording and showing never wait for it.

The lock's file holds the progress of the run: process id and command, then `{started_at, done, total, day}`.
"""

import json
import os
from types import TracebackType
from typing import NamedTuple

from memorybank import clock as time_of
from memorybank.clock import Clock
from memorybank.errors import LockTimeout
from memorybank.storage import lock
from memorybank.storage.layout import Layout

NAME = "episodes.lock"


class EpisodeRunProgress(NamedTuple):
    """A run that is in progress.

    started_at: ms, None when the run has not written it yet
    day: the date being processed, or ""
    """

    pid: int
    command: str
    started_at: int | None
    done: int
    total: int
    day: str


class EpisodesLock:
    """The lock as a context manager: `with Running(layout, "memorybank episodes update", clock) as run: … run.at(done, total, day)`.

    Raises LockTimeout when another run holds the lock; the message says which one and how far it is.
    """

    def __init__(self, layout: Layout, command: str, clock: Clock, timeout: float = 2.0) -> None:
        self._layout = layout
        self._clock = clock
        self._lock = lock.Lock(path_of(layout), command, clock, timeout)
        self._started = ""

    def __enter__(self) -> "EpisodesLock":
        self._layout.require_writable()
        try:
            self._lock.__enter__()
        except LockTimeout:
            found = progress(self._layout)
            if found is None:
                raise
            raise LockTimeout(said(found)) from None
        self._started = time_of.isoformat(self._clock.now())
        self.at(0, 0, "")
        return self

    def at(self, done: int, total: int, day: str) -> None:
        """Write the progress of this run into the lock's file."""
        self._lock.write_progress(json.dumps({"started_at": self._started, "done": done, "total": total, "day": day}))

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self._lock.__exit__(kind, error, trace)


def path_of(layout: Layout) -> str:
    return os.path.join(layout.log, NAME)


def progress(layout: Layout) -> EpisodeRunProgress | None:
    """Return the run in progress, or None. Never waits and changes nothing."""
    found = lock.held(path_of(layout))
    if found is None:
        return None
    pid, _, command = found[0].partition(" ")
    try:
        values = json.loads(found[1])
    except ValueError:
        values = {}
    values = values if isinstance(values, dict) else {}
    return EpisodeRunProgress(
        int(pid) if pid.isdigit() else 0,
        command,
        time_of.parse(str(values.get("started_at"))),
        _whole(values.get("done")),
        _whole(values.get("total")),
        str(values.get("day") or ""),
    )


def said(run: EpisodeRunProgress) -> str:
    """Return a sentence about a run for a person who is waiting for it."""
    where = f", {run.done} of {run.total} days done{', now at ' + run.day if run.day else ''}" if run.total else ""
    return f"process {run.pid or 'unknown'} is working on the episodes ({run.command or 'unknown'}{where})"


def _whole(value: object) -> int:
    return value if isinstance(value, int) else 0
