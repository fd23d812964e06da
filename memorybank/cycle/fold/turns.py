"""Turns in the cache: what a person asked, by its words, and what was touched while it was worked on.

People ask for the same things in other words than files are called; what an earlier request led to says where this one will.
A call is kept with its turn only when both are in the same cell, so that what is told of a turn is what every reader of it may see.

Light imports only: hooks load this file.
"""

from __future__ import annotations

from memorybank.cycle.fold.groups import scope
from memorybank.text import fingerprint
from memorybank.text.function_words import ASKING
from memorybank.text.terms import content_terms, terms

TYPE_CHECKING = False
if TYPE_CHECKING:
    from _sqlite3 import Connection

    from memorybank.cycle.fold.recorded import Recorded

_CHARACTERS = 2_000
_LEAST_WORDS = 2
MOST_ANCHORS = 16
_COMMAND = "cmd:"
_KEPT = ("file:", _COMMAND)
"""A command speaks for the files that it names."""


def begin(connection: Connection, file: int, line: Recorded) -> None:
    """A turn begins with what a person asked; "go on" asks nothing, and the turn before it goes on."""
    text = line.text("text")[:_CHARACTERS]
    if len([term for term in content_terms(text) if term not in ASKING]) < _LEAST_WORDS:
        return
    words = " ".join(terms(text))
    row = {"file": file, "offset": line.offset, "at": line.at, **scope(line)}
    cursor = connection.execute(f"INSERT INTO turns ({', '.join(row)}) VALUES ({', '.join('?' * len(row))})", tuple(row.values()))
    connection.execute("INSERT INTO turn_text (rowid, text) VALUES (?, ?)", (cursor.lastrowid, words))
    connection.execute("INSERT INTO turn_tokens VALUES (?, ?)", (cursor.lastrowid, words))


def touch(connection: Connection, file: int, line: Recorded) -> None:
    """A call of the last turn: what it changed, ran or read; not where it only looked around."""
    if not line.anchors or (line.tool != "Read" and fingerprint.is_read_only(line.tool or "", line.text("command"))):
        return
    row = connection.execute("SELECT id, cell FROM turns WHERE file = ? ORDER BY offset DESC LIMIT 1", (file,)).fetchone()
    if row is None or row[1] != line.cell.name:
        return
    turn = row[0]
    kept = (_COMMAND,) if line.tool == "Bash" else _KEPT
    place = int(connection.execute("SELECT count(*) FROM turn_anchors WHERE turn = ?", (turn,)).fetchone()[0])
    for anchor in line.anchors:
        if place < MOST_ANCHORS and anchor.startswith(kept):
            place += connection.execute("INSERT OR IGNORE INTO turn_anchors VALUES (?, ?, ?)", (turn, anchor, place)).rowcount
