"""The files of the archive by their names and states, without what is in them. The status looks at all of them, and reads none."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from stat import S_ISDIR
from typing import NamedTuple

from memorybank.clock import LARGEST_STORABLE, storable
from memorybank.storage import beneath, disk
from memorybank.storage.layout import Layout, is_utf8

BY_DATE = "archive/by_date"
SIDECAR = ".json"


class FileState(NamedTuple):
    """The state of a file, which identifies this version of it. size in bytes; times in ns."""

    size: int
    mtime_ns: int
    ctime_ns: int
    inode: int

    @classmethod
    def of(cls, status: os.stat_result) -> FileState:
        return cls(status.st_size, storable(status.st_mtime_ns), storable(status.st_ctime_ns), storable(status.st_ino))


def absolute(layout: Layout, relative: str) -> str:
    """Return the absolute path of an object, sidecar or folder that is given relative to the bank."""
    return os.path.join(layout.root, *relative.split("/"))


def names(layout: Layout) -> Iterator[str]:
    """Yield every file below `archive/by_date`, relative to the bank, sorted within its folder.

    Our temporary files are left out, and symbolic links are not followed.
    """
    return (path for path, _ in _files(layout))


def sidecar_states(layout: Layout) -> dict[str, tuple[int, ...]]:
    """Return {path of every sidecar, relative to the bank: the values of its `FileState`} without reading any.

    memorybank gives no sidecar a name that is not UTF-8. An archive has thousands of sidecars, so the way to the state of one is as short as possible.
    """
    found: dict[str, tuple[int, ...]] = {}
    pending = [BY_DATE]
    suffix, temporary, most = SIDECAR, disk.TEMP_PREFIX, LARGEST_STORABLE
    while pending:
        folder = pending.pop()
        within = f"{folder}/"
        with _listed(layout, folder) as entries:
            for entry in entries:
                name = entry.name
                if not name.endswith(suffix):
                    if entry.is_dir(follow_symlinks=False):
                        pending.append(within + name)
                    continue
                try:
                    status = entry.stat(follow_symlinks=False)
                except FileNotFoundError:
                    continue
                if S_ISDIR(status[0]):
                    pending.append(within + name)
                elif not name.startswith(temporary) and (name.isascii() or is_utf8(name)):
                    state = status[6], status.st_mtime_ns, status.st_ctime_ns, status[1]
                    found[within + name] = state if max(state) <= most and min(state) >= 0 else FileState.of(status)
    return found


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
