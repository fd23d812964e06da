"""Replaces an archived note by a version without a purged text. The new object's name contains the digest of its new content."""

from dataclasses import replace
from hashlib import sha256

from memorybank.archive import object as objects
from memorybank.archive import store
from memorybank.archive.object import ArchiveObject
from memorybank.clock import SECOND
from memorybank.errors import ValidationFailed
from memorybank.storage import disk
from memorybank.storage.layout import Layout
from memorybank.text.needle import PurgeNeedle


def without(old: ArchiveObject, needle: PurgeNeedle, data: bytes | None, now: int) -> ArchiveObject:
    """Return the object that replaces `old`, or `old` itself when it does not contain the text.

    data: the note's bytes, or None when they are lost; then the digests stay as they are
    now: ms
    """
    kept = None if data is None else needle.replaced(data)
    new = replace(
        old,
        original_path=key_without(old.original_path, needle),
        title=needle.masked(old.title),
        topics=tuple(map(needle.masked, old.topics)),
        gist=needle.masked(old.gist),
        reason=needle.masked(old.reason),
        sha256=old.sha256 if kept is None else sha256(kept).hexdigest(),
        size=old.size if kept is None else len(kept),
    )
    if new == old:
        return old
    if kept is not None:
        stored = store.pack(kept, old.compressed)
        new = replace(new, object_sha256=sha256(stored).hexdigest(), object_size=len(stored))
    return replace(new, id=objects.id_of(new.archived_at, new.original_path, new.sha256), purged_at=now)


def write(tree: Layout, new: ArchiveObject, data: bytes) -> ArchiveObject:
    """Write a replacing object durably and read it back. An object that an interrupted run has written is reused.

    Returns the object as stored: with a later instant when its name was taken.
    """
    stored = store.pack(data, new.compressed)
    while not store.is_free(tree, new):
        if store.holds(tree, new.object_path, stored):
            return _settled(tree, new)
        new = _later(new, SECOND)
    store.prepare(tree, new.folder)
    staged = store.stage(tree, new, stored)
    try:
        store.publish(tree, staged)
    except BaseException:
        store.discard(staged)
        raise
    disk.sync_file(store.absolute(tree, new.sidecar_path))
    store.sync([store.absolute(tree, new.folder)])
    store.read_object(tree, new)
    return new


def _settled(tree: Layout, new: ArchiveObject) -> ArchiveObject:
    """Return an object that already exists, with its sidecar; a lost sidecar is written again."""
    disk.sync_file(store.absolute(tree, new.object_path))
    try:
        found = store.read_sidecar(tree, new.sidecar_path)
        disk.sync_file(store.absolute(tree, new.sidecar_path))
    except ValidationFailed:
        found = new
        store.write_sidecar(tree, new)
    store.sync([store.absolute(tree, new.folder)])
    store.read_object(tree, found)
    return found


def _later(described: ArchiveObject, milliseconds: int) -> ArchiveObject:
    """Return the same object under the name of a later instant, because its own name is taken."""
    archived_at = described.archived_at + milliseconds
    return replace(described, archived_at=archived_at, id=objects.id_of(archived_at, described.original_path, described.sha256))


def key_without(key: str, needle: PurgeNeedle) -> str:
    """Return a note's key without the text. It still ends in `.md`."""
    masked = needle.masked(key)
    return masked if masked.endswith(".md") or not key.endswith(".md") else masked + ".md"


def path_without(object_path: str, key: str, needle: PurgeNeedle) -> str:
    """Return an object's path with the text removed from the part that was derived from `key`."""
    old, new = objects.slug(key), objects.slug(key_without(key, needle))
    folder, _, name = object_path.rpartition("/")
    return f"{folder}/{name.replace(f'-{old}-', f'-{new}-', 1)}" if old != new else object_path
