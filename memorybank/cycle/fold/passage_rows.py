"""The rows of one passage: its text, its terms, and how often these occur."""

from __future__ import annotations

__light__ = True

from memorybank.cycle.fold import cache, outdated
from memorybank.text.words.terms import content_terms

TYPE_CHECKING = False
if TYPE_CHECKING:
    from _sqlite3 import Connection
    from typing import Any

_LEAST_TERMS = 2
_MOST_TERMS = 120


def write(connection: Connection, row: dict[str, Any], found_by: str) -> int | None:
    """Write a passage, which is found by its heading and a text. Return its number; None when it has too few terms, or was written before. row: its columns."""
    terms = content_terms(f"{row['heading']} {found_by}")[:_MOST_TERMS]
    if len(terms) < _LEAST_TERMS:
        return None
    number = cache.insert(connection, "passages", row)
    if number is not None:
        connection.execute("INSERT INTO passage_terms VALUES (?, ?)", (number, " ".join(terms)))
        show(connection, number)
    return number


def show(connection: Connection, row: int) -> None:
    """Make sure that a passage, a new one or one that was hidden, is found by its terms."""
    (joined,) = connection.execute("SELECT terms FROM passage_terms WHERE id = ?", (row,)).fetchone()
    connection.execute("INSERT INTO passage_text (rowid, text) VALUES (?, ?)", (row, joined))
    counted = "INSERT INTO frequencies VALUES (?, 1) ON CONFLICT (term) DO UPDATE SET passages = passages + 1"
    connection.executemany(counted, ((term,) for term in joined.split(" ")))
    outdated.note(connection, row)


def extend(connection: Connection, row: int, more: str) -> None:
    """Add to the text of a passage. It is found by these words too."""
    (joined,) = connection.execute("SELECT terms FROM passage_terms WHERE id = ?", (row,)).fetchone()
    hide(connection, row)
    terms = list(dict.fromkeys((*joined.split(" "), *content_terms(more))))[:_MOST_TERMS]
    connection.execute("UPDATE passage_terms SET terms = ? WHERE id = ?", (" ".join(terms), row))
    connection.execute("UPDATE passages SET text = text || ? WHERE id = ?", (more, row))
    show(connection, row)


def remove(connection: Connection, row: int) -> None:
    """Delete one passage, with its terms and their counts."""
    hide(connection, row)
    connection.execute("DELETE FROM passage_terms WHERE id = ?", (row,))
    connection.execute("DELETE FROM passages WHERE id = ?", (row,))


def hide(connection: Connection, row: int) -> None:
    """Make sure that a passage is found by none of its terms, and that these count as if it were not there."""
    outdated.forget(connection, row)
    (joined,) = connection.execute("SELECT terms FROM passage_terms WHERE id = ?", (row,)).fetchone()
    connection.execute("INSERT INTO passage_text (passage_text, rowid, text) VALUES ('delete', ?, ?)", (row, joined))
    terms = [(term,) for term in joined.split(" ")]
    connection.executemany("UPDATE frequencies SET passages = passages - 1 WHERE term = ?", terms)
    connection.executemany("DELETE FROM frequencies WHERE term = ? AND passages <= 0", terms)
