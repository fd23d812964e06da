"""The few lines of the rotation log that every plan and status needs: when rotations began and ended, which notes came back,
and which objects replaced others.

A log has two lines for each archived note, so looking for these few in all of it takes longer than everything else that is done with them. The index
remembers where they begin. They are read there, with their checksums, each time, and only the end of the log is searched for more. Lines are never
changed or inserted; where another log has other bytes at one of the places, all of it is searched again.
"""

from __future__ import annotations

from contextlib import suppress

from memorybank.index import meta
from memorybank.index.working import Index
from memorybank.log import lines, rotation
from memorybank.log.rotation_state import RotationState, fold
from memorybank.storage import jsontext
from memorybank.storage.sqlite import sqlite3

KINDS = ("begin", "end", "restored", "purged")
_PARTS = tuple(f'"kind":"{kind}"'.encode() for kind in KINDS)
_PLACES = "rotation_lines_with_purged"
"""Key of `meta`: where the last of these lines ends, and where each begins."""


def state(index: Index) -> RotationState:
    """Return the state after the lines of `KINDS` alone."""
    path = rotation.path(index.layout)
    end, *places = jsontext.decode(meta.text(index.connection, _PLACES) or "[0]")
    known = [fields for fields in lines.read_at(path, places) if fields is not None and fields.get("kind") in KINDS] if places else []
    if len(known) < len(places):
        end, places, known = 0, [], []
    added = [line for line in lines.containing(path, *_PARTS, offset=end) if line.fields.get("kind") in KINDS]
    if added and index.is_writable:
        with suppress(sqlite3.OperationalError):  # busy, full or read-only: the next call searches again
            meta.write(index.connection, _PLACES, jsontext.encode([added[-1].end, *places, *(line.offset for line in added)]))
    return fold([*known, *(line.fields for line in added)])
