"""`log/rotation.jsonl`: what left `active/`, where it went and what came back. The only source of the rotation history.

Kinds, in the order in which a rotation writes them: `begin` · `archived` (the object and its sidecar are on disk and verified) ·
`moved` (the original is in its backup) or `put_back` (it had changed meanwhile) or `abandoned` (it stays) · `end`. Further kinds:
`restored`, `tombstone`, `observed` and `deleted` (retention), `evaluated` (`maintain` checked a trigger), `purged` (a text was removed from an
archived note: the line names the new object and sidecar).

An `archived` line contains the complete sidecar and is synced before the original moves, so a sidecar lost in a power failure can be
written again from this log. `tree` names the worktree whose folders a line is about (`.` is the bank that owns the log), since
linked worktrees share one log. Paths are POSIX: `archive_path` is relative to the bank, `backup_path` to the bank that owns the log.
"""

import os
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from typing import Any

from memorybank import clock as time_of
from memorybank.clock import DAY, HOUR, Clock
from memorybank.log import lines
from memorybank.storage import disk
from memorybank.storage.layout import Layout

KINDS = ("begin", "archived", "moved", "put_back", "restored", "tombstone", "observed", "deleted", "abandoned", "evaluated", "purged", "end")
OBSERVED_DAYS = 7
"""Number of different later days on which runs have to see a tombstone before the object may be deleted."""
SETTLED_AFTER = HOUR
"""Operating systems write unsynced data back within seconds to minutes; a sidecar found intact an hour later is on the disk."""


@dataclass(frozen=True, slots=True)
class ArchivedRecord:
    """One note that a rotation archived. at: ms; sidecar: the content of the sidecar file."""

    rotation_id: str
    key: str
    at: int
    tree: str
    age_days: int
    archive_path: str
    backup_path: str
    sidecar: dict[str, Any]

    @property
    def sha256(self) -> str:
        return str(self.sidecar["sha256"])

    @property
    def size(self) -> int:
        return int(self.sidecar["size"])

    @property
    def mtime_ns(self) -> int:
        return int(self.sidecar["mtime_ns"])


@dataclass(slots=True)
class Rotation:
    """One rotation, as far as the log records it. The dicts are keyed by note key; `begin` and `end` are the fields of those lines."""

    id: str
    tree: str
    trigger: str
    started_at: int
    begin: dict[str, Any]
    end: dict[str, Any] | None = None
    completed_at: int | None = None
    archived: dict[str, ArchivedRecord] = field(default_factory=dict)
    moved: dict[str, int] = field(default_factory=dict)
    put_back: dict[str, str] = field(default_factory=dict)
    abandoned: dict[str, str] = field(default_factory=dict)

    @property
    def pending(self) -> list[ArchivedRecord]:
        """Notes that are archived and logged, but whose original has no recorded outcome yet."""
        return [record for key, record in self.archived.items() if key not in self.moved and key not in self.put_back and key not in self.abandoned]


@dataclass(frozen=True, slots=True)
class Tombstone:
    """An archive object that retention is going to delete.

    at: when that was announced (ms)
    days: later UTC days (numbers since 1970) on which a run saw the announcement
    """

    archive_path: str
    key: str
    at: int
    days: frozenset[int] = frozenset()

    @property
    def is_ripe(self) -> bool:
        """Whether the object may be deleted. A clock that jumps ahead adds one day, not the days in between."""
        return len(self.days) >= OBSERVED_DAYS

    def lacks(self, at: int) -> bool:
        """Return whether a run at this instant adds a day."""
        return at // DAY > self.at // DAY and at // DAY not in self.days

    def seen(self, at: int) -> "Tombstone":
        """Return the tombstone after a run at this instant saw it."""
        return replace(self, days=self.days | {at // DAY}) if self.lacks(at) else self


@dataclass(slots=True)
class RotationState:
    """The state of the archive after all lines of the log.

    restored: {note key: instant of its latest return}
    restored_objects: {archive_path: that instant}
    returned: {(rotation id, original key): digests that came back from its backup}
    last_run: {trigger: instant of its latest evaluation}
    purged: {archive_path of an object that may no longer exist: archive_path of its replacement}
    checked: {tree: latest instant at which a run had checked everything unsettled}
    newest: latest instant of any line

    All instants are in ms.
    """

    rotations: dict[str, Rotation] = field(default_factory=dict)
    restored: dict[str, int] = field(default_factory=dict)
    restored_objects: dict[str, int] = field(default_factory=dict)
    returned: dict[tuple[str, str], set[str]] = field(default_factory=dict)
    tombstones: dict[str, Tombstone] = field(default_factory=dict)
    deleted: set[str] = field(default_factory=set)
    purged: dict[str, str] = field(default_factory=dict)
    last_run: dict[str, int] = field(default_factory=dict)
    checked: dict[str, int] = field(default_factory=dict)
    newest: int | None = None

    @property
    def last_rotation(self) -> int | None:
        """When the newest rotation began (ms), for `last_rotation` of the published index."""
        return max((rotation.started_at for rotation in self.rotations.values()), default=None)

    def archived(self) -> Iterator[ArchivedRecord]:
        for rotation in self.rotations.values():
            yield from rotation.archived.values()

    def pending(self, tree: str) -> list[ArchivedRecord]:
        return [record for rotation in self.rotations.values() if rotation.tree == tree for record in rotation.pending]

    def interrupted(self, tree: str) -> list[Rotation]:
        """Rotations of this tree that have no `end` line."""
        return [rotation for rotation in self.rotations.values() if rotation.tree == tree and rotation.end is None]

    def leftover_instants(self, tree: str) -> list[int]:
        """Start instants (ms) of this tree's interrupted rotations. Archive objects with such a stamp may exist without a log line."""
        cut = (rotation for rotation in self.rotations.values() if rotation.tree == tree and (rotation.end is None or rotation.end.get("interrupted") is True))
        return sorted({rotation.started_at for rotation in cut})

    def unsettled(self, tree: str) -> list[ArchivedRecord]:
        """Notes archived in this tree whose sidecar no run has yet seen on disk at least `SETTLED_AFTER` after it was written."""
        checked = self.checked.get(tree)
        return [
            record
            for record in self.archived()
            if record.tree == tree and record.archive_path not in self.deleted and (checked is None or checked < record.at + SETTLED_AFTER)
        ]


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
    """Return the state after the entire log; invalid lines are skipped."""
    return fold(line.fields for line in lines.read(path(layout)))


def read_restored(layout: Layout) -> RotationState:
    """Return only the part that a plan needs: which notes were restored, and when. Reads the same file but decodes a fraction of its lines."""
    return fold(fields for fields in lines.read_containing(path(layout), b'"kind":"restored"'))


def moves_since(layout: Layout, since: int) -> tuple[set[str], set[str]]:
    """Return (keys of notes that rotations moved out of this worktree's `active/`, keys of restored notes) after an instant.

    since: instant in ms.
    Reads the log backwards and stops as soon as the tree of every such rotation is known.
    """
    left: list[tuple[str, str]] = []
    restored: set[str] = set()
    trees: dict[str, str] = {}
    for fields in lines.newest_first(path(layout)):
        at, kind, key, rotation_id = _instant(fields, "at"), fields.get("kind"), _text(fields, "path"), _text(fields, "rotation_id")
        is_new = at is not None and at > since
        if is_new and kind == "moved":
            left.append((rotation_id, key))
        elif is_new and kind == "restored":
            restored.add(key)
        elif kind in ("begin", "archived"):
            trees[rotation_id] = _text(fields, "tree")
        # `moved` lines do not name their tree; it is in a `begin` or `archived` line, which may be older than `since`.
        if not is_new and all(rotation_id in trees for rotation_id, _ in left):
            break
    own = tree_of(layout)
    return {key for rotation_id, key in left if trees.get(rotation_id) == own}, restored


def read_borders(layout: Layout) -> RotationState:
    """Return only the `begin` and `end` of each rotation, with the numbers of its plan and report. As cheap as `read_restored`."""
    return fold(fields for fields in lines.read_containing(path(layout), b'"kind":"begin"', b'"kind":"end"'))


def fold(entries: Iterable[dict[str, Any]]) -> RotationState:
    """Return the state after these lines. A line of an unknown kind or shape only updates `newest`."""
    state = RotationState()
    for fields in entries:
        at = _instant(fields, "at")
        if at is None:
            continue
        state.newest = at if state.newest is None else max(state.newest, at)
        step = _STEPS.get(str(fields.get("kind")))
        if step is not None:
            step(state, fields, at)
    return state


def _begin(state: RotationState, fields: dict[str, Any], at: int) -> None:
    rotation_id, tree, trigger = _text(fields, "rotation_id"), _text(fields, "tree"), _text(fields, "trigger")
    if rotation_id and tree and trigger:
        state.rotations.setdefault(rotation_id, Rotation(rotation_id, tree, trigger, at, fields))
        state.checked[tree] = max(at, state.checked.get(tree, at))


def _archived(state: RotationState, fields: dict[str, Any], at: int) -> None:
    rotation_id, tree, sidecar, age = _text(fields, "rotation_id"), _text(fields, "tree"), fields.get("sidecar"), fields.get("age_days")
    key, archive_path, backup_path = _text(fields, "path"), _text(fields, "archive_path"), _text(fields, "backup_path")
    if not (rotation_id and tree and key and archive_path and backup_path and isinstance(sidecar, dict) and _is_sidecar(sidecar)):
        return
    # The `begin` line may be torn; the archived note must not be lost with it.
    rotation = state.rotations.setdefault(rotation_id, Rotation(rotation_id, tree, "unknown", at, {}))
    rotation.archived[key] = ArchivedRecord(rotation.id, key, at, rotation.tree, age if isinstance(age, int) else 0, archive_path, backup_path, sidecar)
    state.deleted.discard(archive_path)


def _moved(state: RotationState, fields: dict[str, Any], at: int) -> None:
    rotation, key = _outcome(state, fields)
    if rotation is not None:
        rotation.moved[key] = at


def _put_back(state: RotationState, fields: dict[str, Any], at: int) -> None:
    rotation, key = _outcome(state, fields)
    if rotation is not None:
        rotation.put_back[key] = _text(fields, "as") or key


def _abandoned(state: RotationState, fields: dict[str, Any], at: int) -> None:
    rotation, key = _outcome(state, fields)
    if rotation is not None:
        rotation.abandoned[key] = _text(fields, "reason")
    # An `abandoned` line without a rotation belongs to retention: the deletion announced by a tombstone was called off.
    elif "rotation_id" not in fields:
        state.tombstones.pop(_text(fields, "archive_path"), None)


def _restored(state: RotationState, fields: dict[str, Any], at: int) -> None:
    key, archive_path, rotation_id = _text(fields, "path"), _text(fields, "archive_path"), _text(fields, "rotation_id")
    if not key:
        return
    state.restored[key] = max(at, state.restored.get(key, at))
    if archive_path:
        state.restored_objects[archive_path] = at
    if rotation_id:
        state.returned.setdefault((rotation_id, _text(fields, "original_path")), set()).add(_text(fields, "sha256"))


def _tombstone(state: RotationState, fields: dict[str, Any], at: int) -> None:
    archive_path = _text(fields, "archive_path")
    # Another line about an object that is announced already must not restart the days.
    if archive_path:
        state.tombstones.setdefault(archive_path, Tombstone(archive_path, _text(fields, "path"), at))


def _observed(state: RotationState, fields: dict[str, Any], at: int) -> None:
    state.tombstones = {archive_path: tombstone.seen(at) for archive_path, tombstone in state.tombstones.items()}


def _deleted(state: RotationState, fields: dict[str, Any], at: int) -> None:
    archive_path = _text(fields, "archive_path")
    if archive_path:
        state.deleted.add(archive_path)
        state.tombstones.pop(archive_path, None)


def _purged(state: RotationState, fields: dict[str, Any], at: int) -> None:
    """Transfer everything known about the old object to the one that replaces it."""
    before, after, sidecar = _text(fields, "replaces"), _text(fields, "archive_path"), fields.get("sidecar")
    if not (before and after and isinstance(sidecar, dict) and _is_sidecar(sidecar)):
        return
    if before != after:
        state.purged[before] = after
    rotation, key = _outcome(state, fields)
    record = rotation.archived.get(key) if rotation is not None else None
    if rotation is not None and record is not None:
        rotation.archived[key] = replace(record, archive_path=after, backup_path=_text(fields, "backup_path") or record.backup_path, sidecar=sidecar)
        if _text(fields, "backup_sha256") and (rotation.id, key) in state.returned:
            state.returned[(rotation.id, key)].add(_text(fields, "backup_sha256"))
    if before in state.restored_objects:
        state.restored_objects[after] = state.restored_objects[before]
    if before in state.deleted:
        state.deleted.add(after)
    tombstone = state.tombstones.pop(before, None)
    if tombstone is not None:
        state.tombstones[after] = replace(tombstone, archive_path=after)


def _evaluated(state: RotationState, fields: dict[str, Any], at: int) -> None:
    trigger, tree = _text(fields, "trigger"), _text(fields, "tree")
    if trigger:
        state.last_run[trigger] = max(at, state.last_run.get(trigger, at))
    if tree:
        state.checked[tree] = max(at, state.checked.get(tree, at))


def _end(state: RotationState, fields: dict[str, Any], at: int) -> None:
    rotation = state.rotations.get(_text(fields, "rotation_id"))
    if rotation is not None:
        rotation.end = fields
        rotation.completed_at = at


_STEPS = {
    "begin": _begin,
    "archived": _archived,
    "moved": _moved,
    "put_back": _put_back,
    "abandoned": _abandoned,
    "restored": _restored,
    "tombstone": _tombstone,
    "observed": _observed,
    "deleted": _deleted,
    "evaluated": _evaluated,
    "purged": _purged,
    "end": _end,
}


def _outcome(state: RotationState, fields: dict[str, Any]) -> tuple[Rotation | None, str]:
    key = _text(fields, "path")
    return (state.rotations.get(_text(fields, "rotation_id")) if key else None), key


def _text(fields: dict[str, Any], name: str) -> str:
    value = fields.get(name)
    return value if isinstance(value, str) else ""


def _instant(fields: dict[str, Any], name: str) -> int | None:
    return time_of.parse(_text(fields, name))


def _is_sidecar(value: dict[str, Any]) -> bool:
    return isinstance(value.get("sha256"), str) and all(type(value.get(name)) is int for name in ("size", "mtime_ns"))
