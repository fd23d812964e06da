"""Carries out the plan of an import: creates what is missing and appends lines. Repeating an interrupted import completes it."""

import os

from memorybank.clock import Clock
from memorybank.errors import Conflict
from memorybank.log import events, key, lines
from memorybank.storage import appending, disk
from memorybank.storage.layout import Layout
from memorybank.storage.lock import Lock
from memorybank.transfer import contents, resealing
from memorybank.transfer.merging import ADD, CREATE, ImportPlan, ImportStep

_LOCK_SECONDS = 10.0
_CHANGED = "the bank changed while the import was planned; what was written so far is complete"


def carry_out(layout: Layout, plan: ImportPlan, clock: Clock) -> None:
    """Write every step, durably and in order. Sessions are not finished meanwhile.

    Raises `Conflict` when the bank has changed since the plan was made. No file is ever replaced, and an append is complete or missing.
    """
    with Lock(os.path.join(layout.log, "organize.lock"), "memorybank backup import", clock, timeout=_LOCK_SECONDS):
        for step in plan.steps:
            if step.action == CREATE:
                _create(layout, step)
            elif step.action == ADD:
                _append(layout, step, clock)


def _create(layout: Layout, step: ImportStep) -> None:
    path = contents.place(layout, step.path)
    is_peoples = contents.is_peoples(step.path) and not step.path.startswith("archive/")
    disk.make_directories(os.path.dirname(path), disk.USER_DIRECTORY if is_peoples else disk.PRIVATE_DIRECTORY, durable=True)
    mode = disk.USER_FILE if is_peoples else disk.PRIVATE_FILE
    try:
        disk.create(path, step.data, mode=mode, mtime_ns=step.mtime_ns or None)
    except FileExistsError:
        raise Conflict(f"{layout.relative(path)}: {_CHANGED}", next_step="run the same command again") from None


def _append(layout: Layout, step: ImportStep, clock: Clock) -> None:
    """Append the planned lines, if the log still ends as it did when they were chained to its last line."""
    path = contents.place(layout, step.path)
    disk.make_directories(os.path.dirname(path), durable=True)
    with appending.Appending(path, clock, _LOCK_SECONDS) as log:
        if step.path.startswith(contents.EVENTS) and not _follows(log.tail(lines.MAX_LINE_BYTES)[1], step.data, layout):
            raise Conflict(f"{layout.relative(path)}: {_CHANGED}", next_step="run the same command again")
        log.write(step.data, durable=True)


def _follows(tail: bytes, data: bytes, layout: Layout) -> bool:
    """Return whether the first new line is chained to the last valid line of the log."""
    first = next(resealing.valid(data))
    before = [str(fields.get("signature")) for fields in resealing.valid(tail)]
    secret = key.load(layout)
    return bool(before and secret) and events.signature(before[-1], first, secret or b"") == first["signature"]
