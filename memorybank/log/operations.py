"""`log/operations.jsonl`: what commands did and how long they took, the source of the metrics. Never the query text."""

import os

from memorybank import clock as time_of
from memorybank.clock import Clock
from memorybank.errors import MemorybankError
from memorybank.log import lines
from memorybank.storage.layout import Layout


def record(layout: Layout, kind: str, *, milliseconds: float, ok: bool, clock: Clock, **counts: int | str) -> None:
    """Append one line, best effort: a log that cannot be written never fails the command. kind: search, index, rotation, maintain, purge."""
    fields = {"kind": kind, "at": time_of.isoformat(clock.now()), "ms": round(milliseconds, 3), "ok": ok, **counts}
    try:
        lines.append(os.path.join(layout.log, "operations.jsonl"), (fields,), clock=clock, durable=False)
    except (MemorybankError, OSError):
        return
