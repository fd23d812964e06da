"""The system calls for files of a bank: below the bank's folder they follow no symbolic link.

    from memorybank.storage import beneath as os

A bank can come from a stranger's commit, and git checks out links. Each call opens the folders on the way one after another, each by the handle
of the one before, and raises `LinkInBank` at the first link. Where the bank's folder itself is does not matter: links above it are followed.
`confine` registers that folder; `Layout` does so for every bank. Paths outside all banks go to the system unchanged, and so does any call that is
not listed here.

SQLite opens files by their path. `check` finds the links among them before it does.
"""

from __future__ import annotations

__light__ = True

import builtins
import errno
import posix
from _stat import S_ISLNK, S_ISREG

from memorybank.storage import system
from memorybank.storage.system import path as path

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from contextlib import AbstractContextManager
    from io import BufferedReader
    from os import O_APPEND as O_APPEND
    from os import O_CLOEXEC as O_CLOEXEC
    from os import O_CREAT as O_CREAT
    from os import O_DIRECTORY as O_DIRECTORY
    from os import O_EXCL as O_EXCL
    from os import O_NOFOLLOW as O_NOFOLLOW
    from os import O_NONBLOCK as O_NONBLOCK
    from os import O_RDONLY as O_RDONLY
    from os import O_RDWR as O_RDWR
    from os import O_WRONLY as O_WRONLY
    from os import DirEntry, stat_result
    from os import close as close
    from os import fchmod as fchmod
    from os import fdatasync as fdatasync
    from os import fstat as fstat
    from os import fsync as fsync
    from os import ftruncate as ftruncate
    from os import getpid as getpid
    from os import kill as kill
    from os import pread as pread
    from os import pwrite as pwrite
    from os import read as read
    from os import sysconf as sysconf
    from os import utime as utime
    from os import write as write
    from types import TracebackType
    from typing import Any

_FOLDER = posix.O_DIRECTORY | posix.O_CLOEXEC | getattr(posix, "O_PATH", posix.O_RDONLY)
"""With O_PATH (Linux), a folder that may be entered but not listed can be opened, as in a path."""
_NOT_FOLLOWED = (errno.ELOOP, errno.ENOTDIR)
"""What systems answer to O_NOFOLLOW at a link; ENOTDIR where a folder was requested."""

_banks: set[str] = set()


class LinkInBank(OSError):
    """A path in a bank is a symbolic link, or leads through one. `filename` is that link."""

    def __init__(self, link: str) -> None:
        super().__init__(errno.ELOOP, "this is a symbolic link, and links in a bank are not followed", link)


def __getattr__(name: str) -> Any:
    """Return any other call of the system."""
    return getattr(system, name)


def confine(bank: str) -> None:
    """Follow no links below this folder from now on, in this process.

    bank: absolute path
    """
    _banks.add(bank.rstrip("/"))


class _Way:
    """`with _Way(path) as (name, folder):` opens the folders on the way to a path in a bank.

    name: the last part of the path, to be used with the handle `folder`. Outside all banks: the path itself, and None.
    An error of the system that was caused by a link becomes `LinkInBank`.
    """

    __slots__ = ("folder", "path")

    def __init__(self, path: str) -> None:
        self.path = path
        self.folder: int | None = None

    def __enter__(self) -> tuple[str, int | None]:
        end = self.path.rfind("/")
        while end > 0:
            if self.path[:end] in _banks:
                return self._enter(self.path[:end], self.path[end + 1 :].split("/")), self.folder
            end = self.path.rfind("/", 0, end)
        return self.path, None

    def _enter(self, way: str, parts: list[str]) -> str:
        if ".." in parts:
            raise OSError(errno.EINVAL, "a path in a bank without '..' is required", self.path)
        self.folder = posix.open(way, _FOLDER)
        try:
            for part in parts[:-1]:
                way = f"{way}/{part}"
                outer = self.folder
                self.folder = posix.open(part or ".", _FOLDER | posix.O_NOFOLLOW, dir_fd=outer)
                posix.close(outer)
        except OSError as error:
            is_link = _is_link(error, way.rpartition("/")[2], self.folder)
            posix.close(self.folder)
            if is_link:
                raise LinkInBank(way) from None
            error.filename = self.path
            raise
        return parts[-1]

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        if self.folder is None:
            return
        try:
            if isinstance(error, OSError) and not isinstance(error, LinkInBank):
                if _is_link(error, self.path.rpartition("/")[2], self.folder):
                    raise LinkInBank(self.path) from None
                error.filename = self.path
        finally:
            posix.close(self.folder)


def _is_link(error: OSError, name: str, folder: int) -> bool:
    """Return whether a call failed because the name is a link that it did not follow."""
    try:
        return error.errno in _NOT_FOLLOWED and S_ISLNK(posix.stat(name, dir_fd=folder, follow_symlinks=False).st_mode)
    except OSError:
        return False


def open(path: str, flags: int, mode: int = 0o777) -> int:
    with _Way(path) as (name, folder):
        return posix.open(name, flags if folder is None else flags | posix.O_NOFOLLOW, mode, dir_fd=folder)


def stream(path: str) -> BufferedReader:
    """Open a file for reading, as the built-in `open(path, "rb")` does."""
    return builtins.open(path, "rb", opener=open)


def lstat(path: str) -> stat_result:
    with _Way(path) as (name, folder):
        return posix.stat(name, dir_fd=folder, follow_symlinks=False)


def stat(path: str) -> stat_result:
    """Return the status of a file. Raises `LinkInBank` for a link in a bank."""
    with _Way(path) as (name, folder):
        found = posix.stat(name, dir_fd=folder, follow_symlinks=folder is None)
    if folder is not None and S_ISLNK(found.st_mode):
        raise LinkInBank(path)
    return found


def check(path: str, *suffixes: str) -> None:
    """Raise `LinkInBank` when a path in a bank, or the path with one of these suffixes, is a link or leads through one. The path may be missing."""
    try:
        with _Way(path) as (name, folder):
            if folder is None:
                return
            for suffix in ("", *suffixes):
                try:
                    if S_ISLNK(posix.stat(name + suffix, dir_fd=folder, follow_symlinks=False).st_mode):
                        raise LinkInBank(path + suffix)
                except FileNotFoundError:
                    continue
    except FileNotFoundError:
        return


def listdir(path: str) -> list[str]:
    descriptor = open(path, posix.O_RDONLY | posix.O_DIRECTORY | posix.O_CLOEXEC)
    try:
        return posix.listdir(descriptor)
    finally:
        posix.close(descriptor)


def names_in(path: str) -> list[str]:
    """Return the names in a folder, sorted; [] where there is none."""
    try:
        return sorted(listdir(path))
    except (FileNotFoundError, NotADirectoryError):
        return []


def sizes(path: str, names: Iterable[str]) -> dict[str, int]:
    """Return {name: bytes} of the regular files with these names in a folder. The folder is opened once, not for each of them."""
    found = {}
    descriptor = open(path, posix.O_RDONLY | posix.O_DIRECTORY | posix.O_CLOEXEC)
    try:
        for name in names:
            if "/" in name:  # it would lead to another folder
                continue
            try:
                status = posix.stat(name, dir_fd=descriptor, follow_symlinks=False)
            except FileNotFoundError:
                continue
            if S_ISREG(status.st_mode):
                found[name] = status.st_size
    finally:
        posix.close(descriptor)
    return found


def scandir(path: str) -> AbstractContextManager[Iterator[DirEntry[str]]]:
    """Return the entries of a folder. The folder is checked first and then listed by its path, because an entry needs one."""
    posix.close(open(path, _FOLDER))
    return posix.scandir(path)


def mkdir(path: str, mode: int = 0o777) -> None:
    with _Way(path) as (name, folder):
        posix.mkdir(name, mode, dir_fd=folder)


def rmdir(path: str) -> None:
    with _Way(path) as (name, folder):
        posix.rmdir(name, dir_fd=folder)


def unlink(path: str) -> None:
    """Delete a file, or a link itself."""
    with _Way(path) as (name, folder):
        posix.unlink(name, dir_fd=folder)


def chmod(path: str, mode: int) -> None:
    """Set the mode of a file that this process has just created, and that is therefore not a link."""
    with _Way(path) as (name, folder):
        posix.chmod(name, mode, dir_fd=folder)


def link(source: str, target: str, *, follow_symlinks: bool = True) -> None:
    with _Way(source) as (old, source_folder), _Way(target) as (new, target_folder):
        posix.link(old, new, src_dir_fd=source_folder, dst_dir_fd=target_folder, follow_symlinks=follow_symlinks)


def rename(source: str, target: str) -> None:
    with _Way(source) as (old, source_folder), _Way(target) as (new, target_folder):
        posix.rename(old, new, src_dir_fd=source_folder, dst_dir_fd=target_folder)


def replace(source: str, target: str) -> None:
    with _Way(source) as (old, source_folder), _Way(target) as (new, target_folder):
        posix.replace(old, new, src_dir_fd=source_folder, dst_dir_fd=target_folder)
