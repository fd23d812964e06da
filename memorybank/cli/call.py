"""What one call of the command line knows: which bank was named, and the clock."""

from typing import TYPE_CHECKING

from memorybank.clock import Clock

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
