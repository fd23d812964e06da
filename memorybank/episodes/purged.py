"""The files of episodes without a text that must disappear: the list, merged weeks, replaced texts, what was set aside.

Everything else in them stays byte for byte; of a text that nobody edited the digest is that of the new words, so that it does not look
edited, and an archive's entries are still what their digests say. The caller holds the lock of the episodes. Twice equals once.
"""

import os
from collections.abc import Iterator
from contextlib import suppress
from typing import Any

from memorybank.episodes import archive, store
from memorybank.episodes.entry import Episode, text_digest
from memorybank.episodes.topics import store as topics
from memorybank.errors import MemorybankError
from memorybank.storage import disk, jsontext
from memorybank.storage.layout import Layout
from memorybank.text.needle import Needle

_SUFFIX = ".json"


def holding(layout: Layout, needle: Needle) -> list[str]:
    """The files below `episodes/` that hold it; one that cannot be read is left to who looks through the whole bank."""
    found = []
    for path in _files(layout):
        with suppress(MemorybankError, FileNotFoundError):
            found += [path] if needle.is_in(disk.read(path, store.MAX_BYTES)) else []
    return found


def is_ours(layout: Layout, path: str) -> bool:
    """Whether a file is one that `purge` mends."""
    return path.startswith(store.folder(layout) + os.sep) and path.endswith(_SUFFIX)


def purge(layout: Layout, needle: Needle) -> int:
    """Put the mark in place of the text; how many files held it."""
    paths = holding(layout, needle)
    for path in paths:
        new = without(disk.read(path, store.MAX_BYTES), needle)
        named = os.path.join(os.path.dirname(path), _name(layout, path, new))
        if named == path:
            disk.replace(path, (new,), mode=disk.USER_FILE, durable=True)
            continue
        with suppress(FileExistsError):  # a purge that was cut short came so far
            disk.create(named, new)
        disk.remove(path)
        disk.sync_directory(os.path.dirname(path))
    if paths:
        topics.forget_words(layout)
    return len(paths)


def without(data: bytes, needle: Needle) -> bytes:
    """The bytes of one of these files without the text. Pure."""
    new = needle.replaced(data)
    for entry in _entries(data):
        if entry.digest and not entry.is_edited:
            said = jsontext.decode(needle.replaced(jsontext.encode_bytes(entry.summary)))
            new = new.replace(entry.digest.encode(), text_digest(said).encode())
    for old, item in zip(_archived(data), _archived(new), strict=False):
        if old.get("digest") == archive.digest_of(old.get("entry")):
            new = new.replace(old["digest"].encode(), archive.digest_of(item.get("entry")).encode())
    return new


def _name(layout: Layout, path: str, data: bytes) -> str:
    """What a file is called with these bytes: a replaced text by their digest."""
    name = os.path.basename(path)
    return store.replaced_name(name.rpartition("-")[0], data) if os.path.dirname(path) == store.replaced_folder(layout) else name


def _files(layout: Layout) -> Iterator[str]:
    for folder, folders, names in os.walk(store.folder(layout)):
        folders.sort()
        for name in sorted(names):
            path = os.path.join(folder, name)
            if name.endswith(_SUFFIX) and os.path.isfile(path) and not os.path.islink(path):
                yield path


def _entries(data: bytes) -> list[Episode]:
    """Every entry in a file, whichever it is; of one that is broken those that can be read."""
    archived = [Episode(item.get("entry")) for item in _archived(data)]
    stored = store.parse(data)
    return archived or [*stored.entries, *stored.dropped] or store.salvage(data)


def _archived(data: bytes) -> list[dict[str, Any]]:
    """The items of a merged week's archive; [] for any other file."""
    try:
        value = jsontext.decode(data)
    except ValueError:
        return []
    items = value.get("entries") if isinstance(value, dict) else None
    return [item for item in items if isinstance(item, dict)] if isinstance(items, list) else []
