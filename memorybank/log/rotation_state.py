"""The state that results from the lines of `log/rotation.jsonl`: rotations with their notes, restored notes, and pending deletions of retention."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from memorybank import clock as time_of
from memorybank.clock import DAY, HOUR
from memorybank.values import NamedTuple, Value

OBSERVED_DAYS = 7
"""Number of different later days on which runs have to see a tombstone before the object may be deleted."""
SETTLED_AFTER = HOUR
"""Time (ms) after which a sidecar found intact is on the disk: operating systems write unsynced data back within seconds to minutes."""


class ArchivedRecord(NamedTuple):
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


class Rotation(Value, frozen=False):
    """One rotation according to the log.

    begin, end: the fields of those lines
    archived: {note key: its record}
    moved: {note key: instant (ms) at which its original moved}
    put_back: keys of notes whose original was put back
    abandoned: {note key: why its original stayed}
    """

    id: str
    tree: str
    trigger: str
    started_at: int
    begin: dict[str, Any]
    end: dict[str, Any] | None
    completed_at: int | None
    archived: dict[str, ArchivedRecord]
    moved: dict[str, int]
    put_back: set[str]
    abandoned: dict[str, str]

    def __init__(self, rotation_id: str, tree: str, trigger: str, started_at: int, begin: dict[str, Any]) -> None:
        """Return a rotation of which the log has said nothing but that it began."""
        self.id, self.tree, self.trigger, self.started_at, self.begin = rotation_id, tree, trigger, started_at, begin
        self.end = self.completed_at = None
        self.archived, self.moved, self.put_back, self.abandoned = {}, {}, set(), {}

    @property
    def pending(self) -> list[ArchivedRecord]:
        """Notes that are archived and logged, but whose original has no recorded outcome yet."""
        return [record for key, record in self.archived.items() if key not in self.moved and key not in self.put_back and key not in self.abandoned]


class Tombstone(NamedTuple):
    """An archive object that retention is going to delete.

    at: instant of the announcement (ms)
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

    def seen(self, at: int) -> Tombstone:
        """Return the tombstone after a run at this instant saw it."""
        return self._replace(days=self.days | {at // DAY}) if self.lacks(at) else self


class RotationState(Value, frozen=False):
    """The state of the archive after all lines of the log.

    restored: {note key: instant of its latest return}
    restored_objects: {archive_path: that instant}
    returned: {(rotation id, original key): digests that came back from its backup}
    last_run: {trigger: instant of its latest evaluation}
    purged: {archive_path of an object that may no longer exist: archive_path of its replacement}
    acknowledged: {archive_path of a missing object that a person acknowledged: when that was recorded}
    checked: {tree: latest instant at which a run had checked everything unsettled}
    newest: latest instant of any line

    All instants are in ms.
    """

    rotations: dict[str, Rotation]
    restored: dict[str, int]
    restored_objects: dict[str, int]
    returned: dict[tuple[str, str], set[str]]
    tombstones: dict[str, Tombstone]
    deleted: set[str]
    purged: dict[str, str]
    acknowledged: dict[str, int]
    last_run: dict[str, int]
    checked: dict[str, int]
    newest: int | None

    def __init__(self, restored: dict[str, int] | None = None) -> None:
        self.rotations, self.tombstones, self.deleted, self.purged, self.acknowledged = {}, {}, set(), {}, {}
        self.restored, self.restored_objects, self.returned = restored or {}, {}, {}
        self.last_run, self.checked, self.newest = {}, {}, None

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
        """Return the rotations of this tree that have no `end` line."""
        return [rotation for rotation in self.rotations.values() if rotation.tree == tree and rotation.end is None]

    def leftover_instants(self, tree: str) -> list[int]:
        """Start instants (ms) of this tree's interrupted rotations. Archive objects with such a stamp may exist without a log line."""
        cut = (rotation for rotation in self.rotations.values() if rotation.tree == tree and (rotation.end is None or rotation.end.get("interrupted") is True))
        return sorted({rotation.started_at for rotation in cut})

    def unsettled(self, tree: str) -> list[ArchivedRecord]:
        """Return the notes archived in this tree whose sidecar no run has yet seen on disk at least `SETTLED_AFTER` after it was written."""
        checked = self.checked.get(tree)
        return [
            record
            for record in self.archived()
            if record.tree == tree and record.archive_path not in self.deleted and (checked is None or checked < record.at + SETTLED_AFTER)
        ]


def fold(entries: Iterable[dict[str, Any]]) -> RotationState:
    """Return the state after these lines. A line of an unknown kind or shape only updates `newest`."""
    state = RotationState()
    for fields in entries:
        at = instant(fields)
        if at is None:
            continue
        state.newest = at if state.newest is None else max(state.newest, at)
        step = _STEPS.get(str(fields.get("kind")))
        if step is not None:
            step(state, fields, at)
    return state


def _begin(state: RotationState, fields: dict[str, Any], at: int) -> None:
    rotation_id, tree, trigger = text(fields, "rotation_id"), text(fields, "tree"), text(fields, "trigger")
    if rotation_id and tree and trigger:
        state.rotations.setdefault(rotation_id, Rotation(rotation_id, tree, trigger, at, fields))
        state.checked[tree] = max(at, state.checked.get(tree, at))


def _archived(state: RotationState, fields: dict[str, Any], at: int) -> None:
    rotation_id, tree, sidecar, age = text(fields, "rotation_id"), text(fields, "tree"), fields.get("sidecar"), fields.get("age_days")
    key, archive_path, backup_path = text(fields, "path"), text(fields, "archive_path"), text(fields, "backup_path")
    if not (rotation_id and tree and key and archive_path and backup_path and isinstance(sidecar, dict) and _is_sidecar(sidecar)):
        return
    # The `begin` line may be torn; the archived note must not be lost with it.
    rotation = state.rotations.setdefault(rotation_id, Rotation(rotation_id, tree, "unknown", at, {}))
    rotation.archived[key] = ArchivedRecord(rotation.id, key, at, rotation.tree, age if isinstance(age, int) else 0, archive_path, backup_path, sidecar)
    state.deleted.discard(archive_path)


def _outcome(state: RotationState, fields: dict[str, Any], at: int) -> None:
    """Record what happened to the original of an archived note: it was moved to its backup, put back, or abandoned where it is."""
    rotation, key = _rotation_of(state, fields)
    kind = fields["kind"]
    if rotation is None:
        # An `abandoned` line without a rotation belongs to retention: the deletion announced by a tombstone was called off.
        if kind == "abandoned" and "rotation_id" not in fields:
            state.tombstones.pop(text(fields, "archive_path"), None)
    elif kind == "moved":
        rotation.moved[key] = at
    elif kind == "put_back":
        rotation.put_back.add(key)
    else:
        rotation.abandoned[key] = text(fields, "reason")


def _restored(state: RotationState, fields: dict[str, Any], at: int) -> None:
    key, archive_path, rotation_id = text(fields, "path"), text(fields, "archive_path"), text(fields, "rotation_id")
    if not key:
        return
    state.restored[key] = max(at, state.restored.get(key, at))
    if archive_path:
        state.restored_objects[archive_path] = at
    if rotation_id:
        state.returned.setdefault((rotation_id, text(fields, "original_path")), set()).add(text(fields, "sha256"))


def _tombstone(state: RotationState, fields: dict[str, Any], at: int) -> None:
    archive_path = text(fields, "archive_path")
    # Another line about an object that is announced already must not restart the days.
    if archive_path:
        state.tombstones.setdefault(archive_path, Tombstone(archive_path, text(fields, "path"), at))


def _observed(state: RotationState, fields: dict[str, Any], at: int) -> None:
    state.tombstones = {archive_path: tombstone.seen(at) for archive_path, tombstone in state.tombstones.items()}


def _deleted(state: RotationState, fields: dict[str, Any], at: int) -> None:
    archive_path = text(fields, "archive_path")
    if archive_path:
        state.deleted.add(archive_path)
        state.tombstones.pop(archive_path, None)


def _purged(state: RotationState, fields: dict[str, Any], at: int) -> None:
    """Transfer everything known about the old object to the one that replaces it."""
    before, after, sidecar = text(fields, "replaces"), text(fields, "archive_path"), fields.get("sidecar")
    if not (before and after and isinstance(sidecar, dict) and _is_sidecar(sidecar)):
        return
    if before != after:
        state.purged[before] = after
    rotation, key = _rotation_of(state, fields)
    record = rotation.archived.get(key) if rotation is not None else None
    if rotation is not None and record is not None:
        rotation.archived[key] = record._replace(archive_path=after, backup_path=text(fields, "backup_path") or record.backup_path, sidecar=sidecar)
        if text(fields, "backup_sha256") and (rotation.id, key) in state.returned:
            state.returned[(rotation.id, key)].add(text(fields, "backup_sha256"))
    if before in state.restored_objects:
        state.restored_objects[after] = state.restored_objects[before]
    if before in state.deleted:
        state.deleted.add(after)
    tombstone = state.tombstones.pop(before, None)
    if tombstone is not None:
        state.tombstones[after] = tombstone._replace(archive_path=after)


def _acknowledged(state: RotationState, fields: dict[str, Any], at: int) -> None:
    archive_path = text(fields, "archive_path")
    if archive_path and fields["kind"] == "acknowledged":
        state.acknowledged[archive_path] = at
    else:
        state.acknowledged.pop(archive_path, None)


def _evaluated(state: RotationState, fields: dict[str, Any], at: int) -> None:
    trigger, tree = text(fields, "trigger"), text(fields, "tree")
    if trigger:
        state.last_run[trigger] = max(at, state.last_run.get(trigger, at))
    if tree:
        state.checked[tree] = max(at, state.checked.get(tree, at))


def _end(state: RotationState, fields: dict[str, Any], at: int) -> None:
    rotation = state.rotations.get(text(fields, "rotation_id"))
    if rotation is not None:
        rotation.end = fields
        rotation.completed_at = at


_STEPS = {
    "begin": _begin,
    "archived": _archived,
    "moved": _outcome,
    "put_back": _outcome,
    "abandoned": _outcome,
    "restored": _restored,
    "tombstone": _tombstone,
    "observed": _observed,
    "deleted": _deleted,
    "evaluated": _evaluated,
    "purged": _purged,
    "acknowledged": _acknowledged,
    "unacknowledged": _acknowledged,
    "end": _end,
}


def _rotation_of(state: RotationState, fields: dict[str, Any]) -> tuple[Rotation | None, str]:
    """Return (the rotation, the note's key) of a line about one note that a rotation archived."""
    key = text(fields, "path")
    return (state.rotations.get(text(fields, "rotation_id")) if key else None), key


def _is_sidecar(value: dict[str, Any]) -> bool:
    return isinstance(value.get("sha256"), str) and all(type(value.get(name)) is int for name in ("size", "mtime_ns"))


def text(fields: dict[str, Any], name: str) -> str:
    """Return a member that is a text, "" when it is missing or something else."""
    value = fields.get(name)
    return value if isinstance(value, str) else ""


def instant(fields: dict[str, Any]) -> int | None:
    """Return when a line was written (ms), None when it does not say so."""
    return time_of.parse(text(fields, "at"))
