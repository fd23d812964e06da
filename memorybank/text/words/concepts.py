"""Concepts: words that developers use for the same thing, or for a cause and what people see of it. Two texts in wholly other words may share some.

They are written down in `concepts.txt`, in both languages, so that a question in one finds an answer in the other.
"""

from __future__ import annotations

__light__ = True

from memorybank.text.pattern import lazy_pattern
from memorybank.text.words.scripts import is_kanji
from memorybank.text.words.terms import content_terms
from memorybank.values import lru_cache

_BEGIN = 2
"""Characters by which a word is looked up in a text."""
_GAP = lazy_pattern(r"[\s\-_]+")

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence


class Concepts:
    """All concepts, each with its number.

    lines: the words of each.
    words: {stem, Japanese word or phrase: numbers of its concepts}. A phrase is English words as written, with underscores.
    """

    def __init__(self, lines: Sequence[str]) -> None:
        self.lines = lines
        self.words: dict[str, list[int]] = {}
        for number, line in enumerate(lines):
            for word in line.split():
                self.words.setdefault(word, []).append(number)
        # Both are looked for in the text as written: Japanese has no spaces, and a phrase has several.
        self._written: dict[str, list[str]] = {}
        for word in self.words:
            if not word.isascii() or "_" in word:
                self._written.setdefault(word[:_BEGIN], []).append(word)

    def in_text(self, text: str) -> Mapping[int, Collection[str]]:
        """Return {number of a concept: its words in the text}."""
        found: dict[int, list[str]] = {}
        for word in (*(term for term in content_terms(text) if term in self.words), *self._as_written(text)):
            for number in self.words[word]:
                found.setdefault(number, []).append(word)
        return found

    def _as_written(self, text: str) -> Collection[str]:
        spaced = f" {_GAP.sub('_', text.lower())} "
        found: dict[str, None] = {}
        for size in range(1, _BEGIN + 1):
            for place in range(len(spaced) - size):
                for word in self._written.get(spaced[place : place + size], ()):
                    if len(word) >= size and spaced.startswith(word, place) and not _is_part(spaced, place, len(word)):
                        found[word] = None
        return found

    def beside(self, terms: Sequence[str]) -> set[str]:
        """Return the terms of the other words of the concepts that these terms stand for. One of several concepts stands for too much."""
        numbers = [self.words[term][0] for term in terms if len(self.words.get(term, ())) == 1]
        return {other for number in numbers for word in self.lines[number].split() for other in content_terms(word)}.difference(terms)


def _is_part(text: str, place: int, size: int) -> bool:
    """Return whether what stands at a place of a text is a part of a longer word: of an English one, or a single Chinese character of several."""
    before, after = text[place - 1], text[place + size]
    if text[place].isascii():
        return (before.isascii() and before.isalnum()) or (after.isascii() and after.isalnum())
    return size == 1 and (is_kanji(before) or is_kanji(after))


@lru_cache(maxsize=1)
def known() -> Concepts:
    """Return the concepts of `concepts.txt`."""
    with open(f"{__file__.rpartition('/')[0]}/concepts.txt", encoding="utf-8") as file:
        return Concepts(file.read().splitlines()[1:])
