"""The 13 metrics of the specification ("Metrics"), with its names and groups, and the alerts. An unknown value is None, never 0.

They are computed from rows of an up-to-date index, sidecars of the archive and lines of the logs. Nothing is written.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from itertools import chain, repeat, starmap
from typing import Any

from memorybank.index import archive_size, check, rotation_lines, totals
from memorybank.index.fold import refresh
from memorybank.index.working import Index
from memorybank.log import operations
from memorybank.log import rotation as rotation_log
from memorybank.log.rotation_state import RotationState
from memorybank.metrics import alerts, usage
from memorybank.metrics.alerts import MEGABYTE, Alert, AlertChange, AlertInputs
from memorybank.metrics.usage import Usage
from memorybank.reasons.reason import Reason
from memorybank.scoring.importance import BUCKETS, bucket
from memorybank.storage.layout import Layout
from memorybank.values import NamedTuple, Value


class BankContents(NamedTuple):
    """The contents of the bank.

    importances: {importance: number of active notes that have it}.
    duplicates: number of active notes that repeat an older one.
    archived_files: number of notes in the archive, without the copies of notes that came back.
    returned_files: number of these copies.
    archived_bytes: size of all archive objects.
    archived_plain_bytes: size of the archived notes before compression.
    """

    importances: Mapping[float, int]
    active_bytes: int
    duplicates: int
    archived_files: int
    archived_bytes: int
    archived_plain_bytes: int
    returned_files: int = 0

    @property
    def active_files(self) -> int:
        """Number of active notes."""
        return sum(self.importances.values())


class LastRotation(NamedTuple):
    """The last rotation.

    planned_bytes: bytes that its plan listed.
    freed_bytes: bytes that it moved out of active/.
    """

    planned_bytes: int
    freed_bytes: int


class Metrics(Value):
    """The metrics of the specification. Sizes in MiB, times in ms, ratios 0-1 (compression: plain ÷ stored), importance 0-10.

    score_distribution: {bucket: number of active notes in it}.
    """

    total_files: int
    total_size_mb: float
    active_files: int
    archived_files: int
    compression_ratio: float
    search_requests_per_hour: int | None
    average_search_time_ms: float | None
    cache_hit_ratio: float | None
    index_update_frequency: int | None
    average_importance_score: float | None
    score_distribution: dict[str, int]
    rotation_efficiency: float | None
    duplicate_ratio: float | None

    def to_json(self) -> dict[str, dict[str, Any]]:
        """Return the metrics in the groups of the specification."""
        return {group: {name: getattr(self, name) for name in names} for group, names in GROUPS.items()}


GROUPS = {
    "storage_metrics": ("total_files", "total_size_mb", "active_files", "archived_files", "compression_ratio"),
    "access_metrics": ("search_requests_per_hour", "average_search_time_ms", "cache_hit_ratio", "index_update_frequency"),
    "quality_metrics": ("average_importance_score", "score_distribution", "rotation_efficiency", "duplicate_ratio"),
}


class MetricsReport(Value):
    """The state of a bank at the instant `at` (ms).

    changes: alerts that were raised or cleared since this was last logged.
    stale: why these numbers may be out of date.
    """

    at: int
    metrics: Metrics
    alerts: tuple[Alert, ...]
    changes: tuple[AlertChange, ...]
    stored: BankContents
    usage: Usage
    stale: tuple[Reason, ...] = ()


def measure(index: Index) -> MetricsReport:
    """Return the metrics and alerts at the index's `now`. The caller has brought the index up to date."""
    used = usage.fold(operations.read(index.layout), index.now, rotation_log.tree_of(index.layout))
    rotations = rotation_lines.state(index)
    stored = _stored(index, rotations)
    settings = index.settings
    watched = AlertInputs(
        active_bytes=stored.active_bytes,
        directory_bytes=settings.rotation.rotation_policy.triggers.size_based.max_directory_size_mb * MEGABYTE,
        failures_in_a_row=used.failures_in_a_row,
        searches=len(used.recent_searches),
        search_mean_ms=used.search_mean_ms,
        search_limit_ms=settings.index.monitoring.search_mean_ms,
        mismatches=_mismatches(index),
    )
    raised, changes = alerts.judge(watched, used.raised, index.now)
    return MetricsReport(index.now, compute(stored, used, _last_rotation(index, rotations)), raised, changes, stored, used, index.stale)


def _stored(index: Index, rotations: RotationState) -> BankContents:
    notes = totals.totals(index)
    archive = archive_size.archive_size(index)
    returned = archive_size.returned_notes(index, rotations)
    return BankContents(
        importances=notes.importances,
        active_bytes=notes.size,
        duplicates=notes.duplicates,
        archived_files=archive.files - returned,
        archived_bytes=archive.stored,
        archived_plain_bytes=archive.plain,
        returned_files=returned,
    )


def _last_rotation(index: Index, rotations: RotationState) -> LastRotation | None:
    """Return the latest rotation of this worktree whose planned bytes are known. A killed one counts with the bytes that it moved."""
    layout = index.layout
    known = rotations.rotations.values()
    begun = [found for found in known if found.tree == rotation_log.tree_of(layout) and found.started_at <= index.now]
    for rotation in sorted(begun, key=lambda found: (found.started_at, found.id), reverse=True):
        planned, moved = rotation.begin.get("bytes_planned"), (rotation.end or {}).get("bytes_moved")
        if isinstance(planned, int) and planned > 0:
            return LastRotation(planned, moved if isinstance(moved, int) else _moved_bytes(layout, rotation.id))
    return None


def _moved_bytes(layout: Layout, rotation_id: str) -> int:
    """Return the bytes moved by a rotation that never ended, the sum over its notes."""
    rotation = rotation_log.read(layout).rotations[rotation_id]
    return sum(rotation.archived[key].size for key in rotation.moved if key in rotation.archived)


def _mismatches(index: Index) -> int | None:
    """Return the number of places where rows and files differ after everything was checked; None while another process updates the index."""
    # A fold that has just found files and rows equal is not repeated; one that changed rows is verified.
    if not (check.tables_in_turn(index) if index.agrees else _differences(index)):
        return 0
    # A note may have been saved since the last fold, which is not an error: fold once more before counting.
    return None if refresh(index, fresh=True) else _differences(index)


def _differences(index: Index) -> int:
    return sum(1 for _ in check.against_disk(index)) + sum(1 for _ in check.tables(index))


def compute(stored: BankContents, usage: Usage, last: LastRotation | None) -> Metrics:
    """Compute the metrics of one instant. last: None when no rotation is known."""
    notes = stored.active_files
    return Metrics(
        total_files=notes + stored.archived_files,
        total_size_mb=round((stored.active_bytes + stored.archived_bytes) / MEGABYTE, 6),
        active_files=notes,
        archived_files=stored.archived_files,
        compression_ratio=_ratio(stored.archived_plain_bytes, stored.archived_bytes) or 1.0,
        search_requests_per_hour=usage.searches_last_hour if usage.lines else None,
        average_search_time_ms=_rounded(usage.search_mean_ms, 3),
        cache_hit_ratio=_rounded(usage.cache_hit_ratio, 4),
        index_update_frequency=usage.index_updates_last_day if usage.lines else None,
        average_importance_score=round(math.fsum(chain.from_iterable(starmap(repeat, stored.importances.items()))) / notes, 2) if notes else None,
        score_distribution=distribution(stored.importances),
        rotation_efficiency=_ratio(last.freed_bytes, last.planned_bytes) if last else None,
        duplicate_ratio=_ratio(stored.duplicates, notes),
    )


def distribution(importances: Mapping[float, int]) -> dict[str, int]:
    """Return {bucket: number of notes in it}; every bucket is present.

    importances: {importance: number of notes that have it}
    """
    counts = dict.fromkeys(BUCKETS, 0)
    for importance, count in importances.items():
        counts[bucket(importance)] += count
    return counts


def _ratio(part: int, whole: int) -> float | None:
    return round(part / whole, 4) if whole else None


def _rounded(value: float | None, digits: int) -> float | None:
    return None if value is None else round(value, digits)
