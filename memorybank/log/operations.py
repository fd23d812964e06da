"""`log/operations.jsonl`: which operations ran and how long they took, the source of the metrics. Query texts are never recorded.

An alert that is raised or cleared is a line here too. Linked worktrees share this log: a line from a worktree that does not own it has a `tree`.
"""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from memorybank import clock as time_of
from memorybank.clock import Clock
from memorybank.errors import LockTimeout, MemorybankError, NotFound, UsageError
from memorybank.log import lines
from memorybank.storage.layout import Layout

ALERT = "alert"
OWNER = "."
"""The tree of a line without `tree`: the bank that owns the log."""


def path(layout: Layout) -> str:
    return os.path.join(layout.log, "operations.jsonl")


def record(layout: Layout, kind: str, *, milliseconds: float, ok: bool, clock: Clock, **counts: int | str) -> None:
    """Append one line, best effort: a log that cannot be written never fails the command.

    kind: `search`, `index`, `rotation`, `maintain` or `purge`.
    milliseconds: duration of the operation.
    counts: further members of the line, for example how many notes it concerned.
    """
    _append(layout, clock, {"kind": kind, "at": time_of.isoformat(clock.now()), "ms": round(milliseconds, 3), "ok": ok, **counts})


class RunningOperation:
    """An operation that has begun. `end` appends its line, with the time that it took; without it there is no line."""

    def __init__(self, layout: Layout, kind: str, clock: Clock) -> None:
        self._layout = layout
        self._kind = kind
        self._clock = clock
        self._begun = clock.monotonic()

    def end(self, *, ok: bool = True, **counts: int | str) -> None:
        """Append the line, as `record` does."""
        milliseconds = (self._clock.monotonic() - self._begun) * 1000
        record(self._layout, self._kind, milliseconds=milliseconds, ok=ok, clock=self._clock, **counts)


@contextmanager
def index_update(layout: Layout, mode: str, clock: Clock) -> Iterator[dict[str, Any]]:
    """Record the update of the index in the `with` block: the counts that the caller adds to the yielded dict, or that it failed.

    Without counts nothing was done, and nothing is recorded. An invalid request or a lock that another process holds is not a failure.
    """
    running = RunningOperation(layout, "index", clock)
    counts: dict[str, Any] = {}
    try:
        yield counts
    except (UsageError, NotFound, LockTimeout):
        raise
    except MemorybankError:
        running.end(ok=False, mode=mode, **counts)
        raise
    if counts:
        running.end(mode=mode, **counts)


def record_alert(layout: Layout, alert: str, *, raised: bool, level: str, value: float, limit: float, clock: Clock) -> None:
    """Append that an alert was raised or cleared, best effort. value, limit: in the alert's own unit."""
    at = time_of.isoformat(clock.now())
    _append(layout, clock, {"kind": ALERT, "at": at, "id": alert, "raised": raised, "level": level, "value": value, "limit": limit})


def read(layout: Layout) -> Iterator[dict[str, Any]]:
    """Yield the fields of every valid line, oldest first."""
    return (line.fields for line in lines.read(path(layout)))


def _append(layout: Layout, clock: Clock, fields: dict[str, Any]) -> None:
    if layout.root != layout.local_root:
        from memorybank.log import rotation  # late: most banks own their log

        tree = rotation.tree_of(layout)
        if tree != OWNER:
            fields["tree"] = tree
    try:
        lines.append(path(layout), (fields,), clock=clock, durable=False)
    except (MemorybankError, OSError):
        return
