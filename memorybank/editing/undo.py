"""Takes back the changes of one command: each note that has not been changed since gets its former bytes or name."""

from __future__ import annotations

import os

from memorybank.clock import Clock
from memorybank.editing.settle import ChangePlaces, digest_of
from memorybank.editing.write import NoteWriter
from memorybank.errors import Conflict, MemorybankError, NotFound
from memorybank.log import changes, rotation
from memorybank.log.changes import CREATING, RENAMING, ChangeRecord
from memorybank.storage import disk
from memorybank.storage.layout import ACTIVE_FOLDERS, MAX_NOTE_BYTES, Layout
from memorybank.values import Value

COMMAND = "memorybank undo"
ADOPT = "memorybank adopt"
COPY = "memorybank personal copy"
UNDOABLE = ("memorybank edit", "memorybank rate", "memorybank mv", "memorybank tags rename", "Bank.notes.replace", ADOPT, COPY)
"""Commands whose changes `undo` takes back. Changes by hooks are not among them."""


_TAKEN_BACK = "taken back: "
"""Prefix of the command that is logged when a failed change is taken back; the id of the change follows."""


class UndoneNote(Value):
    """The outcome for one note. key: its present key. error: why it was not taken back; None when it was."""

    key: str
    error: MemorybankError | None = None


def undoable(layout: Layout) -> dict[str, list[ChangeRecord]]:
    """Return {id: its changes} of this worktree, oldest first, without those that undo made and those that failed and were taken back.

    What is part of a renaming, such as the bookmark of the note, follows when the renaming is undone.
    """
    found: dict[str, list[ChangeRecord]] = {}
    tree = rotation.tree_of(layout)
    for record in changes.read(layout):
        if record.is_done and record.tree == tree and record.command in UNDOABLE and not record.within:
            found.setdefault(record.change, []).append(record)
        elif record.command.startswith(_TAKEN_BACK):
            found.pop(record.command.removeprefix(_TAKEN_BACK), None)
    return found


def open_changes(layout: Layout) -> list[str]:
    """Return the ids of the changes that can be undone and have a file that is not as before, oldest first."""
    returned = _returned_paths(layout)
    return [
        change
        for change, records in undoable(layout).items()
        if any(record.path not in returned.get(change, ()) and not _is_as_before(layout, record) for record in records)
    ]


def taken_back(layout: Layout) -> dict[str, int]:
    """Return {id of a change that was undone: how many of its files have been brought back}."""
    return {change: len(paths) for change, paths in _returned_paths(layout).items()}


def _returned_paths(layout: Layout) -> dict[str, set[str]]:
    made: dict[tuple[str, ...], list[ChangeRecord]] = {}
    found: dict[str, set[str]] = {}
    for record in changes.read(layout):
        if not record.is_done or record.within:
            continue
        if record.command == COMMAND and (undone := made.get(_step(record))):
            each = undone.pop()
            found.setdefault(each.change, set()).add(each.path)
        elif record.command in UNDOABLE:
            made.setdefault(_step(record, backwards=True), []).append(record)
    return found


def _step(record: ChangeRecord, *, backwards: bool = False) -> tuple[str, ...]:
    """Return from which path and bytes a change leads to which, or the step that takes it back."""
    old, new = (record.path, record.before), (record.new_path or record.path, record.after)
    return (*new, *old) if backwards else (*old, *new)


def undo(layout: Layout, change: str, clock: Clock) -> list[UndoneNote]:
    """Take back a change. Running it twice has the same effect as once. Errors about single notes are in the result. Raises `NotFound`."""
    return _undo(layout, change, COMMAND, clock)


def take_back(layout: Layout, change: str, clock: Clock) -> list[UndoneNote]:
    """Take back a change that failed half-way, as `undo` does. `undoable` then no longer lists it."""
    return _undo(layout, change, _TAKEN_BACK + change, clock)


def _undo(layout: Layout, change: str, command: str, clock: Clock) -> list[UndoneNote]:
    # The writer first finishes an interrupted change; before that, the log does not say whether the change was made.
    with NoteWriter(layout, command, clock) as writer:
        records = undoable(layout).get(change)
        if not records:
            raise NotFound(f"no change {change!r} of this working tree", next_step="'memorybank undo --list' lists what can be undone")
        return [_undone(layout, writer, record) for record in reversed(records)]


def _is_as_before(layout: Layout, record: ChangeRecord) -> bool:
    """Return whether the disk is as it was before a change, so that taking it back would do nothing."""
    places = ChangePlaces.of(layout, record)
    if record.kind == RENAMING:
        return digest_of(places.path) is not None and digest_of(places.new) is None
    return digest_of(places.path) == (None if record.kind == CREATING else record.before)


def _undone(layout: Layout, writer: NoteWriter, record: ChangeRecord) -> UndoneNote:
    places = ChangePlaces.of(layout, record)
    now, key = record.new_path or record.path, record.path.removeprefix("active/")
    try:
        if record.kind == RENAMING:
            if not _is_as_before(layout, record):
                writer.rename(record.new_path, record.path)
        elif record.kind == CREATING:
            present = digest_of(places.path)
            if present == record.after:
                writer.remove(record.path, {record.after})
                _remove_empty_folders(places.path, layout)
            elif present is not None:
                raise Conflict(f"{key} was changed since", next_step="keep it, or remove it yourself")
        elif digest_of(places.path) != record.before:
            if digest_of(places.path) != record.after:
                raise Conflict(f"{key} was changed since", next_step=f"the version before is {layout.relative(places.kept)}; copy from it what you need")
            writer.replace(record.path, disk.read(places.kept, MAX_NOTE_BYTES), {record.after}, mtime_ns=os.lstat(places.kept).st_mtime_ns)
    except FileNotFoundError:
        return UndoneNote(key, NotFound(f"the version of {key} from before the change has been deleted", next_step="restore the note from git"))
    except MemorybankError as error:
        return UndoneNote(now.removeprefix("active/"), error)
    return UndoneNote(key)


def _remove_empty_folders(path: str, layout: Layout) -> None:
    """Remove the folders that were created for a file and are empty now. The folders that every bank has stay."""
    kept = {layout.root, layout.active, layout.config, *(os.path.join(layout.active, name) for name in ACTIVE_FOLDERS)}
    folder = os.path.dirname(path)
    while folder not in kept and folder.startswith(layout.root + os.sep) and not os.listdir(folder):
        disk.remove_directory(folder)
        folder = os.path.dirname(folder)
