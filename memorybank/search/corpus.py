"""The collections that can be searched (active notes, archived notes, episodes), and the statistics that ranking needs of each."""

import sqlite3
from typing import NamedTuple


class Corpus(NamedTuple):
    """The tables of one collection.

    rows: table with one row per document.
    text: its FTS5 table.
    tokens: table with the tokens that the FTS5 table was fed.
    importance: SQL expression for the importance, 0 to 10.
    first: column in whose descending order documents come when words do not decide.
    """

    rows: str
    text: str
    tokens: str
    importance: str = "importance"
    first: str = "importance"


ACTIVE = Corpus("notes", "note_text", "tokens")
ARCHIVED = Corpus("archived", "archived_text", "archived_tokens")
EPISODES = Corpus("episodes", "episode_text", "episode_tokens", importance="0.0", first="modified")
"""The newest episode comes first, and every note with equal evidence before it: the importance of an episode is 0."""


class CorpusSize(NamedTuple):
    """notes: number of documents.
    average: mean number of tokens per document, over all columns; at least 1.0.
    """

    notes: int
    average: float


def size(connection: sqlite3.Connection, corpus: Corpus) -> CorpusSize:
    """Return the size of a corpus.

    It is read from the averages record of FTS5 (row 1 of its data table: the number of rows, then the tokens of each column, as SQLite
    variable-length integers), because counting would read the entire table.
    """
    row = connection.execute(f"SELECT block FROM {corpus.text}_data WHERE id = 1").fetchone()
    numbers = _integers(row[0]) if row else []
    if not numbers or not numbers[0]:
        return CorpusSize(0, 1.0)
    return CorpusSize(numbers[0], max(1.0, sum(numbers[1:]) / numbers[0]))


def _integers(block: bytes) -> list[int]:
    found, value = [], 0
    for byte in block:
        value = value << 7 | byte & 0x7F
        if byte < 0x80:
            found.append(value)
            value = 0
    return found
