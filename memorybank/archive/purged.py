"""An archived note without a text that was purged: the same note to whoever asks for it, under the name of its new content."""

from dataclasses import replace
from hashlib import sha256

from memorybank.archive import object as objects
from memorybank.archive.object import ArchiveObject
from memorybank.archive.store import pack
from memorybank.text.needle import Needle


def without(old: ArchiveObject, needle: Needle, data: bytes | None, now: int) -> ArchiveObject:
    """The object that stands for `old` from now on (ms), equal to `old` when that does not hold the text. Pure.

    data: the note's bytes; None when nobody has them any more, so that their digests stay.
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
        stored = pack(kept, old.compressed)
        new = replace(new, object_sha256=sha256(stored).hexdigest(), object_size=len(stored))
    return replace(new, id=objects.id_of(new.archived_at, new.original_path, new.sha256), purged_at=now)


def later(described: ArchiveObject, milliseconds: int) -> ArchiveObject:
    """The same object under the name of another instant: its own was taken."""
    archived_at = described.archived_at + milliseconds
    return replace(described, archived_at=archived_at, id=objects.id_of(archived_at, described.original_path, described.sha256))


def key_without(key: str, needle: Needle) -> str:
    """A note's key without the text; still the key of a Markdown file."""
    masked = needle.masked(key)
    return masked if masked.endswith(".md") or not key.endswith(".md") else masked + ".md"


def path_without(object_path: str, key: str, needle: Needle) -> str:
    """How the log names an object from now on whose name was made from `key`: the part that tells the key marked."""
    old, new = objects.slug(key), objects.slug(key_without(key, needle))
    folder, _, name = object_path.rpartition("/")
    return f"{folder}/{name.replace(f'-{old}-', f'-{new}-', 1)}" if old != new else object_path
