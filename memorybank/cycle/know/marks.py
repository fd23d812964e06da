"""Marks outdated parts of a text with the reason, in the language of the text."""

from __future__ import annotations

__light__ = True

from memorybank.cycle.fold.phrases import ENGLISH, language_of
from memorybank.reasons.reason import text_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from memorybank.reasons.reason import Reason


def mark_of(reason: Reason | None, text: str) -> str:
    """Return a reason as it is written into a text."""
    if language_of(text) == ENGLISH:
        return text_of(reason)
    from memorybank.reasons import japanese  # late: few texts have a mark

    return text_of(reason, japanese.JAPANESE)
