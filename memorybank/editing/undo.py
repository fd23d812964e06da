"""Takes back the changes of one command: each note that has not been changed since gets its former bytes or name."""

from __future__ import annotations

import os

from memorybank.editing.settle import ChangePlaces, digest_of
from memorybank.editing.write import NoteWriter
from memorybank.errors import Conflict, MemorybankError, NotFound
from memorybank.log import changes, rotation
from memorybank.log.changes import RENAMING
from memorybank.storage import disk
from memorybank.storage.layout import MAX_NOTE_BYTES
from memorybank.values import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from memorybank.clock import Clock
    from memorybank.log.changes import ChangeRecord
    from memorybank.storage.layout import Layout

COMMAND = "memorybank undo"
UNDOABLE = ("memorybank edit", "memorybank mv", "Bank.notes.replace")
"""Commands whose changes a person takes back; what hooks write and ratings are not among them."""


class UndoneNote(Value):
    """One note of a change. key: its key now; error: why it stays as it is, else None"""

    key: str
    error: MemorybankError | None = None


def undoable(layout: Layout) -> dict[str, list[ChangeRecord]]:
    """Return {id: its changes} of this worktree, oldest first, without those that undo made."""
    found: dict[str, list[ChangeRecord]] = {}
    tree = rotation.tree_of(layout)
    for record in changes.read(layout):
        if record.is_done and record.tree == tree and record.command in UNDOABLE:
            found.setdefault(record.change, []).append(record)
    return found


def undo(layout: Layout, change: str, clock: Clock) -> list[UndoneNote]:
    """Take back a change. Running it twice has the same effect as once. Errors about single notes are in the result. Raises `NotFound`."""
    records = undoable(layout).get(change)
    if not records:
        raise NotFound(f"no change {change!r} of this working tree", next_step="'memorybank undo --list' lists what can be undone")
    with NoteWriter(layout, COMMAND, clock) as writer:
        return [_undone(layout, writer, record) for record in reversed(records)]


def _undone(layout: Layout, writer: NoteWriter, record: ChangeRecord) -> UndoneNote:
    places = ChangePlaces(layout, record)
    now, key = record.new_path or record.path, record.path.removeprefix("active/")
    try:
        if record.kind == RENAMING:
            if digest_of(places.path) is None or digest_of(places.new) is not None:
                writer.rename(record.new_path, record.path)
        elif digest_of(places.path) != record.before:
            if digest_of(places.path) != record.after:
                raise Conflict(f"{key} was changed since", next_step=f"the version before is {layout.relative(places.kept)}; copy from it what you need")
            writer.replace(record.path, disk.read(places.kept, MAX_NOTE_BYTES), {record.after}, mtime_ns=os.lstat(places.kept).st_mtime_ns)
    except FileNotFoundError:
        return UndoneNote(key, NotFound(f"the version of {key} from before the change has been deleted", next_step="restore the note from git"))
    except MemorybankError as error:
        return UndoneNote(now.removeprefix("active/"), error)
    return UndoneNote(key)
