"""The base of the classes that `Bank` returns as its parts."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from memorybank.bank.bank import Bank


class BankFacade:
    """A part of the Python interface: the methods of one subject, such as `bank.notes`."""

    def __init__(self, bank: "Bank") -> None:
        self._bank = bank

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self._bank!r})"
