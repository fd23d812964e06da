"""The importance of notes, and its explanation."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from memorybank.bank import arguments
from memorybank.bank.arguments import Instant
from memorybank.bank.facade import BankFacade
from memorybank.index import rescore
from memorybank.index.row import IndexedNote
from memorybank.notes import scan
from memorybank.scoring.explain import Contribution, explain

if TYPE_CHECKING:
    pass


@dataclass(frozen=True, slots=True)
class Explanation:
    """A score with its parts. The contributions add up to the unrounded importance."""

    note: IndexedNote
    contributions: tuple[Contribution, ...]


@arguments.checked
class Scores(BankFacade):
    """What `memorybank score` does."""

    def score(self, keys: Iterable[str] = (), *, as_of: Instant | None = None) -> list[IndexedNote]:
        """Return the scored notes.

        keys: any spelling that `notes.resolve` accepts; none means all notes
        as_of: default now
        """
        wanted = list(keys)
        with self._bank.folded(as_of=arguments.instant(self._bank, as_of, "as_of")) as index:
            if not wanted:
                return index.notes()
            known = set(index.keys())
            return index.notes([scan.resolve_key(key, known, self._bank.layout.active) for key in wanted])

    def explain(self, key: str, *, as_of: Instant | None = None) -> Explanation:
        """Return one score with every part, its weight and its reason."""
        with self._bank.folded(as_of=arguments.instant(self._bank, as_of, "as_of")) as index:
            key = scan.resolve_key(key, set(index.keys()), self._bank.layout.active)
            evidence = rescore.evidence_of(index, key)
            contributions = explain(evidence, self._bank.settings.scoring, index.now)
            return Explanation(index.notes((key,))[0], tuple(contributions))
