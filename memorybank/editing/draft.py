"""The copy of a note on which a person works in an editor. It is below `backups/edits/`, so it survives a crash and is never committed."""

from __future__ import annotations

import os
from collections.abc import Callable
from hashlib import sha256

from memorybank import clock as time_of
from memorybank.clock import Clock
from memorybank.editing import outside
from memorybank.editing.write import NoteWriter
from memorybank.errors import Conflict, MemorybankError
from memorybank.storage import disk
from memorybank.storage.layout import MAX_NOTE_BYTES, Layout

COMMAND = "memorybank edit"
FOLDER = "edits"
"""The folder below `backups/` for copies that are being edited or that could not be saved."""


def is_of_editor(layout: Layout, path: str) -> bool:
    """Return whether a file below `backups/` is one that an editor put next to the copy of a note, such as a swap file."""
    parts = os.path.relpath(path, layout.backups).split(os.sep)
    return parts[0] == FOLDER and len(parts) > 2 and (parts[-1].startswith((".", "#")) or not parts[-1].endswith(".md"))


class NoteDraft:
    """A copy of a note, to be edited and then saved. key: of the note. path: of the copy (absolute)."""

    def __init__(self, layout: Layout, key: str, clock: Clock, saved: Callable[[], None]) -> None:
        """Copy the note. Raises an error when the bank cannot be written.

        saved: called after the note was changed
        """
        self._saved = saved
        self.layout = layout
        self.key = key
        self.clock = clock
        self._before = disk.read(layout.note_path(key), MAX_NOTE_BYTES)
        self.path = self._create()

    def __repr__(self) -> str:
        return f"NoteDraft({self.key!r}, {self.path!r})"

    def save(self) -> str:
        """Replace the note by the copy and delete the copy. Return the id of the change, or "" when nothing was edited.

        An error keeps the copy and says where it is. Raises `Conflict` when somebody else changed the note in the meantime.
        """
        try:
            data = disk.read(self.path, MAX_NOTE_BYTES)
            change = ""
            if data != self._before:
                with NoteWriter(self.layout, COMMAND, self.clock) as writer:
                    writer.replace(f"active/{self.key}", data, {sha256(self._before).hexdigest(), sha256(data).hexdigest()})
                    change = writer.change
        except FileNotFoundError:
            raise MemorybankError(f"the editor deleted its copy of {self.key}; the note is unchanged", next_step="run the same command again") from None
        except MemorybankError as error:
            error.message = f"{error.message}; your text is kept in {self.layout.relative(self.path)}"
            error.next_step = f"copy what you need from that file with 'memorybank edit {self.key}', then delete it"
            error.args = (error.message,)
            raise
        if change:
            self._saved()
        self._remove_copy(data)
        return change

    @property
    def is_edited(self) -> bool:
        """Whether the copy differs from the note at the time it was copied."""
        try:
            return disk.read(self.path, MAX_NOTE_BYTES) != self._before
        except (FileNotFoundError, MemorybankError):
            return True

    def discard(self) -> None:
        """Delete the copy and its folder. If the editor left files next to it, the folder stays."""
        disk.discard(self.path)
        self._remove_folders()

    def _remove_copy(self, saved: bytes) -> None:
        """Delete the copy, unless the editor saved it again after the note was changed."""
        try:
            outside.replace(self.path, None, saved)
        except Conflict:
            shown = self.layout.relative(self.path)
            raise Conflict(
                f"{self.key} was saved, and then your editor saved its copy again, which is kept in {shown}",
                next_step=f"copy what you need from that file with 'memorybank edit {self.key}', then delete it",
            ) from None
        self._remove_folders()

    def _remove_folders(self) -> None:
        disk.remove_directory(os.path.dirname(self.path))
        disk.remove_directory(os.path.dirname(os.path.dirname(self.path)))

    def _create(self) -> str:
        stamp = time_of.stamp(self.clock.now())
        number = 1
        while True:
            folder = os.path.join(self.layout.backups, FOLDER, f"{stamp}-{number}")
            path = os.path.join(folder, os.path.basename(self.key))
            disk.make_directories(folder)
            try:
                disk.create(path, self._before, mode=disk.PRIVATE_FILE)
                return path
            except FileExistsError:
                number += 1
