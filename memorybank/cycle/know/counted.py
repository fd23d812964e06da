"""The sentence of a learned note that counts sessions: "Failed in 5+ sessions, first on 2025-09-01, 2025-09-03." Clones merge their counts in it."""

from __future__ import annotations

__light__ = True

import re

from memorybank.cycle.fold.phrases import ENGLISH, JAPANESE, about, phrase
from memorybank.values import Value

MOST_DAYS = 3
"""Number of days that the sentence lists: those of the sessions that proved the note."""


def _pattern(name: str, language: str) -> str:
    sentence = re.escape(phrase(name, language, count="COUNT", days="DAYS"))
    return sentence.replace("COUNT", r"(\d{1,9})\+?").replace("DAYS", r"(\d{4}-\d\d-\d\d(?:, \d{4}-\d\d-\d\d)*)")


_SENTENCES = tuple((name, language, re.compile(_pattern(name, language))) for name in ("learned_failed", "learned_asked") for language in (ENGLISH, JAPANESE))


class CountedSessions(Value):
    """What the sentence of a note says: the number of sessions, rounded down, and the days of the first ones, sorted. begin, end: its place in the text."""

    count: int
    days: tuple[str, ...]
    name: str
    language: str
    begin: int
    end: int


def find(text: str) -> CountedSessions | None:
    """Return what the last such sentence of a note says, or None when it has none."""
    for name, language, pattern in _SENTENCES:
        matches = list(pattern.finditer(text))
        if matches:
            found = matches[-1]
            return CountedSessions(int(found[1]), tuple(sorted(found[2].split(", "))), name, language, found.start(), found.end())
    return None


def with_sentence(text: str, count: int, days: tuple[str, ...]) -> str:
    """Return a note whose sentence says this count and the first of these days. A note without such a sentence is returned as it is."""
    found = find(text)
    if found is None:
        return text
    shown = ", ".join(sorted(set(days))[:MOST_DAYS])
    return text[: found.begin] + phrase(found.name, found.language, count=about(count), days=shown) + text[found.end :]


def combined(base: CountedSessions | None, one: CountedSessions, other: CountedSessions) -> tuple[int, tuple[str, ...]]:
    """Return the count and the days of two versions together.

    base: what their common ancestor said, or None if both are new. What each added to it is added up. Two new versions with a day in common may count the
    same sessions, which somebody imported twice; then the greater count is kept.
    """
    days = tuple(sorted({*one.days, *other.days})[:MOST_DAYS])
    if base is not None:
        return max(one.count, other.count, one.count + other.count - base.count), days
    shared = set(one.days) & set(other.days)
    return (max(one.count, other.count) if shared else one.count + other.count), days
