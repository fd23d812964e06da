"""Purges a text from the files of episodes: the list, merged weeks, replaced texts, and files that were set aside.

Everything else in the files stays byte for byte. A summary that no person edited gets the digest of its new text, so that it does not look edited, and
the digests in an archive are updated to match. The caller holds the lock of the episodes. Purging twice has the same effect as once.
"""

import os
from collections.abc import Iterator
from contextlib import suppress
from typing import Any

from memorybank.clock import Clock
from memorybank.editing.write import NoteWriter, finish_interrupted
from memorybank.episodes import archive, list_file, store
from memorybank.episodes.entry import Episode, text_digest
from memorybank.episodes.list_file import StoredEpisodes
from memorybank.episodes.topics import store as topics
from memorybank.errors import Conflict, MemorybankError
from memorybank.storage import disk, jsontext
from memorybank.storage.digest import sha256
from memorybank.storage.layout import Layout
from memorybank.text.secrets.needle import PurgeNeedle

_SUFFIX = ".json"


def holding(layout: Layout, needle: PurgeNeedle) -> list[str]:
    """Return the files below `episodes/` that contain the text. Unreadable files are skipped; the search through the entire bank reports them."""
    found = []
    for path in _files(layout):
        with suppress(MemorybankError, FileNotFoundError):
            found += [path] if needle.is_in(disk.read(path, list_file.MAX_BYTES)) else []
    return found


def refuse_newer(layout: Layout, needle: PurgeNeedle) -> None:
    """Raise NewerFormat when the text is in a list of episodes that a newer memorybank wrote: this release does not know what belongs to the text there."""
    if list_file.path_of(layout) in holding(layout, needle):
        list_file.refuse_unwritable(layout, StoredEpisodes(newer=list_file.read(layout).newer))


def is_ours(layout: Layout, path: str) -> bool:
    """Return whether `purge` handles this file."""
    return path.startswith(list_file.folder(layout) + os.sep) and path.endswith(_SUFFIX)


def purge(layout: Layout, needle: PurgeNeedle, clock: Clock) -> int:
    """Replace the text by the mark of purged text. Returns the number of files that contained it."""
    finish_interrupted(layout, clock)  # a killed purge can leave the topics without their name
    paths = holding(layout, needle)
    if not paths:
        return 0
    # First: after an interrupted purge, the files that still contain the text lead to the words again.
    topics.forget_words(layout, clock)
    with NoteWriter(layout, "memorybank purge", clock) as writer:
        for path in paths:
            _purge_file(layout, writer, path, needle)
    return len(paths)


def _purge_file(layout: Layout, writer: NoteWriter, path: str, needle: PurgeNeedle) -> None:
    """Purge one file. Former versions contain the text, so they are not kept."""
    data = disk.read(path, list_file.MAX_BYTES)
    new = without(data, needle)
    named = os.path.join(os.path.dirname(path), _name(layout, path, new))
    relative = os.path.relpath(path, layout.root).replace(os.sep, "/")
    if named == path:
        writer.update(relative, lambda present: None if present is None else without(present, needle), is_kept=False)
        return
    with suppress(Conflict):  # an interrupted purge has already written it
        writer.create(os.path.relpath(named, layout.root).replace(os.sep, "/"), new)
    writer.remove(relative, {sha256(data).hex()}, is_kept=False)


def without(data: bytes, needle: PurgeNeedle) -> bytes:
    """Return the bytes of one of these files without the text."""
    # Digests are replaced as text too: encoding the entries again would change bytes that have nothing to do with the purge.
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
    """Return the file name for the new content: the name of a replaced text contains the digest of its bytes, every other name stays."""
    name = os.path.basename(path)
    return store.replaced_name(name.rpartition("-")[0], data) if os.path.dirname(path) == list_file.replaced_folder(layout) else name


def _files(layout: Layout) -> Iterator[str]:
    for folder, folders, names in os.walk(list_file.folder(layout)):
        folders.sort()
        for name in sorted(names):
            path = os.path.join(folder, name)
            if name.endswith(_SUFFIX) and os.path.isfile(path) and not os.path.islink(path):
                yield path


def _entries(data: bytes) -> list[Episode]:
    """Return every entry in a file of any of the kinds; for a broken file, the entries that can still be read."""
    archived = [Episode(item.get("entry")) for item in _archived(data)]
    stored = list_file.parse(data)
    return archived or [*stored.entries, *stored.dropped] or list_file.salvage(data)


def _archived(data: bytes) -> list[dict[str, Any]]:
    """Return the items of a merged week's archive; [] for any other file."""
    try:
        value = jsontext.decode(data)
    except ValueError:
        return []
    items = value.get("entries") if isinstance(value, dict) else None
    return [item for item in items if isinstance(item, dict)] if isinstance(items, list) else []
