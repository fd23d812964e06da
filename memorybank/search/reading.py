"""Reads the notes and episodes of an answer: their rows, and the lines of their files."""

from __future__ import annotations

from memorybank.errors import MemorybankError
from memorybank.index import queries
from memorybank.notes import source_files
from memorybank.search.corpus import ACTIVE, EPISODES, Corpus
from memorybank.search.hit import Hit
from memorybank.search.query import EPISODE, NOTE
from memorybank.storage.layout import MAX_NOTE_BYTES, PUBLISHED_PREFIX, Layout
from memorybank.storage.sqlite import sqlite3
from memorybank.values import Value

_LIST = PUBLISHED_PREFIX.removesuffix("active/") + "episodes/episodic_memory.json"


class DocumentRow(Value):
    """The data of a document that is shown besides its text.

    body_line: 0-based line of the file at which the body begins.
    """

    note: int
    key: str
    path: str
    title: str
    importance: float | None
    modified: int
    size: int
    archive_id: str | None
    body_line: int
    kind: str = NOTE
    source: str = ""

    def hit(self, match_type: str, lines: tuple[int, int], snippet: str, marks: tuple[tuple[int, int], ...], score: float = 0.0) -> Hit:
        """Return the hit that shows these lines of the document."""
        return Hit(
            self.key,
            self.path,
            self.title,
            self.importance,
            self.modified,
            self.size,
            match_type,
            lines,
            snippet,
            marks,
            score,
            self.archive_id,
            self.kind,
            source=self.source,
        )


def row(connection: sqlite3.Connection, corpus: Corpus, layout: Layout, note: int) -> DocumentRow:
    """Return the row of one document."""
    if corpus is ACTIVE:
        found = queries.shown(connection, note)
        path = layout.published_path(found.key)
        return DocumentRow(note, found.key, path, found.title, found.importance, found.modified, found.size, None, found.body_line, NOTE, found.source)
    if corpus is EPISODES:
        key, title, modified, size = connection.execute("SELECT key, title, modified, size FROM episodes WHERE id = ?", (note,)).fetchone()
        return DocumentRow(note, key, _LIST, title, None, modified, size, None, 0, EPISODE)
    key, title, importance, modified, size, archive_id, whole, body = connection.execute(
        "SELECT key, a.title, importance, modified, size, object_id, text, body FROM archived a JOIN archived_tokens t ON t.id = a.id WHERE a.id = ?", (note,)
    ).fetchone()
    return DocumentRow(note, key, layout.published_path(key), title, importance, modified, size, archive_id, whole.count("\n") - body.count("\n"))


def lines(connection: sqlite3.Connection, layout: Layout, found: DocumentRow) -> list[str]:
    """Return the lines of a document without their line ends, split at line feeds only.

    A note that cannot be read at the moment, an archived note and an episode are returned as stored in the index.
    """
    return text(connection, layout, found).removesuffix("\n").split("\n")


def text(connection: sqlite3.Connection, layout: Layout, found: DocumentRow) -> str:
    """Return the complete text of a document, from the same place as `lines`."""
    if found.kind == EPISODE:
        return str(connection.execute("SELECT text FROM episodes WHERE id = ?", (found.note,)).fetchone()[0])
    if found.archive_id is not None:
        return str(connection.execute("SELECT text FROM archived WHERE id = ?", (found.note,)).fetchone()[0])
    try:
        # The file, not the index: the index stores the text case-folded.
        data = source_files.read(layout, found.key, MAX_NOTE_BYTES)
    except (MemorybankError, OSError):
        return str(connection.execute("SELECT text FROM folded WHERE id = ?", (found.note,)).fetchone()[0])
    return data.removeprefix(b"\xef\xbb\xbf").decode("utf-8", "replace")
