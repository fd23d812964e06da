"""The rank of an importance among those of all active notes, for people: "4.9, top 20 %"."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping

from memorybank.reasons.reason import Reason
from memorybank.values import Value


class ImportanceRank(Value):
    """Where a note is among all active notes, ordered by importance.

    position: 1 for the most important note; equal importances share the best position
    of: number of active notes
    """

    position: int
    of: int

    @property
    def top_percent(self) -> int:
        """The smallest percentage of the notes, from the most important down, that contains this one."""
        return -(-100 * self.position // self.of)

    @property
    def reason(self) -> Reason:
        """The rank in words. The last percent is `lowest`, because "top 100 %" would say nothing."""
        if self.of == 1:
            return Reason("rank.only")
        return Reason("rank.top", percent=self.top_percent) if self.top_percent < 100 else Reason("rank.lowest")

    @property
    def text(self) -> str:
        return str(self.reason)

    def to_json(self) -> dict[str, int]:
        return {"position": self.position, "of": self.of, "top_percent": self.top_percent}


def ranks(importances: Iterable[float], others: Iterable[float] = ()) -> dict[float, ImportanceRank]:
    """Return {importance: its rank}.

    others: importances of files that are ranked among the notes, but do not count
    """
    return ranks_of_counts(Counter(importances), others)


def ranks_of_counts(counts: Mapping[float, int], others: Iterable[float] = ()) -> dict[float, ImportanceRank]:
    """Return {importance: its rank}.

    counts: {importance: number of notes that have it}
    others: as for `ranks`
    """
    total, position, found = sum(counts.values()), 1, {}
    for importance in sorted(counts, reverse=True):
        found[importance] = ImportanceRank(position, total)
        position += counts[importance]
    for importance in others:
        above = sum(count for known, count in counts.items() if known > importance)
        found.setdefault(importance, ImportanceRank(min(above + 1, max(total, 1)), max(total, 1)))
    return found
