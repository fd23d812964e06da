"""The bodies of text that can be searched, active notes, archived ones and episodes, and the numbers that ranking needs of each."""

import sqlite3
from typing import NamedTuple


class Corpus(NamedTuple):
    """rows: one row a document; text: its FTS5 table; tokens: what the FTS5 table was fed with; importance: SQL for it, 0 to 10;
    first: the column whose greatest value comes first where words decide nothing."""

    rows: str
    text: str
    tokens: str
    importance: str = "importance"
    first: str = "importance"


ACTIVE = Corpus("notes", "note_text", "tokens")
ARCHIVED = Corpus("archived", "archived_text", "archived_tokens")
EPISODES = Corpus("episodes", "episode_text", "episode_tokens", importance="0.0", first="modified")
"""What a day was is as important as what it is asked for: the newest comes first, and a note that says as much comes before it."""


class Size(NamedTuple):
    """notes: how many documents; average: tokens in one of them, over all columns, at least 1.0."""

    notes: int
    average: float


def size(connection: sqlite3.Connection, corpus: Corpus) -> Size:
    """From the averages record of FTS5 (row 1 of its data table: number of rows, then tokens of each column, as SQLite
    variable-length integers), because counting would read the whole table."""
    row = connection.execute(f"SELECT block FROM {corpus.text}_data WHERE id = 1").fetchone()
    numbers = _integers(row[0]) if row else []
    if not numbers or not numbers[0]:
        return Size(0, 1.0)
    return Size(numbers[0], max(1.0, sum(numbers[1:]) / numbers[0]))


def _integers(block: bytes) -> list[int]:
    found, value = [], 0
    for byte in block:
        value = value << 7 | byte & 0x7F
        if byte < 0x80:
            found.append(value)
            value = 0
    return found
