"""Moves an original from `active/` into its backup, and puts it back when it is not what was archived.

The file is renamed, never copied and deleted: an editor that still has it open continues to write into the backup, where the change is
detected. A file that differs after the move goes back without replacing anything.
"""

import os
from contextlib import suppress
from dataclasses import dataclass

from memorybank.archive import place
from memorybank.editing.settle import digest_of
from memorybank.errors import Conflict
from memorybank.log.rotation_state import ArchivedRecord
from memorybank.storage import disk
from memorybank.storage.layout import Layout, safe_parts

COMPRESSED = ".zst"


@dataclass(frozen=True, slots=True)
class MoveOutcome:
    """What happened to the original of an archived note.

    kind: `moved`, `put_back`, or `gone` (it had vanished)
    placed_as, digest: key and SHA-256 of a file that was put back
    """

    kind: str
    placed_as: str = ""
    digest: str = ""


def backup_path(layout: Layout, record: ArchivedRecord) -> str:
    """Return the absolute path of a note's backup (uncompressed form)."""
    return os.path.join(layout.local_root, *safe_parts(record.backup_path))


def relative_backup(layout: Layout, rotation_id: str, key: str) -> str:
    """Return a backup's path as the log contains it: POSIX, relative to the bank that owns the log."""
    return os.path.relpath(os.path.join(layout.backups, rotation_id), layout.local_root).replace(os.sep, "/") + "/" + key


def move_out(layout: Layout, record: ArchivedRecord) -> MoveOutcome:
    """Rename the original into its backup and check it again. The caller syncs both folders (`sync_folders`)."""
    source, target = layout.note_path(record.key), backup_path(layout, record)
    disk.make_directories(os.path.dirname(target))
    try:
        disk.move(source, target)
    except FileNotFoundError as error:
        if os.path.lexists(source):
            raise disk.from_os_error(error, target) from error
        return MoveOutcome("gone")
    return MoveOutcome("moved") if digest_of(target) == record.sha256 else put_back(layout, record)


def put_back(layout: Layout, record: ArchivedRecord) -> MoveOutcome:
    """Give the backup's file a name in `active/` again, with the same inode and next to a note that may be there now.

    Raises `Conflict` when every possible name is taken.
    """
    backup = backup_path(layout, record)
    digest = digest_of(backup)
    place.open_folder(layout, record.key)
    for candidate in place.candidates(record.key, digest or record.sha256):
        path = layout.note_path(candidate)
        try:
            disk.move_back(backup, path)
        except FileExistsError:
            continue
        return MoveOutcome("put_back", candidate, digest or "")
    raise Conflict(
        f"{record.key}: the note changed during the rotation and every possible name for it in active/ is taken; it is now at {layout.relative(backup)}",
        next_step="move one of the notes elsewhere, then run the same command again",
    )


def finish_rename(layout: Layout, record: ArchivedRecord) -> None:
    """Complete a rename of which only the new name reached the disk: remove the name in `active/` of a note whose backup is the same inode.

    Deleting the name at once could delete a file that an editor has just saved there. So the name is changed first, and the renamed file is checked.
    """
    source, target = layout.note_path(record.key), backup_path(layout, record)
    aside = target + "~again"
    disk.move(source, aside)
    if os.path.samestat(os.lstat(aside), os.lstat(target)):
        disk.remove(aside)
    else:
        disk.move_back(aside, source)


def sync_folders(layout: Layout, records: list[ArchivedRecord]) -> None:
    """Sync the folders from which and into which these notes were moved, and their parents up to the bank."""
    folders = {os.path.dirname(layout.note_path(record.key)) for record in records}
    for record in records:
        folder = os.path.dirname(backup_path(layout, record))
        while folder not in folders and folder != os.path.dirname(layout.local_root):
            folders.add(folder)
            folder = os.path.dirname(folder)
    for folder in sorted(folders, key=lambda path: (-len(path), path)):
        with suppress(FileNotFoundError):
            disk.sync_directory(folder)
