"""The changes of the rows in one fold, from which its later steps start."""

from __future__ import annotations

__light__ = True

from memorybank.index.pending_rows import PendingRows
from memorybank.storage.sqlite import sqlite3
from memorybank.text.words.tokens import stretches
from memorybank.values import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

COUNTED_ANEW = 200
"""Number of changed notes above which the entire vocabulary may be counted again (0.4 s at 10,000 notes)."""
SHARE_COUNTED_ANEW = 4
"""One changed note in this many: with fewer, adding up their terms takes less time."""


class ChangedNote(Value):
    """A note that is new or has a new content: its row id, digest, git blob, and the file's mtime (ns). is_new: whether it had no row before."""

    id: int
    key: str
    digest: str
    blob: str
    mtime_ns: int
    fingerprint: Sequence[int]
    is_new: bool


class FoldChanges:
    """The changes of one fold.

    revision: number of this fold; larger than that of everything rendered before.
    most: as for `TermCounts`.
    rows: of new and changed notes, which are not written yet.
    contents: new or changed notes.
    folders: those of which is recorded that their rows may not agree with what they listed.
    touched: keys whose file changed but not its content.
    removed: keys of removed notes.
    names: link names that a note gained or lost.
    unlinked: keys that may have lost a link to them.
    decision_keys: keys of decisions that were added or removed: of those that are used, and of those that are left.
    terms: {term: number of notes more (or fewer, if negative) that contain it}.
    """

    def __init__(self, connection: sqlite3.Connection, revision: int, most: int | None) -> None:
        self.revision = revision
        self.rows = PendingRows(connection)
        self.contents: list[ChangedNote] = []
        self.folders: set[str] = set()
        self.touched: set[str] = set()
        self.removed: list[str] = []
        self.names: set[str] = set()
        self.unlinked: set[str] = set()
        self.decision_keys: tuple[set[int], set[int]] = (set(), set())
        self.terms = TermCounts(most)

    def keys(self) -> set[str]:
        """Return the keys of all new, changed, touched and removed notes."""
        return {content.key for content in self.contents} | self.touched | set(self.removed)


class TermCounts:
    """How many notes contain each term. Recall weighs the terms of a query with these counts, without reading the postings of common terms.

    The table `frequencies` is exact after every fold: a few changed notes are added and subtracted; after many, it is built again from
    the vocabulary of the full text.

    most: number of changed notes up to which they are added and subtracted; -1 to count all terms in any case, and None to leave this to a later
        slice of the same transaction.
    """

    def __init__(self, most: int | None) -> None:
        self._most = most
        self._changes: dict[str, int] = {}
        self._notes = 0

    def count(self, columns: Iterable[str], step: int) -> None:
        """Count a note with these columns of tokens: 1 for an added note, -1 for a removed one."""
        self._notes += 1
        if self._most is not None and self._notes <= self._most:
            different: set[str] = set()
            for column in columns:
                # In stretches, because the tokens of a large note as separate texts take ten times the memory of the column.
                for begin, end in stretches(column):
                    different.update(column[begin:end].split())
            for term in different:
                self._changes[term] = self._changes.get(term, 0) + step

    def write(self, connection: sqlite3.Connection) -> None:
        """Bring the table up to date. The notes and their full text are stored already."""
        if self._most is None:
            return
        if self._notes > self._most:
            connection.execute("DELETE FROM frequencies")
            connection.execute("INSERT INTO frequencies SELECT term, doc FROM note_terms")
            return
        changed = [(term, step) for term in sorted(self._changes) if (step := self._changes[term])]
        connection.executemany("INSERT INTO frequencies VALUES (?, ?) ON CONFLICT (term) DO UPDATE SET notes = notes + excluded.notes", changed)
        connection.executemany("DELETE FROM frequencies WHERE term = ? AND notes <= 0", [(term,) for term, step in changed if step < 0])
