"""What one call of the command line knows: which bank was named, and the clock."""

import os
from typing import TYPE_CHECKING

from memorybank.clock import Clock
from memorybank.storage.layout import Layout, find_bank

if TYPE_CHECKING:
    from memorybank.bank import Bank


class Call:
    """The value every command gets as its context object. named: what `--bank` said, if anything."""

    __slots__ = ("clock", "named")

    def __init__(self, named: str | None = None, clock: Clock | None = None) -> None:
        self.named = named
        self.clock = clock or Clock()

    def open(self, *, read_only: bool = False) -> "Bank":
        """The bank this call works on; `NotFound` says how to make one."""
        from memorybank.bank import Bank

        return Bank.open(self.named, clock=self.clock, read_only=read_only)

    def layout(self) -> Layout:
        """Where that bank lies, whatever its settings say."""
        return find_bank(os.getcwd(), explicit=self.named, environment=os.environ.get("MEMORYBANK_DIR"), home=os.path.expanduser("~"))
