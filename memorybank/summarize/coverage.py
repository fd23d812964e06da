"""Budgeted maximum coverage: the sentences that together say most within so many characters. Pure.

H. Lin, J. Bilmes, "A Class of Submodular Functions for Document Summarization", ACL 2011: covering words is monotone submodular, so the
greedy choice by gain for its cost, compared with the best single sentence, is within a constant of the best choice there is. A gain can only
shrink while others are chosen, so only the first of the queue is looked at again (M. Minoux, "Accelerated greedy algorithms", 1978).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass
from heapq import heapify, heappop, heapreplace

COST_EXPONENT = 0.8
"""How much a sentence's length counts against it: 1 favours very short ones, 0 only asks what is said (tuned on development data)."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """terms: what it covers; cost: characters that it takes; factor: on its gain, below 1 for what is rather left out."""

    terms: Set[str]
    cost: int
    factor: float = 1.0


def select(candidates: Sequence[Candidate], weights: Mapping[str, int], budget: int, chosen: Sequence[int] = ()) -> list[int]:
    """Which candidates, in their order. weights: whole numbers, so that a sum does not depend on the order of a set; chosen: taken before, at no
    cost; what they cover gains nothing any more."""
    covered: set[str] = set().union(*(candidates[at].terms for at in chosen))
    gains = {at: _gain(item, weights, covered) for at, item in enumerate(candidates) if item.cost <= budget}
    for at in chosen:
        gains.pop(at, None)
    taken, worth = _greedy(candidates, gains, weights, budget, covered)
    best = max(gains, key=gains.__getitem__, default=None)
    if best is not None and gains[best] > worth:
        taken = [best]
    return sorted({*chosen, *taken})


def _greedy(candidates: Sequence[Candidate], gains: Mapping[int, float], weights: Mapping[str, int], budget: int, covered: set[str]) -> tuple[list[int], float]:
    """(what the greedy choice takes, its gain). gains: of each candidate while nothing is taken."""
    queue = [(-gain / candidates[at].cost ** COST_EXPONENT, at) for at, gain in gains.items() if gain > 0]
    heapify(queue)
    taken: list[int] = []
    worth = 0.0
    while queue:
        first, at = queue[0]
        item = candidates[at]
        if item.cost > budget:
            heappop(queue)
            continue
        gain = _gain(item, weights, covered)
        fresh = -gain / item.cost**COST_EXPONENT
        if gain <= 0:
            heappop(queue)
        elif fresh > first + 1e-9:
            heapreplace(queue, (fresh, at))
        else:
            heappop(queue)
            taken.append(at)
            covered |= item.terms
            worth += gain
            budget -= item.cost
    return taken, worth


def density(item: Candidate, weights: Mapping[str, int], covered: Set[str] = frozenset()) -> float:
    """What a candidate would add, for its length."""
    gain: float = _gain(item, weights, covered) / item.cost**COST_EXPONENT
    return gain


def _gain(item: Candidate, weights: Mapping[str, int], covered: Set[str]) -> float:
    return item.factor * sum(map(weights.__getitem__, item.terms - covered))
