"""What all checks look at: one bank, however broken, and the machine around it. Each thing is read once, when the first check asks."""

import os
from collections.abc import Iterator, Mapping
from functools import cached_property
from typing import TYPE_CHECKING

from memorybank.clock import Clock
from memorybank.config import settings as configuration
from memorybank.config.settings import Settings
from memorybank.errors import Problem
from memorybank.storage.layout import Layout

if TYPE_CHECKING:
    from memorybank.bank import Bank


class Context:
    """layout: where the bank lies; environ: the variables of the process; now: an instant (ms)."""

    def __init__(self, layout: Layout, clock: Clock, environ: Mapping[str, str]) -> None:
        self._found = layout
        self.clock = clock
        self.now = clock.now()
        self.environ = environ

    @cached_property
    def configured(self) -> tuple[Settings | None, list[Problem]]:
        """The bank's settings, None when they cannot be used, and everything that is wrong with them."""
        return configuration.load_with_problems(self._found)

    @property
    def settings(self) -> Settings:
        """The settings in effect; the shipped ones where the bank's cannot be used."""
        return self.configured[0] or configuration.DEFAULTS

    @cached_property
    def layout(self) -> Layout:
        return configuration.place(self._found, self.settings)

    @cached_property
    def bank(self) -> "Bank":
        """The facade, reading only."""
        from memorybank.bank import Bank

        return Bank(self.layout, self.settings, self.clock, read_only=True)

    def shown(self, path: str) -> str:
        """A path of the bank relative to it, another one as people are shown it."""
        for root in (self.layout.root, self.layout.local_root):
            if path == root or path.startswith(root + os.sep):
                return os.path.relpath(path, root).replace(os.sep, "/")
        return self.layout.relative(path)

    def writable_bank(self) -> "Bank":
        """The facade for a fix that makes derived files again."""
        from memorybank.bank import Bank

        return Bank(self.layout, self.settings, self.clock)

    @cached_property
    def entries(self) -> tuple[tuple[str, os.stat_result], ...]:
        """(path, its status) of the bank itself and of every folder and file below it and its local folders; links are not followed."""
        tops = [self.layout.root]
        tops += [top for top in (self.layout.log, self.layout.backups) if not top.startswith(self.layout.root + os.sep)]
        return tuple(entry for top in tops for entry in _below(top))


def _below(top: str) -> Iterator[tuple[str, os.stat_result]]:
    """One folder and all that it holds, in order; what goes away meanwhile, or cannot be looked into, is left out."""
    try:
        status = os.lstat(top)
    except OSError:
        return
    yield top, status
    for folder, folders, names in os.walk(top):
        folders.sort()
        for name in sorted([*folders, *names]):
            path = os.path.join(folder, name)
            try:
                yield path, os.lstat(path)
            except OSError:
                continue
