"""Episodes as rows of their own, so that they can be searched and recalled without affecting how notes are ranked, rotated or listed.

One document holds what the list of episodes says about one date or one merged week. The list is read only when its file changed, and
only documents that changed are tokenized again.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from memorybank.errors import PermissionRefused, ResourceExhausted
from memorybank.index import meta
from memorybank.index.schema import put_tokens, remove_tokens
from memorybank.index.working import Index
from memorybank.storage import database, jsontext
from memorybank.storage.sqlite import sqlite3
from memorybank.values import Value

STATE, PROBLEM = "episodes", "episodes_problem"
"""Names of two values in `meta`: the state of the list file that the rows were made from, and why it could not be read."""


class EpisodeDocument(Value):
    """The episodes of one date, or of one merged week.

    key: such as `episode:2025-09-17`.
    kind: `day`, `week` and others.
    may_be_shown: whether it may be shown to an agent.
    dates: every day of a week, otherwise its one day.
    began, modified: first and last instant (ms) of its days.
    written: when its oldest entry was written (ms).
    sources: ids of the session summaries with the same content.
    text: all its entries, separated by an empty line.
    """

    key: str
    title: str
    kind: str
    may_be_shown: bool
    dates: tuple[str, ...]
    began: int
    modified: int
    written: int
    sources: tuple[str, ...]
    text: str

    @property
    def digest(self) -> str:
        """32 hexadecimal digits; documents with equal digests have equal rows."""
        from memorybank.storage.digest import sha256  # late: a search seldom finds a new list

        return sha256(jsontext.encode_bytes([*self.as_dict().values()])).hex()[:32]


class EpisodeListing(Value):
    """The contents of a list of episodes.

    state: the state of the file it was read from; "" for a list that can change without a new state.
    problem: why it could not be read; otherwise "".
    """

    state: str
    documents: Sequence[EpisodeDocument]
    problem: str = ""


def fold(index: Index, state: str, read: Callable[[], EpisodeListing]) -> str:
    """Update the rows if the state of the list file differs from the one they were made from.

    state: the current state of the file.
    read: reads the list; called only when it is needed.
    Returns the problem of the list, "" for none. Raises `LockTimeout` while another process writes. If the cache turns out to be
    read-only, or the disk to be full, the rows are written to a copy in memory.
    """
    if meta.text(index.connection, STATE) != state:
        listed = read()
        try:
            _write(index, listed)
        except sqlite3.OperationalError as error:
            typed = database.typed(error, index.layout.relative(index.layout.database))
            if index.frozen or not isinstance(typed, PermissionRefused | ResourceExhausted):
                raise typed from error
            index.freeze(typed)
            _write(index, listed)
    return meta.text(index.connection, PROBLEM) or ""


def _write(index: Index, listed: EpisodeListing) -> None:
    index.thaw()
    with database.transaction(index.connection):
        settle(index.connection, listed.documents)
        meta.write(index.connection, STATE, listed.state)
        meta.write(index.connection, PROBLEM, listed.problem)


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
    from memorybank.index import anchors  # late: a search loads this module, and seldom finds a new list
    from memorybank.text.words import tokens

    cursor = connection.execute(_INSERT, (number, *_row(document)))
    texts = (document.title, "", "\n".join(document.dates), document.text)
    put_tokens(connection, "episode_text", "episode_tokens", int(cursor.lastrowid or 0), [tokens.read(text).indexed for text in texts])
    named = anchors.find(document.text, "", ())
    connection.executemany("INSERT OR IGNORE INTO episode_anchors VALUES (?, ?)", ((cursor.lastrowid, anchor) for anchor in named))


def _remove(connection: sqlite3.Connection, number: int) -> None:
    remove_tokens(connection, "episode_text", "episode_tokens", number)
    connection.execute("DELETE FROM episode_anchors WHERE episode = ?", (number,))
    connection.execute("DELETE FROM episodes WHERE id = ?", (number,))


_INSERT = """
INSERT INTO episodes (id, key, digest, title, kind, told, began, modified, written, size, sources, text) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
"""


def _row(document: EpisodeDocument) -> tuple[Any, ...]:
    text = document.text.encode("utf-8", "replace").decode()  # JSON can contain half a surrogate pair, which SQLite does not accept as text
    return (
        document.key, document.digest, document.title, document.kind, document.may_be_shown, document.began, document.modified, document.written,
        len(text.encode()), " ".join(document.sources), text,
    )  # fmt: skip
