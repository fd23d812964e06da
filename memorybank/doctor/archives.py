"""Checks of the archive and the backups: every digest, and what an interrupted run left."""

import json
import os
from collections.abc import Iterator

from memorybank.archive import catalogues, store
from memorybank.clock import isoformat, stamp
from memorybank.doctor.context import DoctorContext
from memorybank.doctor.finding import FAIL, WARN, Symptom
from memorybank.errors import NewerFormat
from memorybank.log import rotation as log
from memorybank.rotation import history
from memorybank.storage import disk

_REPAIRABLE = "verify --repair"
_LARGEST = 1 << 30
_FINISH = "finish it with 'memorybank rotate' or 'memorybank maintain'"
_LEFT_OVER = "the next rotation of that note uses it; if you want to keep the note, remove this file"
_OF_LOGS = "log_"


def intact(context: DoctorContext) -> Iterator[Symptom]:
    """Report archived notes that are missing or whose bytes are not what was archived."""
    for finding in context.verified.findings:
        if finding.level != "error" or finding.code.startswith(_OF_LOGS) or _REPAIRABLE in finding.next_step:
            continue
        if finding.code == "sidecar_missing" and _is_left_over(context, finding.path):
            yield Symptom(WARN, "left by a rotation that was interrupted before it moved the note out of active/", finding.path, _LEFT_OVER)
        else:
            yield Symptom(FAIL, finding.message, finding.path, finding.next_step)


def _is_left_over(context: DoctorContext, path: str) -> bool:
    """Return whether an object that is not in the log has the time stamp of a rotation that never ended."""
    instants = context.rotations.leftover_instants(log.tree_of(context.layout))
    return os.path.basename(path).startswith(tuple(map(stamp, instants)))


def sidecars(context: DoctorContext) -> Iterator[Symptom]:
    """Report archived notes without their sidecar."""
    for finding in context.verified.findings:
        if _REPAIRABLE in finding.next_step:
            yield Symptom(FAIL, finding.message, finding.path, finding.next_step)


def write_sidecars(context: DoctorContext) -> Iterator[str]:
    """Fix: write lost sidecars again from the rotation log."""
    for path in context.writable_bank().archive.repair():
        yield f"wrote {path} again from the rotation log"


def tidy(context: DoctorContext) -> Iterator[Symptom]:
    """Report files in the archive that do not belong there, and files that were removed too early."""
    for finding in context.verified.findings:
        if finding.level != "error" and not finding.code.startswith(_OF_LOGS) and finding.code != NewerFormat.code:
            yield Symptom(WARN, finding.message, finding.path, finding.next_step or "move it away if it is your own file")


def interrupted(context: DoctorContext) -> Iterator[Symptom]:
    """Report interrupted rotations."""
    for rotation in context.rotations.interrupted(log.tree_of(context.layout)):
        what = f"the rotation {rotation.id} of {isoformat(rotation.started_at)[:10]} was interrupted; all of its notes are safe"
        yield Symptom(WARN, what, "log/rotation.jsonl", _FINISH)


def backups_kept(context: DoctorContext) -> Iterator[Symptom]:
    """Report originals of rotated notes that were changed, or deleted before they expired."""
    for found in context.bank.backups.list():
        folder = f"{context.shown(context.layout.backups)}/{found.rotation_id}"
        if found.missing and found.expires_at > context.now:
            yield Symptom(
                WARN,
                f"{found.missing:,} originals were deleted before they expire on {isoformat(found.expires_at)[:10]}",
                folder,
                "their copies are in the archive; list them with 'memorybank archive list'",
            )
        if found.edited:
            what = f"edited after they were moved, so they are never removed: {', '.join(found.edited[:5])}"
            yield Symptom(WARN, what, folder, "compare them with the notes, and keep what is new")


def backups_known(context: DoctorContext) -> Iterator[Symptom]:
    """Report folders of backups that belong to no rotation in the log and hold no versions of edited notes."""
    from memorybank.editing import draft, settle

    folder = context.layout.backups
    try:
        names = sorted(os.listdir(folder))
    except FileNotFoundError:
        return
    for name in names:
        if name not in context.rotations.rotations and name not in (draft.FOLDER, settle.FOLDER) and os.path.isdir(os.path.join(folder, name)):
            what = "no rotation in the log has this name, so this folder will never be removed"
            yield Symptom(WARN, what, f"{context.shown(folder)}/{name}", "look into it, and move what you need back to active/")


def catalogues_current(context: DoctorContext) -> Iterator[Symptom]:
    """Report catalogues that do not agree with the archive. A clone has none until something is archived there."""
    if not any(os.path.isdir(os.path.join(context.layout.archive, folder)) for folder in catalogues.FOLDERS):
        return
    objects, _ = store.listing(context.layout)
    stale = catalogues.differing(context.layout, catalogues.render(objects))
    if stale:
        what = f"{len(stale):,} pages are out of date, such as {stale[0]}"
        yield Symptom(WARN, what, "archive", "'memorybank doctor --fix' writes them again")


def write_catalogues(context: DoctorContext) -> Iterator[str]:
    """Fix: write the catalogues again."""
    catalogues.write(context.layout)
    yield "wrote the catalogues of the archive again"


def history_current(context: DoctorContext) -> Iterator[Symptom]:
    """Report a metadata/rotation_history.json that does not agree with the log."""
    where = "metadata/rotation_history.json"
    try:
        lying = json.loads(disk.read(os.path.join(context.layout.metadata, "rotation_history.json"), _LARGEST))
    except FileNotFoundError:
        if context.rotations.rotations and os.path.isdir(context.layout.metadata):
            yield Symptom(WARN, "this file is missing although there were rotations", where, "'memorybank doctor --fix' writes it")
        return
    except ValueError:
        lying = None
    if lying != history.document(context.rotations):
        yield Symptom(WARN, "this file does not agree with the rotation log", where, "'memorybank doctor --fix' writes it again")


def write_history(context: DoctorContext) -> Iterator[str]:
    """Fix: write metadata/rotation_history.json again."""
    history.write(context.layout)
    yield "wrote metadata/rotation_history.json again"
