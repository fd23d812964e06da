"""The words of a question, each counted once, however many terms it has.

A word of Chinese characters or katakana is indexed as overlapping pairs, and an identifier as a whole and in parts. Their sum would make one long word weigh
as much as several.
"""

from __future__ import annotations

__light__ = True

from memorybank.text.words.compounds import parts_of, words_of
from memorybank.text.words.everyday import OF_PATHS, is_name
from memorybank.text.words.ordinary import share_of
from memorybank.text.words.terms import content_terms
from memorybank.text.words.word_terms import ASKING

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Sequence, Set

    from memorybank.cycle.know.search import Rarity

_PART_OF_WORD = 0.6
"""A word of kana occurs if this share of its pairs does; with less, half of it does."""
_KANA = ("\u3041", "\u30ff")
_PASSAGES_FOR_EACH = 25
"""Passages for each one in which an ordinary word may be that still says what a question is about."""
_PAIRS_OF_WORD = 5
"""Pairs of kana in one word of a run, on average: グローバルインストール is two words."""


class QuestionWords:
    """The words of a question. A word of Chinese characters or katakana is several terms, as is an identifier.

    terms: all terms, in order.
    names: number of words that name something, whether or not a passage contains them.
    """

    def __init__(self, rarity: Rarity, text: str) -> None:
        self.terms = content_terms(text)
        self.rarity = rarity
        self._groups = words_of(self.terms)
        self._parts = [*map(parts_of, self._groups)]
        self._naming = [[*filter(is_name, part)] for part in self._parts]
        self.names = sum(map(bool, self._naming))
        rarity.learn(self.terms)
        self.mass = self.sum(set(self.terms))

    def sum(self, terms: Collection[str]) -> float:
        """Return what the words that these terms contain weigh, in nats."""
        return sum(self._weight([term for term in group if term in terms], group) for group in self._groups)

    def rare(self, terms: Iterable[str], most: int) -> int:
        """Return how many of these words some passages contain, but at most this many, without the verbs of any request."""
        terms = set(terms) - ASKING
        return sum(any(term in terms and 0 < self.rarity.count(term) <= most for term in group) for group in self._groups)

    def names_rarely(self, terms: Iterable[str], most: int) -> int:
        """Return how many of these words name something and are in some passages, but at most this many."""
        return self.rare(self.naming(terms), most)

    def naming(self, terms: Iterable[str]) -> set[str]:
        """Return those of these terms that name something."""
        return {name for names in self._naming for name in names}.intersection(terms)

    def may_be_subject(self, terms: Set[str], most: int) -> bool:
        """Return whether one of these terms names something, or is ordinary in texts about software, but in at most this many passages here."""
        if self.named(terms):
            return True
        most = min(most, self.rarity.passages // _PASSAGES_FOR_EACH)  # among few passages every word is rare
        ordinary = (term for part in self._parts for term in part if term in terms and (share_of(term) or term in OF_PATHS))
        return any(0 < self.rarity.count(term) <= most for term in ordinary)

    def named(self, terms: Set[str]) -> int:
        """Return how many words that name something these terms contain a term of."""
        return sum(bool(names) and not terms.isdisjoint(group) for names, group in zip(self._naming, self._groups, strict=True))

    def _weight(self, common: Sequence[str], group: Sequence[str]) -> float:
        of = self.rarity.of
        if len(group) == 1 or not common:
            return of(common[0]) if common else 0.0
        if group[0].isascii():
            return max(of(common[0]), sum(of(term) for term in common if term != group[0]))
        weight, last = 0.0, -2
        for place, term in enumerate(group):
            if term in common and not _is_kana(term) and place - last > 1:  # 日本 and 本語 are one word
                weight += of(term)
                last = place
        kana = list(filter(_is_kana, group))
        if heard := [of(term) for term in kana if term in common]:
            weight += max(heard) * _words_of_kana(len(heard)) * (1.0 if len(heard) >= _PART_OF_WORD * len(kana) else 0.5)
        return weight


def count_of(terms: Iterable[str]) -> int:
    """Return of how many words these are the terms."""
    return sum(1 if group[0].isascii() else _words_in(group) for group in words_of(terms))


def _words_in(group: Sequence[str]) -> int:
    kana = sum(map(_is_kana, group))
    return max(1, (_words_of_kana(kana) if kana else 0) + (len(group) - kana + 1) // 2)  # 整理 and 整頓 in 整理, 理整, 整頓


def _words_of_kana(pairs: int) -> int:
    return max(1, round(pairs / _PAIRS_OF_WORD))


def _is_kana(term: str) -> bool:
    return _KANA[0] <= term[0] <= _KANA[1]
