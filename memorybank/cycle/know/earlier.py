"""Earlier sessions, as they may be told to the reader of one moment.

Every search for what was said reads through one `Earlier`. It decides about each passage once, however many searches come across it.
"""

from __future__ import annotations

__light__ = True

from memorybank.cycle.know.search import IS_SAID, PASSAGES, Passage, Rarity, bounds, read

TYPE_CHECKING = False
if TYPE_CHECKING:
    from _sqlite3 import Connection
    from collections.abc import Callable, Iterable, Sequence
    from typing import Any

    from memorybank.reasons.reason import Reason

    Decision = tuple[Reason | None, str]
    """(why a passage may not be told; what of its text may)."""

FULL = 1_000
"""Passages. A smaller bank is read as if ordinary texts filled it up to this number, where a single word may be evidence: among few passages every word is
rare."""
SMALL = 100
"""Passages up to which a bank is small: each passage is one chance to share a word with a prompt, so that among few of them one name is evidence."""


def _as_it_is(passage: Passage) -> Decision:
    return None, passage.text


class Earlier:
    """The passages of other sessions at one moment.

    own: id of the current session, whose passages do not count.
    now: ms.
    decide: decides about a passage.
    rarity: of words among all passages.
    refused: {memory: passage} of what searches found and may not be told, so that it can be listed with its reason.
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

    @property
    def filled(self) -> Rarity:
        """The rarity of words in a bank of at least `FULL` passages."""
        if self._filled is None:
            self._filled = Rarity(self.connection, FULL) if self.rarity.passages < FULL else self.rarity
        return self._filled

    def tells(self, passage: Passage) -> bool:
        """Return whether a passage may be told. From then on it is without what of its text may not be."""
        if passage.id not in self._decided:
            why, left = self._decide(passage)
            self._decided[passage.id] = why, left if left != passage.text else ""
        passage.why, left = self._decided[passage.id]
        if left:
            passage.shorten(left)
        return passage.why is None

    def finds(self, passage: Passage) -> bool:
        """Return whether a passage that answers a search may be told. If not, it is among `refused`."""
        if not self.tells(passage):
            self.refused.setdefault(passage.memory, passage)
        return passage.why is None

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
