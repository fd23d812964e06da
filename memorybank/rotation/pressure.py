"""The pressure rule: how full `active/` is, and which notes have to leave so that it is within `rotation.pressure` again.

Unattended maintenance archives these notes and no others (ADR 0050). The rules still decide which notes may leave at all.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Protocol, TypeVar

from memorybank.config.rotation import Pressure
from memorybank.index.row import IndexedNote
from memorybank.index.selection import NOTHING_COUNTED, CountedNotes
from memorybank.rotation.rules import MB, megabytes
from memorybank.text.quantities import counted
from memorybank.values import Value

SESSION_NOTES = "sync/sessions/"
"""The folder of session notes. Every session can add one, so they have a limit of their own."""


class LeavingNote(Protocol):
    """The properties of a note that decide whether it has to leave."""

    @property
    def key(self) -> str: ...
    @property
    def importance(self) -> float: ...
    @property
    def modified(self) -> int: ...
    @property
    def size(self) -> int: ...


_Note = TypeVar("_Note", bound=LeavingNote)


class Occupancy(Value):
    """What is in `active/`, and the limits of `rotation.pressure`.

    notes, most_notes: number of notes without session notes, and its limit
    size, most_size: bytes of all notes, and their limit
    """

    notes: int
    most_notes: int
    session_notes: int
    most_session_notes: int
    size: int
    most_size: float

    @property
    def is_over(self) -> bool:
        return self.notes > self.most_notes or self.session_notes > self.most_session_notes or self.size > self.most_size

    @property
    def text(self) -> str:
        """The exceeded limits, else the numbers of notes: `32 notes, 300 allowed; 2 session notes, 100 allowed`."""
        # Both numbers or neither: together they are all active notes, which `status` counts in the line above.
        of_notes = self.notes > self.most_notes or not self.is_over
        of_sessions = self.session_notes > self.most_session_notes or (of_notes and self.session_notes)
        parts = [
            *([f"{counted(self.notes, 'note')}, {self.most_notes:,} allowed"] if of_notes else []),
            *([f"{counted(self.session_notes, 'session note')}, {self.most_session_notes:,} allowed"] if of_sessions else []),
            *([f"{megabytes(self.size)}, {megabytes(self.most_size)} allowed"] if self.size > self.most_size else []),
        ]
        return "; ".join(parts)

    def to_json(self) -> dict[str, Any]:
        return {
            "notes": self.notes,
            "notes_limit": self.most_notes,
            "session_notes": self.session_notes,
            "session_notes_limit": self.most_session_notes,
            "bytes": self.size,
            "bytes_limit": int(self.most_size),
            "is_over": self.is_over,
        }


def measure(notes: Iterable[IndexedNote], limits: Pressure, others: CountedNotes = NOTHING_COUNTED) -> Occupancy:
    """Return how full `active/` is with these notes and the others."""
    count, sessions, size = others.count - others.session_notes, others.session_notes, others.size
    for note in notes:
        size += note.size
        if is_session_note(note.key):
            sessions += 1
        else:
            count += 1
    return Occupancy(count, limits.notes, sessions, limits.session_notes, size, limits.size_mb * MB)


def needed(candidates: Sequence[_Note], occupancy: Occupancy) -> list[_Note]:
    """Return the notes that have to leave, least important and oldest first.

    candidates: the notes that the rules allow to leave
    The result is minimal: without any one of its notes, `active/` would stay over a limit. When all candidates together are not enough,
    all that count towards the exceeded limit leave.
    """
    excess = _Excess(occupancy)
    ordered = sorted(candidates, key=_rank)
    chosen: list[_Note] = []
    for is_over in (excess.is_over_count, excess.is_over_size):
        others = []
        for decision in ordered:
            if is_over(decision):
                excess.leaves(decision)
                chosen.append(decision)
            else:
                others.append(decision)
        ordered = others
    kept = []
    # A large note that leaves for its size can make smaller ones before it unnecessary; the most important of these stay.
    for decision in sorted(chosen, key=_rank, reverse=True):
        if not excess.stays_within(decision):
            kept.append(decision)
    return kept[::-1]


def are_all_needed(occupancy: Occupancy, notes: int, session_notes: int, size: int) -> bool:
    """Return whether `needed` would return all candidates, because even without all of them a limit is exceeded or just reached.

    notes, session_notes, size: number of candidates that are no session notes, of those that are, and bytes of all of them
    """
    excess = _Excess(occupancy)
    by_count = all(count == 0 or excess.counts[pool] >= count for pool, count in ((False, notes), (True, session_notes)))
    return by_count or excess.size > size


class _Excess:
    """By how much each limit is exceeded; negative below it."""

    def __init__(self, occupancy: Occupancy) -> None:
        self.size = occupancy.size - occupancy.most_size
        self.counts = {False: occupancy.notes - occupancy.most_notes, True: occupancy.session_notes - occupancy.most_session_notes}

    def is_over_count(self, decision: LeavingNote) -> bool:
        return self.counts[is_session_note(decision.key)] > 0

    def is_over_size(self, decision: LeavingNote) -> bool:
        return self.size > 0

    def leaves(self, decision: LeavingNote) -> None:
        self.counts[is_session_note(decision.key)] -= 1
        self.size -= decision.size

    def stays_within(self, decision: LeavingNote) -> bool:
        """Take a leaving note back if no limit is exceeded with it. Return whether it was taken back."""
        pool = is_session_note(decision.key)
        if self.counts[pool] >= 0 or self.size + decision.size > 0:
            return False
        self.counts[pool] += 1
        self.size += decision.size
        return True


def is_session_note(key: str) -> bool:
    return key.startswith(SESSION_NOTES)


def _rank(decision: LeavingNote) -> tuple[float, int, str]:
    return decision.importance, decision.modified, decision.key
