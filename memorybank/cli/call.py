"""What one call of the command line knows: which bank was named, and the clock."""

import os
from typing import TYPE_CHECKING

from memorybank.clock import Clock
from memorybank.storage.layout import Layout, find_bank

if TYPE_CHECKING:
    from memorybank.bank import Bank
    from memorybank.cli.progress import Bar


class Call:
    """The value every command gets as its context object. named: what `--bank` said, if anything."""

    __slots__ = ("_bar", "clock", "named")

    def __init__(self, named: str | None = None, clock: Clock | None = None) -> None:
        self.named = named
        self.clock = clock or Clock()
        self._bar: Bar | None = None

    def open(self, *, read_only: bool = False) -> "Bank":
        """The bank this call works on; `NotFound` says how to make one. Whatever is asked of it, an index that is long behind shows a bar."""
        from memorybank.bank import Bank
        from memorybank.cli.progress import Bar

        if self._bar is None:
            self._bar = Bar("indexing", self.clock)
        bank = Bank.open(self.named, clock=self.clock, read_only=read_only)
        bank.progress = self._bar
        return bank

    def close(self) -> None:
        """Take away what is drawn while somebody waits."""
        if self._bar is not None:
            self._bar.close()

    def layout(self) -> Layout:
        """Where that bank lies, whatever its settings say."""
        return find_bank(os.getcwd(), explicit=self.named, environment=os.environ.get("MEMORYBANK_DIR"), home=os.path.expanduser("~"))
