"""Marks a purged text in an archived note, whose object is replaced by one with the digest of its new content, and in lines of the rotation log.

In a line the text is marked wherever people may have written it: in keys, in the names of objects and backups that were derived from keys,
and in titles, topics, gists and reasons. Everything else (kinds, instants, digests, ids) stays, even if it contains the text.

Archive objects that nothing describes, neither a valid sidecar nor a line of the log, are removed: a rotation that was killed before it logged them
left them.
"""

import os
from collections.abc import Collection, Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from hashlib import sha256
from stat import S_ISREG
from typing import Any

from memorybank.archive import object as objects
from memorybank.archive import store
from memorybank.archive.object import COMPRESSED, MAX_OBJECT_BYTES, PLAIN, SIDECAR, ArchiveObject
from memorybank.clock import SECOND
from memorybank.errors import MemorybankError, ValidationFailed
from memorybank.storage import disk, frames
from memorybank.storage.layout import MAX_NOTE_BYTES, Layout
from memorybank.text.secrets.needle import PurgeNeedle

Unexamined = tuple[str, MemorybankError]
"""(path relative to the bank, why it has to stay or cannot be read)."""

_KEYS = ("path", "original_path", "as")
_OBJECTS = ("archive_path", "replaces")
_TEXTS = ("title", "gist", "reason")


def without(old: ArchiveObject, needle: PurgeNeedle, data: bytes | None, now: int) -> ArchiveObject:
    """Return the object that replaces `old`, or `old` itself when it does not contain the text.

    data: the note's bytes, or None when they are lost; then the digests stay as they are
    now: ms
    """
    kept = None if data is None else needle.replaced(data)
    new = replace(
        old,
        original_path=key_without(old.original_path, needle),
        title=needle.masked(old.title, is_excerpt=True),
        topics=tuple(map(needle.masked, old.topics)),
        gist=needle.masked(old.gist, is_excerpt=True),
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
    """Return an object that already exists. Its sidecar is written again if it was lost."""
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


class LogMarks:
    """Replaces a text in log lines by its mark.

    keys: {path of an object: the key from which its name was derived}
    left_alone: (rotation id, key) of notes whose lines stay as they are
    """

    def __init__(self, needle: PurgeNeedle, keys: dict[str, str], left_alone: set[tuple[str, str]]) -> None:
        self._needle = needle
        self._left_alone = left_alone
        self._objects = {path: path_without(path, key, needle) for path, key in keys.items()}

    def object(self, path: str) -> str:
        """Return the marked path of an object."""
        return self._objects.get(path, path)

    def backup(self, path: str, key: str) -> str:
        """Return the marked path of a note's backup."""
        return path.removesuffix(key) + key_without(key, self._needle) if path.endswith(f"/{key}") else path

    def line(self, fields: dict[str, Any]) -> dict[str, Any]:
        """Return one line with the text marked; an equal line when it does not contain the text."""
        if (fields.get("rotation_id"), fields.get("path")) in self._left_alone:
            return fields
        changed = dict(fields)
        for name in _KEYS:
            if isinstance(fields.get(name), str):
                changed[name] = key_without(fields[name], self._needle)
        for name in _OBJECTS:
            if isinstance(fields.get(name), str):
                changed[name] = self.object(fields[name])
        key = fields.get("original_path") or fields.get("path")
        if isinstance(fields.get("backup_path"), str) and isinstance(key, str):
            changed["backup_path"] = self.backup(fields["backup_path"], key)
        if isinstance(fields.get("sidecar"), dict):
            changed["sidecar"] = self._sidecar(fields["sidecar"])
        return changed

    def _sidecar(self, sidecar: dict[str, Any]) -> dict[str, Any]:
        """Mark a sidecar that the log recorded. Its checksum stays that of the old sidecar; the `purged` line contains the valid one."""
        changed = dict(sidecar)
        changed.update({name: self._needle.masked(sidecar[name], is_excerpt=name != "reason") for name in _TEXTS if isinstance(sidecar.get(name), str)})
        key, name, topics = sidecar.get("original_path"), sidecar.get("object"), sidecar.get("topics")
        if isinstance(key, str):
            changed["original_path"] = key_without(key, self._needle)
            if isinstance(name, str):
                changed["object"] = path_without(f"/{name}", key, self._needle).removeprefix("/")
        if isinstance(topics, list):
            changed["topics"] = [self._needle.masked(topic) if isinstance(topic, str) else topic for topic in topics]
        return changed


def remove_orphans(
    tree: Layout, described: Collection[ArchiveObject], newer: Collection[str], logged: Collection[str], needle: PurgeNeedle
) -> list[Unexamined]:
    """Remove the undescribed objects whose note is in `active/` byte for byte. Return those that have to stay although they may contain the text.

    described: the objects with a valid sidecar
    newer: paths of sidecars that a newer memorybank wrote
    logged: paths of the objects that the log names
    """
    known = {*logged, *newer, *(each.object_path for each in described), *(each.sidecar_path for each in described)}
    orphans: dict[str, list[str]] = {}
    for path in store.names(tree):
        stem = path.removesuffix(SIDECAR).removesuffix(COMPRESSED).removesuffix(PLAIN)
        if not {stem + SIDECAR, stem + COMPRESSED, stem + PLAIN} & known:
            orphans.setdefault(stem, []).append(path)
    present = set(_digests(tree.active)) if orphans else set()
    return [error for paths in orphans.values() for error in _removed(tree, paths, present, needle)]


def _removed(tree: Layout, paths: Sequence[str], present: Collection[str], needle: PurgeNeedle) -> list[Unexamined]:
    """Remove one object and its sidecar, of which one may be missing."""
    for path in paths:
        if path.endswith(SIDECAR):
            continue
        try:
            stored = disk.read(store.absolute(tree, path), MAX_OBJECT_BYTES)
            data = frames.unpack(stored, MAX_NOTE_BYTES, path) if path.endswith(COMPRESSED) else stored
        except FileNotFoundError:
            continue
        except MemorybankError as error:
            return [(path, error)]
        if sha256(data).hexdigest() not in present:
            said = "it contains the text, nothing describes it, and its note is not in active/; compare them, then delete it"
            return [(path, ValidationFailed(said))] if needle.is_in(data) else []
    for path in paths:
        disk.remove(store.absolute(tree, path))
    store.sync({os.path.dirname(store.absolute(tree, paths[0]))})
    return []


def _digests(top: str) -> Iterator[str]:
    """Yield the SHA-256 of each file below a folder that can be read."""
    for folder, _, names in os.walk(top):
        for name in names:
            with suppress(OSError, MemorybankError):
                path = os.path.join(folder, name)
                if S_ISREG(os.lstat(path).st_mode):
                    yield sha256(disk.read(path, MAX_NOTE_BYTES)).hexdigest()
