"""The importance of notes, its rank, and its explanation."""

from collections.abc import Iterable
from dataclasses import dataclass

from memorybank.bank import arguments
from memorybank.bank.arguments import BankFacade, Instant
from memorybank.index import queries, rescore
from memorybank.index.row import IndexedNote
from memorybank.index.working import Index
from memorybank.notes import named
from memorybank.scoring.explain import Contribution, explain
from memorybank.scoring.rank import ImportanceRank, ranks_of_counts
from memorybank.storage.layout import is_source_key


@dataclass(frozen=True, slots=True)
class Explanation:
    """A score with its parts. The contributions add up to the unrounded importance."""

    note: IndexedNote
    contributions: tuple[Contribution, ...]


class Scores(BankFacade):
    """The operations of `memorybank score`."""

    def score(self, keys: Iterable[str] = (), *, as_of: Instant | None = None) -> list[IndexedNote]:
        """Return the scored notes.

        keys: any spelling that `notes.resolve` accepts; none means all notes
        as_of: default now
        """
        wanted = list(keys)
        with self._bank.folded(as_of=arguments.instant(self._bank, as_of, "as_of")) as index:
            if not wanted:
                return index.notes()
            return index.notes([_scored_key(index, key, self._bank.layout.active) for key in wanted])

    def ranks(self, *, as_of: Instant | None = None) -> dict[float, ImportanceRank]:
        """Return {importance: its rank among all active notes}, also for the files of sources."""
        with self._bank.folded(as_of=arguments.instant(self._bank, as_of, "as_of")) as index:
            return ranks_of_counts(queries.importance_counts(index.connection), queries.importances_of_sources(index.connection))

    def explain(self, key: str, *, as_of: Instant | None = None) -> Explanation:
        """Return one score with every part, its weight and its reason."""
        with self._bank.folded(as_of=arguments.instant(self._bank, as_of, "as_of")) as index:
            key = _scored_key(index, key, self._bank.layout.active)
            evidence = rescore.evidence_of(index, key)
            contributions = explain(evidence, self._bank.settings.scoring, index.now)
            return Explanation(index.notes((key,))[0], tuple(contributions))


def _scored_key(index: Index, text: str, active: str) -> str:
    """Return the key that a person means by `text`: that of a note, or of a source's file. Raises `NotFound`."""
    if is_source_key(text) and index.note(text) is not None:
        return text
    return named.resolve_key(text, set(index.keys()), active)
