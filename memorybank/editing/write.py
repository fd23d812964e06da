"""The one way in which memorybank changes a file that a person may be editing at the same time.

Comparing a file and then replacing it loses what an editor saves in between. Therefore the file is displaced before it is compared:

1. compare the file with the bytes that the change was made for; write the new version as a temporary file, with the mode of the old one
2. log the change, and give the old version a second name below `backups/changes/`; both are durable
3. rename the file away from its name, and compare it again: from here on nobody can reach it by its name
4. give the new version the name, without replacing a file that somebody saved there meanwhile
5. sync the folders, and log the outcome

When the file is another one in step 3 or 4, the person's version is kept or restored, and the caller receives a `Conflict`. An editor that still
has the old version open writes to the kept file, where the edit is found. After a crash, `settle` finishes or takes back the change.

The note keeps its permissions. Its other bytes are up to the caller: `notes.edit` changes single values and leaves CRLF, BOM and comments.

A rename also moves what is recorded under the note's key: views and dates in the access log, and the bookmark with exactly that key. Running it twice
has the same effect as once, so finishing a rename after a crash does it again.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Collection
from contextlib import suppress
from hashlib import sha256
from stat import S_IMODE, S_ISREG
from types import TracebackType

from memorybank import clock as time_of
from memorybank.clock import Clock
from memorybank.editing import settle, steps
from memorybank.editing.settle import ChangePlaces
from memorybank.errors import Conflict, MemorybankError, NotFound, UsageError, ValidationFailed
from memorybank.log import access, changes, rotation
from memorybank.log.access import AccessLine
from memorybank.log.changes import CREATED, CREATING, NO_FILE, REMOVING, RENAMED, RENAMING, REPLACING, ChangeRecord
from memorybank.notes import bookmarks
from memorybank.storage import disk
from memorybank.storage.layout import MAX_NOTE_BYTES, Layout, safe_parts
from memorybank.storage.lock import Lock

_ACTIVE = "active/"

_LONGEST_KEPT = 200
"""Maximum length in bytes of a file name below `backups/changes/`."""
_ATTEMPTS = 5
"""How often `update` starts again because somebody saved the file in between."""


def finish_interrupted(layout: Layout, clock: Clock, *, timeout: float = 2.0) -> bool:
    """Finish the change that an interrupted command began. Return whether there was one.

    Raises `LockTimeout` while another command changes notes for longer than `timeout` seconds.
    """
    if changes.unfinished(layout) is None:
        return False
    with NoteWriter(layout, "memorybank", clock, timeout=timeout):
        return True


def update(
    layout: Layout,
    command: str,
    clock: Clock,
    path: str,
    edit: Callable[[bytes | None], bytes | None],
    *,
    is_kept: bool = True,
    timeout: float = 2.0,
) -> bool:
    """Change one file as a function of its bytes (`NoteWriter.update`). Return whether anything changed.

    command: that the change is logged under
    timeout: seconds to wait for another command that changes files; `LockTimeout` after that
    """
    with NoteWriter(layout, command, clock, timeout=timeout) as writer:
        return writer.update(path, edit, is_kept=is_kept)


class NoteWriter:
    """`with NoteWriter(layout, "memorybank rate", clock) as writer: writer.replace(…)`. Its changes share one id, under which they are undone.

    Entering it takes the lock of all such changes and finishes an interrupted one. Raises `LockTimeout` after `timeout` seconds.
    """

    def __init__(self, layout: Layout, command: str, clock: Clock, *, timeout: float = 2.0) -> None:
        self.layout = layout
        self.command = command
        self.clock = clock
        self.change = ""
        self.kept = ""
        """Path of the version that the latest change replaced or removed, "" when it was not kept."""
        self._within = ""
        self._tree = rotation.tree_of(layout)
        self._lock = Lock(os.path.join(layout.log, "changes.lock"), command, clock, timeout)

    def __enter__(self) -> NoteWriter:
        self.layout.require_writable()
        self._lock.__enter__()
        try:
            self._finish_interrupted()
        except BaseException:
            self._lock.__exit__(None, None, None)
            raise
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self._lock.__exit__(kind, error, trace)

    def _finish_interrupted(self) -> None:
        record = changes.unfinished(self.layout)
        if record is not None:
            changes.make_durable(self.layout)
        while record is not None:
            self._settle(record)
            record = changes.unfinished(self.layout)

    def replace(self, path: str, data: bytes, before: Collection[str], *, mtime_ns: int | None = None, is_kept: bool = True) -> bool:
        """Replace the bytes of a file. Return False when it has these bytes already.

        path: POSIX, relative to the bank, such as `active/planning/overview.md`
        before: SHA-256 (hex) of the versions that may be replaced
        mtime_ns: modification time of the new version (ns); default now
        is_kept: as in `update`
        Raises `Conflict` when somebody else changed or removed the file, `ValidationFailed` for a link; neither changes anything.
        """
        target = self._checked(path)
        status, present = self._read(path, target)
        digest = sha256(present).hexdigest()
        if digest not in before:
            raise steps.changed(path)
        if present == data:
            return False
        temp = disk.write_temp(os.path.dirname(target), (data,), mode=S_IMODE(status.st_mode), mtime_ns=mtime_ns)
        try:
            disk.set_mode(temp, S_IMODE(status.st_mode))
            self._carry_out(self._record(REPLACING, path, digest, sha256(data).hexdigest()), temp, is_kept=is_kept)
        except BaseException:
            disk.discard(temp)
            raise
        return True

    def rename(self, path: str, new: str) -> None:
        """Give a file another name, without replacing anything. Its bytes, its date and its permissions stay.

        path, new: POSIX, relative to the bank
        Raises `Conflict` when the new name is taken, or when somebody else saved the file in the meantime.
        """
        target, wanted = self._checked(path), self._checked(new)
        _, present = self._read(path, target)
        digest = sha256(present).hexdigest()
        if os.path.lexists(wanted):
            raise steps.taken(new)
        self._carry_out(self._record(RENAMING, path, digest, digest, new, self._first_missing(new)))

    def create(self, path: str, data: bytes, *, mtime_ns: int | None = None) -> None:
        """Create a file, and the folders that it needs. Raises `Conflict` when its name is taken; nothing is ever replaced.

        path: POSIX, relative to the bank
        mtime_ns: default now
        """
        target = self._checked(path)
        disk.make_directories(os.path.dirname(target), disk.USER_DIRECTORY, durable=True)
        self._checked(path)
        if os.path.lexists(target):
            raise steps.taken(path)
        record = self._record(CREATING, path, NO_FILE, sha256(data).hexdigest())
        changes.begin(self.layout, record, self.clock)
        try:
            disk.create(target, data, mtime_ns=mtime_ns)
        except BaseException as error:
            self._settle_now(record)
            if isinstance(error, FileExistsError):
                raise steps.taken(path) from None
            raise
        changes.end(self.layout, record, CREATED, self.clock)

    def remove(self, path: str, before: Collection[str], *, is_kept: bool = True) -> None:
        """Remove a file that memorybank created; its bytes are kept as those of a replaced version are.

        path, before, is_kept: as in `replace`
        Raises `Conflict` when somebody else changed the file, `NotFound` when it does not exist.
        """
        target = self._checked(path)
        _, present = self._read(path, target)
        digest = sha256(present).hexdigest()
        if digest not in before:
            raise steps.changed(path)
        self._carry_out(self._record(REMOVING, path, digest, NO_FILE), is_kept=is_kept)

    def update(self, path: str, edit: Callable[[bytes | None], bytes | None], *, is_kept: bool = True) -> bool:
        """Change a file as a function of its bytes. Return whether anything changed.

        path: POSIX, relative to the bank
        edit: receives the present bytes and returns the new ones; None stands for no file. When somebody saves in between, it is called again
        with what they saved, so what it adds does not replace theirs.
        is_kept: keep the old version for the person. Files that commands write themselves, and versions that must not stay, are not kept.
        Raises `Conflict` when somebody keeps saving the file; nothing of theirs is lost.
        """
        for attempt in range(_ATTEMPTS):
            present = self._present(path)
            data = edit(present)
            try:
                if data == present:
                    return False
                if present is None:
                    self.create(path, data or b"")
                elif data is None:
                    self.remove(path, {sha256(present).hexdigest()}, is_kept=is_kept)
                else:
                    self.replace(path, data, {sha256(present).hexdigest()}, is_kept=is_kept)
                return True
            except (Conflict, NotFound):
                if attempt + 1 == _ATTEMPTS:
                    raise
        raise AssertionError("unreachable: the last attempt returns or raises")

    def _present(self, path: str) -> bytes | None:
        try:
            return self._read(path, self._checked(path))[1]
        except NotFound:
            return None

    def _carry_out(self, record: ChangeRecord, temp: str = "", *, is_kept: bool = True) -> None:
        """Steps 2 to 5. Whatever goes wrong after the change was logged, the files are in order afterwards."""
        places = ChangePlaces.of(self.layout, record)
        # A rename keeps no second name, so its folder need not be durable.
        disk.make_directories(os.path.dirname(places.kept), durable=record.kind != RENAMING)
        changes.begin(self.layout, record, self.clock)
        try:
            if record.kind == RENAMING:
                outcome = steps.rename(places, record)
            else:
                outcome = steps.remove(places, record) if record.kind == REMOVING else steps.replace(places, record, temp)
            settle.sync(places)
            self._conclude(record, outcome)
        except BaseException:
            self._settle_now(record)
            raise
        self.kept = places.kept
        if not is_kept:
            self._forget_kept(places, record)

    def _settle(self, record: ChangeRecord) -> None:
        self._conclude(record, settle.settle(ChangePlaces.of(self.layout, record), record))

    def _settle_now(self, record: ChangeRecord) -> None:
        """Settle a change that failed. What cannot be finished now, such as on a full disk, is finished by the next change."""
        with suppress(MemorybankError, OSError):
            self._settle(record)

    def _conclude(self, record: ChangeRecord, outcome: str) -> None:
        if outcome == RENAMED:
            home = bank_of(self.layout, record)
            part = NoteWriter(home, record.command, self.clock)
            part.change, part._within = record.change, record.path
            follow_rename(home, record, self.clock, part.update)
        changes.end(self.layout, record, outcome, self.clock)

    def _forget_kept(self, places: ChangePlaces, record: ChangeRecord) -> None:
        """Remove the kept version, unless an editor wrote to it after all. Without space or permission it expires like others."""
        with suppress(MemorybankError):
            if settle.digest_of(places.kept) == record.before:
                disk.remove(places.kept)
                self.kept = ""
                folder = os.path.dirname(places.kept)
                while os.path.basename(folder) != settle.FOLDER and not os.listdir(folder):
                    disk.remove_directory(folder)
                    folder = os.path.dirname(folder)

    def _first_missing(self, path: str) -> str:
        """Return the topmost folder on the way to a file that does not exist, relative to the bank, or ""."""
        parts = safe_parts(path)[:-1]
        folders = ("/".join(parts[: depth + 1]) for depth in range(len(parts)))
        return next((folder for folder in folders if not os.path.lexists(os.path.join(self.layout.root, folder))), "")

    def _record(self, kind: str, path: str, before: str, after: str, new: str = "", made: str = "") -> ChangeRecord:
        now = self.clock.now()
        if not self.change:
            self.change = self._new_id(now, path, before)
        folder = os.path.join(self.layout.backups, settle.FOLDER, self.change)
        kept = os.path.relpath(folder, self.layout.local_root) + "/" + _kept_name(path)
        while os.path.lexists(os.path.join(self.layout.local_root, kept)):
            kept += "~"  # the same file was changed before under this id
        return ChangeRecord(kind, self.change, self.command, now, self._tree, path, before, after, kept, new, made, self._within)

    def _new_id(self, now: int, path: str, before: str) -> str:
        """Return an id that sorts by time and is not in use: `20250917T123456789Z-c1a2b3`."""
        stamp = "".join(character for character in time_of.isoformat(now) if character.isalnum())
        number = 0
        while True:
            candidate = f"{stamp}-c{sha256(f'{path} {before} {number}'.encode()).hexdigest()[:5]}"
            if not os.path.lexists(os.path.join(self.layout.backups, settle.FOLDER, candidate)):
                return candidate
            number += 1

    def _checked(self, path: str) -> str:
        """Return the absolute path. Raises `UsageError` when a symbolic link leads its folder elsewhere."""
        target = os.path.join(self.layout.root, *safe_parts(path))
        folder = os.path.dirname(path)
        if os.path.realpath(os.path.dirname(target)) != os.path.join(os.path.realpath(self.layout.root), folder).rstrip("/"):
            raise UsageError(f"{path}: its folder is a symbolic link that leads out of the bank", next_step="name a note inside the bank")
        return target

    def _read(self, path: str, target: str) -> tuple[os.stat_result, bytes]:
        try:
            with disk.typed_errors(target):
                status = os.lstat(target)
            if not S_ISREG(status.st_mode):
                raise ValidationFailed(f"{path} is a link or not a regular file", next_step="replace it by the note itself, then run the same command again")
            return status, disk.read(target, MAX_NOTE_BYTES)
        except FileNotFoundError:
            raise NotFound(f"{path} is not there any more", next_step="run 'memorybank list' to see every note") from None


def _kept_name(path: str) -> str:
    """Return the path of a kept version, with a name that leaves space for the ending of a displaced file."""
    folder, slash, name = path.rpartition("/")
    if len(name.encode()) <= _LONGEST_KEPT:
        return path
    return f"{folder}{slash}{name.encode()[:_LONGEST_KEPT].decode(errors='ignore')}~{sha256(name.encode()).hexdigest()[:8]}"


def bank_of(layout: Layout, record: ChangeRecord) -> Layout:
    """Return the bank of the worktree in which a change was made. layout: of any worktree with the same log"""
    root = os.path.normpath(os.path.join(layout.local_root, *record.tree.split("/")))
    return layout if root == layout.root else Layout(root, local_root=layout.local_root, repository=layout.repository)


def follow_rename(layout: Layout, record: ChangeRecord, clock: Clock, update: Callable[[str, Callable[[bytes | None], bytes | None]], bool]) -> None:
    """Record that a note has a new key. Does nothing for other files. A malformed list of bookmarks is left alone, because it protects every note.

    layout: of the worktree of the change
    update: changes a file of this bank as a part of the renaming
    """
    if not (record.path.startswith(_ACTIVE) and record.new_path.startswith(_ACTIVE)):
        return
    old, new = record.path.removeprefix(_ACTIVE), record.new_path.removeprefix(_ACTIVE)
    access.append(layout, [AccessLine("renamed", old, clock.now(), new_key=new)], clock)
    with suppress(MemorybankError):
        if bookmarks.has(layout, old):
            update(bookmarks.name(layout), lambda data: bookmarks.renamed(layout, data, old, new))
