"""What in a prompt has the form of a statement and is none of the person's: what goes wrong, details of a request, what others said, text for a file.

Most prompts state nothing, so `statements` loads this module where a sentence does.
"""

from __future__ import annotations

__light__ = True

from memorybank.text.prompts.complaints import complaint
from memorybank.text.prompts.composed import composed, reviewed
from memorybank.text.prompts.details import details
from memorybank.text.prompts.faults import asks_for_repair, goes_wrong, is_fault, is_seen
from memorybank.text.prompts.moments import is_of_moment
from memorybank.text.prompts.reported import continued, is_relayed
from memorybank.text.prompts.stated import ENVIRONMENT

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Sequence


class Unstated:
    """The sentences of a prompt (`said`) that state nothing of the person. before: those of the prompt before it. announced: places after a label that says
    that what follows lasts. text: the prompt with its lines."""

    def __init__(self, said: Sequence[str], before: Sequence[str], announced: Collection[int], text: str) -> None:
        self._said = said
        self._announced = announced
        self._reviewed = reviewed(text)
        self._details = details(said, before)
        self._of_others = continued(said) | composed(said)

    def contains(self, number: int, kind: str, text: str) -> bool:
        """Return whether a sentence belongs to these. kind, text: what it would state."""
        sentence = self._said[number]
        following = self._said[number + 1] if number + 1 < len(self._said) else ""
        if _reports_fault(kind, text, following) or is_seen(sentence) or sentence in self._reviewed or _is_cut(sentence, following):
            return True
        if text == sentence and number not in self._announced and (number in self._details or is_of_moment(text)):
            return True
        return number in self._of_others or is_relayed({sentence, text}, following)


def _is_cut(said: str, following: str) -> bool:
    """Return whether a sentence ends within a quotation that the next one ends: 'if I pick "No. Tell it something else" does it stop?'."""
    if said.count('"') % 2 and following.count('"') % 2 and not following.startswith('"'):
        return True
    return said.count("「") > said.count("」") and following.count("」") > following.count("「") and not following.startswith("」")


def _reports_fault(kind: str, said: str, following: str) -> bool:
    """Return whether a statement of this kind reports what goes wrong, or is a fact that the next sentence asks to repair."""
    if goes_wrong(said) and not complaint(said)[0]:
        return True
    return asks_for_repair(following) if kind == ENVIRONMENT else is_fault(said) and not complaint(said)[0]
