"""Adopts what a project already has, and lists the sources that a bank reads in place."""

import os
from collections.abc import Sequence
from contextlib import suppress

from memorybank.adopt import apply, finding, plan
from memorybank.adopt.discovery import Discovery
from memorybank.adopt.finding import Found
from memorybank.adopt.plan import AdoptionPlan
from memorybank.bank import recording
from memorybank.bank.arguments import BankFacade
from memorybank.bank.source_states import SourceState, source_states
from memorybank.config import sources
from memorybank.editing.undo import UndoneNote
from memorybank.errors import MemorybankError, Problem
from memorybank.index.row import IndexedNote
from memorybank.log.adoptions import Adoption
from memorybank.notes.date_record import ADOPT

_NOTES = "active/"


class Adoptions(BankFacade):
    """The operations of `memorybank adopt` and `memorybank list --sources`."""

    def find(self) -> Found:
        """Return everything that can be adopted. Nothing is written."""
        return finding.find(self._bank.layout, os.environ)

    def at(self, path: str, name: str | None = None, kind: str | None = None) -> Discovery:
        """Return one file or folder as something that can be adopted (`adopt.finding.at`)."""
        return finding.at(self._bank.layout, os.environ, path, name, kind)

    def plan(self, chosen: Sequence[Discovery], *, copy: Sequence[str] = ()) -> AdoptionPlan:
        """Return the plan for adopting these discoveries, which `adopt` carries out. Nothing is written.

        copy: names of the discoveries that are copied into `active/`; the others are read in place
        """
        return plan.make(self._bank.layout, chosen, self._bank.clock.now(), copy=copy)

    def adopt(self, planned: AdoptionPlan) -> Adoption:
        """Carry out a plan. `undo` takes it back. Errors are those of `adopt.apply.apply`; they leave everything as it was."""
        made = apply.apply(self._bank.layout, planned, self._bank.clock, os.environ)
        self._bring_up_to_date()
        if any(file.path.startswith(_NOTES) for file in planned.files):
            recording.begin(self._bank, ADOPT)
        return made

    def undo(self, adoption: str | None = None) -> tuple[Adoption, Sequence[UndoneNote]]:
        """Take back an adoption (default: the latest): its sources are no longer read, and its unchanged copies are removed. Raises `NotFound`."""
        undone = apply.undo(self._bank.layout, adoption, self._bank.clock, os.environ)
        self._bring_up_to_date()
        if undone[1]:
            recording.record_all(self._bank)
        return undone

    def sources(self) -> Sequence[SourceState]:
        """Return the sources by name, with the number of their indexed files."""
        with self._bank.folded() as index:
            return source_states(index)

    def files(self) -> Sequence[IndexedNote]:
        """Return every indexed file of a source, by key."""
        with self._bank.folded() as index:
            return index.source_notes()

    def problems(self) -> Sequence[Problem]:
        """Return the problems of declared sources that are ignored."""
        return sources.load(self._bank.layout).problems

    def _bring_up_to_date(self) -> None:
        """Index what changed. The declaration is in place already, so an error is left to the next command."""
        with suppress(MemorybankError), self._bank.folded():
            pass
