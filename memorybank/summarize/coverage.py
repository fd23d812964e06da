"""Budgeted maximum coverage: the sentences that together cover most content words within a number of characters.

H. Lin, J. Bilmes, "A Class of Submodular Functions for Document Summarization", ACL 2011: covering words is monotone submodular, so the better of the
greedy choice (by gain for cost) and the best single sentence is within a constant factor of the optimum. A gain can only shrink while others are chosen,
so only the first of the queue must be computed again (M. Minoux, "Accelerated greedy algorithms", 1978).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass
from heapq import heapify, heappop, heapreplace

COST_EXPONENT = 0.8
"""Weight of a sentence's length: 1 favours very short sentences, 0 ignores the length (tuned on development data)."""


@dataclass(frozen=True, slots=True)
class SentenceCandidate:
    """A sentence that may be chosen.

    terms: the terms it covers
    cost: its length in characters
    factor: factor on its gain, below 1 for sentences that should rather be left out
    """

    terms: Set[str]
    cost: int
    factor: float = 1.0


def select(candidates: Sequence[SentenceCandidate], weights: Mapping[str, int], budget: int, chosen: Sequence[int] = ()) -> list[int]:
    """Return the indices of the chosen candidates, in order.

    weights: whole numbers, so that a sum does not depend on the order of a set
    budget: characters
    chosen: indices that are taken already; they cost nothing, and what they cover gains nothing more
    """
    covered: set[str] = set().union(*(candidates[at].terms for at in chosen))
    gains = {at: _gain(item, weights, covered) for at, item in enumerate(candidates) if item.cost <= budget}
    for at in chosen:
        gains.pop(at, None)
    taken, worth = _greedy(candidates, gains, weights, budget, covered)
    best = max(gains, key=gains.__getitem__, default=None)
    if best is not None and gains[best] > worth:
        taken = [best]
    return sorted({*chosen, *taken})


def _greedy(
    candidates: Sequence[SentenceCandidate], gains: Mapping[int, float], weights: Mapping[str, int], budget: int, covered: set[str]
) -> tuple[list[int], float]:
    """Return (indices of the greedy choice, its total gain). gains: of each candidate while nothing is chosen."""
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
        # The stored value was computed earlier and is too high: put the candidate back at its current value.
        elif fresh > first + 1e-9:
            heapreplace(queue, (fresh, at))
        else:
            heappop(queue)
            taken.append(at)
            covered |= item.terms
            worth += gain
            budget -= item.cost
    return taken, worth


def density(item: SentenceCandidate, weights: Mapping[str, int]) -> float:
    """Return the gain of a candidate while nothing is covered, in relation to its length."""
    gain: float = _gain(item, weights, frozenset()) / item.cost**COST_EXPONENT
    return gain


def _gain(item: SentenceCandidate, weights: Mapping[str, int], covered: Set[str]) -> float:
    return item.factor * sum(map(weights.__getitem__, item.terms - covered))
