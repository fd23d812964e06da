"""Carries out a decision: writes the page or the draft next to it, and keeps a backup of a page that `--force` replaces."""

import os

from memorybank import clock as time_of
from memorybank import resident
from memorybank.clock import Clock
from memorybank.drafting.page import BESIDE, DRAFT_NAME, FORCED, WRITTEN, PageDecision
from memorybank.errors import Conflict, ValidationFailed
from memorybank.storage import disk
from memorybank.storage.layout import Layout
from memorybank.storage.lock import Lock

BACKUPS = "summary"
"""The folder below `backups/` with the replaced pages."""
COMMAND = "memorybank summary refresh"


def locked(layout: Layout, clock: Clock) -> Lock:
    """The lock that allows one refresh at a time. Entering it raises `LockTimeout`, which names the holder."""
    return Lock(os.path.join(layout.log, "summary.lock"), COMMAND, clock)


def lying(layout: Layout) -> bytes | None:
    """The bytes of `summary.md`, None when there is none. Raises `ValidationFailed` for a link and for what is not a file: neither is ours to replace."""
    path = resident.path_of(layout)
    if os.path.islink(path):
        raise ValidationFailed(f"{layout.relative(path)} is a link", next_step="replace the link by the page itself, then run the same command again")
    try:
        return disk.read(path, resident.MAX_BYTES)
    except FileNotFoundError:
        return None


def text_of(data: bytes | None) -> str | None:
    """The page as text. A page that is not UTF-8 is treated as a person's, like any page that cannot be read."""
    return None if data is None else data.decode("utf-8", "replace")


def carry_out(layout: Layout, decision: PageDecision, before: bytes | None, clock: Clock) -> tuple[str, str]:
    """Carry out a decision; returns (path written, path of the backup), each "" for none.

    before: the bytes of the page that the decision was made for. Raises `Conflict` if the page has other bytes now.
    """
    if decision.action == BESIDE:
        target = os.path.join(layout.root, DRAFT_NAME)
        disk.replace(target, (decision.page.encode(),), mode=disk.USER_FILE, durable=True)
        return target, ""
    if decision.action not in (WRITTEN, FORCED):
        return "", ""
    # The backup is written before the page is replaced, so that a killed run loses nothing.
    backup = _keep(layout, before, clock) if decision.action == FORCED and before is not None else ""
    target = resident.path_of(layout)
    # Checked again right before writing: an editor does not know the lock.
    if lying(layout) != before:
        raise Conflict(f"{layout.relative(target)} was changed by another program in the meantime", next_step="run the same command again")
    if before is None:
        _create(layout, target, decision.page.encode())
    else:
        disk.replace(target, (decision.page.encode(),), durable=True)
    disk.remove(os.path.join(layout.root, DRAFT_NAME))  # an older draft belongs to the page that is now replaced
    return target, backup


def _create(layout: Layout, target: str, data: bytes) -> None:
    try:
        disk.create(target, data)
    except FileExistsError:
        raise Conflict(f"{layout.relative(target)} was created by another program in the meantime", next_step="run the same command again") from None


def _keep(layout: Layout, data: bytes, clock: Clock) -> str:
    """Store the replaced page under the first free name of its date and time; returns the path."""
    folder = os.path.join(layout.backups, BACKUPS)
    disk.make_directories(folder, durable=True)
    number = 1
    while True:
        path = os.path.join(folder, f"{time_of.stamp(clock.now())}{f'-{number}' if number > 1 else ''}.md")
        try:
            disk.create(path, data, mode=disk.PRIVATE_FILE)
            return path
        except FileExistsError:
            if disk.read(path, resident.MAX_BYTES) == data:  # from a run that was stopped before it replaced the page
                return path
            number += 1
