"""A plain keyword search: Okapi BM25 over the terms of every memory's text, updated as the pool of a run changes.

Source: Robertson and Zaragoza, "The Probabilistic Relevance Framework", 2009, section 3; k1 1.2, b .75, with the idf of Lucene, which is
never negative.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from heapq import nsmallest
from math import log

_K1, _B = 1.2, 0.75
_TELLS_APART = 0.5
"""Maximum share of the texts that may contain a term. A more common term distinguishes nothing and takes the longest to look up."""
_BEST = 200
"""Maximum number of results; more than any moment shows."""


class Texts:
    """An index of texts by name."""

    def __init__(self) -> None:
        self._terms: dict[str, Counter[str]] = {}
        self._holders: dict[str, dict[str, int]] = {}
        self._lengths: dict[str, int] = {}
        self._whole = 0

    def put(self, name: str, terms: Iterable[str]) -> None:
        """Add a text, or replace the one with the same name."""
        self.take(name)
        counted = self._terms[name] = Counter(terms)
        self._lengths[name] = counted.total()
        self._whole += counted.total()
        for term, count in counted.items():
            self._holders.setdefault(term, {})[name] = count

    def take(self, name: str) -> None:
        counted = self._terms.pop(name, None)
        if counted is not None:
            self._whole -= self._lengths.pop(name)
            for term in counted:
                del self._holders[term][name]

    def best(self, terms: Iterable[str]) -> list[str]:
        """Return the names of the best matching texts, best first; ties are in order of name. A repeated term counts once."""
        count = len(self._terms)
        mean = self._whole / count if count else 0.0
        spread, lengths = _K1 * _B / mean if mean else 0.0, self._lengths
        scores: dict[str, float] = {}
        for term in dict.fromkeys(terms):
            holders = self._holders.get(term)
            if not holders or len(holders) > max(count * _TELLS_APART, 10):
                continue
            weight = log(1 + (count - len(holders) + 0.5) / (len(holders) + 0.5))
            for name, frequency in holders.items():
                scores[name] = scores.get(name, 0.0) + weight * frequency / (frequency + _K1 * (1 - _B) + spread * lengths[name])
        return nsmallest(_BEST, scores, key=lambda name: (-scores[name], name))
