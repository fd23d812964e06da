"""`log/changes.jsonl`: which files memorybank created, replaced, renamed or removed, and where the version before each change is kept.

A `creating`, `replacing`, `renaming` or `removing` line is durable before a file is touched. The line after it, with the same `change` and `path`, is the
outcome: `created`, `replaced`, `renamed` or `removed`, `put_back` (somebody saved the note in the meantime, and that version stays), or `abandoned`
(nothing was changed). Only the newest change can lack its outcome, because every change finishes the one before, and with it a change that is part of
it: a line with `within` changes what depends on the name of the note `within`, before the renaming of that note gets its outcome.

A `purged` line says that `purge` removed a text from a kept version: `before` and `after` are its digests.

Paths are POSIX. `path`, `new_path` and `made` are relative to the bank of the worktree `tree`, `backup_path` to the bank that owns the log.
"""

from __future__ import annotations

import os

from memorybank import clock as time_of
from memorybank.log import lines
from memorybank.storage import disk
from memorybank.values import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    from memorybank.clock import Clock
    from memorybank.storage.layout import Layout

REPLACING, RENAMING, CREATING, REMOVING = "replacing", "renaming", "creating", "removing"
REPLACED, RENAMED, CREATED, REMOVED, PUT_BACK, ABANDONED = "replaced", "renamed", "created", "removed", "put_back", "abandoned"
_BEGUN = (REPLACING, RENAMING, CREATING, REMOVING)
PURGED = "purged"
NO_FILE = "0" * 64
"""The digest of a file that does not exist, before it is created and after it was removed."""
_TEXTS = ("change", "command", "tree", "path", "before", "after", "backup_path", "new_path", "made", "within")


class ChangeRecord(Value):
    """One change of one file.

    kind: `creating`, `replacing`, `renaming` or `removing`.
    change: id of the command's run; its changes are undone together.
    at: ms.
    before, after: SHA-256 (hex) of the file's bytes; `NO_FILE` for none.
    new_path: new path of a renamed file.
    made: the topmost folder that the rename has to create, "" when there is none.
    within: the path of the note whose renaming this change is part of, "" for a change of its own.
    outcome: "" while it is unknown.
    """

    kind: str
    change: str
    command: str
    at: int
    tree: str
    path: str
    before: str
    after: str
    backup_path: str
    new_path: str = ""
    made: str = ""
    within: str = ""
    outcome: str = ""

    @property
    def is_done(self) -> bool:
        """Whether the file was changed."""
        return self.outcome in (REPLACED, RENAMED, CREATED, REMOVED)


def path(layout: Layout) -> str:
    return os.path.join(layout.log, "changes.jsonl")


def begin(layout: Layout, record: ChangeRecord, clock: Clock) -> None:
    """Append the line that announces a change. It is on disk when this returns."""
    fields: dict[str, Any] = {"kind": record.kind, "at": time_of.isoformat(record.at)}
    fields.update((name, getattr(record, name)) for name in _TEXTS if getattr(record, name))
    # A killed process can leave the file without a line, and its name unsynced.
    is_first = next(lines.newest_first(path(layout)), None) is None
    lines.append(path(layout), [fields], clock=clock, durable=True)
    if is_first:
        disk.sync_directory(layout.log)
        disk.sync_directory(layout.local_root)


def end(layout: Layout, record: ChangeRecord, outcome: str, clock: Clock) -> None:
    """Append the outcome of a change. The line is not synced: if it is lost, the next change determines the outcome again."""
    fields = {"kind": outcome, "at": time_of.isoformat(clock.now()), "change": record.change, "path": record.path}
    lines.append(path(layout), [fields], clock=clock, durable=False)


def make_durable(layout: Layout) -> None:
    """Sync the log, so that it is safe to act on its lines: a killed process may have left them unsynced."""
    disk.sync_file(path(layout))
    disk.sync_directory(layout.log)
    disk.sync_directory(layout.local_root)


def read(layout: Layout) -> Iterator[ChangeRecord]:
    """Yield every change, oldest first, with its outcome. Lines of another shape are skipped."""
    begun: list[ChangeRecord] = []
    for line in lines.read(path(layout)):
        record = _record(line.fields)
        if record is not None:
            if not record.within:
                yield from begun
                begun.clear()
            begun.append(record)
        else:
            begun = [each.with_changes(outcome=str(line.fields["kind"])) if _is_outcome_of(line.fields, each) else each for each in begun]
    yield from begun


def unfinished(layout: Layout) -> ChangeRecord | None:
    """Return the newest change whose outcome is unknown, before the one that it is part of. Reads the end of the log only."""
    known: list[dict[str, Any]] = []
    for fields in lines.newest_first(path(layout)):
        record = _record(fields)
        if record is None:
            known.append(fields)
        elif not any(_is_outcome_of(outcome, record) for outcome in known):
            return record
        elif not record.within:
            return None
    return None


def purge_kept(layout: Layout, change: str, before: str, after: str, clock: Clock) -> None:
    """Append that `purge` is about to replace a version that this change keeps. before, after: SHA-256 (hex) of its bytes"""
    fields = {"kind": PURGED, "at": time_of.isoformat(clock.now()), "change": change, "before": before, "after": after}
    lines.append(path(layout), [fields], clock=clock, durable=True)


def purged(layout: Layout) -> dict[tuple[str, str], str]:
    """Return {(change, digest of a version that it keeps): its digest without the text that `purge` removed}."""
    found = (line.fields for line in lines.read(path(layout)) if line.fields.get("kind") == PURGED)
    return {(str(fields.get("change")), str(fields.get("before"))): str(fields.get("after")) for fields in found}


def _is_outcome_of(fields: dict[str, Any], record: ChangeRecord) -> bool:
    outcomes = (REPLACED, RENAMED, CREATED, REMOVED, PUT_BACK, ABANDONED)
    return fields.get("kind") in outcomes and (fields.get("change"), fields.get("path")) == (record.change, record.path)


def _record(fields: dict[str, Any]) -> ChangeRecord | None:
    """Return the change that a line announces; None for an outcome and for a line of another shape."""
    at = time_of.parse(str(fields.get("at")))
    if fields.get("kind") not in _BEGUN or at is None:
        return None
    texts = {name: str(fields.get(name, "")) for name in _TEXTS}
    if not all(texts[name] for name in ("change", "tree", "path", "before", "backup_path")):
        return None
    return ChangeRecord(str(fields["kind"]), at=at, **texts)
