"""How important notes are, and why."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from memorybank.index import rescore
from memorybank.index.row import IndexedNote
from memorybank.notes import scan
from memorybank.scoring.explain import Contribution, explain

if TYPE_CHECKING:
    from memorybank.bank.bank import Bank


@dataclass(frozen=True, slots=True)
class Explanation:
    """A score taken apart: the contributions add up to the unrounded importance."""

    note: IndexedNote
    contributions: tuple[Contribution, ...]


class Scores:
    def __init__(self, bank: "Bank") -> None:
        self._bank = bank

    def score(self, keys: Iterable[str] = (), *, as_of: int | None = None) -> list[IndexedNote]:
        """The notes named (any spelling `notes.resolve` takes; none means all), scored at `as_of` (ms; default now)."""
        wanted = list(keys)
        with self._bank.folded(as_of=as_of) as index:
            if not wanted:
                return index.notes()
            known = set(index.keys())
            return index.notes([scan.resolve_key(key, known, self._bank.layout.active) for key in wanted])

    def explain(self, key: str, *, as_of: int | None = None) -> Explanation:
        """One score with every part, its weight and reason."""
        with self._bank.folded(as_of=as_of) as index:
            key = scan.resolve_key(key, set(index.keys()), self._bank.layout.active)
            evidence = rescore.evidence_of(index, key)
            contributions = explain(evidence, self._bank.settings.scoring, index.now)
            return Explanation(index.notes((key,))[0], tuple(contributions))
