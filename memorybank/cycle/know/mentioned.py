"""What a prompt mentions: the code and the errors in it, and the earlier turn that it is about.

This is asked where the words of the prompt as a whole did not find enough.
"""

from __future__ import annotations

__light__ = True

from memorybank.cycle.know import turns
from memorybank.cycle.know.earlier import FULL, SMALL
from memorybank.text.pattern import lazy_pattern
from memorybank.text.prompts.questions import asks, is_general, reports_problem
from memorybank.text.prompts.refers_back import LONGEST
from memorybank.text.prompts.sentences import sentences
from memorybank.text.words.code_names import contains, names_in
from memorybank.text.words.terms import content_terms

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from memorybank.cycle.know.earlier import Earlier
    from memorybank.cycle.know.search import Passage

_READ_CHARACTERS = 8_000
"""Maximum number of characters of a prompt that are searched for names."""
_CLASSES = ("Error", "Exception")
"""Ends of the name of a class of errors. One class has many errors."""
_REPLIES = lazy_pattern(
    r"\W*(?:sure|ok(?:ay)?|yes|no|nope|hmm+|seems?|so|then|and|but|now|also|wait|it|this|that|these|those|great|thanks|right|why not)\b"
    r"|[「\s]*(?:はい|うん|ええ|いや|いいえ|では|じゃあ|それ|これ|そう|なら|あと|でも|なるほど|了解|ありがとう)",
    "i",
)
"""Matches the beginning of a prompt that replies to what the agent just said. Of such a question, only the words themselves say what it is about."""


class Mentioned:
    """What one prompt mentions."""

    def __init__(self, earlier: Earlier, prompt: str, own: str, errors: Sequence[str], referring: Sequence[str], *, is_first: bool) -> None:
        """own: what the person typed, besides errors; errors: their messages; referring: the parts of it that refer to an earlier time; is_first: whether the
        prompt begins its session."""
        self._earlier = earlier
        self._text = text = prompt[:_READ_CHARACTERS].strip()
        self._errors = errors
        self._printed: Sequence[str] = ()
        if "\n" in text:
            from memorybank.text.prompts import printed  # late, as other imports here: most prompts are one line that mentions nothing
            from memorybank.text.prompts.typed import pasted, typed

            lines = pasted(text)
            self._printed = printed.error_of(lines)
            self._names = printed.names_of(typed(text), lines, self._printed)
        else:
            self._names = names_in(text)
        self._typed = own
        self._is_reply = not is_first and not referring and _REPLIES.match(own) is not None
        self._referring = referring
        # What a person pasted is about the names in it, not about one of the words around it.
        self._is_asked = "\n" not in text and (bool(referring) or (asks(own) and not is_general(own)) or (is_first and reports_problem(own)))

    def said(self, *, with_turns: bool) -> list[Passage]:
        """Return what was said about the same code or error, the best first; else, `with_turns`, the earlier turns that the prompt is
        about."""
        is_small = self._earlier.rarity.passages < FULL
        found = self._named()
        if found or not with_turns or not (is_small or self._referring):
            return found
        if len(self._typed) <= LONGEST:
            found = turns.like(self._earlier, self._referring or [self._typed], refers=bool(self._referring), asks=self._is_asked)
        if not found and is_small:
            from memorybank.cycle.know import sentence

            found = sentence.said_about(self._earlier, sentences(self._typed))
        if not found and self._is_asked and self._earlier.rarity.rows <= SMALL and not self._is_reply:
            from memorybank.cycle.know import in_other_words

            found = in_other_words.like(self._earlier, self._typed)
        return found

    def _named(self) -> list[Passage]:
        from memorybank.text.commands.error_names import is_about, names_of

        # What was said about another error is not about this one, whichever file, function or program both are in.
        telling = [names for error in self._errors if (names := names_of(error))]
        names = [name for listed in telling for name in listed] or self._names
        messages: Sequence[str] = ()
        if self._printed:
            from memorybank.text.prompts import printed

            messages = printed.messages_of(self._printed)
        if not names and not messages:
            return []
        from memorybank.cycle.know import named

        text = "\n".join((self._typed, *self._errors, *self._printed)) if self._printed or self._errors else self._text
        found = named.said_about(self._earlier, text, names, messages, is_error=bool(self._printed or self._errors))
        if telling:
            return [one for one in found if any(is_about(f"{one.heading}\n{one.text}", listed) for listed in telling)]
        classes = [name for name in names if name.endswith(_CLASSES)] if self._errors else []
        return self._of_this_error(found, classes, names) if classes else found

    def _of_this_error(self, found: Sequence[Passage], classes: Sequence[str], names: Sequence[str]) -> list[Passage]:
        """Return those of these passages that have more in common with the errors than their class."""
        said = set(content_terms("\n".join(self._errors))) - set(content_terms(" ".join(classes)))
        others = [name for name in names if name not in classes]
        return [one for one in found if not said.isdisjoint(one.terms) or any(contains(one.text, name) for name in others)]
