"""The earlier versions of one note: commits, versions that commands and the page kept before a change, and versions in the archive."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from difflib import unified_diff

from memorybank import git
from memorybank.archive import store
from memorybank.archive.object import SIDECAR, slug
from memorybank.bank.arguments import BankFacade
from memorybank.bank.notes import Notes
from memorybank.editing import undo
from memorybank.editing.settle import ChangePlaces
from memorybank.errors import MemorybankError, NotFound
from memorybank.log import changes
from memorybank.log.changes import REPLACING, ChangeRecord
from memorybank.notes.note import Note
from memorybank.storage import disk
from memorybank.storage.layout import MAX_NOTE_BYTES, is_source_key
from memorybank.values import Value

PRESENT, COMMIT, CHANGE, ARCHIVED = "present", "commit", "change", "archived"
MOST_COMMITS = 50
_MOST_LINES = 20_000
_SECONDS = 5.0
_FORMAT = "--format=%x01%H%x00%at%x00%an%x00%s"
_NEXT = "choose one of the versions that are listed"


class NoteVersion(Value):
    """One version of a note.

    id: identifies the version of this note, such as `commit:1a2b…`.
    origin: `present`, `commit`, `change` (the version before a change) or `archived`.
    at: ms; of a version before a change, when it was changed.
    by: the author of a commit, or the command that made the change.
    what: the first line of a commit's message, or why the note was archived.
    change: id of the change that `rotation.undo_change` can take back; "" otherwise.
    """

    id: str
    origin: str
    at: int
    by: str
    what: str
    change: str = ""


class NoteHistory(BankFacade):
    """The versions of notes, read from git, from the log of changes and from the archive. Changes nothing."""

    def versions(self, key: str) -> Sequence[NoteVersion]:
        """Return the versions of a note, the latest first. The first one is the note as it is now.

        Commits are those of the latest 50, renames included. Raises `NotFound` for an unknown key.
        """
        note = Notes(self._bank).read(key, record_view=False)
        modified = os.lstat(self._bank.layout.file_path(note.key)).st_mtime_ns // 1_000_000
        found = [*self._changes(note), *self._commits(note.key), *self._archived(note.key)]
        found.sort(key=lambda version: -version.at)
        return [NoteVersion(PRESENT, PRESENT, modified, "", ""), *found]

    def text(self, key: str, version: str) -> str:
        """Return the text of a version. Raises `NotFound`.

        version: an id from `versions`
        """
        note = Notes(self._bank).read(key, record_view=False)
        if version == PRESENT:
            return note.text
        data = self._data(note, version)
        if data is None:
            raise NotFound(f"{note.key} has no version {version[:60]!r}", next_step=_NEXT)
        return data.decode("utf-8", "replace")

    def difference(self, key: str, older: str, newer: str = PRESENT) -> Sequence[str]:
        """Return the lines of a unified diff between two versions, without its two lines of names. Raises `NotFound`."""
        before, after = self.text(key, older).splitlines(), self.text(key, newer).splitlines()
        return list(unified_diff(before[:_MOST_LINES], after[:_MOST_LINES], lineterm=""))[2:]

    def _data(self, note: Note, version: str) -> bytes | None:
        origin, _, name = version.partition(":")
        layout = self._bank.layout
        known = [each for each in self.versions(note.key) if each.id == version]
        if not known:
            return None
        if origin == COMMIT:
            commit, _, path = name.partition(":")
            return git.run(layout.repository or "", "cat-file", "blob", f"{commit}:{path}", seconds=_SECONDS)
        if origin == ARCHIVED:
            return store.read_object(layout, store.find(layout, name))
        places = (ChangePlaces.of(layout, record) for record in changes.read(layout) if record.change == name and record.path == f"active/{note.key}")
        return next((disk.read(place.kept, MAX_NOTE_BYTES) for place in places), None)

    def _changes(self, note: Note) -> Iterator[NoteVersion]:
        layout = self._bank.layout
        undoable = undo.undoable(layout)

        def is_last(record: ChangeRecord) -> bool:
            return record.change in undoable and record.after == note.digest

        for record in changes.read(layout):
            if record.kind == REPLACING and record.is_done and record.path == f"active/{note.key}" and os.path.lexists(ChangePlaces.of(layout, record).kept):
                yield NoteVersion(f"{CHANGE}:{record.change}", CHANGE, record.at, record.command, "", record.change if is_last(record) else "")

    def _commits(self, key: str) -> Iterator[NoteVersion]:
        layout = self._bank.layout
        if layout.repository is None or git.head(layout.repository) is None:
            return
        path = os.path.relpath(layout.file_path(key), layout.repository)
        limit = f"--max-count={MOST_COMMITS}"
        listed = git.run(layout.repository, "log", "--follow", "-z", limit, _FORMAT, "--name-only", "--diff-filter=AMR", "HEAD", "--", path, seconds=_SECONDS)
        for entry in (listed or b"").decode("utf-8", "replace").split("\x01")[1:]:
            fields = entry.split("\0")
            names = [name.strip("\n") for name in fields[4:] if name.strip("\n")]
            at = git.milliseconds(fields[1]) if len(fields) > 4 and names else None
            if at is not None:
                yield NoteVersion(f"{COMMIT}:{fields[0]}:{names[-1]}", COMMIT, at, fields[2], fields[3].strip())

    def _archived(self, key: str) -> Iterator[NoteVersion]:
        if is_source_key(key):
            return
        layout, name = self._bank.layout, f"-{slug(key)}-"
        for path in store.names(layout):
            if name not in path or not path.endswith(SIDECAR):
                continue
            try:
                described = store.read_sidecar(layout, path)
            except MemorybankError:
                continue
            if described.original_path == key:
                yield NoteVersion(f"{ARCHIVED}:{described.id}", ARCHIVED, described.archived_at, "", described.reason)
