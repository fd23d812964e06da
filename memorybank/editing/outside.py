"""Changes files outside the bank that a person or another program may save at the same time: a host's settings, the person's own settings, copies in an editor.

The steps are those of a change in the bank (`steps`). Such a file may belong to no bank, so no log leads to its second name: it is next to the file,
and contains the digest of the version that the change was made from. After a crash, the next change of the file finds it and finishes.
"""

from __future__ import annotations

import os
import re
from stat import S_IMODE

from memorybank.editing import settle, steps
from memorybank.editing.settle import ChangePlaces
from memorybank.errors import Conflict
from memorybank.log.changes import NO_FILE, REMOVING, REPLACING, ChangeRecord
from memorybank.storage import disk
from memorybank.storage.layout import MAX_NAME_BYTES

_LONGEST = MAX_NAME_BYTES - len(".") - len(".memorybank-") - 64 - len("~displaced")
"""Bytes of the longest name that is part of the second name."""
_SECOND_NAME = re.compile(r"\.memorybank-([0-9a-f]{64})(~displaced)?\Z")


def read(path: str, limit: int) -> bytes | None:
    """Return the bytes of a file, or None when it does not exist. After an interrupted change these are the bytes that the next change puts back.

    limit: bytes
    """
    for name in (path, *(name for place in _interrupted(path) for name in (place.aside, place.kept))):
        try:
            return disk.read(name, limit)
        except FileNotFoundError:
            continue
    return None


def is_interrupted(path: str) -> bool:
    """Return whether an interrupted command began a change of a file, which `finish` would finish."""
    return bool(_interrupted(path))


def replace(path: str, data: bytes | None, before: bytes | None, *, mode: int = disk.USER_FILE) -> None:
    """Replace a file, create it or remove it; finish an interrupted change of it first.

    data: the new bytes, or None to remove the file
    before: the bytes that the change was made for, or None if the file did not exist
    mode: mode of a new file; an existing one keeps its own
    Raises `Conflict` when somebody else saved the file in the meantime. That version stays.
    """
    from hashlib import sha256  # late: `status` loads this module and changes no file

    finish(path)
    folder = os.path.dirname(path)
    disk.make_directories(folder, disk.USER_DIRECTORY if mode == disk.USER_FILE else disk.PRIVATE_DIRECTORY, durable=True)
    if before is None:
        try:
            disk.create(path, data or b"", mode=mode)
        except FileExistsError:
            raise steps.changed(path) from None
        return
    digest = sha256(before).hexdigest()
    if settle.digest_of(path) != digest:
        raise steps.changed(path)
    places = ChangePlaces(path, os.path.join(folder, f".{_stem(os.path.basename(path))}.memorybank-{digest}"))
    if data is None:
        _carry_out(places, _record(REMOVING, path, digest, NO_FILE), "")
        return
    mode = S_IMODE(os.lstat(path).st_mode)
    temp = disk.write_temp(folder, (data,), mode=mode)
    try:
        disk.set_mode(temp, mode)
        _carry_out(places, _record(REPLACING, path, digest, sha256(data).hexdigest()), temp)
    except BaseException:
        disk.discard(temp)
        raise


def finish(path: str) -> None:
    """Finish the change of this file that an interrupted command began: the file has its name again, and no second one.

    Raises `Conflict` when an editor wrote to the old version afterwards; its text stays under the second name.
    """
    for places in _interrupted(path):
        digest = places.kept[-64:]
        settle.settle(places, _record(REPLACING, path, digest, ""))
        _forget(places, digest)
        if os.path.lexists(places.kept):
            step = f"copy what you need from {places.kept}, delete it, then run the same command again"
            raise Conflict(f"{path} was saved while an earlier command was interrupted", next_step=step)


def _carry_out(places: ChangePlaces, record: ChangeRecord, temp: str) -> None:
    try:
        if record.kind == REMOVING:
            steps.remove(places, record)
        else:
            steps.replace(places, record, temp)
        settle.sync(places)
    except BaseException:
        settle.settle(places, record)
        raise
    finally:
        _forget(places, record.before)


def _forget(places: ChangePlaces, digest: str) -> None:
    """Remove the second name, unless an editor wrote to the old version."""
    if settle.digest_of(places.kept) == digest and not os.path.lexists(places.aside):
        disk.remove(places.kept)


def _interrupted(path: str) -> list[ChangePlaces]:
    """Return the places of interrupted changes of a file: one, unless a person copied the second name."""
    folder, name = os.path.split(path)
    try:
        names = os.listdir(folder)
    except OSError:
        return []
    found = {}
    for each in names:
        second = _SECOND_NAME.search(each)
        if second is not None and each[: second.start()] == f".{_stem(name)}":
            kept = os.path.join(folder, each.removesuffix("~displaced"))
            found[kept] = ChangePlaces(path, kept)
    return list(found.values())


def _stem(name: str) -> str:
    """Return the name of a file, or a digest of one that leaves no space for the end of its second name."""
    encoded = os.fsencode(name)
    if len(encoded) <= _LONGEST:
        return name
    from hashlib import sha256  # late, as in `replace`

    return sha256(encoded).hexdigest()


def _record(kind: str, path: str, before: str, after: str) -> ChangeRecord:
    return ChangeRecord(kind, "", "", 0, "", path, before, after, "")
