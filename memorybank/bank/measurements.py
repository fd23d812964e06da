"""The metrics of a bank and its alerts."""

from memorybank.bank.arguments import BankFacade
from memorybank.errors import MemorybankError
from memorybank.metrics import analytics, measure
from memorybank.metrics.measure import MetricsReport


class Measurements(BankFacade):
    """The operations of `memorybank metrics`."""

    def read(self) -> MetricsReport:
        """Return the current metrics and alerts. Writes only what any search writes (the cache)."""
        with self._bank.folded() as index:
            return measure.measure(index)

    def update(self) -> MetricsReport:
        """Return the current metrics and alerts, log the alerts that rose or cleared, and write `metadata/analytics.json`.

        A bank that cannot be written is measured too.
        """
        with self._bank.folded() as index:
            if not index.frozen:
                try:
                    return analytics.refresh(index)
                except MemorybankError as error:
                    self._bank.notify(f"metadata/analytics.json was not written: {error.message}")
            return measure.measure(index)
