"""Collects what metrics and alerts are computed from: rows of an up-to-date index, sidecars of the archive, lines of the logs. It only reads."""

from dataclasses import dataclass

from memorybank.errors import LockTimeout
from memorybank.index import archive_size, check, queries
from memorybank.index.fold import fold
from memorybank.index.working import Index
from memorybank.log import operations
from memorybank.log import rotation as rotation_log
from memorybank.metrics import alerts, usage, values
from memorybank.metrics.alerts import Alert, AlertChange, AlertInputs
from memorybank.metrics.usage import Usage
from memorybank.metrics.values import BankContents, LastRotation, Metrics
from memorybank.storage.layout import Layout

_MEGABYTE = 1_048_576


@dataclass(frozen=True, slots=True)
class MetricsReport:
    """The state of a bank at the instant `at` (ms).

    changes: alerts that were raised or cleared since this was last logged.
    stale: why these numbers may be out of date; None when they are not.
    """

    at: int
    metrics: Metrics
    alerts: tuple[Alert, ...]
    changes: tuple[AlertChange, ...]
    stored: BankContents
    usage: Usage
    stale: str | None = None


def measure(index: Index) -> MetricsReport:
    """Return the metrics and alerts at the index's `now`. The caller has brought the index up to date."""
    used = usage.fold(operations.read(index.layout), index.now, operations.tree_of(index.layout))
    stored = _stored(index)
    settings = index.settings
    watched = AlertInputs(
        active_bytes=stored.active_bytes,
        directory_bytes=settings.rotation.rotation_policy.triggers.size_based.max_directory_size_mb * _MEGABYTE,
        failures_in_a_row=used.failures_in_a_row,
        searches=len(used.recent_searches),
        search_mean_ms=used.search_mean_ms,
        search_limit_ms=settings.index.monitoring.search_mean_ms,
        mismatches=_mismatches(index),
    )
    standing, changes = alerts.judge(watched, used.raised, index.now)
    return MetricsReport(index.now, values.compute(stored, used, _last_rotation(index.layout, index.now)), standing, changes, stored, used, index.stale)


def _stored(index: Index) -> BankContents:
    notes = queries.totals(index.connection)
    archive = archive_size.weigh(index)
    return BankContents(
        importances=notes.importances,
        active_bytes=notes.size,
        duplicates=notes.duplicates,
        archived_files=archive.files,
        archived_bytes=archive.stored,
        archived_plain_bytes=archive.plain,
    )


def _last_rotation(layout: Layout, now: int) -> LastRotation | None:
    """The latest rotation of this worktree whose planned bytes are known. A killed one counts with the bytes that it moved."""
    borders = rotation_log.read_borders(layout)
    begun = [found for found in borders.rotations.values() if found.tree == rotation_log.tree_of(layout) and found.started_at <= now]
    for rotation in sorted(begun, key=lambda found: (found.started_at, found.id), reverse=True):
        planned, moved = rotation.begin.get("bytes_planned"), (rotation.end or {}).get("bytes_moved")
        if isinstance(planned, int) and planned > 0:
            return LastRotation(planned, moved if isinstance(moved, int) else _moved_bytes(layout, rotation.id))
    return None


def _moved_bytes(layout: Layout, rotation_id: str) -> int:
    """Bytes moved by a rotation that never ended, the sum over its notes."""
    rotation = rotation_log.read(layout).rotations[rotation_id]
    return sum(rotation.archived[key].size for key in rotation.moved if key in rotation.archived)


def _mismatches(index: Index) -> int | None:
    """Number of places where rows and files differ after everything was checked; None while another process updates the index."""
    # A note may have been saved since the last fold, which is not an error: fold once more before counting.
    if not _differences(index):
        return 0
    try:
        fold(index)
    except LockTimeout:
        return None
    return _differences(index)


def _differences(index: Index) -> int:
    return sum(1 for _ in check.against_disk(index)) + sum(1 for _ in check.tables(index))
