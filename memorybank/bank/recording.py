"""Writes the committed record of dates (`dates.jsonl`) after a command changed notes. An error here does not affect the notes."""

import os
from collections.abc import Sequence
from contextlib import suppress
from hashlib import sha256
from typing import TYPE_CHECKING

from memorybank.clock import DAY
from memorybank.editing import dating
from memorybank.errors import MemorybankError
from memorybank.index import queries, recorded
from memorybank.log import rotation as rotation_log
from memorybank.notes import date_record, scan
from memorybank.notes.date_record import RecordedNote
from memorybank.storage import disk
from memorybank.storage.layout import MAX_NOTE_BYTES, Layout

if TYPE_CHECKING:
    from memorybank.bank.opened import OpenBank
    from memorybank.clock import Clock
    from memorybank.rotation.undo import ReturnedNote
    from memorybank.text.needle import PurgeNeedle


def begin(bank: "OpenBank", kind: str) -> list[str]:
    """Record that the bank is put into use now, and the dates of its existing notes. Return the names of the files that were created.

    kind: `date_record.INIT`, which counts once, or `date_record.ADOPT`, which counts each time
    """
    names = (date_record.ATTRIBUTES_NAME, date_record.NAME)
    missing = [name for name in names if not os.path.lexists(os.path.join(bank.layout.root, name))]
    if kind == date_record.INIT and date_record.NAME not in missing:
        return []
    with suppress(MemorybankError):
        dating.begin(bank.layout, kind, bank.clock)
        if scan.sweep(bank.layout).found:
            record_all(bank)
    return [name for name in missing if os.path.lexists(os.path.join(bank.layout.root, name))]


def record_all(bank: "OpenBank") -> None:
    """Bring the index and the record of dates up to date."""
    with suppress(MemorybankError), bank.folded() as index:
        lines = recorded.lines(index)
        if lines is not None:
            dating.put_all(bank.layout, lines, bank.clock)


def record_new(bank: "OpenBank", key: str) -> None:
    """Record the date of a note that was created now, unless git ignores it. The index is not needed for that."""
    layout, now = bank.layout, bank.clock.now()
    with suppress(MemorybankError, FileNotFoundError):
        folder, name = os.path.split(layout.note_path(key))
        is_recorded = recorded.recordable(layout, folder)
        if is_recorded is None or not is_recorded(name):
            return
        digest = sha256(disk.read(layout.note_path(key), MAX_NOTE_BYTES)).hexdigest()
        dating.put(layout, [RecordedNote.of(key, digest, now, now, None)], bank.clock)


def record_returned(bank: "OpenBank", notes: Sequence["ReturnedNote"]) -> None:
    """Record the dates of notes that came back from the archive, as old as the rotation knew them to be: their file can be as new as the clone, and a
    note that came back under another name has no history. Called before the index reads them."""
    layout = bank.layout
    archived = {record.archive_path: record for record in rotation_log.read(layout).archived()}
    with suppress(MemorybankError), bank.opened() as index:
        is_recorded = recorded.recordable(layout, layout.active)
        known = {(note.key, note.digest) for note in date_record.read(layout).notes}
        lines = []
        for note in notes:
            record = archived.get(note.archive_path)
            if record is None or note.from_backup or is_recorded is None or not is_recorded(note.key):
                continue
            seen = queries.date_of_content(index.connection, note.original_path, note.sha256)
            modified = record.at - record.age_days * DAY if seen is None else seen  # the age has the precision of a day
            line = RecordedNote.of(note.key, note.sha256, modified, modified, None)
            lines += [] if (line.key, line.digest) in known else [line]
        if lines:
            dating.put(layout, lines, bank.clock)


def purge(trees: Sequence[Layout], needle: "PurgeNeedle", clock: "Clock") -> None:
    """Remove the lines about notes whose names contain a purged text."""
    for tree in trees:
        named = [note.key for note in date_record.read(tree).notes if needle.is_in(note.key.encode("utf-8", "replace"))]
        if named:
            dating.put(tree, (), clock, without=named)
