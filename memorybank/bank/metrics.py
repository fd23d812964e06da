"""How a bank is doing, as a person or a monitor asks for it."""

from typing import TYPE_CHECKING

from memorybank.metrics import analytics, measure
from memorybank.metrics.measure import Report

if TYPE_CHECKING:
    from memorybank.bank.bank import Bank


class Measurements:
    def __init__(self, bank: "Bank") -> None:
        self._bank = bank

    def read(self) -> Report:
        """The metrics and alerts of now; writes nothing but what any search does (the cache)."""
        with self._bank.folded() as index:
            return measure.measure(index)

    def update(self) -> Report:
        """The same; alerts that rose or cleared have their lines in the log, and `metadata/analytics.json` says what is returned.

        A bank that cannot be written is measured all the same.
        """
        with self._bank.folded() as index:
            return measure.measure(index) if index.frozen else analytics.refresh(index)
