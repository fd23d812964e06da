"""Earlier work: the results of earlier sessions, and the files that a request names. Computed when it is needed."""

from __future__ import annotations

__light__ = True

from math import sqrt

from memorybank.cycle.fold.passages import ANSWER
from memorybank.cycle.know.search import COLUMNS, IS_SEEN, read
from memorybank.summarize.findings import worth
from memorybank.text.passages import is_table_row, shortened

TYPE_CHECKING = False
if TYPE_CHECKING:
    from _sqlite3 import Connection
    from collections.abc import Callable, Collection, Sequence

    from memorybank.cycle.know.search import Passage, Rarity

WORK, FILES = "work", "files"
_MOST_PIECES = 2
_MOST_TURNS = 6
_LEAST_NAME = 6
"""Letters of a file's name. Shorter names are common words too often."""


class Work:
    """The result of one session.

    at: instant of its last answer (ms).
    result: the passages that say most about what it did or found.
    """

    __slots__ = ("at", "memory", "result", "session")

    def __init__(self, session: str, at: int, result: str) -> None:
        self.session = session
        self.memory = f"session:{session}"
        self.at = at
        self.result = result

    def __repr__(self) -> str:
        return f"Work({self.session!r}, {self.result!r})"


def last(
    connection: Connection, rarity: Rarity, own: str, now: int, within: tuple[int, int], most: int, limit: int, without: Callable[[Passage], bool]
) -> list[Work]:
    """Return the last sessions that answered something, the newest first, each in about `limit` characters.

    within: how far back (ms) all of them may be, and how far back the newest one.
    without: whether a passage is left out.
    """
    hot, warm = within
    rows = connection.execute(
        f"SELECT session, max(at) FROM passages WHERE kind = '{ANSWER}' AND session IS NOT ? AND at BETWEEN ? AND ? AND {IS_SEEN}"
        " GROUP BY session ORDER BY max(at) DESC, session LIMIT ?",
        (own, now - warm, now, most),
    ).fetchall()
    recent = [row for number, row in enumerate(rows) if number == 0 or row[1] >= now - hot]
    found = [Work(session, at, _result(connection, rarity, session, limit, without)) for session, at in recent]
    return [work for work in found if work.result]


def _result(connection: Connection, rarity: Rarity, session: str, limit: int, without: Callable[[Passage], bool]) -> str:
    """The passages of a session's last answers that say most about what it did or found."""
    rows = connection.execute(
        f"SELECT {COLUMNS} FROM passages p JOIN passage_terms t ON t.id = p.id"
        f" WHERE session = ?1 AND kind = '{ANSWER}' AND {IS_SEEN} AND offset IN"
        f" (SELECT DISTINCT offset FROM passages WHERE session = ?1 AND kind = '{ANSWER}' ORDER BY offset DESC LIMIT {_MOST_TURNS})"
        " ORDER BY p.id",
        (session,),
    )
    return _telling(rarity, [passage for passage in map(read, rows) if not without(passage)], limit)


def _telling(rarity: Rarity, passages: Sequence[Passage], limit: int) -> str:
    """The passages with the most result in the fewest characters, in their order."""
    prose = [passage for passage in passages if not is_table_row(passage.text)] or passages
    rarity.learn(term for passage in prose for term in passage.terms)

    def weight(passage: Passage) -> float:
        # A long passage contains more rare words by its length alone; the root keeps long and short passages comparable.
        return worth(passage.text) * rarity.sum(set(passage.terms)) / sqrt(20 + len(passage.text))

    chosen: dict[str, str] = {}
    left = limit
    for passage in sorted(prose, key=weight, reverse=True)[:_MOST_PIECES]:
        if len(passage.text) <= left or not chosen:
            chosen[passage.text] = shortened(passage.text, left)
            left -= len(chosen[passage.text])
    return " ".join(chosen[passage.text] for passage in prose if passage.text in chosen)


def result_of_turn(connection: Connection, rarity: Rarity, turn: int | None, limit: int, without: Callable[[Passage], bool]) -> str:
    """Return the result of one turn, "" when nothing was answered.

    without: whether a passage is left out.
    """
    rows = connection.execute(
        f"SELECT {COLUMNS} FROM passages p JOIN passage_terms t ON t.id = p.id WHERE turn = ? AND kind = '{ANSWER}' AND {IS_SEEN} ORDER BY p.id", (turn,)
    )
    return _telling(rarity, [passage for passage in map(read, rows) if not without(passage)], limit)


def named_files(connection: Connection, words: Collection[str], now: int) -> list[str]:
    """Return the files at the top of the repository that a request names without their ending (`changelog`: CHANGELOG.md), if earlier turns edited them.

    Files in folders are left out, because their names are common words too often.
    """
    found = []
    rows = connection.execute(
        f"SELECT DISTINCT name FROM turn_files WHERE name NOT LIKE '%/%' AND turn IN (SELECT id FROM turns WHERE at <= ? AND {IS_SEEN}) ORDER BY name", (now,)
    )
    for (name,) in rows:
        stem, dot, _ = name.lower().partition(".")
        if dot and stem in words and len(stem) >= _LEAST_NAME:
            found.append(name)
    return found
