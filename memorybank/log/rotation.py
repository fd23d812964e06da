"""`log/rotation.jsonl`: which notes left `active/`, where they went, and which came back. The only source of the rotation history.

Kinds, in the order in which a rotation writes them: `begin` · `archived` (the object and its sidecar are on disk and verified) ·
`moved` (the original is in its backup) or `put_back` (it had changed meanwhile) or `abandoned` (it stays) · `end`. Further kinds:
`restored`, `tombstone`, `observed` and `deleted` (retention), `evaluated` (`maintain` checked a trigger), `purged` (a text was removed from an
archived note: the line names the new object and sidecar).

An `archived` line contains the complete sidecar and is synced before the original moves, so a sidecar lost in a power failure can be
written again from this log. `tree` names the worktree whose folders a line is about (`.` is the bank that owns the log), since
linked worktrees share one log. Paths are POSIX: `archive_path` is relative to the bank, `backup_path` to the bank that owns the log.
"""

import os
from collections.abc import Iterable
from typing import Any

from memorybank import clock as time_of
from memorybank.clock import Clock
from memorybank.log import lines
from memorybank.log.rotation_state import RotationState, fold, instant, text
from memorybank.storage import disk
from memorybank.storage.layout import Layout


def path(layout: Layout) -> str:
    return os.path.join(layout.log, "rotation.jsonl")


def tree_of(layout: Layout) -> str:
    """Return the name of this bank's worktree in the lines: its path relative to the bank that owns the log; `.` when they are the same."""
    return os.path.relpath(layout.root, layout.local_root).replace(os.sep, "/")


def entry(kind: str, at: int, **fields: Any) -> dict[str, Any]:
    """Return the fields of one line; members that are None are left out."""
    return {"kind": kind, "at": time_of.isoformat(at), **{name: value for name, value in fields.items() if value is not None}}


def append(layout: Layout, entries: Iterable[dict[str, Any]], clock: Clock, *, durable: bool = True) -> None:
    """Append lines in one write. durable: the lines are on disk when this returns."""
    lines.append(path(layout), entries, clock=clock, durable=durable)


def settle(layout: Layout) -> None:
    """Sync every line that can be read, so that it is safe to act on it: a killed process may have left lines unsynced."""
    try:
        disk.sync_file(path(layout))
    except FileNotFoundError:
        return
    disk.sync_directory(layout.log)
    disk.sync_directory(layout.local_root)


def read(layout: Layout) -> RotationState:
    """Return the state after the entire log. Invalid lines are skipped."""
    return fold(line.fields for line in lines.read(path(layout)))


def moves_since(layout: Layout, since: int) -> tuple[set[str], set[str]]:
    """Return (keys of notes that rotations moved out of this worktree's `active/`, keys of restored notes) after an instant.

    since: instant in ms.
    Reads the log backwards and stops as soon as the tree of every such rotation is known.
    """
    left: list[tuple[str, str]] = []
    restored: set[str] = set()
    trees: dict[str, str] = {}
    for fields in lines.newest_first(path(layout)):
        at, kind, key, rotation_id = instant(fields), fields.get("kind"), text(fields, "path"), text(fields, "rotation_id")
        is_new = at is not None and at > since
        if is_new and kind == "moved":
            left.append((rotation_id, key))
        elif is_new and kind == "restored":
            restored.add(key)
        elif kind in ("begin", "archived"):
            trees[rotation_id] = text(fields, "tree")
        # `moved` lines do not name their tree; it is in a `begin` or `archived` line, which may be older than `since`.
        if not is_new and all(rotation_id in trees for rotation_id, _ in left):
            break
    own = tree_of(layout)
    return {key for rotation_id, key in left if trees.get(rotation_id) == own}, restored
