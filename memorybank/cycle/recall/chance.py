"""Bounds how many memories would match a query as well as one does if its words stood in them by chance."""

from __future__ import annotations

__light__ = True

from math import log

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

# Values of θ in Chernoff's bound. A larger θ suits rows with more surprise; these five cover the range at the cost of five sums.
_CHANCES = (0.3, 0.5, 0.7, 0.85, 1.0)


def chance_of(words: Iterable[float], memories: int) -> list[tuple[float, float]]:
    """Return [(θ, offset)] such that `offset` minus `θ` times the surprise of a memory's matched words bounds its chance from above.

    words: for each word of the query, the share of memories that contain it. The surprise of a memory is the sum of -log(share) over
    the words that it contains.
    memories: their number. The result is Chernoff's bound for independent words, times this number.
    """
    # A word gives -log p with the probability p, and 0 otherwise, so E[exp(θX)] = 1 - p + p^(1-θ). For independent words these are multiplied.
    shares = list(words)
    return [(theta, log(max(memories, 1)) + sum(log(1 + share ** (1 - theta) - share) for share in shares)) for theta in _CHANCES]


def chance(bounds: Sequence[tuple[float, float]], surprise: float) -> float:
    """Return the natural logarithm of the bound for one memory."""
    # Every θ gives a valid bound; the smallest of a few fixed ones is close to the best, and the same on any machine.
    return min(offset - theta * surprise for theta, offset in bounds)
