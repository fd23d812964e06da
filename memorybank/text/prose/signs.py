"""Finds out cheaply which groups of words a text contains, before a slow regular expression looks at it.

    _SIGNS = WordSigns("never not forbid*", "always must")
    if _SIGNS.of(text) & 1 and _DENIES.search(text): ...

A regular expression with many alternatives costs far more than splitting a text into words, and most sentences contain none of its words. Each
distinct word is judged once per process.
"""

from __future__ import annotations

__light__ = True

from _operator import or_

from memorybank.text.pattern import lazy_pattern

try:
    from _functools import reduce  # type: ignore[import-not-found]  # the C module, because the package `functools` imports collections
except ImportError:
    from functools import reduce

_CACHE_LIMIT = 100_000
_AROUND_WORDS = ".,;:!?()[]*`\"'"
_ONLY_LETTERS = bytes([sign if 97 <= sign <= 122 else 32 for sign in range(256)])
"""A table for `bytes.translate` that leaves the letters from a to z."""


class SignWords:
    """Words of which a text may have one. A text is asked without a look at each of its words, so words that are new to a process cost nothing.

    words: in lower case, separated by spaces; `corrupt*` stands for every word that begins so
    """

    __slots__ = ("_beginnings", "_words")

    def __init__(self, words: str) -> None:
        listed = words.split()
        self._words = frozenset(word.encode() for word in listed if not word.endswith("*"))
        self._beginnings = tuple(word[:-1] for word in listed if word.endswith("*"))

    def may_be_in(self, text: str) -> bool:
        """Return whether a text in lower case has one of the words, or a beginning of one anywhere. A word is a run of letters from a to z."""
        if not self._words.isdisjoint(text.encode("ascii", "replace").translate(_ONLY_LETTERS).split()):
            return True
        return any([beginning in text for beginning in self._beginnings])


class WordSigns(dict[str, int]):
    """Cache of what is between two spaces of a text → the bits of the groups that its words belong to.

    groups: words in lower case, separated by spaces; `forbid*` stands for every word that begins so. The first group has the bit 1, the next 2, 4, 8 …
    """

    word = lazy_pattern(r"[a-z]+")
    """A word; a subclass may find other signs in a text too."""

    def __init__(self, *groups: str) -> None:
        super().__init__()
        self._words: dict[str, int] = {}
        beginnings: list[tuple[str, int]] = []
        for number, group in enumerate(groups):
            for word in group.split():
                if word.endswith("*"):
                    beginnings.append((word[:-1], 1 << number))
                else:
                    self._words[word] = self._words.get(word, 0) | 1 << number
        self._beginnings = beginnings
        self._any_beginning = tuple(beginning for beginning, _ in beginnings)
        self._first_letters = frozenset(word[:3] for word in (*self._words, *self._any_beginning))

    def __missing__(self, word: str) -> int:
        if len(self) >= _CACHE_LIMIT:
            self.clear()
        plain = word.strip(_AROUND_WORDS)
        found = self[word] = self.bits_of(plain) if plain.isalpha() else reduce(or_, map(self.bits_of, self.word.findall(plain)), 0)
        return found

    def bits_of(self, word: str) -> int:
        """Return the bits of the groups that a word belongs to."""
        if word[:3] not in self._first_letters:
            return 0
        bits = self._words.get(word, 0)
        if word.startswith(self._any_beginning):
            for beginning, bit in self._beginnings:
                if word.startswith(beginning):
                    bits |= bit
        return bits

    def of(self, text: str) -> int:
        """Return the bits of all words of a text in lower case. A word is a run of letters from a to z."""
        # Splitting at spaces is faster than the pattern, but Japanese has none.
        found: int = reduce(or_, map(self.__getitem__, text.split()), 0) if text.isascii() else self.of_other_scripts(text)
        return found

    def of_other_scripts(self, text: str) -> int:
        """Return the bits of a text that also has other signs than those of ASCII."""
        found: int = reduce(or_, map(self.__getitem__, self.word.findall(text)), 0)
        return found
