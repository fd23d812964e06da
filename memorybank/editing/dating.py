"""Writes the committed record of dates. Lines that git or another command adds at the same time are kept."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from contextlib import suppress

from memorybank.clock import Clock
from memorybank.editing.write import update
from memorybank.notes import date_record
from memorybank.notes.date_record import RecordedNote
from memorybank.storage import disk
from memorybank.storage.layout import Layout

_COMMAND = "memorybank"


def begin(layout: Layout, kind: str, clock: Clock) -> None:
    """Record that the bank is put into use now. kind: `date_record.INIT` or `ADOPT`"""
    _change(layout, clock, lambda data: date_record.begun(data, kind, clock.now()))


def put(layout: Layout, notes: Iterable[RecordedNote], clock: Clock, *, without: Iterable[str] = ()) -> None:
    """Record the dates of some notes in place of their former lines.

    without: keys whose lines are removed, because no note has them any more
    """
    changed, dropped = tuple(notes), tuple(without)
    _change(layout, clock, lambda data: date_record.with_notes(data, changed, dropped))


def put_all(layout: Layout, notes: Iterable[RecordedNote], clock: Clock) -> None:
    everything = tuple(notes)
    _change(layout, clock, lambda data: date_record.with_all(data, everything, layout))


def _change(layout: Layout, clock: Clock, edit: Callable[[bytes | None], bytes]) -> None:
    """Change the file. Does nothing when its bytes would stay the same."""

    def changed(before: bytes | None) -> bytes | None:
        data = edit(before)
        if before is not None:
            return data
        if not data:
            return None
        # Without these attributes a merge can leave marks of a conflict, which readers skip.
        with suppress(FileExistsError):
            disk.create(os.path.join(layout.root, date_record.ATTRIBUTES_NAME), date_record.ATTRIBUTES)
        return data

    # The lines are memorybank's own, so the former version is not kept for the person.
    update(layout, _COMMAND, clock, date_record.NAME, changed, is_kept=False)
