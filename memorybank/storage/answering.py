"""Queries of a cache that a hook can do without."""

from __future__ import annotations

__light__ = True

from memorybank.storage.sqlite import sqlite3

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import TypeVar

    Answer = TypeVar("Answer")


def answer(connection: sqlite3.Connection | None, otherwise: Answer, ask: Callable[[sqlite3.Connection], Answer]) -> Answer:
    """Run a query on an open cache and return its result; return `otherwise` if the cache is missing, damaged, or locked for longer than a hook waits.

    ask: reads everything that it returns
    """
    if connection is None:
        return otherwise
    try:
        return ask(connection)
    except sqlite3.DatabaseError:
        return otherwise
