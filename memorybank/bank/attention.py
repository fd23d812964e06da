"""What needs a person: problems of notes, statements that contradict each other, outdated claims, changes that wait to be accepted, suppressed memories."""

from __future__ import annotations

from collections.abc import Mapping

from memorybank.bank import note_problems
from memorybank.bank.arguments import BankFacade
from memorybank.bank.policy import Policies, SuppressedMemory
from memorybank.bank.trusting import TrustFacade, TrustStatus
from memorybank.cycle.know.rejected import rejections
from memorybank.errors import Problem
from memorybank.index import claim_rows, claim_states
from memorybank.index.decision_rows import SupersededStatement, Supersessions
from memorybank.values import Value


class NeedsAttention(Value):
    """What a person should look at.

    conflicts: statements that a later one contradicts or replaced.
    outdated: {state: number of claims of notes that are no longer so}.
    trust: whether agents are shown the bank, and the files that wait for a person.
    suppressed: what recall leaves out although it would match, with the reasons.
    problems: those of notes, of their names and of the bookmarks.
    """

    conflicts: tuple[SupersededStatement, ...]
    outdated: Mapping[str, int]
    trust: TrustStatus
    suppressed: tuple[SuppressedMemory, ...]
    problems: tuple[Problem, ...] = ()

    @property
    def count(self) -> int:
        """Number of things to look at. Waiting files count once."""
        return len(self.conflicts) + sum(self.outdated.values()) + (self.trust.state != "trusted") + len(self.suppressed) + len(self.problems)


class Attention(BankFacade):
    """What waits for a person to decide."""

    def needed(self) -> NeedsAttention:
        """Return what a person should look at now. Every part has a page and a command of its own, where it can be decided."""
        bank = self._bank
        with bank.glanced() as (index, _):
            claim_states.refresh(index)
            outdated = claim_rows.counts(index.connection)
            conflicts = tuple(Supersessions(index.connection, rejections(bank.layout)).everything())
            problems = tuple(note_problems.of_notes(index))
        return NeedsAttention(conflicts, outdated, TrustFacade(bank).status(), Policies(bank).suppressed(), problems)
