"""Finishes one change, from whatever state the files are in: after a kill, a power loss, an error or Ctrl-C.

Nothing that a person saved is deleted or replaced. A file is removed only when another name leads to the same inode.
"""

from __future__ import annotations

import errno
import os

from memorybank.archive import place
from memorybank.errors import Conflict, MemorybankError, ValidationFailed
from memorybank.log.changes import ABANDONED, CREATED, CREATING, PUT_BACK, REMOVED, REMOVING, RENAMED, RENAMING, REPLACED, REPLACING, ChangeRecord
from memorybank.storage import disk
from memorybank.storage.layout import MAX_NOTE_BYTES, Layout, safe_parts

FOLDER = "changes"
"""The folder below `backups/` with the versions before changes."""
_ASIDE = "~displaced"
_NO_NOTE = (errno.ELOOP, errno.ENAMETOOLONG, errno.ENOTDIR, errno.ENXIO)


class ChangePlaces:
    """The absolute paths of one change.

    path: the file. kept: the version before the change. aside: the file while it is displaced. new: its new name, when it is renamed. made: the
    topmost folder that has to be created for the new name, or "".
    """

    __slots__ = ("aside", "kept", "made", "new", "path")

    def __init__(self, path: str, kept: str, new: str = "", made: str = "") -> None:
        self.path = path
        self.kept = kept
        self.aside = kept + _ASIDE
        self.new = new
        self.made = made

    @classmethod
    def of(cls, layout: Layout, record: ChangeRecord) -> ChangePlaces:
        """Return the places of a change in the log of a bank."""
        root = os.path.normpath(os.path.join(layout.local_root, *record.tree.split("/")))
        path, new, made = (os.path.join(root, *safe_parts(name)) if name else "" for name in (record.path, record.new_path, record.made))
        return cls(path, os.path.join(layout.local_root, *record.backup_path.split("/")), new, made)


def change_of(layout: Layout, path: str) -> str:
    """Return the id of the change that keeps the file `path`, "" when it is another file."""
    parts = os.path.relpath(path, layout.backups).split(os.sep)
    return parts[1] if len(parts) > 2 and parts[0] == FOLDER else ""


def settle(places: ChangePlaces, record: ChangeRecord) -> str:
    """Bring the files of a change into order and return its outcome."""
    outcome = _SETTLED[record.kind](places, record)
    if record.kind == RENAMING and outcome != RENAMED:
        _remove_made(places)
    sync(places)
    return outcome


def return_displaced(places: ChangePlaces) -> str:
    """Give the displaced file a name in its folder again, its former name if that is free. Return its path.

    Raises `Conflict` when every possible name is taken.
    """
    folder, name = os.path.split(places.path)
    for candidate in place.candidates(name, digest_of(places.aside) or "0" * 64):
        path = os.path.join(folder, candidate)
        disk.make_directories(folder, disk.USER_DIRECTORY, durable=True)
        try:
            disk.move_back(places.aside, path)
        except FileExistsError:
            continue
        _forget_kept(places, path)
        return path
    raise Conflict(f"{places.aside}: every possible name for this note is taken", next_step="move one of the notes elsewhere, then run the same command again")


def release_displaced(places: ChangePlaces) -> None:
    """Keep the displaced version under its name below `backups/changes/` only. An editor that still writes to it writes to the kept file."""
    if is_same_file(places.aside, places.kept):
        disk.remove(places.aside)
    else:
        disk.move(places.aside, places.kept)


def sync(places: ChangePlaces) -> None:
    """Make the names of a change durable. Nothing depends on the folder of a displaced file that was renamed: its new name was durable before."""
    for folder in {os.path.dirname(path) for path in (places.path, places.new or places.kept)}:
        if os.path.isdir(folder):
            disk.sync_directory(folder)


def digest_of(path: str) -> str | None:
    """Return the SHA-256 (hex) of a note's file; None when it does not exist or is not a note (a link, a folder, over the size limit).

    Raises an error when the disk cannot be read, because then nothing is known about the file.
    """
    from hashlib import sha256  # late: `status` loads this module and computes no digest

    try:
        return sha256(disk.read(path, MAX_NOTE_BYTES)).hexdigest()
    except ValidationFailed:
        return None
    except FileNotFoundError as error:
        if os.path.lexists(path):
            raise disk.from_os_error(error, path) from error
        return None
    except MemorybankError as error:
        if error.__cause__ is None or getattr(error.__cause__, "errno", 0) in _NO_NOTE:
            return None
        raise


def is_same_file(one: str, other: str) -> bool:
    """Return whether two names lead to the same inode."""
    try:
        return os.path.samestat(os.lstat(one), os.lstat(other))
    except OSError:
        return False


def _settled_replacement(places: ChangePlaces, record: ChangeRecord) -> str:
    if os.path.lexists(places.aside):
        if os.path.lexists(places.path) and digest_of(places.aside) == record.before:
            release_displaced(places)
            return _outcome_of(places, record)
        return_displaced(places)
        return PUT_BACK
    if not os.path.lexists(places.path):
        # A power loss can cost both names of the displaced file; the kept one was durable before.
        if os.path.lexists(places.kept):
            disk.make_directories(os.path.dirname(places.path), disk.USER_DIRECTORY, durable=True)
            disk.move_back(places.kept, places.path)
        return PUT_BACK
    return _outcome_of(places, record)


def _outcome_of(places: ChangePlaces, record: ChangeRecord) -> str:
    present = digest_of(places.path)
    if present == record.after:
        disk.sync_file(places.path)
        return REPLACED
    _forget_kept(places, places.path)
    return ABANDONED if present == record.before else PUT_BACK


def _settled_rename(places: ChangePlaces, record: ChangeRecord) -> str:
    if os.path.lexists(places.aside):
        if is_same_file(places.aside, places.new):
            disk.remove(places.aside)
        elif digest_of(places.aside) == record.before == digest_of(places.new):
            disk.move(places.aside, places.kept)
        else:
            return_displaced(places)
    if not os.path.lexists(places.path):
        return RENAMED if os.path.lexists(places.new) else PUT_BACK
    # The old name stays, so the new one is removed: it is the same file, or the version that somebody has replaced.
    if is_same_file(places.path, places.new) or digest_of(places.new) == record.before:
        disk.remove(places.new)
    return ABANDONED if digest_of(places.path) == record.before else PUT_BACK


def _remove_made(places: ChangePlaces) -> None:
    """Remove the empty folders that were created for a name that the file did not get."""
    folder = os.path.dirname(places.new)
    while places.made and (folder == places.made or folder.startswith(places.made + os.sep)):
        disk.remove_directory(folder)
        folder = os.path.dirname(folder)
    if places.made and os.path.isdir(folder):
        disk.sync_directory(folder)


def created(places: ChangePlaces, record: ChangeRecord) -> str:
    """Return the outcome of creating a file: created if it has the bytes that were logged."""
    if digest_of(places.path) != record.after:
        return ABANDONED
    disk.sync_file(places.path)
    return CREATED


def _settled_removal(places: ChangePlaces, record: ChangeRecord) -> str:
    if os.path.lexists(places.aside):
        if digest_of(places.aside) == record.before:
            release_displaced(places)
            return REMOVED
        return_displaced(places)
        return PUT_BACK
    if not os.path.lexists(places.path):
        return REMOVED
    _forget_kept(places, places.path)
    return ABANDONED if digest_of(places.path) == record.before else PUT_BACK


def _forget_kept(places: ChangePlaces, path: str) -> None:
    """Remove the kept name of a file that has its own name again, because a note must not have two names."""
    if is_same_file(places.kept, path):
        # A killed command may have given the file its name back without syncing it.
        disk.sync_directory(os.path.dirname(path))
        disk.remove(places.kept)


_SETTLED = {REPLACING: _settled_replacement, RENAMING: _settled_rename, CREATING: created, REMOVING: _settled_removal}
