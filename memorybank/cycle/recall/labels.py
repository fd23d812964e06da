"""The numbers and letters by which a question tells equal titles apart: サーバー2, "printer number 3", "customer B".

They are too short to be words of the search, so they make nothing a candidate by themselves. They decide which of the notes that fit alike comes first, and a
title that has a label with its word, and another word of the question, names the subject.
"""

from __future__ import annotations

__light__ = True

from memorybank.text.pattern import lazy_pattern
from memorybank.text.words.terms import terms

TYPE_CHECKING = False
if TYPE_CHECKING:
    from _sqlite3 import Connection
    from collections.abc import Collection, Sequence

_LABEL = lazy_pattern(
    r"((?<![A-Za-z])[A-Za-z]{1,60}|[ァ-ヴー]{1,60}|[一-龥々]{1,60})[\s#.:_-]{0,3}(\d{1,6}(?!\d)|[B-HJ-Z](?![A-Za-z])|A(?![A-Za-z]| [a-z]))"
    r"|\b([A-Za-z]{4,}) (A)(?= [a-z])|(?<![\w.])(\d{1,4}|[A-Z])(号機|号|社|系|班|案|棟|組|区|番|工場|プラン)"
)
"""Matches a word with its label, an A that can be no article ("plan A includes"), and a label before what it counts (1号機, A社)."""
WITH_ITS_WORD, ALONE = 2, 1
"""How well a title names a label."""
_MOST = 6
"""A question with more labels, such as a pasted log, is about none of them."""
_MOST_ROWS = 60
"""A label that more titles contain tells nothing apart."""


def of_text(text: str) -> Sequence[str]:
    """Return the labels of a question, each with the word before it, as the terms that a title contains."""
    found: dict[str, None] = {}
    for word, label, other, letter, number, counted in _LABEL.findall(text):
        # A title goes on after what is counted (1号機の…), so only the first pair of characters is a term of its own there.
        found[f"{terms(number)[0]} {counted[:2]}" if counted else " ".join(terms(f"{word or other} {label or letter}"))] = None
    return tuple(found) if len(found) <= _MOST else ()


def rows_with(connection: Connection, labels: Sequence[str]) -> set[int]:
    """Return the notes whose title contains one of the labels: of many equal titles, only some are looked at otherwise."""
    found: set[int] = set()
    for label in labels:
        begins = " *" if _is_begun(label) else ""
        rows = connection.execute("SELECT rowid FROM note_text WHERE note_text MATCH ? LIMIT ?", (f'title : "{label}"{begins}', _MOST_ROWS + 1)).fetchall()
        found.update(row[0] for row in rows if len(rows) <= _MOST_ROWS)
    return found


def in_titles(connection: Connection, rows: Collection[int], labels: Sequence[str]) -> dict[int, int]:
    """Return {note: `WITH_ITS_WORD` if its title contains a label with its word, `ALONE` if only the number} of those among these rows."""
    found: dict[int, int] = {}
    if labels and rows:
        numbers = [f" {number} " for label in labels if (number := label.rpartition(" ")[2]).isdecimal()]
        for row, title in connection.execute(f"SELECT id, title FROM tokens WHERE id IN ({','.join(map(str, rows))})"):
            padded = f" {title} "
            if any(f" {label}" + " " * (not _is_begun(label)) in padded for label in labels):
                found[row] = WITH_ITS_WORD
            elif any(number in padded for number in numbers):
                found[row] = ALONE
    return found


def _is_begun(label: str) -> bool:
    """Return whether the last term of a title's label may go on: 社 is the beginning of 社の there."""
    return not label[-1].isascii()
