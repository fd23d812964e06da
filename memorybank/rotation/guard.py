"""The checks before a rotation writes anything: the brake, the clock and the devices; and its lock."""

import os
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress

from memorybank import clock as time_of
from memorybank.clock import DAY, SECOND, Clock
from memorybank.config import settings
from memorybank.editing.write import finish_interrupted
from memorybank.errors import BrakeRefused, LockTimeout, ResourceExhausted, UsageError
from memorybank.log import lines
from memorybank.log import rotation as log
from memorybank.log.rotation_state import RotationState
from memorybank.rotation.decision import RotationPlan
from memorybank.storage import beneath, disk
from memorybank.storage.layout import Layout
from memorybank.storage.lock import Lock
from memorybank.text.quantities import counted, size

CLOCK_TOLERANCE = 2 * SECOND
"""Tolerated difference of clocks in ms: another process may have written a line while this one waited, and time servers adjust clocks by about this much."""
_TAIL_BYTES = 1 << 17


@contextmanager
def changing(layout: Layout, command: str, clock: Clock) -> Iterator[None]:
    """Hold the bank's rotation lock, after making the log durable. An OSError from the block becomes a typed error.

    Raises `NewerFormat` when a newer memorybank wrote lines of the log or the rules of rotation, because a decision needs all of them.
    """
    layout.require_writable()
    try:
        with Lock(os.path.join(layout.log, "rotation.lock"), command, clock):
            log.settle(layout)
            lines.refuse_newer(log.path(layout), layout.relative(log.path(layout)))
            settings.refuse_newer_file(layout, "rotation")
            with suppress(LockTimeout):  # a change that is being made is not interrupted
                finish_interrupted(layout, clock)
            yield
    except OSError as error:
        raise disk.from_os_error(error, str(error.filename or layout.root)) from error


def check_brake(plan: RotationPlan, yes: bool) -> None:
    """Raise `BrakeRefused` when the plan is large and nobody confirmed it."""
    if plan.is_large and not yes and plan.brake is not None:
        raise BrakeRefused(
            f"this rotation would archive {counted(len(plan.leaving), 'note')}, {size(plan.leaving_bytes)}; "
            f"the brake stops a rotation above {counted(plan.brake.files, 'note')} or {size(int(plan.brake.size))}",
            next_step="check it with 'memorybank rotate --dry-run', then run 'memorybank rotate --yes'",
        )


def check_clock(layout: Layout, state: RotationState, plan_now: int, now: int, yes: bool) -> None:
    """Raise an error when the clock seems wrong or the plan is for a later day.

    Raises `ResourceExhausted` when the clock is earlier than the newest log line or more than a year after it, unless `yes`; `UsageError`
    for a plan that lies more than a day ahead.
    """
    if plan_now > now + DAY:
        raise UsageError(f"this plan is for another day, {time_of.day_of(plan_now)}", next_step="a plan for a future day can be printed but not executed")
    newest = newest_instant(layout, state)
    if yes or newest is None:
        return
    if now < newest - CLOCK_TOLERANCE:
        said = f"earlier than the newest line of the logs, {time_of.isoformat(newest)}"
    elif now > newest + 366 * DAY:
        said = f"more than a year later than the newest line of the logs, {time_of.isoformat(newest)}"
    else:
        return
    raise ResourceExhausted(
        f"the clock says {time_of.isoformat(now)}, {said}", next_step="correct the clock; if it is already correct, run the command again with --yes"
    )


def check_devices(layout: Layout, keys: Iterable[str]) -> None:
    """Raise `ResourceExhausted` when a note cannot be renamed into its backup because the two are on different devices."""
    backups = layout.backups
    while not os.path.lexists(backups):
        backups = os.path.dirname(backups)
    device = os.stat(backups).st_dev
    for folder in sorted({os.path.dirname(layout.note_path(key)) for key in keys}):
        try:
            other = os.stat(folder).st_dev
        except FileNotFoundError:
            continue
        if other != device:
            raise ResourceExhausted(
                f"{layout.relative(folder)} and {layout.relative(layout.backups)} are on different devices, so notes cannot be moved without copying",
                next_step="set backup_policy.backup_directory to a folder on the device of the notes; nothing was changed",
            )


def newest_instant(layout: Layout, state: RotationState) -> int | None:
    """Return the latest instant (ms) in the rotation log or at the end of the other logs."""
    found = [] if state.newest is None else [state.newest]
    for name in ("access.jsonl", "operations.jsonl"):
        path = os.path.join(layout.log, name)
        for line in lines.read(path, _line_start(path)):
            at = time_of.parse(str(line.fields.get("at")))
            if at is not None:
                found.append(at)
    return max(found, default=None)


def read_state(layout: Layout) -> RotationState:
    """Return the folded rotation log. An OSError becomes a typed error."""
    with disk.typed_errors(log.path(layout)):
        return log.read(layout)


def _line_start(path: str) -> int:
    """Return the offset of a line start near the end of a log."""
    total = lines.size(path)
    if total <= _TAIL_BYTES:
        return 0
    with beneath.stream(path) as stream:
        stream.seek(total - _TAIL_BYTES)
        return total - _TAIL_BYTES + len(stream.readline())
