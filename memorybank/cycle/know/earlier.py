"""Earlier sessions, as they may be shown to the reader of one moment.

Every search for what was said reads through one `Earlier`. It decides about each passage once, however many searches come across it.
"""

from __future__ import annotations

__light__ = True

from math import inf

from memorybank.cycle.know.search import IS_SAID, IS_SEEN, PASSAGES, ROUNDING, Passage, Rarity, bounds, order, rank, read, weigh_one

TYPE_CHECKING = False
if TYPE_CHECKING:
    from _sqlite3 import Connection
    from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
    from typing import Any

    from memorybank.reasons.reason import Reason

    Decision = tuple[Reason | None, str]
    """(why a passage may not be shown; what of its text may)."""
    Portion = tuple[list[Passage], float]

_FILTERED, _CHECKED = 600, 120
"""Passages whose access may be checked, and those that are checked at once."""
_LOOKED_AT, _PORTION = 40, 8
"""Passages of one kind that may be compared with the question in full, and those that are read at once."""
FULL = 1_000
"""Passages. A smaller bank is read as if ordinary texts filled it up to this number, where a single word may be evidence: among few passages every word is
rare."""
SMALL = 100
"""Passages up to which a bank is small: each passage is one chance to share a word with a prompt, so that among few of them one name is evidence."""


def _as_it_is(passage: Passage) -> Decision:
    return None, passage.text


class _Seen:
    """Passages that the reader may see, those with the rarest terms first. Access is checked in portions, because most questions need few of them."""

    def __init__(self, connection: Connection, bounds: dict[int, float], own: str, now: int) -> None:
        """bounds: {passage: nats that it does not exceed in common with the question}; own, now: see `Earlier`."""
        self.connection = connection
        self.bounds = bounds
        self.waiting = sorted(bounds, key=lambda row: (-bounds[row], -row))[:_FILTERED]
        self.own = own
        self.now = now
        self.kinds: dict[int, str] = {}

    def of(self, kinds: Collection[str], most: int) -> list[int]:
        """Return the first `most` passages of these kinds."""
        while True:
            found = [row for row, kind in self.kinds.items() if kind in kinds]
            if len(found) >= most or not self.waiting:
                return found[:most]
            portion, self.waiting = self.waiting[:_CHECKED], self.waiting[_CHECKED:]
            # Access is checked in SQL before the limit applies: rows the reader may not see must not use up the limit of compared passages.
            asked = f"SELECT id, kind FROM passages WHERE id IN ({','.join(map(str, portion))}) AND session IS NOT ? AND at <= ? AND {IS_SEEN}"
            seen = dict(self.connection.execute(asked, (self.own, self.now)))
            self.kinds.update((row, seen[row]) for row in portion if row in seen)


class Earlier:
    """The passages of other sessions at one moment.

    own: id of the current session, whose passages do not count.
    now: ms.
    decide: decides about a passage.
    rarity: of words among all passages.
    refused: {memory: passage} of what searches found and may not be shown, so that it can be listed with its reason.
    """

    def __init__(self, connection: Connection, own: str, now: int, decide: Callable[[Passage], Decision] = _as_it_is) -> None:
        self.connection = connection
        self.own = own
        self.now = now
        self.rarity = Rarity(connection)
        self.refused: dict[str, Passage] = {}
        self._decide = decide
        self._decided: dict[int, Decision] = {}
        self._filled: Rarity | None = None
        self._seen: dict[tuple[Rarity, frozenset[str], float], _Seen] = {}

    @property
    def filled(self) -> Rarity:
        """The rarity of words in a bank of at least `FULL` passages."""
        if self._filled is None:
            self._filled = Rarity(self.connection, FULL) if self.rarity.passages < FULL else self.rarity
        return self._filled

    def shows(self, passage: Passage) -> bool:
        """Return whether a passage may be shown. From then on it is without what of its text may not be."""
        if passage.id not in self._decided:
            why, left = self._decide(passage)
            self._decided[passage.id] = why, left if left != passage.text else ""
        passage.why, left = self._decided[passage.id]
        if left:
            passage.shorten(left)
        return passage.why is None

    def finds(self, passage: Passage) -> bool:
        """Return whether a passage that answers a search may be shown. If not, it is among `refused`."""
        if not self.shows(passage):
            self.refused.setdefault(passage.memory, passage)
        return passage.why is None

    def search(self, terms: Sequence[str], kinds: Collection[str]) -> list[Passage]:
        """Return the passages that contain the most of `terms`, the best first, whether or not they may be shown."""
        found = [passage for portion, _ in self.portions(self.rarity, terms, kinds) for passage in portion]
        rank(self.rarity, set(terms), found)
        return sorted(found, key=order)

    def portions(self, rarity: Rarity, terms: Sequence[str], kinds: Collection[str], least: float = 0.0, *, decided: bool = True) -> Iterator[Portion]:
        """Yield passages in portions, those with the rarest terms in common first, also those that may not be shown (`Passage.why`). `search.rank` gives them
        their ranks, where those matter.

        With each portion comes the number of nats that no later passage exceeds in common; 0 with the last.

        Reading passages takes most of the time of a question, so a caller stops when the later ones cannot matter.

        least: nats in common; passages with less are left out.
        decided: whether it is decided what may be shown of each. That takes longest, so a caller that needs few of them calls `weighs` for those.
        """
        asked = set(terms)
        mass = rarity.sum(asked) or 1.0
        most = max(map(rarity.of, asked), default=0.0) + ROUNDING
        seen = self._seen_with(rarity, terms, least)
        begin, rest = 0, inf
        while rest:
            ids = seen.of(kinds, min(begin + _PORTION + 1, _LOOKED_AT))[begin:]
            begin += _PORTION
            rest = seen.bounds[ids[_PORTION]] if len(ids) > _PORTION else 0.0
            found = []
            for row in self._rows(ids[:_PORTION]):
                words = row[-1].split(" ")
                # Of a long question most passages contain little, which their number of words in common shows sooner than the sum of what these weigh.
                if len(asked.intersection(words)) * most < least:
                    continue
                passage = Passage(row[:-1], words)
                weigh_one(rarity, asked, mass, passage)
                if passage.sum + ROUNDING >= least and decided:
                    self.weighs(rarity, mass, passage)
                found += [passage] if passage.sum + ROUNDING >= least else []
            yield found, rest

    def weighs(self, rarity: Rarity, mass: float, passage: Passage) -> bool:
        """Return whether a weighed passage may be shown. From then on it weighs what the part of it does that may be. mass: nats of the question"""
        if self.shows(passage):
            weigh_one(rarity, set(passage.matched), mass, passage)
        return passage.why is None

    def looked_at(self, terms: Sequence[str], kinds: Collection[str], least: float, most: int | None = None) -> Iterable[Sequence[Any]]:
        """Return the rows, as `read` expects them, of the first `most` passages that `portions` yields, for a caller that compares them in its own way."""
        return self._rows(self._seen_with(self.rarity, terms, least).of(kinds, most or _LOOKED_AT))

    def _rows(self, ids: Iterable[int]) -> Iterable[Sequence[Any]]:
        return self.connection.execute(f"{PASSAGES} p.id IN ({','.join(map(str, ids))})")

    def _seen_with(self, rarity: Rarity, terms: Sequence[str], least: float) -> _Seen:
        """Return the passages with these terms that the reader may see. The parameters are those of `portions`."""
        key = rarity, frozenset(terms), least
        if key not in self._seen:
            self._seen[key] = _Seen(self.connection, bounds(self.connection, rarity, terms, least), self.own, self.now)
        return self._seen[key]

    def selected(self, condition: str, values: Sequence[object]) -> list[Passage]:
        """Return the passages that a condition in SQL selects, which may end in an order and a limit."""
        return [*map(read, self.connection.execute(f"{PASSAGES} {condition}", values))]

    def said(self, ids: Iterable[int]) -> Iterable[Sequence[Any]]:
        """Return the rows of these passages, as `read` expects them, without those of the current session, those that nobody said, and those that the reader
        may not see."""
        # `+`: SQLite would use the index of kinds otherwise, and read the passages of the entire bank.
        return self.connection.execute(f"{PASSAGES} p.id IN ({','.join(map(str, ids))}) AND +{IS_SAID}", (self.own, self.now))

    def nearest(self, rarity: Rarity, terms: Sequence[str], most: int, few: int | None = None) -> list[int]:
        """Return the rows of the passages that weigh most by these terms, or by those of them which at most `few` passages contain."""
        rare = terms if few is None else [term for term in terms if 0 < rarity.count(term) <= few]
        found = bounds(self.connection, rarity, rare, 0.0) if rare else {}
        return sorted(found, key=lambda row: (-found[row], -row))[:most]
