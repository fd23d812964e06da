"""The metrics and alerts of a bank, for a person or a monitor."""

from typing import TYPE_CHECKING

from memorybank.bank.facade import BankFacade
from memorybank.metrics import analytics, measure
from memorybank.metrics.measure import MetricsReport

if TYPE_CHECKING:
    pass


class Measurements(BankFacade):
    """What `memorybank metrics` does."""

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
