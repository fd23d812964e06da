"""An open bank: its location, its settings, the clock, and its index. Every part of the Python interface works on one."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from memorybank.clock import Clock
from memorybank.config.settings import Settings
from memorybank.index import claims_due, working
from memorybank.index.fold import refresh
from memorybank.index.working import Index, Progress
from memorybank.reasons.reason import Reason, joined
from memorybank.storage.layout import Layout


class OpenBank:
    """An open bank. Each query opens the index, brings it up to date as far as the answer requires, and closes it again.

    read_only: whether to write nothing in the bank; changes are then folded in memory
    kept: an open index that is used instead of the cache on disk and stays open
    """

    def __init__(self, layout: Layout, settings: Settings, clock: Clock, *, read_only: bool = False, kept: Index | None = None) -> None:
        self.layout = layout
        self.settings = settings
        self.clock = clock
        self.read_only = read_only
        self.progress: Progress | None = None
        """Called with (done, total) notes while a query brings the index up to date."""
        self.notice: Callable[[str], None] | None = None
        """Called with a sentence when an answer is not up to date, or when a part of it could not be stored."""
        self._kept = kept
        self._shared_stale: tuple[Reason, ...] = ()
        self.shared: Index | None = None
        """The index that answers every query inside `at_once`, else None."""

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.layout.root!r}{', read_only=True' if self.read_only else ''})"

    @contextmanager
    def opened(self, *, as_of: int | None = None, frozen: bool = False) -> Iterator[Index]:
        """Open the working index without bringing it up to date.

        as_of: instant (ms), default now; for another time, the cache on disk is never changed
        frozen: whether to change nothing on disk
        """
        mine = self.shared or self._kept
        if mine is not None and as_of is None and (mine.frozen or not frozen):
            yield mine
            return
        frozen = frozen or self.read_only or as_of is not None
        with working.open_index(self.layout, self.settings, self.clock, now=as_of, frozen=frozen) as index:
            index.progress = self.progress
            yield index

    @contextmanager
    def folded(self, *, as_of: int | None = None) -> Iterator[Index]:
        """Open the working index, brought up to date with every note.

        as_of: instant (ms), default now; for another time, the cache is updated first, so that the same work is not needed again
        """
        if as_of is not None and not self.read_only:
            with self.opened() as index:
                refresh(index, fresh=True)
                look_up_claims(index)
        with self.opened(as_of=as_of) as index:
            if index is not self.shared:
                self.notify(*refresh(index, fresh=True))
                if as_of is None:
                    # Scores depend on the states of claims. Commands whose purpose is to show states say so when git takes too long.
                    look_up_claims(index)
            yield index

    def notify(self, *sentences: Reason | str) -> None:
        """Pass these sentences to `notice` as one text. Does nothing without sentences."""
        if sentences and self.notice is not None:
            self.notice(joined(sentences, between="; "))

    @contextmanager
    def glanced(self) -> Iterator[tuple[Index, tuple[Reason, ...]]]:
        """Open the working index, brought up to date as far as a search does: (index, why the answer may lack the latest changes)."""
        with self.opened() as index:
            yield index, self._shared_stale if index is self.shared else refresh(index)

    @contextmanager
    def overviewed(self, *, fresh: bool) -> Iterator[tuple[Index, bool]]:
        """Open the working index for an overview that a person reads: (index, whether to call `refresh_shown` for the notes that it shows).

        fresh: whether to look at every note, as `folded` does. Otherwise, in a large bank in which every note was looked at a moment ago and nothing
            differed, only folders are, and a notice says so.
        """
        if fresh or self.shared is not None:
            with self.folded() as index:
                yield index, False
            return
        with self.opened() as index:
            stale = refresh(index, settled=True)
            self.notify(*stale)
            look_up_claims(index)
            yield index, bool(stale)

    @contextmanager
    def at_once(self, *, is_thorough: bool = True) -> Iterator[None]:
        """Answer all queries in the `with` block from one index, brought up to date once. For callers that make many queries about one
        moment and change nothing.

        is_thorough: whether to look at every note, also in a large bank
        """
        with self.folded() if is_thorough else self.opened() as index:
            self._shared_stale = () if is_thorough else refresh(index)
            self.shared = index
            try:
                yield
            finally:
                self.shared = None

    def look_up_every_claim(self, index: Index, *, is_patient: bool = True) -> None:
        """Bring the states of all claims up to date, for a command whose purpose is to show or to store them. What is not possible becomes a notice.

        is_patient: whether to wait up to a minute for each answer of git, rather than 2 s
        """
        from memorybank.index import claim_states

        slow = claim_states.refresh(index, claim_states.PATIENT_SECONDS if is_patient else claim_states.SECONDS)
        if slow is not None:
            self.notify(slow)


def look_up_claims(index: Index) -> Reason | None:
    """Bring the states of all claims up to date. Return why that was not possible, None when it was. Most queries find them so, and load nothing for it."""
    if not claims_due.is_due(index):
        return claims_due.GIT_IS_SLOW if claims_due.is_slow(index) else None
    from memorybank.index import claim_states

    return claim_states.refresh(index)
