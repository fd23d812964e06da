"""A small `os` for hooks: the names that light modules use, from the C module on which `os` is built.

    from memorybank.storage import system as os

`os` defines two dozen abstract classes when it is imported, which takes a sixth of the entire start-up of Python 3.11 and a fifth on 3.13
(measured). Here a path is a `str`. Rare cases are left to `os.path`: a symlink on the way, relative paths, other users' home folders.
"""

from __future__ import annotations

__light__ = True

import posix
import sys

from memorybank.storage import path_names

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

sep = "/"
SEEK_END = 2
_KIND, _DIRECTORY, _REGULAR, _LINK = 0o170000, 0o040000, 0o100000, 0o120000
"""File types in `st_mode` (POSIX, sys/stat.h)."""


def __getattr__(name: str) -> Any:
    """Return any other name from the C module, and keep it for the next access."""
    value = globals()[name] = getattr(posix, name)
    return value


FULL_SYNC = 51 if sys.platform == "darwin" else None
"""The command F_FULLFSYNC of macOS, where `fsync` leaves the bytes in the cache of the drive."""


def _fsync(descriptor: int) -> None:
    """Make the bytes of a file or the names of a folder durable, on macOS down to the medium where the file system can."""
    if FULL_SYNC is not None:
        import fcntl  # late: hooks on other systems load it only to lock

        try:
            fcntl.fcntl(descriptor, FULL_SYNC)
            return
        except OSError:  # such as a network drive, which knows only fsync
            pass
    posix.fsync(descriptor)


def _fdatasync(descriptor: int) -> None:
    """Make the bytes of a file durable; its date may be lost. macOS has no such call, so there it is `fsync`."""
    if FULL_SYNC is None and hasattr(posix, "fdatasync"):
        posix.fdatasync(descriptor)
    else:
        _fsync(descriptor)


def _fsencode(name: str) -> bytes:
    """Return the bytes of a name. Bytes that are no text were read as surrogates, and become what they were."""
    return name.encode(sys.getfilesystemencoding(), "surrogateescape")


def _fsdecode(name: bytes) -> str:
    """Return a name as text, with surrogates for the bytes that are none."""
    return name.decode(sys.getfilesystemencoding(), "surrogateescape")


class _Path:
    """The part of `os.path` that is used."""

    join = staticmethod(path_names.join)
    normpath = staticmethod(path_names.normpath)
    basename = staticmethod(path_names.basename)
    dirname = staticmethod(path_names.dirname)

    @staticmethod
    def exists(name: str) -> bool:
        return _kind(name) >= 0

    @staticmethod
    def lexists(name: str) -> bool:
        try:
            posix.lstat(name)
        except (OSError, ValueError):
            return False
        return True

    @staticmethod
    def isdir(name: str) -> bool:
        return _kind(name) == _DIRECTORY

    @staticmethod
    def isfile(name: str) -> bool:
        return _kind(name) == _REGULAR

    @staticmethod
    def islink(name: str) -> bool:
        try:
            return posix.lstat(name).st_mode & _KIND == _LINK
        except (OSError, ValueError):
            return False

    @staticmethod
    def getsize(name: str) -> int:
        return posix.stat(name).st_size

    @staticmethod
    def expanduser(name: str) -> str:
        home = environ.get("HOME")
        if home is not None and (name == "~" or name.startswith("~/")):
            return home.rstrip("/") + name[1:] or "/"
        from os.path import expanduser

        return expanduser(name)

    @staticmethod
    def relpath(name: str, start: str) -> str:
        if path_names.is_normal(name) and path_names.is_normal(start):
            folder = start.rstrip("/") + "/"
            if name == start:
                return "."
            if name.startswith(folder):
                return name[len(folder) :]
        from os.path import relpath

        return relpath(name, start)

    @staticmethod
    def realpath(name: str) -> str:
        if path_names.is_normal(name) and _has_no_link(name):
            return name
        from os.path import realpath

        return realpath(name)


def _kind(name: str) -> int:
    """Return the file type of a path, following links; -1 when it does not exist or cannot be examined."""
    try:
        return posix.stat(name).st_mode & _KIND
    except (OSError, ValueError):  # ValueError: a NUL in the name
        return -1


def _has_no_link(name: str) -> bool:
    """Return whether every part of a normal path exists and is not a symlink."""
    end = 0
    while end >= 0:
        end = name.find("/", end + 1)
        try:
            if posix.lstat(name if end < 0 else name[:end]).st_mode & _KIND == _LINK:
                return False
        except (OSError, ValueError):
            return False
    return True


def _environ() -> Mapping[str, str]:
    """Return the environment: that of `os` where it is loaded, because it may have changed since this process started."""
    if "os" in sys.modules:
        from os import environ

        return environ
    encoding = sys.getfilesystemencoding()
    return {name.decode(encoding, "surrogateescape"): value.decode(encoding, "surrogateescape") for name, value in posix.environ.items()}


if TYPE_CHECKING:
    from os import *  # noqa: F403
    from os import _exit as _exit
    from os import environ as environ
    from os import path as path
else:
    path = _Path
    environ = _environ()
    fsync, fdatasync = _fsync, _fdatasync
    fsencode, fsdecode = _fsencode, _fsdecode
