"""One bank, wired: where it lies, its settings, the clock, and the rooms that work on it."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cached_property
from typing import TYPE_CHECKING

from memorybank.clock import Clock
from memorybank.config import settings as configuration
from memorybank.config.settings import Settings
from memorybank.index import freshness, working
from memorybank.index.working import Index
from memorybank.storage.layout import Layout, find_bank

if TYPE_CHECKING:
    from memorybank.bank.indexes import Indexes
    from memorybank.bank.notes import Notes
    from memorybank.bank.rotations import Archives, Backups, Rotations
    from memorybank.bank.scores import Scores


class Bank:
    """One memory bank. Each method opens the index, brings it up to date as far as the answer needs, and closes it again.

    read_only: nothing under the bank is written; what changed is folded in memory.
    """

    def __init__(self, layout: Layout, settings: Settings, clock: Clock, *, read_only: bool = False) -> None:
        self.layout = layout
        self.settings = settings
        self.clock = clock
        self.read_only = read_only

    @classmethod
    def open(cls, path: str | None = None, *, clock: Clock | None = None, read_only: bool = False) -> "Bank":
        """The bank at `path`, of $MEMORYBANK_DIR, or of the working folder; `NotFound`, or `ConfigInvalid` for its settings."""
        layout = find_bank(os.getcwd(), explicit=path, environment=os.environ.get("MEMORYBANK_DIR"), home=os.path.expanduser("~"))
        return cls(layout, configuration.load(layout), clock or Clock(), read_only=read_only)

    @cached_property
    def notes(self) -> "Notes":
        from memorybank.bank.notes import Notes

        return Notes(self)

    @cached_property
    def scores(self) -> "Scores":
        from memorybank.bank.scores import Scores

        return Scores(self)

    @cached_property
    def index(self) -> "Indexes":
        from memorybank.bank.indexes import Indexes

        return Indexes(self)

    @cached_property
    def rotation(self) -> "Rotations":
        from memorybank.bank.rotations import Rotations

        return Rotations(self)

    @cached_property
    def archive(self) -> "Archives":
        from memorybank.bank.rotations import Archives

        return Archives(self)

    @cached_property
    def backups(self) -> "Backups":
        from memorybank.bank.rotations import Backups

        return Backups(self)

    @contextmanager
    def opened(self, *, as_of: int | None = None, frozen: bool = False) -> Iterator[Index]:
        """The working index as it lies there, at `as_of` (default: now). Another time than now never touches the cache on disk."""
        frozen = frozen or self.read_only or as_of is not None
        with working.open_index(self.layout, self.settings, self.clock, now=as_of, frozen=frozen) as index:
            yield index

    @contextmanager
    def folded(self, *, as_of: int | None = None) -> Iterator[Index]:
        """The working index, brought up to date with every note; for another time first the cache, so that it need not be again."""
        if as_of is not None and not self.read_only:
            with self.opened() as index:
                freshness.refresh(index, fresh=True)
        with self.opened(as_of=as_of) as index:
            freshness.refresh(index, fresh=True)
            yield index
