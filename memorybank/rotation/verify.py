"""Verifies the archive: log lines, sidecars and object bytes, with every digest computed again.

Derived files are not read, so a clone with only `archive/` can be verified too. A log line that a crash cut off is a warning; damage that
a crash cannot cause is an error.
"""

import os
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from memorybank.archive import store
from memorybank.archive.object import BY_DATE, COMPRESSED, PLAIN, SIDECAR, ArchiveObject
from memorybank.clock import Clock, isoformat, parse
from memorybank.errors import MemorybankError, NewerFormat
from memorybank.log import lines
from memorybank.log import rotation as log
from memorybank.log.rotation_state import ArchivedRecord, RotationState
from memorybank.rotation import backups, elsewhere, guard, recover
from memorybank.rotation.report import ERROR, WARNING, ArchiveFinding
from memorybank.storage import beneath, disk
from memorybank.storage.layout import Layout

_REPAIR = "'memorybank verify --repair' writes it again from the log"
_LINE_ALTERED = "restore the line from a copy of this file; without a copy, delete the line after every archived note has been verified"
_UPGRADE = "upgrade memorybank to read it; it is not damaged, and nothing repairs or removes it"
_LOOK_ELSEWHERE = "look for it in backups/, in a colleague's clone, or in git"


@dataclass(slots=True)
class VerifyReport:
    """The numbers of lines, sidecars and objects that were read, the objects' bytes, and the findings.

    missing: archived notes whose object is missing for no known reason
    """

    objects: int = 0
    sidecars: int = 0
    log_lines: int = 0
    bytes_read: int = 0
    findings: list[ArchiveFinding] = field(default_factory=list)
    missing: list[ArchivedRecord] = field(default_factory=list)

    @property
    def is_sound(self) -> bool:
        return not any(finding.level == ERROR for finding in self.findings)

    def to_json(self) -> dict[str, Any]:
        return {
            "sound": self.is_sound,
            "objects": self.objects,
            "sidecars": self.sidecars,
            "log_lines": self.log_lines,
            "bytes_read": self.bytes_read,
            "findings": [finding.to_json() for finding in self.findings],
        }


def verify(layout: Layout, now: int) -> VerifyReport:
    """Read and compare everything. Nothing is changed.

    now: instant (ms) that distinguishes an expired object from a lost one
    """
    report = VerifyReport()
    report.findings += _logs(layout, report)
    state = log.read(layout)
    logged = {record.archive_path: record for record in state.archived()}
    present = set(store.names(layout))
    good = _objects(layout, present, logged, state, report)
    report.findings += _strays(present, logged)
    report.findings += _logged_objects(layout, state, good, present, now, report)
    report.findings.sort()
    return report


def _logs(layout: Layout, report: VerifyReport) -> Iterator[ArchiveFinding]:
    for name in (name for name in beneath.names_in(layout.log) if name.endswith(".jsonl")):
        path = os.path.join(layout.log, name)
        report.log_lines += sum(1 for _ in lines.read(path))
        for problem in lines.problems(path, f"log/{name}"):
            where = problem.where
            altered = problem.code == "log_line_altered"
            step = _LINE_ALTERED if altered else _UPGRADE if problem.code == NewerFormat.code else ""
            yield ArchiveFinding(where, problem.code, ERROR if altered else WARNING, problem.message, step)


def _objects(layout: Layout, present: set[str], logged: dict[str, ArchivedRecord], state: RotationState, report: VerifyReport) -> dict[str, ArchiveObject]:
    """Return {object path: object} of the objects that verify against their sidecars."""
    good: dict[str, ArchiveObject] = {}
    for path in sorted(path for path in present if path.endswith(SIDECAR)):
        report.sidecars += 1
        try:
            described = store.read_sidecar(layout, path)
            report.bytes_read += len(store.read_object(layout, described))
        except NewerFormat as error:
            report.findings.append(ArchiveFinding(path, error.code, WARNING, error.message.partition(": ")[2], _UPGRADE))
            continue
        except MemorybankError as error:
            report.findings.append(_damage(path, error, logged, state, present))
            continue
        report.objects += 1
        good[described.object_path] = described
    return good


def _damage(path: str, error: MemorybankError, logged: dict[str, ArchivedRecord], state: RotationState, present: set[str]) -> ArchiveFinding:
    """Return the finding about a damaged sidecar or object, for the file that is damaged."""
    objects = {path.removesuffix(SIDECAR) + suffix for suffix in (COMPRESSED, PLAIN)}
    if not objects & present:
        if any(state.tombstones[each].is_ripe for each in objects & state.tombstones.keys()):
            return ArchiveFinding(
                path, "object_expired", WARNING, "its retention period was over, and its deletion was interrupted", "'memorybank maintain' finishes it"
            )
        return ArchiveFinding(path, "object_missing", ERROR, error.message, error.next_step or _LOOK_ELSEWHERE)
    if error.message.startswith(path):
        step = _REPAIR if objects & logged.keys() else "restore it from git or a colleague's clone"
        return ArchiveFinding(path, "sidecar_damaged", ERROR, error.message, step)
    return ArchiveFinding(path, "object_damaged", ERROR, error.message, error.next_step or _LOOK_ELSEWHERE)


def _strays(present: set[str], logged: dict[str, ArchivedRecord]) -> Iterator[ArchiveFinding]:
    for path in sorted(present):
        if path.endswith(SIDECAR):
            continue
        stem = path.removesuffix(COMPRESSED).removesuffix(PLAIN)
        if stem == path:
            yield ArchiveFinding(path, "stray_file", WARNING, f"does not belong below {BY_DATE}")
        elif stem + SIDECAR not in present:
            step = _REPAIR if path in logged else "restore the sidecar from git; if there never was one, an interrupted run left this copy of an active note"
            yield ArchiveFinding(path, "sidecar_missing", ERROR, "no sidecar describes this object", step)


def _logged_objects(
    layout: Layout, state: RotationState, good: dict[str, ArchiveObject], present: set[str], now: int, report: VerifyReport
) -> Iterator[ArchiveFinding]:
    """Yield findings about objects that are in the log but not in the archive."""
    own_tree = log.tree_of(layout)
    for record in state.archived():
        described = good.get(record.archive_path)
        if described is not None:
            if described.fields() != record.sidecar:
                yield _differs(record, described)
            continue
        tombstone = state.tombstones.get(record.archive_path)
        if record.archive_path in state.deleted or record.archive_path in present or (tombstone is not None and tombstone.is_ripe):
            continue
        instead = _purged_elsewhere(record, good)
        if instead is not None:
            said = f"a text was purged from it on another machine; {instead.object_path} replaces it"
            yield ArchiveFinding(
                record.archive_path, "object_purged", WARNING, said, "run the same purge here: backups and logs of this machine may contain the text"
            )
            continue
        # Worktrees share the log but not the archive.
        if record.tree != own_tree and recover.verifies(backups.home_of(layout, record), record):
            continue
        expiry = parse(str(record.sidecar.get("delete_after")))
        if expiry is not None and expiry <= now:
            said = f"missing; its retention period ended on {isoformat(expiry)[:10]}, so a colleague's retention may have deleted it"
            yield ArchiveFinding(record.archive_path, "object_expired", WARNING, said)
        else:
            report.missing.append(record)
            yield _missing(layout, record, state.acknowledged.get(record.archive_path))


def _differs(record: ArchivedRecord, described: ArchiveObject) -> ArchiveFinding:
    """Return the finding about a sidecar that the log does not know. It is a warning if another clone archived the same note in the same second."""
    ours = record.sidecar
    if (described.original_path, described.sha256) == (ours.get("original_path"), ours.get("sha256")) and described.rotation_id != ours.get("rotation_id"):
        said = f"another clone archived the same note in the same second (rotation {described.rotation_id}); its sidecar is kept"
        return ArchiveFinding(record.archive_path, "sidecar_of_colleague", WARNING, said)
    return ArchiveFinding(record.archive_path, "sidecar_differs", ERROR, "its sidecar is not the one that the rotation log recorded")


def _missing(layout: Layout, record: ArchivedRecord, acknowledged: int | None) -> ArchiveFinding:
    """Return the finding about a missing object. It is a warning only if a person acknowledged it and the note is still complete elsewhere.

    acknowledged: instant (ms) of the acknowledgement, or None
    """
    said = f"the rotation log lists it as the archive of {record.key}, but it is missing"
    copy = elsewhere.complete_copy(layout, record)
    day = "" if acknowledged is None else isoformat(acknowledged)[:10]
    if copy and day:
        said = f"missing here, but the note {record.key} is complete in {copy}; acknowledged on {day}"
        return ArchiveFinding(record.archive_path, "object_elsewhere", WARNING, said, "'memorybank verify --unacknowledge' takes that back")
    if copy:
        said += f"; the note is complete in {copy}"
        step = "bring the file back from there; if it is to stay there, 'memorybank verify --acknowledge' makes this a warning"
        return ArchiveFinding(record.archive_path, "object_missing", ERROR, said, step)
    said += f"; the copy that was acknowledged on {day} no longer exists" if day else ""
    return ArchiveFinding(record.archive_path, "object_missing", ERROR, said, _LOOK_ELSEWHERE)


def _purged_elsewhere(record: ArchivedRecord, good: dict[str, ArchiveObject]) -> ArchiveObject | None:
    """Return the object that replaced an object of this machine in a colleague's purge."""
    of_note = (each for each in good.values() if (each.rotation_id, each.original_path) == (record.rotation_id, record.key))
    return next((each for each in of_note if each.purged_at is not None), None)


def acknowledge(layout: Layout, clock: Clock) -> list[str]:
    """Record that a person acknowledges the missing objects whose notes are complete elsewhere. Return their paths."""
    with guard.changing(layout, "memorybank verify --acknowledge", clock):
        known = log.read(layout).acknowledged
        missing = [record for record in verify(layout, clock.now()).missing if record.archive_path not in known]
        return elsewhere.acknowledge(layout, missing, clock)


def repair(layout: Layout) -> list[str]:
    """Rewrite, from the log, every missing or damaged sidecar whose object exists. Return their paths."""
    try:
        return recover.repair_sidecars(layout, list(log.read(layout).archived()))
    except OSError as error:
        raise disk.from_os_error(error, layout.archive) from error
