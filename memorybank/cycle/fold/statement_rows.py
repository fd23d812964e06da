"""The rows of one statement of a person: what it says, what it says by its own words, and what it does to each other statement, or that one to it.

Two statements that share a term of their subjects, or are both about commands, are compared when the second of them is stored, and again when one of them
changes. A permission for good, and what brings a rule back, is compared with all. Which of two is the newer follows from where they stand, not from the
order of folding.
"""

from __future__ import annotations

__light__ = True

from memorybank.cycle.fold import cache
from memorybank.cycle.fold.stated import Stated
from memorybank.text.prompts.stated import EXPECTATION, FOR_GOOD, IN_A_LANGUAGE, RETURNING, Statement
from memorybank.text.words.terms import content_terms

TYPE_CHECKING = False
if TYPE_CHECKING:
    from _sqlite3 import Connection
    from collections.abc import Iterator
    from typing import Any

    Row = dict[str, Any]
    Place = tuple[int, str, int, int]

_WITH_TERM = "SELECT statement FROM statement_terms WHERE term IN ({})"
_OF_COMMANDS = "SELECT id FROM statements WHERE replaced <> '' OR wanted <> ''"
_OF_ANY = f"SELECT id FROM statements WHERE instr(traits, '{FOR_GOOD}') OR instr(traits, '{RETURNING}')"
"""Asks for the statements that may concern any other: permissions for good, and those that bring a rule back."""
_OF_LANGUAGES = f"SELECT id FROM statements WHERE instr(traits, '{IN_A_LANGUAGE}')"
_ALL = "SELECT id FROM statements"


def write(connection: Connection, row: Row) -> None:
    """Write a statement. row: its columns, without what follows from its kind and its text."""
    number = cache.insert(connection, "statements", {**row, **_read_from(row["kind"], row["text"])})
    if number is not None and row["kind"] != EXPECTATION:
        connection.executemany("INSERT OR IGNORE INTO statement_terms VALUES (?, ?)", ((term, number) for term in row["subject"].split()))
        _relate(connection, number)


def change(connection: Connection, number: int, row: Row) -> None:
    """Change the text and other columns of a statement."""
    (kind,) = connection.execute("SELECT kind FROM statements WHERE id = ?", (number,)).fetchone()
    row = {**row, **_read_from(kind, row["text"])}
    connection.execute(f"UPDATE statements SET {', '.join(f'{column} = ?' for column in row)} WHERE id = ?", (*row.values(), number))
    connection.execute("DELETE FROM relations WHERE older = ? OR newer = ?", (number, number))
    _relate(connection, number)


def _read_from(kind: str, text: str) -> Row:
    row = {"terms": " ".join(content_terms(text)), "traits": ""}
    if kind != EXPECTATION:
        from memorybank.text.prompts.traits import traits  # late, as the other imports here: what a person only expects is not compared

        row["traits"] = " ".join(traits(kind, text))
    return row


def _relate(connection: Connection, number: int) -> None:
    """Store what a statement does to others, and what others do to it."""
    from memorybank.cycle.fold.comparing import relation
    from memorybank.text.prompts.called import returns
    from memorybank.text.prompts.languages import language_of
    from memorybank.text.prompts.permissions import takes_back

    ((place, one),) = _read(connection, "id = ?", (number,))
    asked = [_WITH_TERM.format(", ".join("?" * len(one.subject)))]
    asked += [_ALL] if takes_back(one.statement.text) or returns(one.statement.text) else [_OF_ANY]
    asked += [_OF_COMMANDS] if one.replaced or one.wanted else []
    asked += [_OF_LANGUAGES] if language_of(one.statement.text) else []
    others = _read(connection, f"id <> ? AND kind <> '{EXPECTATION}' AND id IN ({' UNION '.join(asked)})", (number, *one.subject))
    pairs = ((other, one) if place < other_place else (one, other) for other_place, other in others)
    found = ((older.row, newer.row, said) for older, newer in pairs if (said := relation(newer, older)))
    connection.executemany("INSERT INTO relations VALUES (?, ?, ?)", found)


def _read(connection: Connection, condition: str, values: tuple[object, ...]) -> Iterator[tuple[Place, Stated]]:
    """Yield (its place among those that recall reads, the newest first, statement) for those that meet a condition."""
    asked = f"SELECT id, at, session, offset, place, kind, text, subject, terms, replaced, wanted FROM statements WHERE {condition}"
    for row, at, session, offset, place, kind, text, subject, terms, *lists in connection.execute(asked, values).fetchall():
        named = (filter(None, listed.split("\n")) for listed in lists)
        yield (-at, session, offset, place), Stated(at, session, Statement(kind, text, subject), terms.split(), *named, row=row)
