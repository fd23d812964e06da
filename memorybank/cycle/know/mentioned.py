"""What a prompt mentions: the code and the errors in it, and the earlier turn that it is about.

This is asked where the words of the prompt as a whole did not find enough.
"""

from __future__ import annotations

__light__ = True

from memorybank.cycle.know import search
from memorybank.cycle.know.named import said_about
from memorybank.cycle.know.turns import EarlierTurn, like
from memorybank.text import printed
from memorybank.text.refers_back import referring
from memorybank.text.typed import pasted

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from memorybank.cycle.know.search import Passage, Rarity

_READ_CHARACTERS = 8_000
"""Maximum number of characters of a prompt that are searched for names."""
_LONGEST = 600
"""Characters of a prompt above which it is about many things, so that few words in common with an earlier turn mean little."""
_FULL = 1_000
"""Passages. In a bank of some hundred, words are weighed as if it had this many: a rare word weighs less than half of `LEAST_SUM` there otherwise."""


class Mentioned:
    """What one prompt mentions.

    refers: whether it refers to an earlier time.
    error: the lines of a pasted error that say what is wrong.
    """

    def __init__(self, rarity: Rarity, prompt: str, typed: str, own: str, now: int) -> None:
        """typed: what the person typed; own: id of the current session; now: ms."""
        text = prompt[:_READ_CHARACTERS]
        self._typed = typed
        self._referring = referring(typed)
        self._names = printed.names_of(text)
        self.error = printed.error_of(pasted(text)) if "\n" in text.strip() else []
        self._connection = rarity.connection
        self._rarity = rarity if rarity.passages >= _FULL else search.Rarity(rarity.connection, _FULL)
        self._own = own
        self._now = now

    @property
    def refers(self) -> bool:
        return bool(self._referring)

    def said(self, without: Callable[[Passage], bool], *, earlier: bool) -> list[EarlierTurn]:
        """Return what was said about the same code or error, the best first; else the earlier turns that the prompt is about.

        without: returns whether a passage is left out.
        earlier: whether earlier turns are looked for.
        """
        rarity = self._rarity
        messages = printed.messages_of(self.error)
        found = said_about(self._connection, rarity, self._names, messages, self._own, self._now, without) if self._names or messages else []
        if found or not earlier or len(self._typed) > _LONGEST:
            return [EarlierTurn(passage, None) for passage in found]
        return like(self._connection, rarity, self._referring or [self._typed], self._own, self._now, without, refers=self.refers)
