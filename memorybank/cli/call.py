"""The context of a command's call (the named bank, the clock), and the examples at the end of its help."""

import os
from typing import TYPE_CHECKING

from memorybank.clock import Clock
from memorybank.storage.layout import Layout, find_bank

if TYPE_CHECKING:
    from memorybank.bank import Bank
    from memorybank.cli.progress import ProgressBar


class CommandCall:
    """The context object that every command receives.

    named: value of `--bank`, or None; the folder of the personal bank after `name_personal`
    is_personal: whether the call is about the personal bank (`--personal`)
    """

    __slots__ = ("_bar", "_opened", "clock", "is_personal", "named")

    def __init__(self, named: str | None = None, clock: Clock | None = None) -> None:
        self.named = named
        self.is_personal = False
        self._opened: Bank | None = None
        self.clock = clock or Clock()
        self._bar: ProgressBar | None = None

    def open(self, root: str = "", *, read_only: bool = False) -> "Bank":
        """Open the bank of this call, or the one at `root`. Raises `NotFound`, which says how to create a bank.

        An operation that has to bring an index up to date for more than a second shows a progress bar.
        """
        from memorybank.bank import Bank
        from memorybank.cli import output
        from memorybank.cli.progress import ProgressBar

        if self._bar is None:
            self._bar = ProgressBar("indexing", self.clock)
        bank = Bank.open(root or self._named() or None, clock=self.clock, read_only=read_only)
        bank.progress = self._bar
        bank.notice = output.notice
        if self.is_personal and not root and not read_only:
            self._opened = bank
        return bank

    def name_personal(self) -> None:
        """Let this call use the personal bank, which may be missing. Raises `UsageError` when the environment names none."""
        from memorybank.config import personal_bank

        self.named = personal_bank.folder(os.environ)
        self.is_personal = True

    def _named(self) -> str | None:
        """Return the bank that the call names, None when it names none. Raises `NotFound` when there is no personal bank."""
        if not self.is_personal:
            return self.named
        from memorybank.config import personal_bank

        return personal_bank.existing(os.environ).root

    def close(self) -> None:
        """Remove a progress bar that is still drawn. Bring the index of the personal bank up to date: hooks read it in every repository."""
        if self._opened is not None:
            from contextlib import suppress

            from memorybank.errors import MemorybankError

            opened, self._opened = self._opened, None
            with suppress(MemorybankError):
                opened.index.sweep()
        if self._bar is not None:
            self._bar.close()

    def layout(self) -> Layout:
        """Return where the bank is, without reading its settings."""
        return find_bank(os.getcwd(), explicit=self._named(), environment=os.environ.get("MEMORYBANK_DIR"), home=os.path.expanduser("~"))


def examples(*lines: str, heading: str = "Examples") -> str:
    """Return an epilog of a command's help, which click prints line by line, as written."""
    return "\b\n" + "\n".join([f"{heading}:", *(f"  {line}" for line in lines)])
