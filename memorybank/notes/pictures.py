"""Pictures in notes: files below active/, found by listing the folders and recognized by their first bytes."""

import os
from posixpath import dirname, join, normpath
from typing import NamedTuple

from memorybank.errors import NotFound
from memorybank.storage import disk
from memorybank.storage.layout import Layout

MAX_BYTES = 16 << 20
SUFFIXES = (".png", ".jpg", ".jpeg", ".gif", ".webp")
_KINDS = ((b"\x89PNG\r\n\x1a\n", "image/png"), (b"\xff\xd8\xff", "image/jpeg"), (b"GIF87a", "image/gif"), (b"GIF89a", "image/gif"))


class Picture(NamedTuple):
    """A picture file. `media_type` is determined by its bytes, whatever its name says."""

    media_type: str
    data: bytes


def place(key: str, written: str) -> str | None:
    """Return the path below active/ of a picture in a note, or None when the destination is not a picture of the bank.

    key: key of the note
    written: the link destination, percent-decoded
    """
    path = normpath(join(dirname(key), written))
    return path if path.lower().endswith(SUFFIXES) and not path.startswith(("/", "../")) and "\\" not in path and "\0" not in path else None


def read(layout: Layout, path: str) -> Picture:
    """Return the picture at `path`, which is relative to active/. Raises `NotFound` when it is not a picture.

    Each part of the path is looked up in the listing of its folder, and no symbolic link is followed.
    """
    missing = NotFound(f"no picture {path[:200]!r}", next_step="a note can show PNG, JPEG, GIF and WebP files that are below active/")
    found = None if os.path.islink(layout.active) or not path.lower().endswith(SUFFIXES) else layout.active
    parts = path.split("/")
    for number, part in enumerate(parts, 1):
        found = _entry(found, part, is_folder=number < len(parts)) if found is not None else None
    if found is None:
        raise missing
    data = disk.read(found, MAX_BYTES)
    media_type = _media_type(data)
    if media_type is None:
        raise missing
    return Picture(media_type, data)


def _entry(folder: str, name: str, *, is_folder: bool) -> str | None:
    try:
        with os.scandir(folder) as entries:
            for entry in entries:
                if entry.name == name and (entry.is_dir(follow_symlinks=False) if is_folder else entry.is_file(follow_symlinks=False)):
                    return entry.path
    except OSError:
        return None
    return None


def _media_type(data: bytes) -> str | None:
    if data[:4] == b"RIFF" and data[8:12] == b"WEBP":
        return "image/webp"
    return next((kind for first, kind in _KINDS if data.startswith(first)), None)
