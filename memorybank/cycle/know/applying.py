"""When a rule applies: at a request like the one after which a person stated it. `text.named` says which commands and folders a sentence names."""

from __future__ import annotations

__light__ = True

from memorybank.cycle.know.search import IS_SEEN

TYPE_CHECKING = False
if TYPE_CHECKING:
    from _sqlite3 import Connection
    from collections.abc import Sequence

    from memorybank.cycle.know.search import Passage

_SAME_REQUEST = 0.6
"""Least share of a prompt that an earlier request has in common with it, so that what a person said after the one holds for the other."""
_MOST_REQUESTS = 8


def said_after(connection: Connection, requests: Sequence[Passage], own: str, now: int) -> list[str]:
    """Return the statements that people made right after earlier requests which ask the same, the most similar first.

    requests: earlier requests, with the share of the prompt that each has in common.
    """
    found: dict[str, None] = {}
    for request in [request for request in requests if request.share >= _SAME_REQUEST][:_MOST_REQUESTS]:
        rows = connection.execute(
            f"SELECT text FROM statements WHERE session IS NOT ? AND at <= ? AND {IS_SEEN} AND (file, offset) ="
            " (SELECT n.file, min(n.offset) FROM turns t JOIN turns n ON n.file = t.file AND n.offset > t.offset WHERE t.id = ?)",
            (own, now, request.turn),
        )
        found.update(dict.fromkeys(row[0] for row in rows))
    return list(found)
