"""`metadata/analytics.json`: the metrics and alerts of the last measurement. It is derived: the same truth at the same instant gives the same bytes."""

import os
from typing import Any

from memorybank.clock import isoformat
from memorybank.errors import MemorybankError
from memorybank.index.document_text import pretty
from memorybank.index.working import Index
from memorybank.log import operations
from memorybank.metrics import measure
from memorybank.metrics.measure import MetricsReport
from memorybank.storage import disk
from memorybank.storage.layout import Layout

VERSION = "1.0.0"


def document(report: MetricsReport) -> dict[str, Any]:
    """Return the content of `metadata/analytics.json` for a report."""
    return {
        "version": VERSION,
        "last_updated": isoformat(report.at),
        "memory_bank_metrics": report.metrics.to_json(),
        "alerts": [alert.to_json() for alert in report.alerts],
    }


def refresh(index: Index) -> MetricsReport:
    """Measure, log which alerts were raised or cleared, and write the document. The caller has brought the index up to date."""
    report = measure.measure(index)
    for raised, alert in report.changes:
        operations.record_alert(index.layout, alert.id, raised=raised, level=alert.level, value=alert.value, limit=alert.limit, clock=index.clock)
    write(index.layout, report)
    return report


def refresh_if_possible(index: Index) -> None:
    """Like `refresh`, at the end of another command, which must not fail because of it: errors are ignored, and a frozen index is left alone."""
    if index.frozen:
        return
    try:
        refresh(index)
    except MemorybankError:
        return


def write(layout: Layout, report: MetricsReport) -> None:
    """Replace `metadata/analytics.json` with the document of a report."""
    disk.make_directories(layout.metadata)
    disk.replace(os.path.join(layout.metadata, "analytics.json"), (pretty(document(report), 0), b"\n"), durable=False)
