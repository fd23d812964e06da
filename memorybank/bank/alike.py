"""Finds the note that a new note nearly repeats, so that the command that wrote it can name that one.

Two short texts that differ in what they are about ("the orders service …", "the mail service …") are different notes, however many letters they share.
"""

from __future__ import annotations

from typing import NamedTuple

from memorybank.bank.opened import OpenBank
from memorybank.cycle.recall import labels
from memorybank.errors import MemorybankError
from memorybank.index import queries
from memorybank.index.fold import refresh
from memorybank.notes import scan
from memorybank.notes.note import Note
from memorybank.notes.parse import parse
from memorybank.search import search as hits
from memorybank.search.query import Query
from memorybank.storage import disk
from memorybank.storage.layout import MAX_NOTE_BYTES
from memorybank.text.words.similarity import folded, similarity
from memorybank.text.words.terms import content_terms, terms

LEAST = 0.85
"""Least similarity of two texts of which one says nearly what the other says."""
_CANDIDATES, _ASKED = 5, 300
_SHORT = 300
"""Length in characters up to which a word that only one of two texts has says that they are about different things."""


class AlikeNote(NamedTuple):
    """A note that a new one repeats. is_same: whether the texts are equal; otherwise nearly."""

    key: str
    is_same: bool


def find(bank: OpenBank, key: str) -> AlikeNote | None:
    """Return the note that is most like a new one; None when there is none, and in a bank that was never indexed.

    Only the notes that a search finds are compared, so the time does not grow with the bank.
    """
    new = _read(bank, key)
    said = _text(new) if new is not None else ""
    if not said:
        return None
    try:
        with bank.opened() as index:
            if not queries.has_more_than(index.connection, 0):
                return None
            refresh(index)
            found = hits.search(index, Query(text=" ".join(said.split())[:_ASKED], limit=_CANDIDATES + 1, kinds=("note",)), index.now).hits
    except MemorybankError:  # a text that is not a valid query, or an index that another process holds: the note is written in any case
        return None
    others = [(other, _text(note)) for hit in found if (other := hit.key) != key and (note := _read(bank, other)) is not None]
    alike = [(folded(text) == folded(said), similarity(said, text), other) for other, text in others if is_alike(said, text)]
    if not alike:
        return None
    is_same, _, other = max(alike)
    return AlikeNote(other, is_same)


def is_alike(one: str, other: str) -> bool:
    """Return whether two texts say nearly the same, up to a value or a few words that one of them adds."""
    if folded(one) == folded(other):
        return True
    if similarity(one, other) < LEAST or _leading_label(one) != _leading_label(other):
        return False
    if max(len(one), len(other)) > _SHORT:
        return True
    first, second = ({term for term in content_terms(text) if not term.isdecimal()} for text in (one, other))
    return not (first - second and second - first)


def _leading_label(text: str) -> str:
    """Return the number or letter of the thing with which a text begins ("Printer 2 is …"), "" without one."""
    found = labels.of_text(text[:_SHORT])
    word = found[0].rpartition(" ")[0] if found else ""
    return found[0] if word and " ".join(terms(text)).startswith(found[0]) else ""


def _text(note: Note) -> str:
    """Return the body of a note, or its title where the body is empty."""
    return note.body.strip() or note.title


def _read(bank: OpenBank, key: str) -> Note | None:
    found = scan.find_keys(bank.layout, (key,)).found
    try:
        return parse(key, disk.read(found[0].path, MAX_NOTE_BYTES)) if found else None
    except (MemorybankError, OSError):
        return None
