"""Passages that contain the words of a question, the best first: by the rarity of the shared words, and by their share of the question and of the passage.

Reads only, within a budget of postings.
"""

from __future__ import annotations

__light__ = True

from math import log, sqrt

from memorybank.cycle.fold.kinds import ANSWER, REMARK, SAID
from memorybank.storage.jsontext import encode
from memorybank.text.words.terms import content_terms

TYPE_CHECKING = False
if TYPE_CHECKING:
    from _sqlite3 import Connection
    from collections.abc import Callable, Collection, Iterable, Sequence
    from typing import Any

    from memorybank.reasons.reason import Reason


IS_SEEN = "((acl = 'user' AND privacy = 'public') OR sees('finding', at, acl, privacy, hold, role, session, agent))"
"""SQL condition on a row of passages, statements or turns. `sees` is `ranking.MemoryReader.sees`, registered with the connection."""
NEWEST = 400
"""Maximum number of statements that are read, the newest first."""
IS_SEEN_FAILURE = "((acl = 'user' AND privacy = 'public' AND agent = 'main') OR sees('problem', at, acl, privacy, hold, role, session, agent))"
"""The same for failures: the settings decide who may see those of sub-agents."""
IS_SAID = f"kind IN ('{ANSWER}', '{REMARK}', '{SAID}') AND session IS NOT ? AND at <= ? AND {IS_SEEN}"
"""SQL condition on passages that people and agents said in other sessions. Its values: the id of the current session, and the instant of the question (ms)."""
COLUMNS = "p.id, memory, kind, turn, at, session, heading, text, failure, terms"
"""The columns that `read` expects, in this order."""
PASSAGES = f"SELECT {COLUMNS} FROM passages p JOIN passage_terms t ON t.id = p.id WHERE"
_POSTINGS = 4_000
"""Full-text rows that one question may read. The rarest words come first."""
_MOST_ASKED = 40
ROUNDING = 1e-9
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
    says_enough: whether it says enough to be an answer (`findings.says_enough`); None while nobody asked.
    why: the reason why it may not be shown (`earlier.Earlier`); None if it may, or while nobody asked.
    error, led_to: the message of the error in a prompt that it answers (`know.same_error`), or that led to what it says (`on_command`), else "".
    gone: the file that it says why it was removed (`refused.why_removed`), else "".
    refused: the call that the person stopped with these words (`know.refused`), else "".
    is_outdated: whether a later passage changes what it says, and is shown before it (`latest.up_to_date`).
    later: the last turn of its session that is about one of the same things as its own, None without one (`turns.like`).

    Written by hand, because a question makes some hundred of them.
    """

    __slots__ = tuple(
        str.split(
            "at error failure gone heading id is_outdated kind later led_to matched memory rank refused says_enough session share sum terms text turn why"
        )
    )

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
        self.says_enough: bool | None = None
        self.error = self.led_to = self.gone = self.refused = ""
        self.is_outdated = False
        self.later: int | None = None
        self.why: Reason | None = None

    def shorten(self, text: str) -> None:
        """Keep only this part of the text. The terms stay: with fewer of them, a passage would rank as one that says little else than what was asked."""
        self.text = text
        left = {*content_terms(f"{self.heading}\n{text}")} if self.matched else ()
        self.matched = [term for term in self.matched if term in left]


class Rarity:
    """The rarity of terms among the passages of this bank.

    rows, passages: their number, and at least `_FEWEST`.
    full: number of passages up to which ordinary texts about software fill a smaller bank, because how rare a word is cannot be counted in few passages.
    """

    def __init__(self, connection: Connection, full: int = 0) -> None:
        self.connection = connection
        self.rows = rows_in(connection, "passage_text")
        self.passages = max(_FEWEST, self.rows)
        self._ordinary = max(0, full - self.passages)
        self._known: dict[str, int] = {}
        self._nats: dict[str, float] = {}
        self.weights: dict[frozenset[str], tuple[dict[int, float], float]] = {}
        """What `bounds` found for a set of terms, because one question is searched among several kinds of passages."""

    def learn(self, terms: Iterable[str]) -> None:
        """Look up how many passages contain each term, so that later calls need no query."""
        unknown = list({term for term in terms if term not in self._known})
        if unknown:
            self._known.update(dict.fromkeys(unknown, 0))
            asked = "SELECT term, passages FROM frequencies WHERE term IN (SELECT value FROM json_each(?))"
            self._known.update(self.connection.execute(asked, (encode(unknown),)))

    def count(self, term: str) -> int:
        """Return the number of passages with a term."""
        if term not in self._known:
            self.learn((term,))
        return self._known[term]

    def of(self, term: str) -> float:
        """Return the rarity of a term in nats. A term that no passage contains is the rarest."""
        nats = self._nats.get(term)
        if nats is None:
            count: float = self.count(term)
            others = self.passages + self._ordinary
            if self._ordinary:
                from memorybank.text.words.ordinary import share_of

                count += self._ordinary * share_of(term)
            nats = self._nats[term] = log(1 + (others - count + 0.5) / (count + 0.5))
        return nats

    def reduced(self, fewer: dict[str, int]) -> Rarity:
        """Return the rarity as it is if fewer passages contain these terms. fewer: {term: by how many}"""
        other = Rarity.__new__(Rarity)
        other.connection, other.rows, other.passages, other._ordinary = self.connection, self.rows, self.passages, self._ordinary
        other._known = self._known | {term: max(1, self.count(term) - count) for term, count in fewer.items()}
        other._nats, other.weights = {}, {}
        return other

    def sum(self, terms: Iterable[str]) -> float:
        """Return the rarity of several terms together, in nats."""
        listed = [*terms]
        nats = self._nats
        try:
            return sum([nats[term] for term in listed])
        except KeyError:
            self.learn(listed)  # together: one query for each term takes longer than everything else here
            return sum([self.of(term) for term in listed])


def weigh(rarity: Rarity, asked: Collection[str], found: Iterable[Passage]) -> None:
    """Set what passages share with a question."""
    mass = rarity.sum(asked) or 1.0
    for passage in found:
        weigh_one(rarity, asked, mass, passage)


def weigh_one(rarity: Rarity, asked: Collection[str], mass: float, passage: Passage) -> None:
    """The same for one passage. mass: nats of the question"""
    passage.matched = [term for term in passage.terms if term in asked]
    passage.sum = rarity.sum(passage.matched)
    passage.share = passage.sum / mass


def rank(rarity: Rarity, asked: Collection[str], found: Sequence[Passage]) -> None:
    """Set the ranks of weighed passages. It takes a look-up of all their words, so whoever can tell from what is shared that none matters does without."""
    rarity.learn([term for passage in found for term in passage.terms])
    mass = rarity.sum(asked) or 1.0
    for passage in found:
        # The cosine of question and passage: of two passages that share the same words, the shorter one is more about them.
        passage.rank = passage.sum * (_WHOLE + _ALIKE * passage.sum / sqrt(mass * (rarity.sum(passage.terms) or 1.0)))


def order(passage: Passage) -> tuple[float, int, str]:
    """Return the sort key of a passage: the best rank first; of equal ranks, the newest."""
    return -passage.rank, -passage.at, passage.memory


def shortened(found: Iterable[Passage], shorten: Callable[[str], str]) -> list[Passage]:
    """Return these passages with their texts shortened. A passage of which nothing is left is left out."""
    kept = []
    for passage in found:
        passage.text = shorten(passage.text)
        kept += [passage] if passage.text else []
    return kept


def read(row: Sequence[Any]) -> Passage:
    """Build a passage from a row of `COLUMNS`."""
    return Passage(row[:-1], row[-1].split(" "))


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


def bounds(connection: Connection, rarity: Rarity, terms: Sequence[str], least: float) -> dict[int, float]:
    """Return {passage: nats that it does not exceed in common with these terms}, without those that cannot have `least`, before any passage is read."""
    rarity.learn(terms)
    weights, left_out = _weights(connection, rarity, terms)
    return {row: weight + left_out for row, weight in weights.items() if weight + left_out >= least}


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
    found = rarity.weights[asked] = weights, max(0.0, left_out) + ROUNDING
    return found
