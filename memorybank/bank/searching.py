"""Runs one search: brings the index up to date as far as the answer requires, and records the search in the log of operations."""

from collections.abc import Mapping
from typing import TYPE_CHECKING

from memorybank.bank.opened import OpenBank, look_up_claims
from memorybank.cycle.know.rejected import rejections
from memorybank.episodes.indexing import bring_up_to_date
from memorybank.errors import ConfigInvalid, LockTimeout, MissingExtra, UsageError
from memorybank.index import claim_rows, queries
from memorybank.index.decision_rows import ENTIRE_LINE, Supersessions
from memorybank.index.fold import refresh, refresh_shown
from memorybank.index.working import Index
from memorybank.log import operations
from memorybank.reasons.reason import Reason
from memorybank.search import search as hits
from memorybank.search.hit import Hit, SearchAnswer
from memorybank.search.query import BY_MEANING, NOTE, SEMANTIC, Query

if TYPE_CHECKING:
    from memorybank.search.semantic import QueryLikeness

_MOST_UNTRUE = 3
"""Maximum number of claims of one hit that are marked."""


def search(bank: OpenBank, asked: Query, *, fresh: bool = False, as_of: int | None = None) -> SearchAnswer:
    """Return the answer to a query.

    fresh: whether to examine every note first, even in a large bank
    as_of: instant (ms), default now
    """
    running = operations.RunningOperation(bank.layout, "search", bank.clock)
    with bank.opened(as_of=as_of) as index:
        answer = _answer(bank, index, asked, fresh=fresh)
    if not bank.read_only:
        running.end(hits=len(answer.hits), looked=index.looked, read=index.read)
    return answer


def _answer(bank: OpenBank, index: Index, asked: Query, *, fresh: bool) -> SearchAnswer:
    """Answer from an index that is as fresh as needed: the notes to be shown are examined once more."""
    asked = asked.or_listing()
    like, unlike = _compared(bank, index, asked) if asked.type in BY_MEANING else (None, None)
    stale = refresh(index, fresh=fresh)
    unread = [bring_up_to_date(index)]
    if asked.archive:
        from memorybank.index import archived  # late: it reads archive objects, and loads what that needs

        unread.append(archived.bring_up_to_date(index))
    answer = hits.search(index, asked, index.now, like)
    # If not every note was examined, at least the hits are, and the search is repeated when one of them changed.
    if stale and refresh_shown(index, [hit.key for hit in answer.hits if hit.kind == NOTE and hit.archive_id is None]):
        answer = hits.search(index, asked, index.now, like)
    if like is not None and unlike is None:
        from memorybank.bank import meaning

        unlike = meaning.without_vectors(index, like[asked.text], asked)
    slow = look_up_claims(index)
    root = index.layout.work_tree
    superseded = Supersessions(index.connection, rejections(index.layout))
    found = tuple(_with_untrue(index, hit, root, superseded) if hit.kind == NOTE and hit.archive_id is None else hit for hit in answer.hits)
    return answer.with_changes(hits=found, stale=(*(index.stale or stale), *(reason for reason in (*unread, slow, unlike) if reason is not None)))


def _compared(bank: OpenBank, index: Index, asked: Query) -> "tuple[Mapping[str, QueryLikeness], Reason | None]":
    """Return the likeness of all documents to each wording. Without an embedder a hybrid search finds by words alone, and the reason says why."""
    from memorybank.bank import meaning  # late, like the next: few searches need them
    from memorybank.meaning.embedder import EmbedderBusy, EmbedderRefused
    from memorybank.meaning.ledger import VectorStoreFailed

    if not asked.text.strip():
        raise UsageError(f"a search of type {asked.type} needs a text", next_step="search for a question or a few words, or add a filter")
    try:
        return meaning.compare(bank, index, asked), None
    except (ConfigInvalid, EmbedderBusy, EmbedderRefused, LockTimeout, MissingExtra, VectorStoreFailed) as error:
        if asked.type == SEMANTIC:
            raise
        return dict.fromkeys(asked.wordings, meaning.UNKNOWN), Reason("search.words_instead", why=f"{error.message}; {error.next_step}")


def _with_untrue(index: Index, hit: Hit, root: str, superseded: Supersessions) -> Hit:
    """Return a hit with what speaks against its note: that git left a conflict in it, that it was superseded, then what its passage says."""
    note = queries.id_of(index.connection, hit.key)
    if note is None:
        return hit
    marks = [(each.claim.line, reason) for each in claim_rows.claims_of_row(index.connection, root, note) if (reason := each.reason) is not None]
    marks += [(each.line, each.reason) for each in superseded.of_note(note)]
    marks.sort(key=lambda mark: mark[0] != ENTIRE_LINE and not hit.lines[0] <= mark[0] <= hit.lines[1])
    unmerged = (Reason("recall.unmerged"),) if index.is_unmerged(hit.key) else ()
    return hit.with_changes(untrue=(*unmerged, *dict.fromkeys(reason for _, reason in marks[:_MOST_UNTRUE])))
