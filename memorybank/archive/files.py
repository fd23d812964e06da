"""The files of the archive by their names and states, without what is in them. The status looks at all of them, and reads none."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress

from memorybank.clock import LARGEST_STORABLE, storable
from memorybank.storage import beneath, disk
from memorybank.storage.layout import Layout, is_utf8
from memorybank.values import NamedTuple

BY_DATE = "archive/by_date"
SIDECAR = ".json"
_RECENT_NS = 2_000_000_000
"""A folder that changed within this time before it was read may change again without a new mtime."""


class FileState(NamedTuple):
    """The state of a file, which identifies this version of it. size in bytes; times in ns."""

    size: int
    mtime_ns: int
    ctime_ns: int
    inode: int

    @classmethod
    def of(cls, status: os.stat_result) -> FileState:
        return cls(status.st_size, storable(status.st_mtime_ns), storable(status.st_ctime_ns), storable(status.st_ino))


def sidecar_of(object_path: str) -> str:
    """Return the path of an object's sidecar."""
    return object_path.removesuffix(".zst").removesuffix(".md") + SIDECAR


def absolute(layout: Layout, relative: str) -> str:
    """Return the absolute path of an object, sidecar or folder that is given relative to the bank."""
    return os.path.join(layout.root, *relative.split("/"))


def names(layout: Layout) -> Iterator[str]:
    """Yield every file below `archive/by_date`, relative to the bank, sorted within its folder.

    Our temporary files are left out, and symbolic links are not followed.
    """
    return (path for path, _ in _files(layout))


def months(layout: Layout) -> dict[str, int]:
    """Return {folder of a month, relative to the bank: its mtime in ns}, sorted. memorybank keeps sidecars nowhere else, and trusts none elsewhere."""
    found = {}
    for year in _folders(layout, BY_DATE):
        for month in _folders(layout, year):
            with suppress(FileNotFoundError):
                found[month] = storable(beneath.lstat(absolute(layout, month)).st_mtime_ns)
    return found


def is_settled(mtime_ns: int, now: int) -> bool:
    """Return whether a folder with this mtime had changed long enough before `now` (ms) that a further change gets another mtime."""
    return now * 1_000_000 - mtime_ns > _RECENT_NS


def _folders(layout: Layout, within: str) -> list[str]:
    with _listed(layout, within) as entries:
        return sorted(f"{within}/{entry.name}" for entry in entries if entry.is_dir(follow_symlinks=False))


def sidecars(layout: Layout, month: str) -> list[str]:
    """Return the names of the sidecars in the folder of a month, sorted. memorybank gives none a name that is not UTF-8."""
    try:
        names = beneath.listdir(absolute(layout, month))
    except FileNotFoundError:
        return []
    except OSError as error:
        raise disk.from_os_error(error, month) from error
    return sorted(name for name in names if name.endswith(SIDECAR) and not name.startswith(disk.TEMP_PREFIX) and (name.isascii() or is_utf8(name)))


def states(layout: Layout, month: str, names: Iterable[str]) -> list[int]:
    """Return the values of the `FileState` of each of these sidecars, one after another; zeros for one that is missing.

    An archive has thousands of sidecars, so the way to the state of one is as short as possible.
    """
    found: list[int] = []
    add, stat = found.append, os.stat
    try:
        folder = beneath.open(absolute(layout, month), os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    except OSError as error:
        raise disk.from_os_error(error, month) from error
    try:
        for name in names:
            try:
                status = stat(name, dir_fd=folder, follow_symlinks=False)
            except FileNotFoundError:
                found += (0, 0, 0, 0)
                continue
            add(status[6])
            add(status.st_mtime_ns)
            add(status.st_ctime_ns)
            add(status[1])
    finally:
        os.close(folder)
    return found if max(found, default=0) <= LARGEST_STORABLE and min(found, default=0) >= 0 else list(map(storable, found))


@contextmanager
def _listed(layout: Layout, folder: str) -> Iterator[Iterator[os.DirEntry[str]]]:
    """Yield the entries of a folder of the archive; none if it is missing."""
    try:
        listed = beneath.scandir(absolute(layout, folder))
    except FileNotFoundError:
        yield iter(())
        return
    except OSError as error:
        raise disk.from_os_error(error, folder) from error
    with listed as entries:
        yield entries


def _files(layout: Layout) -> Iterator[tuple[str, os.DirEntry[str]]]:
    pending = [BY_DATE]
    while pending:
        folder = pending.pop()
        with _listed(layout, folder) as entries:
            found = sorted(entries, key=lambda entry: entry.name)
        pending += [f"{folder}/{entry.name}" for entry in reversed(found) if entry.is_dir(follow_symlinks=False)]
        for entry in found:
            if not entry.is_dir(follow_symlinks=False) and not entry.name.startswith(disk.TEMP_PREFIX):
                yield f"{folder}/{entry.name}", entry
