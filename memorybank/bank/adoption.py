"""Adopts what a project already has, and lists the sources that a bank reads in place."""

import os
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from memorybank.adopt import apply, finding, plan
from memorybank.adopt.discovery import Discovery
from memorybank.adopt.finding import Found
from memorybank.adopt.plan import AdoptionPlan
from memorybank.bank import recording
from memorybank.bank.arguments import BankFacade
from memorybank.config import sources
from memorybank.config.sources import Source
from memorybank.editing.undo import UndoneNote
from memorybank.errors import MemorybankError, Problem
from memorybank.index import queries
from memorybank.index.row import IndexedNote
from memorybank.index.working import Index
from memorybank.log.adoptions import Adoption
from memorybank.notes.date_record import ADOPT

_NOTES = "active/"


@dataclass(frozen=True, slots=True)
class SourceState:
    """A source with facts about it.

    files: number of its indexed files
    size: their size in bytes
    path: its path in the form in which it is shown
    loaded_by: hosts that load some of its files themselves
    """

    source: Source
    files: int
    size: int
    path: str
    loaded_by: tuple[str, ...]

    def to_json(self) -> dict[str, Any]:
        return {
            "name": self.source.name,
            "kind": self.source.kind,
            "path": self.path,
            "private": self.source.is_private,
            "files": self.files,
            "size_bytes": self.size,
            "loaded_by": list(self.loaded_by),
        }


def source_states(index: Index) -> list[SourceState]:
    """Return the sources of a bank by name. The caller has brought the index up to date."""
    counts, hosts = queries.source_counts(index.connection), queries.hosts_of_sources(index.connection)
    return [
        SourceState(source, *counts.get(source.name, (0, 0)), index.layout.relative(source.root), hosts.get(source.name, ()))
        for source in sorted(index.sources.sources, key=lambda source: source.name)
    ]


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
