"""Episodes as rows of their own, so that they can be searched and recalled without changing how notes rank, rotate or are listed.

One document is what the list of episodes tells of one date, or of one merged week. The list is read only when its file is another one than
the last time, and of what it holds only the documents that changed are cut into tokens again.
"""

from collections.abc import Callable, Sequence
from typing import NamedTuple

from memorybank.errors import PermissionRefused
from memorybank.index import meta
from memorybank.index.working import Index
from memorybank.storage import database, jsontext
from memorybank.storage.digest import sha256
from memorybank.storage.sqlite import sqlite3

STATE, PROBLEM = "episodes", "episodes_problem"
"""Rows of `meta`: of which file the rows are, and why it could not be read."""


class Document(NamedTuple):
    """key: `episode:2025-09-17`; kind: `day`, `week` …; told: whether it may be put before an agent; dates: every day of a week, else its own;
    began, modified: first and last instant (ms) of its days; written: when its oldest entry was (ms); sources: ids of the session
    summaries that tell the same; text: of all its entries, apart by an empty line."""

    key: str
    title: str
    kind: str
    told: bool
    dates: tuple[str, ...]
    began: int
    modified: int
    written: int
    sources: tuple[str, ...]
    text: str

    @property
    def digest(self) -> str:
        """32 hexadecimal digits: equal digests, equal rows."""
        return sha256(jsontext.encode_bytes(list(self))).hex()[:32]


class Listed(NamedTuple):
    """What a list holds. state: of the file it was read from, "" for one that may change without another state; problem: why nothing
    can be read, else ""."""

    state: str
    documents: Sequence[Document]
    problem: str = ""


def fold(index: Index, state: str, read: Callable[[], Listed]) -> str:
    """Bring the rows up to date when the file of the list has another state than they were made from; the problem of the list, "" for none.

    `LockTimeout` while somebody else writes. A cache that turns out to be read-only is left for a copy in memory.
    """
    if meta.text(index.connection, STATE) != state:
        listed = read()
        try:
            _write(index, listed)
        except sqlite3.OperationalError as error:
            typed = database.typed(error, index.layout.relative(index.layout.database))
            if index.frozen or not isinstance(typed, PermissionRefused):
                raise typed from error
            index.freeze()
            _write(index, listed)
    return meta.text(index.connection, PROBLEM) or ""


def _write(index: Index, listed: Listed) -> None:
    from memorybank.index import episode_rows

    index.thaw()
    with database.transaction(index.connection):
        episode_rows.settle(index.connection, listed.documents)
        meta.write(index.connection, STATE, listed.state)
        meta.write(index.connection, PROBLEM, listed.problem)
