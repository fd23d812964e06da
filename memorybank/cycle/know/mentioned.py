"""What a prompt mentions: the code and the errors in it, and the earlier turn that it is about.

This is asked where the words of the prompt as a whole did not find enough.
"""

from __future__ import annotations

__light__ = True

from memorybank.cycle.know import search, turns
from memorybank.cycle.know.turns import FULL
from memorybank.text.prompts.questions import asks, is_general, reports_problem
from memorybank.text.prompts.refers_back import LONGEST
from memorybank.text.prompts.sentences import sentences
from memorybank.text.words.code_names import names_in

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from memorybank.cycle.know.search import Passage, Rarity

_READ_CHARACTERS = 8_000
"""Maximum number of characters of a prompt that are searched for names."""


class Mentioned:
    """What one prompt mentions.

    error: the lines of a pasted error that say what is wrong.
    """

    def __init__(self, rarity: Rarity, prompt: str, typed: str, referring: Sequence[str], own: str, now: int, *, is_first: bool) -> None:
        """typed: what the person typed; referring: the parts of it that refer to an earlier time; own: id of the current session; now: ms; is_first: whether
        the prompt begins its session."""
        self._text = text = prompt[:_READ_CHARACTERS].strip()
        self.error: Sequence[str] = ()
        if "\n" in text:
            from memorybank.text.prompts import printed  # late, as other imports here: most prompts are one line that mentions nothing
            from memorybank.text.prompts.typed import pasted

            self._names = printed.names_of(text)
            self.error = printed.error_of(pasted(text))
        else:
            self._names = names_in(text)
        self._typed = typed
        self._referring = referring
        self._rarity = rarity
        # What a person pasted is about the names in it, not about one of the words around it.
        self._is_asked = "\n" not in text and (bool(referring) or (asks(typed) and not is_general(typed)) or (is_first and reports_problem(typed)))
        self._own = own
        self._now = now

    def said(self, without: Callable[[Passage], bool], *, earlier: bool) -> list[Passage]:
        """Return what was said about the same code or error, the best first; else the earlier turns that the prompt is about.

        without: returns whether a passage is left out.
        earlier: whether earlier turns are looked for.
        """
        is_small = self._rarity.passages < FULL
        earlier = earlier and (is_small or bool(self._referring))
        if not self._names and not self.error and not earlier:
            return []
        rarity = search.Rarity(self._rarity.connection, FULL) if is_small else self._rarity
        found = self._named(rarity, without)
        if not found and earlier and len(self._typed) <= LONGEST:
            texts = self._referring or [self._typed]
            found = turns.like(rarity.connection, rarity, texts, self._own, self._now, without, refers=bool(self._referring), asks=self._is_asked)
        if not found and earlier and is_small:
            from memorybank.cycle.know import sentence

            found = sentence.said_about(rarity.connection, rarity, sentences(self._typed), self._own, self._now, without)
        if not found and earlier and self._is_asked and is_small:
            from memorybank.cycle.know import in_other_words

            if search.rows_in(rarity.connection, "passage_text") <= in_other_words.MOST:
                found = in_other_words.like(rarity.connection, self._typed, self._own, self._now, without)
        return found

    def _named(self, rarity: Rarity, without: Callable[[Passage], bool]) -> list[Passage]:
        messages: Sequence[str] = ()
        if self.error:
            from memorybank.text.prompts import printed

            messages = printed.messages_of(self.error)
        if not self._names and not messages:
            return []
        from memorybank.cycle.know import named

        text = "\n".join((self._typed, *self.error)) if self.error else self._text
        return named.said_about(rarity.connection, rarity, text, self._names, messages, self._own, self._now, without)
