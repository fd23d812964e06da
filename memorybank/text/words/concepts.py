"""Concepts: words that developers use for the same thing, or for a cause and what people see of it. Two texts in wholly other words may share some.

They are written down in `concepts.txt`, in both languages, so that a question in one finds an answer in the other.
"""

from __future__ import annotations

__light__ = True

from memorybank.text.words.terms import content_terms
from memorybank.values import lru_cache

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence


class Concepts:
    """All concepts, each with its number.

    lines: the words of each.
    words: {stem or Japanese word: numbers of its concepts}.
    japanese: the Japanese words, which are looked for in the text, because it has no spaces.
    """

    def __init__(self, lines: Sequence[str]) -> None:
        self.lines = lines
        self.words: dict[str, list[int]] = {}
        for number, line in enumerate(lines):
            for word in line.split():
                self.words.setdefault(word, []).append(number)
        self.japanese = [word for word in self.words if not word.isascii()]

    def in_text(self, text: str) -> Mapping[int, Collection[str]]:
        """Return {number of a concept: its words in the text}."""
        found: dict[int, list[str]] = {}
        terms = (term for term in content_terms(text) if term in self.words)
        for word in (*terms, *(() if text.isascii() else (word for word in self.japanese if word in text))):
            for number in self.words[word]:
                found.setdefault(number, []).append(word)
        return found

    def beside(self, terms: Sequence[str]) -> set[str]:
        """Return the terms of the other words of the concepts that these terms stand for. One of several concepts stands for too much."""
        numbers = [self.words[term][0] for term in terms if len(self.words.get(term, ())) == 1]
        return {other for number in numbers for word in self.lines[number].split() for other in content_terms(word)}.difference(terms)


@lru_cache(maxsize=1)
def known() -> Concepts:
    """Return the concepts of `concepts.txt`."""
    with open(f"{__file__.rpartition('/')[0]}/concepts.txt", encoding="utf-8") as file:
        return Concepts(file.read().splitlines()[1:])
