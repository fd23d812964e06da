"""Lists the notes and the archived notes of a bank page by page, for a person who looks for something without a question."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from memorybank.bank import arguments
from memorybank.bank.arguments import BankFacade
from memorybank.bank.opened import look_up_claims
from memorybank.errors import MemorybankError, Problem
from memorybank.index import listing, totals
from memorybank.index.fold import refresh_shown
from memorybank.index.listing import SORTS, FolderCount
from memorybank.index.row import IndexedNote
from memorybank.index.working import Index
from memorybank.reasons.reason import Reason
from memorybank.scoring.rank import ImportanceRank, ranks_of_counts
from memorybank.text.words.similarity import folded
from memorybank.values import Value

if TYPE_CHECKING:
    from memorybank.archive.object import ArchiveObject

MOST_TAGS = 300
"""Maximum number of tags that are suggested."""


class NotePage(Value):
    """One page of notes.

    total: number of notes on all pages.
    folders: the folders directly in the chosen one, with the number of their notes.
    stale: why the list may lack the latest changes.
    """

    notes: tuple[IndexedNote, ...]
    total: int
    folders: tuple[FolderCount, ...]
    stale: tuple[Reason, ...] = ()


class NewestNotes(Value):
    """The notes that were modified last.

    notes: the newest first.
    total: number of all active notes.
    ranks: {importance: its rank among all active notes}.
    unread: what is named like a note and is not read, as `notes.unread` returns it.
    """

    notes: tuple[IndexedNote, ...]
    total: int
    ranks: dict[float, ImportanceRank]
    unread: tuple[Problem, ...]


class ArchivePage(Value):
    """One page of archived notes, the latest first.

    found: number of archived notes on all pages.
    total: number of all archived notes.
    problems: the files of this page that cannot be trusted.
    """

    notes: tuple[ArchiveObject, ...]
    found: int
    total: int
    problems: tuple[Problem, ...] = ()


class Catalogue(BankFacade):
    """Pages of notes and of archived notes, and the names that a person can filter by."""

    def notes(self, *, folder: str = "", tags: Sequence[str] = (), sort: str = listing.MODIFIED, first: int = 0, limit: int = 20) -> NotePage:
        """Return one page of the active notes. In a large bank, notes edited in the last seconds may be missing, as `stale` then says.

        folder: only notes in it and below it
        tags: only notes that have all of these
        sort: `modified`, `importance`, `title`, `created` or `size`
        first: number of notes before the page
        """
        arguments.one_of(sort, SORTS, "sort")
        arguments.at_least(first, 0, "first")
        arguments.at_least(limit, 0, "limit")
        with self._bank.glanced() as (index, stale):
            keys, total = listing.keys(index.connection, folder.strip("/"), tags, sort, first, limit)
            rows = {row.key: row for row in index.notes(keys)}
            below = tuple(listing.folders(index.connection, folder.strip("/")))
        return NotePage(tuple(rows[key] for key in keys if key in rows), total, below, stale)

    def newest(self, limit: int, *, fresh: bool = True) -> NewestNotes:
        """Return the notes that were modified last, at most `limit`. Only these notes are loaded.

        fresh: whether to look at every file, as `notes.list` does. Otherwise, in a large bank in which all were looked at a moment ago, only the files of
            these notes are, and a notice says so.
        """
        arguments.at_least(limit, 0, "limit")
        with self._bank.overviewed(fresh=fresh) as (index, is_overview):
            found = _newest(index, limit)
            if is_overview and refresh_shown(index, [note.key for note in found.notes]):
                look_up_claims(index)
                found = _newest(index, limit)
            return found

    def names(self) -> tuple[Sequence[str], Sequence[str]]:
        """Return (the folders directly in active/, by name; the tags that most notes have, the most frequent first), as the index has them."""
        with self._bank.opened() as index:
            return [each.path for each in listing.folders(index.connection)], listing.tags(index.connection, MOST_TAGS)

    def archived(self, words: str = "", *, first: int = 0, limit: int = 20) -> ArchivePage:
        """Return one page of the archived notes. Of sidecars that the index knows already, only those of the page are read.

        words: must all occur in the title, the path or the gist
        first: number of archived notes before the page
        """
        arguments.at_least(first, 0, "first")
        arguments.at_least(limit, 0, "limit")
        from memorybank.archive import store  # late: the list of notes needs nothing of the archive
        from memorybank.index import archive_list

        layout = self._bank.layout
        with self._bank.opened() as index:
            archive_list.bring_up_to_date(index)
            paths, count, total = archive_list.paths(index.connection, folded(words).split(), first, limit)
        found: list[ArchiveObject] = []
        problems: list[Problem] = []
        for path in paths:
            try:
                found.append(store.read_sidecar(layout, path))
            except MemorybankError as error:
                problems.append(Problem("sidecar_invalid", path, error.message))
        return ArchivePage(tuple(found), count, total, tuple(problems))


def _newest(index: Index, limit: int) -> NewestNotes:
    importances = totals.totals(index).importances
    notes = tuple(index.notes(listing.newest(index.connection, limit)))
    return NewestNotes(notes, sum(importances.values()), ranks_of_counts(importances), tuple(sorted(index.unreadable or ())))
