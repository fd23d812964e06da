"""How many tokens of memories a session may still be given (`budgets.session_tokens`), over all its agents and epochs.

What it was given stands in its log's exposure lines: the end of the log, and the cycle's cache for what lies further back.
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
"""No memory takes fewer tokens: its source and its date alone take more."""


class Allowance:
    """left: tokens, None when there is no limit; is_spent: so much was given that nothing fits any more, whatever it is."""

    __slots__ = ("is_spent", "left")

    def __init__(self, left: int | None, limit: int = 0) -> None:
        self.left = left
        self.is_spent = left is not None and left < _LEAST <= limit

    def part(self, share: float) -> Allowance:
        """So much of what is left, as an allowance of its own; what it takes is not taken from this one."""
        return Allowance(None if self.left is None else int(self.left * share))

    def units(self, most: int) -> int:
        """Of so many UTF-16 units as many as still fit."""
        return most if self.left is None else min(most, self.left * UNITS)

    def pay(self, units: int) -> None:
        """Take what so many UTF-16 units cost."""
        if self.left is not None:
            self.left = max(0, self.left - tokens_of(units))

    def takes(self, item: InjectedMemory) -> bool:
        """Whether the item still fits; then it is paid for."""
        if self.left is None:
            return True
        tokens = tokens_of(size_of(item))
        if tokens > self.left:
            return False
        self.left -= tokens
        return True


def of_session(limit: int, session: str, data: bytes, connection: Connection | None) -> Allowance:
    """limit: 0 for none, then nothing is asked; data: the end of the session's log; connection: the cycle's cache."""
    if not limit:
        return Allowance(None)
    given = contexts.tokens_in(data)
    if connection is not None:
        try:
            rows = connection.execute("SELECT agent, epoch, memory, tokens FROM exposures WHERE session = ? AND shown = 1", (session,)).fetchall()
        except sqlite3.DatabaseError:  # damaged, or written for longer than a hook waits: the log's end alone counts
            rows = []
        for agent, epoch, memory, tokens in rows:
            given[agent, epoch, memory] = int(tokens)
    return Allowance(max(0, limit - sum(given.values())), limit)
