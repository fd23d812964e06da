"""What a kind of memory has to be worth: a share of its memories that is used, and where tokens are scarce, as many uses as its tokens would
bring elsewhere. Pure.

A budget is spent best on what brings most for each token (the fractional knapsack, Dantzig 1957); what is left out makes room for the rest.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import inf

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from memorybank.cycle.improve.judged import Judged

WORTHLESS = 0.25
"""A pattern or an occasion of which surely a smaller share is used (the upper end of the 99 % interval) is left out."""
SCARCE = 0.8
"""Sessions that were given so much of `budgets.session_tokens` on average could have used more: what is told must be worth its tokens."""
FAIR = 0.6
"""Of the uses that tokens bring on average: what brings surely less is left out where they are scarce, and something else told instead."""
PRICED = 1_000
"""Newest shown exposures that say what tokens bring."""
ORIENTING = "session@session_start/-"
"""The summary of the last session says where things stand, whether or not its files are touched: it is left out for its price alone."""


@dataclass(frozen=True, slots=True)
class Price:
    """What a memory has to be worth. uses: that a token brought lately; tokens: of a memory of each pattern and occasion, on average, and
    of any; room: tokens that a session might be given more before they are scarce, below 0 where they are."""

    uses: float
    tokens: Mapping[str, float]
    mean: float
    room: float

    @classmethod
    def of(cls, judged: Sequence[Judged], spent: Sequence[int], budget: int) -> Price:
        """spent: tokens of the newest sessions; budget: how many each may be given, 0 for no limit."""
        shown = [one for one in judged if one.shown and one.tokens > 0][:PRICED]
        if not budget or not shown or not spent:
            return cls(0.0, {}, 0.0, inf)
        sizes: dict[str, list[int]] = {}
        for one in judged:
            for pattern in one.patterns if one.tokens > 0 and (one.shown or one.excluded) else ():
                sizes.setdefault(pattern, []).append(one.tokens)
        paid = sum(one.tokens for one in shown)
        tokens = {pattern: sum(each) / len(each) for pattern, each in sizes.items()}
        return cls(sum(one.used for one in shown) / paid, tokens, paid / len(shown), SCARCE * budget - sum(spent) / len(spent))

    def size(self, pattern: str) -> float:
        """Tokens of a memory of that kind."""
        return self.tokens.get(pattern, self.mean)

    def is_scarce(self, pattern: str, *, is_left_out: bool) -> bool:
        """Whether that kind has to pay for its tokens; one that is left out, whether it would have to if it were told once a session."""
        return self.room <= (self.size(pattern) if is_left_out else 0.0)

    def least(self, pattern: str, *, is_left_out: bool = False) -> float:
        """The share of uses below which a pattern or an occasion is left out."""
        least = 0.0 if pattern == ORIENTING else WORTHLESS
        return max(least, min(1.0, FAIR * self.uses * self.size(pattern))) if self.is_scarce(pattern, is_left_out=is_left_out) else least

    def reason(self, pattern: str) -> str:
        """Why that is too few, where tokens are scarce."""
        return f", of {self.size(pattern):.0f} tokens each, while sessions run out of them and a thousand bring {1_000 * self.uses:.1f} uses"
