"""The files of the archive. It imports little, because a search that finds nothing asks whether there are any."""

from __future__ import annotations

import os
from collections.abc import Iterator

from memorybank.storage import beneath, disk
from memorybank.storage.layout import Layout

BY_DATE = "archive/by_date"


def absolute(layout: Layout, relative: str) -> str:
    """Return the absolute path of an object, sidecar or folder that is given relative to the bank."""
    return os.path.join(layout.root, *relative.split("/"))


def names(layout: Layout) -> Iterator[str]:
    """Yield every file below `archive/by_date`, relative to the bank, sorted within its folder.

    Our temporary files are left out, and symbolic links are not followed.
    """
    return (path for path, _ in entries(layout))


def entries(layout: Layout) -> Iterator[tuple[str, os.DirEntry[str]]]:
    """Yield each file of `names` with its directory entry."""
    pending = [BY_DATE]
    while pending:
        folder = pending.pop()
        try:
            with beneath.scandir(absolute(layout, folder)) as listed:
                found = sorted(listed, key=lambda entry: entry.name)
        except FileNotFoundError:
            continue
        except OSError as error:
            raise disk.from_os_error(error, folder) from error
        pending += [f"{folder}/{entry.name}" for entry in reversed(found) if entry.is_dir(follow_symlinks=False)]
        for entry in found:
            if not entry.is_dir(follow_symlinks=False) and not entry.name.startswith(disk.TEMP_PREFIX):
                yield f"{folder}/{entry.name}", entry
