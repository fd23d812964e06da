"""The archive on disk: verified writes, bounded reads, listings. Objects are never changed.

A write has three steps, so that a rotation can sync many notes together: `stage` (temporary files; the object is synced), `publish` (final
names, without replacing), `verify` (reopen and compare). A sidecar is not synced here: the rotation log contains its content and is synced
before anything depends on it (memorybank.rotation.recover rewrites a lost one).
"""

import os
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass
from hashlib import sha256
from typing import Any

from memorybank.archive import object as objects
from memorybank.archive.files import absolute as absolute
from memorybank.archive.files import names as names
from memorybank.archive.object import BY_DATE, COMPRESSED, MAX_SIDECAR_BYTES, PLAIN, SIDECAR, ArchiveObject
from memorybank.errors import MemorybankError, NewerFormat, NotFound, Problem, ResourceExhausted, UsageError, ValidationFailed
from memorybank.storage import disk, frames
from memorybank.storage.layout import Layout, safe_parts

_ATTRIBUTES = b"# Archived notes are bytes: git must never convert line ends in them.\nby_date/** -text\n"


@dataclass(frozen=True, slots=True)
class StagedObject:
    """An object whose bytes are in temporary files, before it has its final names.

    object_temp: path of the object's temporary file; None when an interrupted run has already written the object
    """

    object: ArchiveObject
    sidecar: dict[str, Any]
    object_temp: str | None
    sidecar_temp: str


def is_there(layout: Layout, relative: str) -> bool:
    """Return whether an object or sidecar exists, whatever is in it."""
    return os.path.lexists(absolute(layout, relative))


def sidecar_beside(object_path: str) -> str:
    """Return the path of an object's sidecar. Raises `UsageError` when the argument cannot be an object's path."""
    path = object_path.removesuffix(COMPRESSED).removesuffix(PLAIN)
    if path == object_path or not path.startswith(f"{BY_DATE}/"):
        raise UsageError(f"{object_path!r} is not the path of an archive object")
    return "/".join(safe_parts(path)) + SIDECAR


def sync(folders: Iterable[str]) -> None:
    """Sync folders (absolute paths). A missing folder is skipped."""
    for folder in sorted(folders):
        with suppress(FileNotFoundError):
            disk.sync_directory(folder)


def prepare(layout: Layout, folder: str) -> None:
    """Create `folder` (`archive/by_date/YYYY/MM`) and make its name and its parents' names durable. The writer syncs the entries in it."""
    path = absolute(layout, folder)
    disk.make_directories(path)
    attributes = absolute(layout, "archive/.gitattributes")
    if not os.path.lexists(attributes):
        with suppress(FileExistsError):
            disk.create(attributes, _ATTRIBUTES)
    while path != layout.root:
        path = os.path.dirname(path)
        disk.sync_directory(path)


def pack(data: bytes, compressed: bool) -> bytes:
    """Return the bytes that are stored for a note's bytes."""
    return frames.compress(data) if compressed else data


def stage(layout: Layout, described: ArchiveObject, stored: bytes | None) -> StagedObject:
    """Write temporary files next to the final names; the object is synced. After an error none is left.

    stored: the object's bytes; None when the object already exists
    """
    folder = absolute(layout, described.folder)
    if stored is None:
        disk.sync_file(absolute(layout, described.object_path))
    object_temp = None if stored is None else disk.write_temp(folder, (stored,))
    sidecar = described.fields()
    try:
        sidecar_temp = disk.write_temp(folder, (objects.render(sidecar),), durable=False)
    except BaseException:
        if object_temp:
            disk.discard(object_temp)
        raise
    return StagedObject(described, sidecar, object_temp, sidecar_temp)


def publish(layout: Layout, staged: StagedObject) -> None:
    """Give object and sidecar their final names. Raises `ValidationFailed` when a name is taken: objects are never replaced."""
    sidecar = absolute(layout, staged.object.sidecar_path)
    if staged.object_temp is None:
        # The object is from an interrupted run, so its sidecar was not synced and may be incomplete.
        disk.remove(sidecar)
    try:
        if staged.object_temp is not None:
            disk.publish(staged.object_temp, absolute(layout, staged.object.object_path))
        disk.publish(staged.sidecar_temp, sidecar)
    except FileExistsError as error:
        raise ValidationFailed(
            f"{staged.object.object_path}: another file already has this name", next_step="run 'memorybank verify', then the same command again"
        ) from error


def discard(staged: StagedObject) -> None:
    """Delete the temporary files that are left. Failures are ignored."""
    for temp in (staged.object_temp, staged.sidecar_temp):
        if temp is not None:
            disk.discard(temp)


def write_sidecar(layout: Layout, described: ArchiveObject) -> None:
    """Write a sidecar again, durably."""
    disk.replace(absolute(layout, described.sidecar_path), (objects.render(described.fields()),), durable=True)


def read_object(layout: Layout, described: ArchiveObject) -> bytes:
    """Return the note's bytes after checking every digest. Raises `ValidationFailed` when anything is damaged.

    Memory use is bounded by the sizes in the sidecar.
    """
    path = described.object_path
    try:
        stored = disk.read(absolute(layout, path), described.object_size)
    except FileNotFoundError as error:
        raise ValidationFailed(f"{path}: the object is missing", next_step=_GONE) from error
    except ResourceExhausted as error:
        raise ValidationFailed(f"{path}: longer than its sidecar says") from error
    if len(stored) != described.object_size or sha256(stored).hexdigest() != described.object_sha256:
        raise ValidationFailed(f"{path}: damaged: its bytes are not those that were written", next_step=_GONE)
    data = frames.decompress(stored, described.size, path) if described.compressed else stored
    if len(data) != described.size or sha256(data).hexdigest() != described.sha256:
        raise ValidationFailed(f"{path}: damaged: the note in it is not the one that was archived", next_step=_GONE)
    return data


_GONE = "look for it in backups/, in a colleague's clone, or in git: the archive is committed"


def read_sidecar(layout: Layout, path: str) -> ArchiveObject:
    """Return the object that the sidecar at `path` (relative to the bank) describes. Raises `ValidationFailed` when it cannot be trusted."""
    try:
        data = disk.read(absolute(layout, path), MAX_SIDECAR_BYTES)
    except FileNotFoundError as error:
        raise ValidationFailed(f"{path}: the sidecar is missing") from error
    except ResourceExhausted as error:
        raise ValidationFailed(f"{path}: too long for a sidecar") from error
    return objects.parse(data, path)


def listing(layout: Layout) -> tuple[list[ArchiveObject], list[Problem]]:
    """Return (archived notes by date and id, problems of sidecars). The objects themselves are not read."""
    return _described(layout, (path for path in names(layout) if path.endswith(SIDECAR)))


def _described(layout: Layout, sidecars: Iterable[str]) -> tuple[list[ArchiveObject], list[Problem]]:
    found: list[ArchiveObject] = []
    problems: list[Problem] = []
    for path in sidecars:
        try:
            found.append(read_sidecar(layout, path))
        except MemorybankError as error:
            problems.append(Problem(error.code if isinstance(error, NewerFormat) else "sidecar_invalid", path, error.message))
    found.sort(key=lambda described: (described.archived_at, described.id))
    return found, problems


def find(layout: Layout, name: str) -> ArchiveObject:
    """Return the object with this id, or the only one with these last 8 digits or this note key.

    Raises `NotFound` for none or several; the message then lists the candidates.
    """
    wanted = name.removesuffix(SIDECAR).removesuffix(COMPRESSED).removesuffix(PLAIN)
    sidecars = [path for path in names(layout) if path.endswith(SIDECAR)]
    # The name of a sidecar is the id, so a complete id needs one of thousands read.
    for exact in _described(layout, [path for path in sidecars if path.endswith(f"/{wanted}{SIDECAR}")])[0]:
        return exact
    described, problems = _described(layout, sidecars)
    for matching in (
        [each for each in described if len(wanted) == 8 and each.id.endswith(f"-{wanted}")],
        [each for each in described if each.original_path == name],
    ):
        if len(matching) == 1:
            return matching[0]
        if matching:
            candidates = ", ".join(each.id for each in matching[-5:])
            raise NotFound(f"{name!r} matches {len(matching)} archived notes: {candidates}", next_step="use one of their ids")
    newer = sum(problem.code == NewerFormat.code for problem in problems)
    if newer:
        count = "1 archived note was" if newer == 1 else f"{newer} archived notes were"
        raise NewerFormat(f"no archived note {name!r} that this version can read; {count} written by a newer memorybank")
    raise NotFound(f"no archived note {name!r}", next_step="'memorybank archive list' shows the ids")


def holds(layout: Layout, path: str, stored: bytes) -> bool:
    """Return whether the file at `path`, relative to the bank, contains exactly these bytes."""
    return contains(absolute(layout, path), stored)


def contains(path: str, data: bytes) -> bool:
    """Return whether a file contains exactly these bytes."""
    try:
        return disk.read(path, len(data)) == data
    except (FileNotFoundError, MemorybankError):
        return False


def is_free(layout: Layout, described: ArchiveObject) -> bool:
    """Return whether neither the object's nor the sidecar's name is taken."""
    return not any(os.path.lexists(absolute(layout, path)) for path in (described.object_path, described.sidecar_path))
