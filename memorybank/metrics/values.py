"""The 13 metrics of the specification ("Metrics"), with its names and groups. An unknown value is None, never 0."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from memorybank.metrics.usage import Usage
from memorybank.scoring.importance import BUCKETS, bucket

MEGABYTE = 1_048_576


class BankContents(NamedTuple):
    """The contents of the bank.

    importances: of the active notes, by key.
    duplicates: active notes that repeat an older one.
    archived_bytes: size of the archive objects.
    archived_plain_bytes: size of the archived notes before compression.
    """

    importances: Sequence[float]
    active_bytes: int
    duplicates: int
    archived_files: int
    archived_bytes: int
    archived_plain_bytes: int


class LastRotation(NamedTuple):
    """planned_bytes: bytes that the plan of the last rotation listed.
    freed_bytes: bytes that it moved out of active/.
    """

    planned_bytes: int
    freed_bytes: int


@dataclass(frozen=True, slots=True)
class Metrics:
    """Sizes in MiB, times in ms, ratios 0-1 (compression: plain ÷ stored), importance 0-10.

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
        """The metrics in the groups of the specification."""
        return {group: {name: getattr(self, name) for name in names} for group, names in GROUPS.items()}


GROUPS = {
    "storage_metrics": ("total_files", "total_size_mb", "active_files", "archived_files", "compression_ratio"),
    "access_metrics": ("search_requests_per_hour", "average_search_time_ms", "cache_hit_ratio", "index_update_frequency"),
    "quality_metrics": ("average_importance_score", "score_distribution", "rotation_efficiency", "duplicate_ratio"),
}


def compute(stored: BankContents, usage: Usage, last: LastRotation | None) -> Metrics:
    """Compute the metrics of one instant. last: None when no rotation is known."""
    notes = len(stored.importances)
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
        average_importance_score=round(math.fsum(stored.importances) / notes, 2) if notes else None,
        score_distribution=distribution(stored.importances),
        rotation_efficiency=_ratio(last.freed_bytes, last.planned_bytes) if last else None,
        duplicate_ratio=_ratio(stored.duplicates, notes),
    )


def distribution(importances: Sequence[float]) -> dict[str, int]:
    """{bucket: number of notes in it}; every bucket is present."""
    counts = dict.fromkeys(BUCKETS, 0)
    for importance in importances:
        counts[bucket(importance)] += 1
    return counts


def _ratio(part: int, whole: int) -> float | None:
    return round(part / whole, 4) if whole else None


def _rounded(value: float | None, digits: int) -> float | None:
    return None if value is None else round(value, digits)
