"""The numbers and letters by which a question tells equal titles apart: サーバー2, "printer number 3", "customer B".

They are too short to be words of the search, so they make nothing a candidate by themselves. They decide which of the notes that fit alike comes first.
"""

from __future__ import annotations

__light__ = True

from memorybank.text.pattern import lazy_pattern
from memorybank.text.terms import terms

TYPE_CHECKING = False
if TYPE_CHECKING:
    from _sqlite3 import Connection
    from collections.abc import Collection, Sequence

_LABEL = lazy_pattern(r"([A-Za-z]+|[ァ-ヴー]+|[一-龥々]+)[\s#.:_-]{0,3}(\d{1,6}(?!\d)|[B-HJ-Z](?![A-Za-z])|A(?![A-Za-z]| [a-z]))")
_MOST = 6
"""A question with more labels, such as a pasted log, is about none of them."""
_MOST_ROWS = 60
"""A label that more titles contain tells nothing apart."""


def of_text(text: str) -> Sequence[str]:
    """Return the labels of a question, each with the word before it, as the terms that a title contains."""
    found = dict.fromkeys(" ".join(terms(f"{word} {label}")) for word, label in _LABEL.findall(text))
    return tuple(found) if len(found) <= _MOST else ()


def rows_with(connection: Connection, labels: Sequence[str]) -> set[int]:
    """Return the notes whose title contains one of the labels: of many equal titles, only some are looked at otherwise."""
    found: set[int] = set()
    for label in labels:
        rows = connection.execute("SELECT rowid FROM note_text WHERE note_text MATCH ? LIMIT ?", (f'title : "{label}"', _MOST_ROWS + 1)).fetchall()
        found.update(row[0] for row in rows if len(rows) <= _MOST_ROWS)
    return found


def in_titles(connection: Connection, rows: Collection[int], labels: Sequence[str]) -> dict[int, int]:
    """Return {note: 2 when its title contains a label with the word before it, 1 when it contains the number alone} of those among these rows."""
    found: dict[int, int] = {}
    if labels and rows:
        numbers = [f" {number} " for label in labels if (number := label.rpartition(" ")[2]).isdecimal()]
        for row, title in connection.execute(f"SELECT id, title FROM tokens WHERE id IN ({','.join(map(str, rows))})"):
            padded = f" {title} "
            level = 2 if any(f" {label} " in padded for label in labels) else int(any(number in padded for number in numbers))
            if level:
                found[row] = level
    return found
