"""Carries out the steps of one change on the disk, from the second name of the old version to the new version in its place.

Each function returns the outcome of the change. It raises `Conflict` when somebody saved the file in the meantime, or another error; the files
that it leaves then are brought into order by `settle`.
"""

from __future__ import annotations

import errno
import os

from memorybank.editing import settle
from memorybank.editing.settle import ChangePlaces
from memorybank.errors import Conflict, MemorybankError, ResourceExhausted
from memorybank.log.changes import REMOVED, RENAMED, REPLACED, ChangeRecord
from memorybank.storage import disk

AGAIN = "run the same command again"


def replace(places: ChangePlaces, record: ChangeRecord, temp: str) -> str:
    """Give the new version the name of the old one. temp: the new version, which is durable"""
    _take(places, record)
    try:
        disk.publish(temp, places.path)
    except FileExistsError:
        raise changed(record.path) from None
    settle.release_displaced(places)
    return REPLACED


def remove(places: ChangePlaces, record: ChangeRecord) -> str:
    """Remove the file. Its bytes stay as the kept version."""
    _take(places, record)
    settle.release_displaced(places)
    return REMOVED


def rename(places: ChangePlaces, record: ChangeRecord) -> str:
    """Give the file its new name, and the folders that this name needs."""
    # After the change was logged, so that a change that is taken back removes them.
    disk.make_directories(os.path.dirname(places.new), disk.USER_DIRECTORY, durable=True)
    try:
        disk.keep_copy(places.path, places.new)
    except FileExistsError:
        raise taken(record.new_path) from None
    except FileNotFoundError:
        raise changed(record.path) from None
    _displace(places, record)
    if settle.is_same_file(places.aside, places.new):
        disk.remove(places.aside)
    elif settle.digest_of(places.aside) == record.before:
        # Without hard links the displaced file is the original, to which an editor may still write.
        disk.move(places.aside, places.kept)
    else:
        raise changed(record.path)
    return RENAMED


def changed(path: str) -> Conflict:
    """Return the error for a file that somebody else saved."""
    return Conflict(f"{path.removeprefix('active/')} was changed by somebody else in the meantime", next_step=AGAIN)


def taken(path: str) -> Conflict:
    """Return the error for a name that another file already has."""
    return Conflict(f"{path.removeprefix('active/')} exists already", next_step="choose another name; a note is never replaced")


def _take(places: ChangePlaces, record: ChangeRecord) -> None:
    """Keep the old version under its second name, take its first name away, and compare it again."""
    try:
        disk.keep_copy(places.path, places.kept)
    except FileNotFoundError:
        raise changed(record.path) from None
    except MemorybankError as error:
        if getattr(error.__cause__, "errno", 0) == errno.EXDEV:
            raise ResourceExhausted(
                f"{record.path} and {record.backup_path} are on different devices, so the old version cannot be kept",
                next_step="set backup_policy.backup_directory to a folder on the device of the notes; nothing was changed",
            ) from error
        raise
    if settle.digest_of(places.kept) != record.before:
        raise changed(record.path)
    _displace(places, record)
    if settle.digest_of(places.aside) != record.before:
        raise changed(record.path)


def _displace(places: ChangePlaces, record: ChangeRecord) -> None:
    try:
        disk.move(places.path, places.aside)
    except FileNotFoundError:
        raise changed(record.path) from None
