"""The number of tokens of memories that a session may still be shown (`budgets.session_tokens`), counted over all its agents and epochs.

What the session was shown so far is read from the exposure lines at the end of its log, and from the cycle's cache for everything earlier.
"""

from __future__ import annotations

__light__ = True

from memorybank.cycle.recall import context as contexts
from memorybank.injection import UNITS, size_of, tokens_of
from memorybank.storage.sqlite import sqlite3

TYPE_CHECKING = False
if TYPE_CHECKING:
    from _sqlite3 import Connection

    from memorybank.injection import InjectedMemory

_LEAST = 12
"""Every memory takes at least this many tokens: its source and its date alone take more."""


class Allowance:
    """The tokens that may still be shown.

    left: remaining tokens; None when there is no limit.
    is_spent: True when so little is left that no memory fits.
    """

    __slots__ = ("is_spent", "left")

    def __init__(self, left: int | None, limit: int = 0) -> None:
        self.left = left
        self.is_spent = left is not None and left < _LEAST <= limit

    def units(self, most: int) -> int:
        """Return how many of `most` UTF-16 units still fit."""
        return most if self.left is None else min(most, self.left * UNITS)

    def spend(self, units: int) -> None:
        """Subtract the tokens that this many UTF-16 units cost."""
        if self.left is not None:
            self.left = max(0, self.left - tokens_of(units))

    def spend_on(self, item: InjectedMemory) -> bool:
        """Return whether the item still fits, and subtract its cost if it does."""
        if self.left is None:
            return True
        tokens = tokens_of(size_of(item))
        if tokens > self.left:
            return False
        self.left -= tokens
        return True


def of_session(limit: int, session: str, data: bytes, connection: Connection | None) -> Allowance:
    """Return the allowance of a session.

    limit: tokens per session; 0 for no limit, in which case nothing is read.
    data: the end of the session's log.
    connection: the cycle's cache.
    """
    if not limit:
        return Allowance(None)
    given = contexts.tokens_in(data)
    if connection is not None:
        try:
            rows = connection.execute("SELECT agent, epoch, memory, tokens FROM exposures WHERE session = ? AND shown = 1", (session,)).fetchall()
        except sqlite3.DatabaseError:  # damaged, or locked for longer than a hook waits: count the end of the log alone
            rows = []
        for agent, epoch, memory, tokens in rows:
            given[agent, epoch, memory] = int(tokens)
    return Allowance(max(0, limit - sum(given.values())), limit)
