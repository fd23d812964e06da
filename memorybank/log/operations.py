"""`log/operations.jsonl`: which operations ran and how long they took, the source of the metrics. Query texts are never recorded.

An alert that is raised or cleared is a line here too. Linked worktrees share this log: a line from a worktree that does not own it has a `tree`.
"""

import os
from collections.abc import Iterator
from typing import Any

from memorybank import clock as time_of
from memorybank.clock import Clock
from memorybank.errors import MemorybankError
from memorybank.log import lines
from memorybank.storage.layout import Layout

ALERT = "alert"
OWNER = "."
"""The tree of a line without `tree`: the bank that owns the log."""


def path(layout: Layout) -> str:
    return os.path.join(layout.log, "operations.jsonl")


def tree_of(layout: Layout) -> str:
    """Return the name of this bank's worktree in the lines, as in the rotation log."""
    return OWNER if layout.root == layout.local_root else os.path.relpath(layout.root, layout.local_root).replace(os.sep, "/")


def record(layout: Layout, kind: str, *, milliseconds: float, ok: bool, clock: Clock, **counts: int | str) -> None:
    """Append one line, best effort: a log that cannot be written never fails the command.

    kind: `search`, `index`, `rotation`, `maintain` or `purge`.
    milliseconds: how long the operation took.
    counts: further members of the line, for example how many notes it concerned.
    """
    _append(layout, clock, {"kind": kind, "at": time_of.isoformat(clock.now()), "ms": round(milliseconds, 3), "ok": ok, **counts})


def record_alert(layout: Layout, alert: str, *, raised: bool, level: str, value: float, limit: float, clock: Clock) -> None:
    """Append that an alert was raised or cleared, best effort. value, limit: in the alert's own unit."""
    at = time_of.isoformat(clock.now())
    _append(layout, clock, {"kind": ALERT, "at": at, "id": alert, "raised": raised, "level": level, "value": value, "limit": limit})


def read(layout: Layout) -> Iterator[dict[str, Any]]:
    """Yield the fields of every valid line, oldest first."""
    return (line.fields for line in lines.read(path(layout)))


def _append(layout: Layout, clock: Clock, fields: dict[str, Any]) -> None:
    tree = tree_of(layout)
    if tree != OWNER:
        fields["tree"] = tree
    try:
        lines.append(path(layout), (fields,), clock=clock, durable=False)
    except (MemorybankError, OSError):
        return
