"""Rating a note: a person's judgement, written into its front matter."""

from __future__ import annotations

from hashlib import sha256

from memorybank.bank.opened import OpenBank
from memorybank.editing.write import NoteWriter
from memorybank.errors import UsageError
from memorybank.log import access
from memorybank.log.access import AccessLine
from memorybank.notes import edit
from memorybank.storage import disk
from memorybank.storage.layout import MAX_NOTE_BYTES


def check(rating: float) -> None:
    """Raise UsageError for a number that is not a rating."""
    if not 0 <= rating <= 10:
        raise UsageError(f"{rating:g} is not a rating", next_step="give a number from 0 to 10")


def rate(bank: OpenBank, key: str, rating: float) -> bool:
    """Write a rating into the front matter of a note, and return whether the note is indexed.

    The new content is recorded with the date of the old one before it is written.
    """
    with bank.folded() as index:
        found = index.note(key)
    if found is None:
        return False
    data = disk.read(bank.layout.note_path(key), MAX_NOTE_BYTES)
    changed = edit.set_front_matter(data, "rating", int(rating) if rating == int(rating) else rating)
    if changed == data:
        return True
    access.append(bank.layout, [AccessLine("rating", key, bank.clock.now(), sha256(changed).hexdigest(), found.modified)], bank.clock, durable=True)
    with NoteWriter(bank.layout, "memorybank rate", bank.clock) as writer:
        writer.replace(f"active/{key}", changed, {sha256(data).hexdigest()})
    return True
