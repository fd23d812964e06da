"""The metrics and alerts of a bank, for a person or a monitor."""

from typing import TYPE_CHECKING

from memorybank.metrics import analytics, measure
from memorybank.metrics.measure import MetricsReport

if TYPE_CHECKING:
    from memorybank.bank.bank import Bank


class Measurements:
    """What `memorybank metrics` does."""

    def __init__(self, bank: "Bank") -> None:
        self._bank = bank

    def read(self) -> MetricsReport:
        """Return the current metrics and alerts. Writes only what any search writes (the cache)."""
        with self._bank.folded() as index:
            return measure.measure(index)

    def update(self) -> MetricsReport:
        """Return the current metrics and alerts, log the alerts that rose or cleared, and write `metadata/analytics.json`.

        A bank that cannot be written is measured too.
        """
        with self._bank.folded() as index:
            return measure.measure(index) if index.frozen else analytics.refresh(index)
