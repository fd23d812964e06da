"""The parts of a summary's line that can be read alone: sentences, and items between semicolons that are not in code or a quotation."""

from __future__ import annotations

__light__ = True

from memorybank.summarize.findings import carries
from memorybank.text.pattern import lazy_pattern
from memorybank.text.prompts.sentences import sentences
from memorybank.text.words.pointing import opens
from memorybank.text.words.terms import content_terms

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

SENTENCE_ENDS = (".", "。")
BETWEEN_ITEMS = ";"
_PIECE = lazy_pattern(r"(?:`[^`\n]{1,200}`|\"[^\"\n]{1,200}\"|“[^”\n]{1,200}”|「[^」\n]{1,200}」|[^;]|;(?! ))+")
"""Matches what stands between semicolons that are not in code or a quotation."""
_INITIALS = lazy_pattern(r"(?:^|\W)(?:[A-Z]\.){2,4}$")
_LEAST_NAMED = 2
"""Content words of a request that names something."""


def telling_in(said: str) -> list[str]:
    """Return the sentences of a result that make sense on their own; if there are none, the items of its lists."""
    parts = _parts(said, lambda part, sentence: opens(part) or (part[0].islower() and not sentence[0].islower()))
    telling = [part for part in parts if carries(part) and not opens(part)]
    return [part for part in telling if part.endswith(SENTENCE_ENDS)] or telling


def first_request(said: str) -> str:
    """Return the first of the requests in a line that names something, which no greeting does, or else the first."""
    parts = _parts(said, lambda part, sentence: opens(part))
    return next((part for part in parts if len(set(content_terms(part))) >= _LEAST_NAMED), parts[0] if parts else said)


def _parts(said: str, goes_on: Callable[[str, str], bool]) -> list[str]:
    """Return the sentences and items of a line. "The retry waits 5 s; it then stops." is one sentence.

    goes_on: returns whether a part after a semicolon belongs to the one before it in its sentence.
    """
    parts: list[str] = []
    for sentence in _whole(said):
        for number, part in enumerate(filter(None, map(str.strip, _PIECE.findall(sentence)))):
            if number and goes_on(part, sentence):
                parts[-1] += f"{BETWEEN_ITEMS} {part}"
            else:
                parts.append(part)
    return parts


def _whole(said: str) -> list[str]:
    """Return the sentences of a line; initials ("U.S.") end none."""
    found: list[str] = []
    for sentence in sentences(said):
        if found and _INITIALS.search(found[-1]) is not None:
            found[-1] += f" {sentence}"
        else:
            found.append(sentence)
    return found
