"""Measures how much of a query a document contains, to distinguish a good match from a weak one.

Every word counts by its rarity. A word that no document contains counts as the rarest of the others, because it says nothing about how
rare its subject is.
"""

from collections.abc import Sequence

from memorybank.search.query import QueryUnit
from memorybank.search.ranking import WeightedQuery
from memorybank.text import tokens

WEAK = 0.5
"""A match with less than this part of the query is weak."""
_HIRAGANA = ("\u3041", "\u309f")


class QueryCoverage:
    """The words that a query asks for, and the units of the weighted query that represent each of them."""

    def __init__(self, asked: Sequence[QueryUnit], question: WeightedQuery) -> None:
        place_of = {unit: place for place, unit in enumerate(question.units)}
        guesses = [unit for unit in question.units if unit not in set(asked)]
        # A pair that contains hiragana mostly crosses the border of a word, so another wording lacks it.
        self._asked = [unit for unit in asked if not (_is_pair(unit) and _has_hiragana(unit.tokens[0]))] or list(asked)
        self._places = [[place_of[unit]] if unit in place_of else [place_of[guess] for guess in guesses if _may_stand_for(guess, unit)] for unit in self._asked]
        rarest = max(question.weights, default=0.0)
        self._weights = [max((question.weights[place] for place in places), default=rarest) for places in self._places]
        self._total = sum(self._weights)

    def is_weak(self, counts: Sequence[float]) -> bool:
        """Return whether a document with these occurrences of the units contains less than half of what the query asks for."""
        found = [any(counts[place] for place in places) for places in self._places]
        covered = sum(weight for at, weight in enumerate(self._weights) if found[at] or self._is_bridged(at, found))
        return covered < WEAK * self._total - 1e-9

    def _is_bridged(self, at: int, found: Sequence[bool]) -> bool:
        """Return whether both characters of a missing pair occur in its neighbours: a compound may be written as separate words."""
        if not 0 < at < len(found) - 1 or not (found[at - 1] and found[at + 1]):
            return False
        before, pair, after = self._asked[at - 1 : at + 2]
        return all(map(_is_pair, (before, pair, after))) and before.tokens[0][1] == pair.tokens[0][0] and pair.tokens[0][1] == after.tokens[0][0]


def _is_pair(unit: QueryUnit) -> bool:
    return len(unit.tokens) == 1 and len(unit.tokens[0]) == 2 and tokens.is_cjk(unit.tokens[0])


def _has_hiragana(text: str) -> bool:
    return any(_HIRAGANA[0] <= character <= _HIRAGANA[1] for character in text)


def _may_stand_for(guess: QueryUnit, unit: QueryUnit) -> bool:
    """Return whether a guess completes or corrects a word: guesses keep its first two letters, perhaps exchanged (`lookup`)."""
    return len(guess.tokens) == len(unit.tokens) == 1 and sorted(guess.tokens[0][:2]) == sorted(unit.tokens[0][:2])
