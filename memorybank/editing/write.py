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
"""

from __future__ import annotations

import errno
import os
from contextlib import suppress
from hashlib import sha256
from stat import S_IMODE, S_ISREG

from memorybank import clock as time_of
from memorybank.editing import history, settle
from memorybank.editing.settle import ChangePlaces
from memorybank.errors import Conflict, MemorybankError, NotFound, ResourceExhausted, UsageError, ValidationFailed
from memorybank.log import changes, rotation
from memorybank.log.changes import CREATED, CREATING, NO_FILE, REMOVED, REMOVING, RENAMED, RENAMING, REPLACED, REPLACING, ChangeRecord
from memorybank.storage import disk
from memorybank.storage.layout import MAX_NOTE_BYTES, Layout, safe_parts
from memorybank.storage.lock import Lock

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection
    from types import TracebackType

    from memorybank.clock import Clock

_LONGEST_KEPT = 200
"""Maximum length in bytes of a file name below `backups/changes/`."""
_AGAIN = "run the same command again"


def finish_interrupted(layout: Layout, clock: Clock, *, timeout: float = 2.0) -> bool:
    """Finish the change that an interrupted command began. Return whether there was one.

    Raises `LockTimeout` while another command changes notes for longer than `timeout` seconds.
    """
    if changes.unfinished(layout) is None:
        return False
    with NoteWriter(layout, "memorybank", clock, timeout=timeout):
        return True


class NoteWriter:
    """`with NoteWriter(layout, "memorybank rate", clock) as writer: writer.replace(…)`. Its changes share one id, under which they are undone.

    Entering it takes the lock of all such changes and finishes an interrupted one. Raises `LockTimeout` after `timeout` seconds.
    """

    def __init__(self, layout: Layout, command: str, clock: Clock, *, timeout: float = 2.0) -> None:
        self.layout = layout
        self.command = command
        self.clock = clock
        self.change = ""
        self._tree = rotation.tree_of(layout)
        self._lock = Lock(os.path.join(layout.log, "changes.lock"), command, clock, timeout)

    def __enter__(self) -> NoteWriter:
        self._lock.__enter__()
        try:
            settle.finish(self.layout, self.clock)
        except BaseException:
            self._lock.__exit__(None, None, None)
            raise
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self._lock.__exit__(kind, error, trace)

    def replace(self, path: str, data: bytes, before: Collection[str], *, mtime_ns: int | None = None) -> bool:
        """Replace the bytes of a file. Return False when it has these bytes already.

        path: POSIX, relative to the bank, such as `active/planning/overview.md`
        before: SHA-256 (hex) of the versions that may be replaced
        mtime_ns: modification time of the new version (ns); default now
        Raises `Conflict` when somebody else changed or removed the file, `ValidationFailed` for a link; neither changes anything.
        """
        target = self._checked(path)
        status, present = self._read(path, target)
        digest = sha256(present).hexdigest()
        if digest not in before:
            raise _changed(path)
        if present == data:
            return False
        temp = disk.write_temp(os.path.dirname(target), (data,), mode=S_IMODE(status.st_mode), mtime_ns=mtime_ns)
        try:
            disk.set_mode(temp, S_IMODE(status.st_mode))
            record = self._record(REPLACING, path, digest, sha256(data).hexdigest())
            self._carry_out(record, temp)
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
            raise _taken(new)
        self._carry_out(self._record(RENAMING, path, digest, digest, new, self._first_missing(new)), "")

    def create(self, path: str, data: bytes, *, mtime_ns: int | None = None) -> None:
        """Create a file, and the folders that it needs. Raises `Conflict` when its name is taken; nothing is ever replaced.

        path: POSIX, relative to the bank
        mtime_ns: default now
        """
        target = self._checked(path)
        disk.make_directories(os.path.dirname(target), disk.USER_DIRECTORY, durable=True)
        self._checked(path)
        if os.path.lexists(target):
            raise _taken(path)
        record = self._record(CREATING, path, NO_FILE, sha256(data).hexdigest())
        changes.begin(self.layout, record, self.clock)
        try:
            disk.create(target, data, mtime_ns=mtime_ns)
        except BaseException as error:
            # If the state of the files cannot be read now (a failing disk), the next change settles it.
            with suppress(MemorybankError, OSError):
                settle.settle(self.layout, record, self.clock)
            if isinstance(error, FileExistsError):
                raise _taken(path) from None
            raise
        changes.end(self.layout, record, CREATED, self.clock)

    def remove(self, path: str, before: Collection[str]) -> None:
        """Remove a file that memorybank created; its bytes are kept as those of a replaced version are.

        path, before: as in `replace`
        Raises `Conflict` when somebody else changed the file, `NotFound` when it does not exist.
        """
        target = self._checked(path)
        _, present = self._read(path, target)
        digest = sha256(present).hexdigest()
        if digest not in before:
            raise _changed(path)
        self._carry_out(self._record(REMOVING, path, digest, NO_FILE), "")

    def _carry_out(self, record: ChangeRecord, temp: str) -> None:
        """Steps 2 to 5. Whatever goes wrong after the change was logged, the files are in order afterwards."""
        places = ChangePlaces(self.layout, record)
        # A rename keeps no second name, so its folder need not be durable.
        disk.make_directories(os.path.dirname(places.kept), durable=record.kind != RENAMING)
        changes.begin(self.layout, record, self.clock)
        try:
            if record.kind == RENAMING:
                outcome = self._rename(places, record)
            else:
                outcome = self._remove(places, record) if record.kind == REMOVING else self._replace(places, record, temp)
            settle.sync(places)
            if outcome == RENAMED:
                history.follow(self.layout, record, self.clock)
        except BaseException:
            # If it cannot be finished now (a full disk), the next change finishes it.
            with suppress(MemorybankError, OSError):
                settle.settle(self.layout, record, self.clock)
            raise
        changes.end(self.layout, record, outcome, self.clock)

    def _keep(self, places: ChangePlaces, record: ChangeRecord) -> None:
        try:
            disk.keep_copy(places.path, places.kept)
        except FileNotFoundError:
            raise _changed(record.path) from None
        except MemorybankError as error:
            if getattr(error.__cause__, "errno", 0) == errno.EXDEV:
                raise ResourceExhausted(
                    f"{record.path} and {self.layout.relative(self.layout.backups)} are on different devices, so the old version cannot be kept",
                    next_step="set backup_policy.backup_directory to a folder on the device of the notes; nothing was changed",
                ) from error
            raise
        if settle.digest_of(places.kept) != record.before:
            raise _changed(record.path)

    def _replace(self, places: ChangePlaces, record: ChangeRecord, temp: str) -> str:
        self._keep(places, record)
        self._displace(places, record)
        if settle.digest_of(places.aside) != record.before:
            raise _changed(record.path)
        try:
            disk.publish(temp, places.path)
        except FileExistsError:
            raise _changed(record.path) from None
        settle.release_displaced(places)
        return REPLACED

    def _remove(self, places: ChangePlaces, record: ChangeRecord) -> str:
        self._keep(places, record)
        self._displace(places, record)
        if settle.digest_of(places.aside) != record.before:
            raise _changed(record.path)
        settle.release_displaced(places)
        return REMOVED

    def _rename(self, places: ChangePlaces, record: ChangeRecord) -> str:
        # After the change was logged, so that a change that is taken back removes them.
        disk.make_directories(os.path.dirname(places.new), disk.USER_DIRECTORY, durable=True)
        try:
            disk.keep_copy(places.path, places.new)
        except FileExistsError:
            raise _taken(record.new_path) from None
        except FileNotFoundError:
            raise _changed(record.path) from None
        self._displace(places, record)
        if settle.is_same_file(places.aside, places.new):
            disk.remove(places.aside)
        elif settle.digest_of(places.aside) == record.before:
            # Without hard links the displaced file is the original, to which an editor may still write.
            disk.move(places.aside, places.kept)
        else:
            raise _changed(record.path)
        return RENAMED

    def _displace(self, places: ChangePlaces, record: ChangeRecord) -> None:
        try:
            disk.move(places.path, places.aside)
        except FileNotFoundError:
            raise _changed(record.path) from None

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
        kept = os.path.relpath(folder, self.layout.local_root).replace(os.sep, "/") + "/" + _kept_name(path)
        while os.path.lexists(os.path.join(self.layout.local_root, kept)):
            kept += "~"  # the same file was changed before under this id
        return ChangeRecord(kind, self.change, self.command, now, self._tree, path, before, after, kept, new, made)

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


def _changed(path: str) -> Conflict:
    return Conflict(f"{path.removeprefix('active/')} was changed by somebody else in the meantime", next_step=_AGAIN)


def _taken(path: str) -> Conflict:
    return Conflict(f"{path.removeprefix('active/')} already exists", next_step="choose another name; a note is never replaced")
