"""An earlier request of a person, with what came of it, as an agent is shown it."""

from __future__ import annotations

__light__ = True

from memorybank.cycle.fold.kinds import SAID
from memorybank.cycle.fold.phrases import phrase
from memorybank.cycle.know import findings, latest, standing
from memorybank.summarize.findings import decides
from memorybank.text.pattern import lazy_pattern
from memorybank.text.prompts.questions import asks
from memorybank.text.prompts.wanted import REASON, contains
from memorybank.text.prose.readable import readable
from memorybank.text.words.terms import content_terms

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from memorybank.cycle.know.search import Passage
    from memorybank.cycle.recall.memories import Memories
    from memorybank.cycle.recall.ranking import Memory


_PARTICULAR = lazy_pattern(r"`[^`]+`|\d")
"""Matches a name or a value in an answer."""


class Sayings:
    """Builds memories of what people asked for.

    prompt: what a person typed. why: whether it asks for a reason. is_pasted: whether it is a text that a person pasted, such as a plan.
    """

    def __init__(self, memories: Memories, prompt: str, *, why: bool, is_pasted: bool) -> None:
        self.memories = memories
        self.earlier = memories.earlier
        self.prompt = prompt
        self.why = why
        self.is_pasted = is_pasted

    def of(self, passage: Passage, best: float, answers: Sequence[Passage], *, alone: bool = True) -> Memory | None:
        """Return an earlier request with its result, and that of a later turn. None when one of the answers already says that, and where the prompt asks for
        a reason that the earlier turn did not give. A request without a result counts only for what the person stated in it: it must not
        repeat the prompt, be a question, or need its conversation (`alone`), and a pasted plan may have come from it. If the result is outdated, return what
        replaced it."""
        if passage.kind != SAID:  # it changed a request
            return self._later(passage, best, answers)
        from memorybank.summarize.confirming import says_nothing_new  # late, as below: most prompts bring no earlier request

        changed: list[Passage] = []
        memory, (answered, characters) = self.memories.of(passage, best), self.memories.result(passage, lambda one: self._still_holds(one, changed))
        if not answered and changed:
            return self._later(latest.of(self.earlier, changed[0]), best, answers)
        if answered and says_nothing_new(answered, {*content_terms(self.prompt)}):
            answered = ""
        memory.is_answered = bool(answered)
        # What a person stated helps more than what came of the other things that they asked for.
        is_stated = bool(standing.stated_in(self.earlier.connection, passage))
        is_own = passage.text.strip() == self.prompt.strip() or self.is_pasted
        if not answered and (not is_stated or not alone or asks(passage.text) or is_own):
            return None
        if (self.why and not _tells_why(passage, answered)) or (answered and says(answers, answered)):
            return None
        from memorybank.cycle.know.part import part_about

        asked = part_about(passage.text, passage.matched, self.earlier.rarity, characters)
        if answered:
            is_other = set(passage.matched).isdisjoint(content_terms(answered))
            name = "stated_and_answered" if is_stated or is_other or findings.says_enough(passage) else "asked_and_answered"
        else:
            name = "stated"
        self.memories.say(memory, phrase(name, self.memories.language, asked=asked, answered=answered))
        return memory

    def _later(self, passage: Passage | None, best: float, answers: Sequence[Passage]) -> Memory | None:
        """Return what is so instead of an earlier request or of its result, unless the agent knows it or one of the answers is it."""
        if passage is None or passage.session == self.earlier.own or any(one.id == passage.id for one in answers):
            return None
        return self.memories.of_passage(passage, best)

    def _still_holds(self, passage: Passage, changed: list[Passage]) -> bool:
        """Return whether a passage may be shown and is up to date. An outdated one is added to `changed`."""
        if not self.earlier.shows(passage):
            return False
        is_changed = latest.of(self.earlier, passage) is not None
        changed += [passage] if is_changed else []
        return not is_changed


def _tells_why(passage: Passage, answered: str) -> bool:
    """Return whether an earlier turn may say why something is so: it states a reason, or it has words in common with the question and names something
    particular."""
    if decides(answered) or decides(passage.text):
        return True
    return passage.share > 0 and (_PARTICULAR.search(answered) is not None or contains(REASON, answered))


def says(answers: Sequence[Passage], said: str) -> bool:
    """Return whether one of the answers contains a text as it is shown, or the text contains it."""
    return any(text in said or said.rstrip(" …") in text for text in (readable(answer.text) for answer in answers))
