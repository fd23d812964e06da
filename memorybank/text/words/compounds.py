"""The words of a text behind its terms.

A word of Chinese characters or katakana is indexed as overlapping pairs, and an identifier as a whole and in parts.
"""

from __future__ import annotations

__light__ = True

from memorybank.text.words.everyday import is_ordinary_word
from memorybank.text.words.ordinary import SHARES

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

_BEGINNING = 4
"""Characters by which a part of an identifier is found in it: stems differ at their ends."""
_FIRST_PAIR = "\u3040"
_SHORTEST = 2
_LONGEST = 16
"""Characters of an ordinary Japanese word, at least and at most."""


def words_of(terms: Iterable[str]) -> list[list[str]]:
    """Return the terms of each word."""
    found: list[list[str]] = []
    before = ""
    for term in terms:
        is_pair = term[0] >= _FIRST_PAIR and before[:1] >= _FIRST_PAIR and before[1:] == term[0]
        is_part = bool(found) and term.isascii() and len(term) < len(found[-1][0]) and term[:_BEGINNING] in found[-1][0]
        if is_pair or is_part:
            found[-1].append(term)
        else:
            found.append([term])
        before = term
    return found


def parts_of(word: Sequence[str]) -> list[str]:
    """Return the terms of a word without the pairs that span two ordinary words: `コードレビュー` is コード and レビュー, so the pair ドレ is dropped."""
    if word[0].isascii() or len(word) < _SHORTEST + 1:
        return [*word]
    joints = {*_joints(word[0] + "".join(term[-1] for term in word[1:]))}
    return [term for at, term in enumerate(word) if at + 1 not in joints]


def _joints(written: str) -> Iterator[int]:
    """Yield the places of a word at which one ordinary word ends and another one begins."""
    for at in range(_SHORTEST, len(written) - 1):
        if _has_ordinary(written[at - length : at] for length in range(_SHORTEST, min(at, _LONGEST) + 1)):
            rest = written[at : at + _LONGEST]
            # Terms are listed once each, so that a word with a pair that occurred before is cut there.
            if _has_ordinary(rest[:length] for length in range(_SHORTEST, len(rest) + 1)) or any(word.startswith(rest) for word in SHARES):
                yield at


def _has_ordinary(parts: Iterable[str]) -> bool:
    return any(map(is_ordinary_word, parts))
