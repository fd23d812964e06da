"""Passages that contain the words of a question, the best first: by the rarity of the shared words, and by their share of the question and of the passage.

Reads only, within a budget of postings.
"""

from __future__ import annotations

__light__ = True

from math import log, sqrt

from memorybank.cycle.fold.kinds import FIX

TYPE_CHECKING = False
if TYPE_CHECKING:
    from _sqlite3 import Connection
    from collections.abc import Callable, Collection, Iterable, Sequence
    from typing import Any

IS_SEEN = "((acl = 'user' AND privacy = 'public') OR sees('finding', at, acl, privacy, hold, role, session, agent))"
"""SQL condition on a row of passages, statements or turns. `sees` is `ranking.MemoryReader.sees`, registered with the connection."""
IS_SEEN_FAILURE = "((acl = 'user' AND privacy = 'public' AND agent = 'main') OR sees('problem', at, acl, privacy, hold, role, session, agent))"
"""The same for failures: the settings decide who may see those of sub-agents."""
COLUMNS = "p.id, memory, kind, turn, at, session, heading, text, failure, terms"
"""The columns that `read` expects, in this order."""
_POSTINGS = 4_000
"""Full-text rows that one question may read. The rarest words come first."""
_MOST_ASKED = 40
_FILTERED, _LOOKED_AT = 600, 80
"""Passages whose access is checked, and passages that are compared with the question in full."""
_AT_ONCE = 800
_ROUNDING = 1e-9
_FEWEST = 30
"""Number of passages that a bank counts as having at least: among the few of a first session every word is common, and none would carry weight."""
LEAST_RANK = _WHOLE = 0.6
_ALIKE = 0.4
"""The parts of a passage's rank: the rarity of what it shares with the question, and how similar the two are as a whole. So a rank is at least
`LEAST_RANK` of that rarity, and at most all of it."""


class Passage:
    """A passage and what it shares with a question.

    sum: rarity of all shared words together (nats).
    share: the part of the question that the shared words make up, 0..1.
    rank: orders passages.

    Written by hand, because a question makes some hundred of them.
    """

    __slots__ = ("at", "failure", "heading", "id", "kind", "matched", "memory", "rank", "session", "share", "sum", "terms", "text", "turn")

    def __init__(self, row: Sequence[Any], terms: list[str]) -> None:
        number, memory, kind, turn, at, session, heading, text, failure = row
        self.id = int(number)
        self.memory = str(memory)
        self.kind = str(kind)
        self.turn: int | None = turn
        self.at = int(at)
        self.session = str(session)
        self.heading = str(heading)
        self.text = str(text)
        self.failure: int | None = failure
        self.terms = terms
        self.matched: list[str] = []
        self.sum = self.share = self.rank = 0.0


class Rarity:
    """The rarity of terms among the passages of this bank."""

    def __init__(self, connection: Connection) -> None:
        self.connection = connection
        self.passages = max(_FEWEST, rows_in(connection, "passage_text"))
        self._known: dict[str, int] = {}
        self._nats: dict[str, float] = {}
        self.weights: dict[frozenset[str], tuple[dict[int, float], float]] = {}
        """What `search` found for a set of terms (see `_weights`), because one question is searched among several kinds of passages."""

    def learn(self, terms: Iterable[str]) -> None:
        """Look up how many passages contain each term, so that later calls need no query."""
        unknown = list({term for term in terms if term not in self._known})
        for begin in range(0, len(unknown), _AT_ONCE):
            part = unknown[begin : begin + _AT_ONCE]
            self._known.update(dict.fromkeys(part, 0))
            self._known.update(self.connection.execute(f"SELECT term, passages FROM frequencies WHERE term IN ({','.join('?' * len(part))})", part))

    def count(self, term: str) -> int:
        """Return the number of passages with a term."""
        if term not in self._known:
            self.learn((term,))
        return self._known[term]

    def of(self, term: str) -> float:
        """Return the rarity of a term in nats. A term that no passage contains is the rarest."""
        nats = self._nats.get(term)
        if nats is None:
            count = self.count(term)
            nats = self._nats[term] = log(1 + (self.passages - count + 0.5) / (count + 0.5))
        return nats

    def sum(self, terms: Iterable[str]) -> float:
        """Return the rarity of several terms together, in nats."""
        nats = self._nats
        return sum(nats[term] if term in nats else self.of(term) for term in terms)


def search(
    connection: Connection,
    rarity: Rarity,
    terms: Sequence[str],
    kinds: Collection[str],
    own: str,
    now: int,
    without: Callable[[Passage], bool] | None = None,
    least: float = 0.0,
) -> list[Passage]:
    """Return the passages of other sessions that contain the most of `terms`, the best first.

    own: id of the current session, whose passages do not count.
    now: ms.
    without: returns whether a passage is left out.
    least: nats in common; passages that cannot reach them are not read.
    """
    rarity.learn(terms)
    weights, left_out = _weights(connection, rarity, terms)
    if least > 0:
        weights = {row: weight for row, weight in weights.items() if weight + left_out >= least}
    if not weights:
        return []
    marks = ",".join("?" * len(kinds))
    # Access is checked in SQL for a limited number of rows: rows the reader may not see must not use up the limit of compared passages.
    listed = ",".join(map(str, sorted(weights, key=lambda row: (-weights[row], -row))[:_FILTERED]))
    seen = connection.execute(
        f"SELECT id FROM passages WHERE id IN ({listed}) AND kind IN ({marks}) AND session IS NOT ? AND at <= ? AND {IS_SEEN}", (*kinds, own, now)
    )
    rows = sorted((row[0] for row in seen), key=lambda row: (-weights[row], -row))[:_LOOKED_AT]
    asked_for = f"SELECT {COLUMNS} FROM passages p JOIN passage_terms t ON t.id = p.id WHERE p.id IN ({','.join(map(str, rows))})"
    found = [passage for passage in map(read, connection.execute(asked_for)) if without is None or not without(passage)]
    weigh(rarity, set(terms), found)
    return found


def weigh(rarity: Rarity, asked: Collection[str], found: list[Passage]) -> None:
    """Set what passages share with a question, and sort them, the best first."""
    rarity.learn(term for passage in found for term in passage.terms)
    mass = rarity.sum(asked) or 1.0
    for passage in found:
        passage.matched = [term for term in passage.terms if term in asked]
        passage.sum = rarity.sum(passage.matched)
        passage.share = passage.sum / mass
        # The cosine of question and passage: of two passages that share the same words, the shorter one is more about them.
        passage.rank = passage.sum * (_WHOLE + _ALIKE * passage.sum / sqrt(mass * (rarity.sum(passage.terms) or 1.0)))
    found.sort(key=lambda passage: (-passage.rank, -passage.at, passage.memory))


def read(row: Sequence[Any]) -> Passage:
    """Build a passage from a row of `COLUMNS`."""
    return Passage(row[:-1], row[-1].split(" "))


def of_failures(connection: Connection, failures: Collection[int], own: str, now: int) -> list[Passage]:
    """Return the remarks that were made after these failures, without what fixed them."""
    listed = ",".join(str(int(failure)) for failure in failures)
    rows = connection.execute(
        f"SELECT {COLUMNS} FROM passages p JOIN passage_terms t ON t.id = p.id"
        f" WHERE failure IN ({listed}) AND kind <> ? AND session IS NOT ? AND at <= ? AND {IS_SEEN} ORDER BY at DESC, memory",
        (FIX, own, now),
    )
    return [read(row) for row in rows]


def rows_in(connection: Connection, table: str) -> int:
    """Return the number of rows of a full-text table, from the averages record of FTS5 (row 1 of its data, the first variable-length integer)."""
    row = connection.execute(f"SELECT block FROM {table}_data WHERE id = 1").fetchone()
    value = 0
    for byte in row[0] if row else b"":
        value = value << 7 | byte & 0x7F
        if byte < 0x80:
            return value
    return 0


def most_in_common(connection: Connection, rarity: Rarity, terms: Sequence[str]) -> float:
    """Return the nats that no passage exceeds in common with these terms, before any passage is read."""
    rarity.learn(terms)
    weights, left_out = _weights(connection, rarity, terms)
    return max(weights.values(), default=0.0) + left_out


def _weights(connection: Connection, rarity: Rarity, terms: Sequence[str]) -> tuple[dict[int, float], float]:
    """Return ({passage: rarity of the terms that it contains}, rarity of the terms that were not looked up), within a budget of postings."""
    asked = frozenset(terms)
    if asked in rarity.weights:
        return rarity.weights[asked]
    left = _POSTINGS
    weights: dict[int, float] = {}
    known = [term for term in asked if rarity.count(term)]
    left_out = rarity.sum(known)
    for term in sorted(known, key=lambda term: (rarity.count(term), term))[:_MOST_ASKED]:
        count = rarity.count(term)
        if count > left:  # terms are sorted by rarity: all others are at least as common
            break
        left -= count
        weight = rarity.of(term)
        left_out -= weight
        (listed,) = connection.execute("SELECT group_concat(rowid) FROM passage_text WHERE passage_text MATCH ?", (f'"{term}"',)).fetchone()
        for row in map(int, listed.split(",")) if listed else ():
            weights[row] = weights.get(row, 0.0) + weight
    found = rarity.weights[asked] = weights, max(0.0, left_out) + _ROUNDING
    return found
