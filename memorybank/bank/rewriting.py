"""Changes of notes by a person: a rating, and, of several notes at once, a new key with the links to it and a new name of a tag."""

from __future__ import annotations

import os
from collections.abc import Sequence

from memorybank.bank.opened import OpenBank
from memorybank.editing import together
from memorybank.editing.together import NoteRewrite
from memorybank.editing.write import NoteWriter, finish_interrupted
from memorybank.errors import Conflict, MemorybankError, NotFound, UsageError, ValidationFailed
from memorybank.index.links import active_folder, edges
from memorybank.index.row import IndexedNote
from memorybank.index.working import Progress
from memorybank.log import access
from memorybank.log.access import AccessLine
from memorybank.notes import edit, relink, tags
from memorybank.notes.scan import SUFFIX
from memorybank.storage import disk
from memorybank.storage.digest import sha256
from memorybank.storage.layout import MAX_NAME_BYTES, MAX_NOTE_BYTES, PUBLISHED_PREFIX, is_one_file
from memorybank.values import Value

COMMAND_MV, COMMAND_TAGS = "memorybank mv", "memorybank tags rename"


class RelinkPlan(Value):
    """The changes that a new key of a note requires.

    rewritten: (key, number of its links that are rewritten) of each note, the moved one included.
    left: (key, targets as written) of each note that still contains the old path afterwards.
    """

    key: str
    new_key: str
    rewritten: tuple[tuple[str, int], ...]
    left: tuple[tuple[str, tuple[str, ...]], ...]
    rewrites: tuple[NoteRewrite, ...]


class RetaggedNote(Value):
    """A note whose tags change. tags: {tag: its new name}"""

    key: str
    tags: dict[str, str]


class TagPlan(Value):
    """The changes that a new name of a tag requires.

    notes: the notes that change, by key.
    merged: number of other notes that already have a tag of the new name.
    """

    old: str
    new: str
    notes: tuple[RetaggedNote, ...]
    merged: int
    rewrites: tuple[NoteRewrite, ...]


def plan_links(bank: OpenBank, key: str, new_key: str) -> RelinkPlan:
    """Return what `mv --links` would change. Changes nothing."""
    _finish_interrupted(bank)
    with bank.folded() as index:
        change = relink.key_change(key, new_key, index.keys(), active_folder(index.layout))
        sources = sorted({source for source, target in edges(index.connection, key) if target == key} | {key})
        rows = index.notes(sources)
    rewritten, left, rewrites = [], [], []
    for row in rows:
        data, mtime_ns = _read(bank, row.key)
        found = relink.relinked(data, row.key, change)
        if found.left:
            left.append((row.key, found.left))
        if found.data != data:
            rewritten.append((row.key, found.rewritten))
            rewrites.append(NoteRewrite(row.key, found.data, sha256(data).hex(), row.modified, mtime_ns))
    return RelinkPlan(key, new_key, tuple(rewritten), tuple(left), tuple(rewrites))


def plan_tags(bank: OpenBank, old: str, new: str) -> TagPlan:
    """Return what `tags rename` would change. Changes nothing.

    Raises `UsageError` for a name that no tag can have, `NotFound` when no note has the tag, `ValidationFailed` for a note that cannot be edited.
    """
    old, new = tags.checked_name(old), tags.checked_name(new)
    if old == new:
        raise UsageError(f"the tag already has the name {old}", next_step="pass another name")
    _finish_interrupted(bank)
    with bank.folded() as index:
        rows = index.notes()
    notes, rewrites = [], []
    for row in rows:
        renamings = tags.renamings(row.tags, old, new)
        if renamings:
            notes.append(RetaggedNote(row.key, renamings))
            rewrites.append(_retagged(bank, row, renamings))
    if not notes:
        raise NotFound(f"no note has the tag {old!r}", next_step="'memorybank tags' lists the tags")
    changed = {note.key for note in notes}
    merged = sum(row.key not in changed and any(tags.is_below(tag, new) for tag in row.tags) for row in rows)
    return TagPlan(old, new, tuple(notes), merged, tuple(rewrites))


def carry_out(bank: OpenBank, command: str, rewrites: Sequence[NoteRewrite], rename: tuple[str, str] | None = None, progress: Progress | None = None) -> str:
    """Carry out a plan as one change, and return its id."""
    return together.rewrite(bank.layout, command, bank.clock, rewrites, rename, progress)


def _finish_interrupted(bank: OpenBank) -> None:
    """Finish the change that a killed command began: its note may lack its name, and the plan would miss it."""
    if not bank.read_only:
        finish_interrupted(bank.layout, bank.clock)


def _read(bank: OpenBank, key: str) -> tuple[bytes, int]:
    path = bank.layout.note_path(key)
    return disk.read(path, MAX_NOTE_BYTES), os.lstat(path).st_mtime_ns


def _retagged(bank: OpenBank, row: IndexedNote, renamings: dict[str, str]) -> NoteRewrite:
    data, mtime_ns = _read(bank, row.key)
    try:
        changed = edit.replace_words(data, "tags", renamings)
    except MemorybankError as error:
        raise ValidationFailed(f"{row.key}: {error.message}; no note was changed", next_step=error.next_step) from error
    return NoteRewrite(row.key, changed, sha256(data).hex(), row.modified, mtime_ns)


def new_key(bank: OpenBank, key: str, new: str) -> str:
    """Return the key that a renaming would give a note; see `Notes.new_key`."""
    if not new.strip() or not new.isprintable():
        raise UsageError(f"{new!r} is not the name of a note", next_step="write it relative to active/, such as planning/overview.md")
    wanted = new.removeprefix("./").removeprefix(PUBLISHED_PREFIX).removeprefix("active/")
    if wanted and not wanted.endswith(("/", SUFFIX)) and os.path.isdir(bank.layout.note_path(wanted)):
        wanted += "/"
    if wanted.endswith("/") or not wanted:
        wanted += key.rpartition("/")[2]
    if not wanted.endswith(SUFFIX):
        wanted += SUFFIX
    if wanted.rpartition("/")[2] == SUFFIX:
        raise UsageError(f"{new!r} is not the name of a note", next_step="write it relative to active/, such as planning/overview.md")
    longest = max(len(part.encode(errors="replace")) for part in wanted.split("/"))
    if longest > MAX_NAME_BYTES:
        raise UsageError(f"a name of {longest} bytes is too long for a file", next_step=f"choose one of at most {MAX_NAME_BYTES} bytes")
    path = bank.layout.note_path(wanted)
    if os.path.lexists(path) and not bank.read_only:
        finish_interrupted(bank.layout, bank.clock)  # a killed renaming can leave both names
    if os.path.lexists(path):
        if is_one_file(bank.layout, key, wanted):
            raise Conflict(f"{key} and {wanted} are one file on this disk, which ignores case", next_step="rename it to another name first")
        raise Conflict(f"{wanted} already exists", next_step="choose another name; a note is never replaced")
    return wanted


def check_rating(rating: float) -> None:
    """Raise `UsageError` for a number that is not a rating."""
    if not 0 <= rating <= 10:
        raise UsageError(f"{rating:g} is not a rating", next_step="give a number from 0 to 10")


def rate(bank: OpenBank, key: str, rating: float) -> bool:
    """Write a rating into the front matter of a note, and return whether the note is indexed.

    The new content is recorded with the date of the old one before it is written.
    """
    bank.layout.require_writable()
    with bank.folded() as index:
        found = index.note(key)
    if found is None:
        return False
    data = disk.read(bank.layout.note_path(key), MAX_NOTE_BYTES)
    changed = edit.set_front_matter(data, "rating", int(rating) if rating == int(rating) else rating)
    if changed == data:
        return True
    access.append(bank.layout, [AccessLine("rating", key, bank.clock.now(), sha256(changed).hex(), found.modified)], bank.clock, durable=True)
    with NoteWriter(bank.layout, "memorybank rate", bank.clock) as writer:
        writer.replace(f"active/{key}", changed, {sha256(data).hex()})
    return True
