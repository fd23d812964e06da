"""Recall while the working index lacks notes: finds them in their files within the time of a hook, and informs the agent of what it did not read."""

from __future__ import annotations

__light__ = True

from memorybank.cycle.recall import candidates
from memorybank.cycle.recall.candidates import Sources
from memorybank.index import queries, titles
from memorybank.storage.sqlite import sqlite3
from memorybank.values import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from memorybank.cycle.base import CycleContext
    from memorybank.cycle.recall.query import QueryContext
    from memorybank.cycle.recall.ranking import Memory, MemoryReader

_LONGEST_MS = 250
"""Maximum time for reading titles."""
_KEPT_MS = 500
"""Time that is kept free before the deadline of the process, to rank and to print."""
NOTICE = "The index lacks {missing:,} of {total:,} notes. They were searched by title and tags only{looked}; 'memorybank index' completes the index."
_LOOKED = ", and only {looked:,} of them in the time"


class TitleSearch(Value):
    """The notes that were found in their files. notice: the sentence about the index for the agent; "" when every missing note was read entirely."""

    found: Sequence[Memory]
    notice: str


NOTHING = TitleSearch((), "")


def search(base: CycleContext, sources: Sources, query: QueryContext, reader: MemoryReader) -> TitleSearch:
    """Return the notes that the index lacks and that fit the question; `NOTHING` when it lacks none after all."""
    begun = base.clock.monotonic()
    free = base.milliseconds_left(base.settings.deadlines_ms.process) - _KEPT_MS

    def has_time() -> bool:
        return (base.clock.monotonic() - begun) * 1000 < min(_LONGEST_MS, free)

    try:
        missing = titles.missing_in(base.layout, sources.index)
        if not missing:
            return NOTHING
        read = titles.look(base.layout, missing, (term for word in query.words for terms in word.spellings for term in terms), has_time, sources.index)
    except sqlite3.DatabaseError:  # damaged, or locked for longer than a hook waits: only the index is asked
        return NOTHING
    try:
        # No episode is there, so only notes are found.
        found = candidates.find(Sources(read.connection, None), query, reader)
    finally:
        read.connection.close()
    for memory in found:
        memory.number = 0  # the row of another index
    if read.is_entire and read.looked >= read.missing:
        return TitleSearch(found, "")
    looked = "" if read.looked >= read.missing else _LOOKED.format(looked=read.looked)
    known = queries.keys(sources.index) if sources.index is not None else set()
    return TitleSearch(found, NOTICE.format(missing=read.missing, total=len(known.union(missing)), looked=looked))
