"""Opens the bank again for each request of the page, so that settings and time are current."""

from memorybank.bank import Bank
from memorybank.clock import Clock
from memorybank.config.settings import Settings
from memorybank.index import working
from memorybank.index.working import Index
from memorybank.storage.layout import Layout


class BankOpener:
    """Opens the bank. A page that may not write keeps a copy of the cache in memory, and each request adds the changes since the one before.

    root: folder of the bank

    All calls must come from one thread, because SQLite allows only that thread to use the copy.
    """

    def __init__(self, root: str, clock: Clock, *, allow_write: bool) -> None:
        self._root = root
        self._clock = clock
        self._allow_write = allow_write
        self._kept: Index | None = None

    def __call__(self) -> Bank:
        """Return the bank. Raises what opening a bank raises."""
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
