"""The bank of the page, opened anew for each request, so that changed settings count and now is now."""

from memorybank.bank import Bank
from memorybank.clock import Clock
from memorybank.config.settings import Settings
from memorybank.index import working
from memorybank.index.working import Index
from memorybank.storage.layout import Layout


class Opening:
    """A page that may not write keeps a copy of the cache in memory: each request takes in what changed since the one before.

    root: the folder of the bank. All calls come from one thread, which is the one that SQLite lets use that copy.
    """

    def __init__(self, root: str, clock: Clock, *, allow_write: bool) -> None:
        self._root = root
        self._clock = clock
        self._allow_write = allow_write
        self._kept: Index | None = None

    def __call__(self) -> Bank:
        """Raises what opening a bank raises."""
        bank = Bank.open(self._root, clock=self._clock, read_only=not self._allow_write)
        if self._allow_write:
            return bank
        return Bank(bank.layout, bank.settings, bank.clock, read_only=True, kept=self._index(bank.layout, bank.settings))

    def close(self) -> None:
        if self._kept is not None:
            self._kept.close()
            self._kept = None

    def _index(self, layout: Layout, settings: Settings) -> Index:
        if self._kept is None:
            self._kept = working.in_memory(layout, settings, self._clock)
        self._kept.go_on(settings)
        return self._kept
