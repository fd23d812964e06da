"""Finds the notes and reads their bytes. Symbolic links are never followed, so that nothing outside the bank is read."""

from __future__ import annotations

__light__ = True

from _operator import attrgetter
from itertools import chain, compress
from stat import S_ISDIR, S_ISLNK, S_ISREG

from memorybank.clock import storable
from memorybank.errors import MemorybankError, PermissionRefused, Problem, ResourceExhausted, ValidationFailed
from memorybank.notes import source_files
from memorybank.notes.note_files import ListedNotes, NoteFile, NoteSweep
from memorybank.storage import disk
from memorybank.storage import system as os
from memorybank.storage.layout import MAX_NOTE_BYTES, Layout, is_utf8

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection
    from os import DirEntry, stat_result

    from memorybank.notes.note import Note

SUFFIX = ".md"
_KIND, _REGULAR = 0o170000, 0o100000
"""The part of a file's mode that says what it is, and that of a regular file (POSIX, sys/stat.h)."""
_STATE_OF, _VALUES = attrgetter("st_mode", "st_size", "st_mtime_ns", "st_ctime_ns", "st_ino"), 5
"""The mode of a file and the values of its state, and their number."""


def sweep(layout: Layout) -> NoteSweep:
    """Find every `*.md` below active/, including hidden ones. A bank without active/ has none.

    Raises a `MemorybankError` when a folder cannot be listed, except for a missing permission below active/, which is a Problem.
    """
    found = ListedNotes(layout.active, {})
    folders: dict[str, int] = {}
    problems: list[Problem] = []
    try:
        status = os.lstat(layout.active)
    except FileNotFoundError:
        return NoteSweep(found, folders, problems)
    except OSError as error:
        raise disk.from_os_error(error, layout.active) from error
    pending = [("", layout.active, storable(status.st_mtime_ns))]
    if os.path.islink(layout.active):
        problems.append(_symlink(""))
        pending = []
    while pending:
        prefix, path, mtime_ns = pending.pop()
        # The mtime from before the listing: a change during the listing then looks new to the next sweep.
        folders[prefix.removesuffix("/")] = mtime_ns
        try:
            names, states, others = _notes_of(path)
            if others:
                with os.scandir(path) as entries:
                    for entry in entries:
                        if entry.name in others and (state := _enter(entry, prefix, pending, problems)):
                            names.append(os.fsencode(entry.name))
                            states += state
            found.add(prefix, names, states)
        except (FileNotFoundError, NotADirectoryError):
            continue  # removed since its parent was listed
        except PermissionError as error:
            if not prefix:
                raise disk.from_os_error(error, path) from error
            problems.append(Problem("unreadable", prefix, "no permission to list this folder"))
        except OSError as error:
            raise disk.from_os_error(error, path) from error  # out of handles or a failing disk does not mean that the notes were deleted
    problems.sort()
    return NoteSweep(found, folders, problems)


def find_keys(layout: Layout, keys: Collection[str]) -> NoteSweep:
    """Find the notes with these keys only. A key without a file is left out. `folders` is empty."""
    found: list[NoteFile] = []
    problems: list[Problem] = []
    for key in sorted(keys):
        path = layout.note_path(key)
        if not key.endswith(SUFFIX):
            continue
        if not is_utf8(key):
            problems.append(_not_utf8(key))
            continue
        try:
            linked = _linked_folder(layout.active, key)
            outcome = _judge(key, os.lstat(path)) if linked is None else _symlink(linked)
        except (FileNotFoundError, NotADirectoryError):
            continue
        except OSError as error:
            outcome = Problem("unreadable", key, f"cannot be examined: {error.strerror}")
        if isinstance(outcome, Problem):
            problems.append(outcome)
        else:
            found.append(NoteFile(key, path, *outcome))
    return NoteSweep(found, {}, problems)


def _linked_folder(active: str, key: str) -> str | None:
    """Return the first folder on the way to `key` that is a symbolic link, relative to active/ ('' for active/ itself); None when there is none."""
    parts = key.split("/")
    for depth in range(len(parts)):
        folder = "/".join(parts[:depth])
        if S_ISLNK(os.lstat(os.path.join(active, folder) if folder else active).st_mode):
            return folder
    return None


def _notes_of(path: str) -> tuple[list[bytes], list[int], set[str]]:
    """Return (names of the notes of a folder, their states one after another, names of its other entries, which have to be looked at more closely).

    Nearly every entry is a note with nothing unusual, and commands that need all notes look at every one. So no Python code runs for each of them:
    the names stay bytes until all are known, and none becomes a `DirEntry`.
    """
    inside, suffix = os.fsencode(f"{path}/"), SUFFIX.encode()
    listed = names = os.listdir(inside)
    joined = b"\0".join([*listed, b""])
    if joined.count(suffix + b"\0") < len(listed):
        names = [name for name in listed if name.endswith(suffix)]
    try:
        joined.decode()
        states = list(chain.from_iterable(map(_STATE_OF, map(os.lstat, map(inside.__add__, names)))))
    except (OSError, UnicodeDecodeError):  # `_enter` says what is wrong with which of them
        return [], [], set(map(os.fsdecode, listed))
    modes, sizes = states[::_VALUES], states[1::_VALUES]
    del states[::_VALUES]
    if {mode & _KIND for mode in set(modes)} - {_REGULAR} or max(sizes, default=0) > MAX_NOTE_BYTES:
        usual = [mode & _KIND == _REGULAR and size <= MAX_NOTE_BYTES for mode, size in zip(modes, sizes, strict=True)]
        names = list(compress(names, usual))
        states = list(compress(states, chain.from_iterable(zip(*(usual,) * (_VALUES - 1), strict=True))))
    return names, states, set(map(os.fsdecode, listed)).difference(map(os.fsdecode, names)) if len(names) < len(listed) else set()


def _enter(entry: DirEntry[str], prefix: str, pending: list[tuple[str, str, int]], problems: list[Problem]) -> tuple[int, int, int, int] | None:
    """Process one directory entry, and return the state of a note. Only folders and `*.md` are examined with stat."""
    name = entry.name
    if not name.endswith(SUFFIX) and not entry.is_dir(follow_symlinks=False):
        if entry.is_symlink() and entry.is_dir():
            problems.append(_symlink(shown(prefix + name)))
        elif name.lower().endswith(SUFFIX):
            problems.append(misnamed(shown(prefix + name)))
        return None
    if not name.isascii() and not is_utf8(name):
        problems.append(_not_utf8(prefix + name))
        return None
    try:
        status = entry.stat(follow_symlinks=False)
    except FileNotFoundError:
        return None
    except OSError as error:
        problems.append(Problem("unreadable", prefix + name, f"cannot be examined: {error.strerror}"))
        return None
    if S_ISDIR(status.st_mode):
        pending.append((f"{prefix}{name}/", entry.path, storable(status.st_mtime_ns)))
        return None
    outcome = _judge(prefix + name, status)
    if isinstance(outcome, Problem):
        problems.append(outcome)
        return None
    return outcome


def _judge(key: str, status: stat_result) -> tuple[int, int, int, int] | Problem:
    """Return the state of a note's file, or why it is none."""
    if not S_ISREG(status.st_mode):
        return _symlink(key) if S_ISLNK(status.st_mode) else _not_a_file(key)
    if status.st_size > MAX_NOTE_BYTES:
        return _too_large(key)
    return status.st_size, storable(status.st_mtime_ns), storable(status.st_ctime_ns), storable(status.st_ino)


def read(layout: Layout, found: NoteFile) -> Note | Problem:
    """Return the note as it is on disk now, or a Problem when it cannot be read.

    Raises `ResourceExhausted` when the machine is out of memory or file handles.
    """
    from memorybank.notes.parse import parse  # late: a search of an unchanged bank sweeps and parses nothing

    try:
        return parse(found.key, source_files.read(layout, found.key, MAX_NOTE_BYTES) if found.source else disk.read(found.path, MAX_NOTE_BYTES))
    except FileNotFoundError:
        return Problem("vanished", found.key, "removed while it was being read")
    except ValidationFailed:
        return _not_a_file(found.key)
    except ResourceExhausted as error:
        if isinstance(error.__cause__, OSError):
            raise
        return _too_large(found.key)
    except PermissionRefused:
        return Problem("unreadable", found.key, "no permission to read this file")
    except MemorybankError as error:
        if os.path.islink(found.path):
            return _symlink(found.key)
        return Problem("unreadable", found.key, error.message.removeprefix(f"{found.path}: "))


def _too_large(key: str) -> Problem:
    return Problem("too_large", key, f"over the limit of {MAX_NOTE_BYTES >> 20} MiB, so it is not read")


def misnamed(key: str) -> Problem:
    """Return the problem of a file whose name ends in `.MD` or the like."""
    return Problem("suffix_case", key, f"a note's name ends in {SUFFIX}, so this file is neither indexed nor rotated until it is renamed")


def _symlink(path: str) -> Problem:
    return Problem("symlink", path, "symbolic links are not followed")


def _not_a_file(key: str) -> Problem:
    return Problem("not_a_file", key, "a folder, pipe, socket or device is not a note")


def _not_utf8(name: str) -> Problem:
    return Problem("name_not_utf8", shown(name), "the name is not UTF-8, so the note is neither indexed nor rotated until it is renamed")


def shown(name: str) -> str:
    """Return a printable form of a name that may contain bytes that are not UTF-8."""
    return os.fsencode(name).decode("utf-8", "backslashreplace")
