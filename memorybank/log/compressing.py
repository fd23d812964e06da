"""Compresses the event logs of sessions that nobody continues: `X.jsonl` becomes `X.jsonl.zst` (ADR 0097, `storage.compressed`)."""

import os
from dataclasses import dataclass

from memorybank.clock import Clock
from memorybank.errors import LockTimeout
from memorybank.log import events
from memorybank.storage import abandoned, appending, beneath, compressed
from memorybank.storage.layout import Layout

LEAST_BYTES = 4_096
"""A smaller log takes no less space when it is compressed: file systems give out blocks of this size."""


@dataclass(slots=True)
class CompressedLogs:
    """What a run did. logs: number of logs; before, after: their bytes."""

    logs: int = 0
    before: int = 0
    after: int = 0


def compress(layout: Layout, until: int, clock: Clock) -> CompressedLogs:
    """Compress the event logs that were last written to before an instant. A log that somebody writes at the moment is left for the next run.

    until: ms
    Running it again after a kill completes it.
    """
    report = CompressedLogs()
    folder = events.folder(layout)
    abandoned.sweep(folder, clock.now())
    for name in events.names(layout):
        path = os.path.join(folder, name)
        if not _is_due(path, until):
            continue
        try:
            with appending.Appending(path, clock, 0) as log:
                # The lock came with the settling of what a kill left. A log that an older memorybank continued is young again.
                if _is_due(path, until):
                    _compress(path, log.tail(compressed.MOST_BYTES + 1)[1], report)
        except LockTimeout:
            continue
    return report


def _is_due(path: str, until: int) -> bool:
    """Return whether the plain file of a log exists and is old enough, or has a compressed file next to it that has to be settled."""
    try:
        status = beneath.lstat(path)
    except FileNotFoundError:
        return False
    return status.st_mtime_ns // 1_000_000 < until or compressed.is_compressed(path)


def _compress(path: str, data: bytes, report: CompressedLogs) -> None:
    if not LEAST_BYTES <= len(data) <= compressed.MOST_BYTES or compressed.is_compressed(path):  # the latter is damaged, and stays for a person
        return
    size = compressed.pack(path, data, beneath.lstat(path).st_mtime_ns)
    if size:
        report.logs += 1
        report.before += len(data)
        report.after += size
