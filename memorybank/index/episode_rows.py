"""Writes the documents of the list of episodes into the cache's tables, and removes them. Loaded only when the list changed."""

from collections.abc import Sequence
from typing import Any

from memorybank.index import anchors
from memorybank.index.episodes import EpisodeDocument
from memorybank.storage.sqlite import sqlite3
from memorybank.text import tokens


def settle(connection: sqlite3.Connection, documents: Sequence[EpisodeDocument]) -> None:
    """Make the rows agree with these documents. The caller holds the transaction."""
    known = {key: (number, digest) for number, key, digest in connection.execute("SELECT id, key, digest FROM episodes")}
    for document in documents:
        number, digest = known.pop(document.key, (None, ""))
        if digest != document.digest:
            if number is not None:
                _remove(connection, number)
            _add(connection, number, document)
    for number, _ in known.values():
        _remove(connection, number)


def _add(connection: sqlite3.Connection, number: int | None, document: EpisodeDocument) -> None:
    """Insert a document. number: id of the row to use, or None for a new one."""
    cursor = connection.execute(_INSERT, (number, *_row(document)))
    texts = (document.title, "", "\n".join(document.dates), document.text)
    columns = (cursor.lastrowid, *(tokens.read(text).indexed for text in texts))
    connection.execute("INSERT INTO episode_text (rowid, title, headings, tags, body) VALUES (?, ?, ?, ?, ?)", columns)
    connection.execute("INSERT INTO episode_tokens VALUES (?, ?, ?, ?, ?)", columns)
    named = anchors.find(document.text, "", ())
    connection.executemany("INSERT OR IGNORE INTO episode_anchors VALUES (?, ?)", ((cursor.lastrowid, anchor) for anchor in named))


def _remove(connection: sqlite3.Connection, number: int) -> None:
    row = connection.execute("SELECT * FROM episode_tokens WHERE id = ?", (number,)).fetchone()
    connection.execute("INSERT INTO episode_text (episode_text, rowid, title, headings, tags, body) VALUES ('delete', ?, ?, ?, ?, ?)", row)
    for table, column in (("episode_tokens", "id"), ("episode_anchors", "episode"), ("episodes", "id")):
        connection.execute(f"DELETE FROM {table} WHERE {column} = ?", (number,))


_INSERT = """
INSERT INTO episodes (id, key, digest, title, kind, told, began, modified, written, size, sources, text) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
"""


def _row(document: EpisodeDocument) -> tuple[Any, ...]:
    text = document.text.encode("utf-8", "replace").decode()  # JSON can contain half a surrogate pair, which SQLite does not accept as text
    return (
        document.key, document.digest, document.title, document.kind, document.told, document.began, document.modified, document.written,
        len(text.encode()), " ".join(document.sources), text,
    )  # fmt: skip
