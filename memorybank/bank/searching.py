"""Runs one search: brings the index up to date as far as the answer requires, and records the search in the log of operations."""

from memorybank.bank.opened import OpenBank
from memorybank.cycle.know.rejected import rejections
from memorybank.episodes.indexing import bring_up_to_date
from memorybank.index import claim_rows, claim_states, queries
from memorybank.index.decision_rows import ENTIRE_LINE, Supersessions
from memorybank.index.fold import refresh, refresh_shown
from memorybank.index.working import Index
from memorybank.log import operations
from memorybank.search import search as hits
from memorybank.search.hit import Hit, SearchAnswer
from memorybank.search.query import NOTE, Query

_MOST_UNTRUE = 3
"""Maximum number of claims of one hit that are marked."""


def search(bank: OpenBank, asked: Query, *, fresh: bool = False, as_of: int | None = None) -> SearchAnswer:
    """Return the answer to a query.

    fresh: whether to examine every note first, even in a large bank
    as_of: instant (ms), default now
    """
    running = operations.RunningOperation(bank.layout, "search", bank.clock)
    with bank.opened(as_of=as_of) as index:
        answer = _answer(index, asked, fresh=fresh)
    if not bank.read_only:
        running.end(hits=len(answer.hits), looked=index.looked, read=index.read)
    return answer


def _answer(index: Index, asked: Query, *, fresh: bool) -> SearchAnswer:
    """Answer from an index that is as fresh as needed: the notes to be shown are examined once more."""
    stale = refresh(index, fresh=fresh)
    unread = [bring_up_to_date(index)]
    if asked.archive:
        from memorybank.index import archived  # late: it reads archive objects, and loads what that needs

        unread.append(archived.bring_up_to_date(index))
    answer = hits.search(index, asked, index.now)
    # If not every note was examined, at least the hits are, and the search is repeated when one of them changed.
    if stale and refresh_shown(index, [hit.key for hit in answer.hits if hit.kind == NOTE and hit.archive_id is None]):
        answer = hits.search(index, asked, index.now)
    slow = claim_states.refresh(index)
    root = index.layout.work_tree
    superseded = Supersessions(index.connection, rejections(index.layout))
    found = tuple(_with_untrue(index, hit, root, superseded) if hit.kind == NOTE and hit.archive_id is None else hit for hit in answer.hits)
    return answer._replace(hits=found, stale=(*(index.stale or stale), *(reason for reason in (*unread, slow) if reason is not None)))


def _with_untrue(index: Index, hit: Hit, root: str, superseded: Supersessions) -> Hit:
    """Return a hit with what is no longer true of its note: that it was superseded, then what its passage says."""
    note = queries.id_of(index.connection, hit.key)
    if note is None:
        return hit
    marks = [(each.claim.line, reason) for each in claim_rows.claims_of_row(index.connection, root, note) if (reason := each.reason) is not None]
    marks += [(each.line, each.reason) for each in superseded.of_note(note)]
    marks.sort(key=lambda mark: mark[0] != ENTIRE_LINE and not hit.lines[0] <= mark[0] <= hit.lines[1])
    return hit._replace(untrue=tuple(dict.fromkeys(reason for _, reason in marks[:_MOST_UNTRUE])))
