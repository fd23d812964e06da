"""Decides where a draft goes, and writes it there.

A page that a person wrote or edited belongs to that person; a page unedited since it was drafted may be replaced. The draft goes next to a
person's page, or replaces it with `--force`, which keeps a backup.
"""

import os
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from difflib import unified_diff
from hashlib import sha256

from memorybank import clock as time_of
from memorybank import resident
from memorybank.clock import Clock
from memorybank.editing.write import NoteWriter, finish_interrupted
from memorybank.errors import Conflict, MemorybankError, ValidationFailed
from memorybank.storage import disk
from memorybank.storage.layout import Layout
from memorybank.storage.lock import Lock
from memorybank.text.needle import PurgeNeedle

NOTHING, UNCHANGED, WRITTEN, BESIDE, FORCED = "nothing", "unchanged", "written", "beside", "forced"
"""What happens to a draft: there is none; the page already has this text; it becomes the page; it is stored next to a person's page; it
replaces a person's page.
"""
DRAFT_NAME = "summary.draft.md"
BACKUPS = "summary"
"""The folder below `backups/` with the replaced pages."""
COMMAND = "memorybank summary refresh"
_OURS = ("updated_at", "generated", "quotes")


@dataclass(frozen=True, slots=True)
class PageDecision:
    """The decision about a draft, with its reason.

    action: one of the outcomes above.
    reason: a sentence without a full stop.
    page: the text to write; "" for none.
    difference: lines of a unified diff from the present body to the draft.
    """

    action: str
    reason: str
    page: str = ""
    difference: tuple[str, ...] = ()


def decide(existing: str | None, body: str, now: int, *, quotes: str = "", force: bool = False) -> PageDecision:
    """Decide what happens to a draft.

    existing: the text of `summary.md`, None when there is none. Line ends may be LF or CRLF.
    body: the draft's body; "" when there is nothing to quote.
    now: ms.
    quotes: the marks of the draft's lines.
    force: whether to replace a person's page too.
    """
    if not body:
        return PageDecision(NOTHING, "there is no note, failure or episode yet that everybody may see")
    if existing is None or not existing.strip():
        return PageDecision(WRITTEN, "there was no page", rendered(body, now, quotes=quotes))
    found = resident.parse(existing)
    if found.body == body and (found.quotes == quotes or not found.is_drafted):
        return PageDecision(UNCHANGED, "the page already has this text")
    difference = tuple(unified_diff((found.body or existing).splitlines(), body.splitlines(), "summary.md", "draft", lineterm="", n=1))
    if found.is_drafted:
        return PageDecision(WRITTEN, "the page was not edited since it was drafted", rendered(body, now, _kept(existing), quotes), difference)
    reason = (
        f"the page cannot be read as a summary ({found.reason})"
        if found.reason
        else "a person edited the page"
        if found.is_edited
        else "a person wrote the page"
    )
    if force:
        return PageDecision(FORCED, reason, rendered(body, now, _kept(existing) if not found.reason else (), quotes), difference)
    return PageDecision(BESIDE, reason, rendered(body, now, quotes=quotes), difference)


def rendered(body: str, now: int, kept: Sequence[str] = (), quotes: str = "") -> str:
    """Return the page with this body. kept: lines of a person's front matter to keep; quotes: the marks of its lines."""
    ours = [f"updated_at: {time_of.isoformat(now)}", f"generated: {resident.seal_of(body)}", *([f"quotes: {quotes}"] if quotes else [])]
    front = [*ours, *kept]
    return "\n".join(("---", *front, "---", "", body, ""))


def _kept(existing: str) -> list[str]:
    """Return the lines that a person added to the front matter of a valid page."""
    lines = [line.removesuffix("\r") for line in existing.removeprefix("\ufeff").split("\n")]
    return [line for line in lines[1 : lines.index("---", 1)] if line.partition(":")[0] not in _OURS]


def locked(layout: Layout, clock: Clock) -> Lock:
    """Return the lock that allows one refresh at a time. Entering it raises `LockTimeout`, which names the holder."""
    return Lock(os.path.join(layout.log, "summary.lock"), COMMAND, clock)


def read_page(layout: Layout) -> bytes | None:
    """Return the bytes of `summary.md`, None when there is none. Raises `ValidationFailed` for a link or a folder: neither is ours to replace."""
    path = resident.path_of(layout)
    if os.path.islink(path):
        raise ValidationFailed(f"{layout.relative(path)} is a link", next_step="replace the link by the page itself, then run the same command again")
    try:
        return disk.read(path, resident.MAX_BYTES)
    except FileNotFoundError:
        return None


def carry_out(layout: Layout, decision: PageDecision, before: bytes | None, clock: Clock) -> tuple[str, str]:
    """Carry out a decision. Returns (path written, path of the backup), each "" for none.

    before: the bytes of the page that the decision was made for. Raises `Conflict` if the page has other bytes now.
    An older draft that a person edited is kept: next to a page, under the path that is returned as the backup; otherwise where it is.
    """
    if decision.action == BESIDE:
        return draft_path(layout), _put_draft(layout, decision.page.encode(), clock)
    if decision.action == UNCHANGED:
        _remove_draft(layout, clock)  # a refresh that was interrupted after it wrote the page can have left it
    if decision.action not in (WRITTEN, FORCED):
        return "", ""
    # The backup is written before the page is replaced, so that a killed run loses nothing.
    backup = _keep(layout, before, clock) if decision.action == FORCED and before is not None else ""
    target = resident.path_of(layout)
    if before is None:
        _create(layout, target, decision.page.encode())
    else:
        with NoteWriter(layout, COMMAND, clock) as writer:
            writer.replace(os.path.basename(target), decision.page.encode(), {sha256(before).hexdigest()})
    _remove_draft(layout, clock)
    return target, backup


def _put_draft(layout: Layout, data: bytes, clock: Clock) -> str:
    """Write the draft in place of an older one. Return the path of the older one if a person edited it, else ""."""
    was_edited = False

    def edit(present: bytes | None) -> bytes:
        nonlocal was_edited
        was_edited = present is not None and not _is_ours(present)
        return data

    with NoteWriter(layout, COMMAND, clock) as writer:
        writer.update(DRAFT_NAME, edit)
        return writer.kept if was_edited else ""


def _remove_draft(layout: Layout, clock: Clock) -> None:
    """Remove an older draft, which belongs to the page that is now replaced, unless a person edited it."""
    if not os.path.lexists(draft_path(layout)):
        return
    with NoteWriter(layout, COMMAND, clock) as writer:
        writer.update(DRAFT_NAME, lambda present: None if present is None or _is_ours(present) else present)


def _is_ours(draft: bytes) -> bool:
    return resident.parse(draft.decode("utf-8", "replace")).is_drafted


def draft_path(layout: Layout) -> str:
    """Return the path of the draft that is stored next to a person's page."""
    return os.path.join(layout.root, DRAFT_NAME)


def drafted(layout: Layout) -> list[str]:
    """Return the paths of the page and of the draft, as far as they are unedited since they were drafted. What cannot be read counts as a person's."""
    found = []
    for path in (resident.path_of(layout), draft_path(layout)):
        with suppress(FileNotFoundError, MemorybankError):
            found += [path] if resident.parse(disk.read(path, resident.MAX_BYTES).decode("utf-8", "replace")).is_drafted else []
    return found


def purge(layout: Layout, needle: PurgeNeedle, clock: Clock) -> int:
    """Replace a text with the mark in a page that nobody edited, and remove such a draft. Return how many contained the text.

    What somebody saved in the meantime is theirs and stays. Raises LockTimeout.
    """
    finish_interrupted(layout, clock)  # a killed change can leave a page without its name for a moment
    holding = [path for path in drafted(layout) if needle.is_in(disk.read(path, resident.MAX_BYTES))]
    if not holding:
        return 0
    with locked(layout, clock), NoteWriter(layout, "memorybank purge", clock) as writer:
        # The former versions contain the text, so they are not kept.
        writer.update(DRAFT_NAME, lambda present: None if present is None or _holds(present, needle) else present, is_kept=False)
        writer.update(resident.FILE, lambda present: present if present is None or not _holds(present, needle) else _without(present, needle), is_kept=False)
    return len(holding)


def _holds(data: bytes, needle: PurgeNeedle) -> bool:
    """Return whether a page contains the text and nobody edited it."""
    return needle.is_in(data) and resident.parse(data.decode("utf-8", "replace")).is_drafted


def _without(data: bytes, needle: PurgeNeedle) -> bytes:
    """Return a drafted page without the text. It still counts as drafted."""
    replaced = needle.replaced(data)
    old, new = (resident.parse(each.decode("utf-8", "replace")) for each in (data, replaced))
    return replaced.replace(old.generated.encode(), resident.seal_of(new.body).encode()) if new.body else data


def _create(layout: Layout, target: str, data: bytes) -> None:
    try:
        disk.create(target, data)
    except FileExistsError:
        raise Conflict(f"{layout.relative(target)} was created by another program in the meantime", next_step="run the same command again") from None


def _keep(layout: Layout, data: bytes, clock: Clock) -> str:
    """Store the replaced page under the first free name of its date and time. Returns the path."""
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
