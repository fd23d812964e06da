"""Archive objects that nothing describes: no valid sidecar, and no line of the log. A rotation that was killed before it logged them leaves them."""

import os
from collections.abc import Collection, Iterator, Sequence
from contextlib import suppress
from hashlib import sha256
from stat import S_ISREG

from memorybank.archive import store
from memorybank.archive.object import COMPRESSED, MAX_OBJECT_BYTES, PLAIN, SIDECAR, ArchiveObject
from memorybank.errors import MemorybankError, ValidationFailed
from memorybank.storage import disk, frames
from memorybank.storage.layout import MAX_NOTE_BYTES, Layout
from memorybank.text.needle import PurgeNeedle

Unexamined = tuple[str, MemorybankError]
"""(path relative to the bank, why it has to stay or cannot be read)."""


def remove(tree: Layout, described: Collection[ArchiveObject], newer: Collection[str], logged: Collection[str], needle: PurgeNeedle) -> list[Unexamined]:
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
