"""Metrics in the text format of Prometheus ("Exposition formats", version 0.0.4), for the textfile collector of its node exporter.

Names follow its rules (base units, `_total` for counters); docs/format.md says which metric of the specification each one is. A metric
whose value is unknown has no sample.
"""

from collections.abc import Iterable, Iterator, Mapping
from itertools import accumulate
from typing import NamedTuple

from memorybank.metrics.alerts import ALERTS
from memorybank.metrics.measure import MetricsReport
from memorybank.metrics.usage import BOUNDS_SECONDS

Labels = Mapping[str, str]


class Sample(NamedTuple):
    """One sample of a metric.

    suffix: name suffix of a series of a histogram; otherwise "".
    value: None when it is unknown.
    """

    labels: Labels
    value: float | None
    suffix: str = ""


class Family(NamedTuple):
    """A metric with its samples. kind: gauge, counter or histogram."""

    name: str
    kind: str
    help: str
    samples: tuple[Sample, ...]


def render(report: MetricsReport, repository: str) -> str:
    """Return the metrics as text.

    repository: name of the folder that the bank belongs to; the label by which banks are distinguished.
    """
    return "".join(line + "\n" for family in families(report) for line in _lines(family, {"repository": repository}))


def families(report: MetricsReport) -> tuple[Family, ...]:
    """Return every metric with its samples, including metrics without any."""
    metrics, stored, usage = report.metrics, report.stored, report.usage
    raised = {alert.id for alert in report.alerts}
    return (
        Family("memorybank_notes", "gauge", "Notes in the bank.", _by("state", {"active": metrics.active_files, "archived": metrics.archived_files})),
        Family(
            "memorybank_storage_bytes",
            "gauge",
            "Bytes of notes on disk; archived notes as compressed.",
            _by("state", {"active": stored.active_bytes, "archived": stored.archived_bytes}),
        ),
        _gauge(
            "memorybank_archive_compression_ratio", "Bytes of archived notes before compression, divided by their bytes as stored.", metrics.compression_ratio
        ),
        Family("memorybank_search_requests_total", "counter", "Searches since the log of operations began.", _one(usage.searches if usage.lines else None)),
        _search_time(report),
        _gauge("memorybank_cache_hit_ratio", "Share of compared note files whose indexed row was up to date.", metrics.cache_hit_ratio),
        Family(
            "memorybank_index_updates_total",
            "counter",
            "Updates of the index since the log of operations began.",
            _one(usage.index_updates if usage.lines else None),
        ),
        _gauge("memorybank_importance_score_average", "Mean importance of active notes, 0 to 10.", metrics.average_importance_score),
        Family("memorybank_notes_by_importance", "gauge", "Active notes in each importance bucket.", _by("bucket", metrics.score_distribution)),
        _gauge(
            "memorybank_rotation_efficiency_ratio", "Bytes freed by the last rotation, divided by the bytes that its plan listed.", metrics.rotation_efficiency
        ),
        _gauge("memorybank_duplicate_ratio", "Share of active notes that repeat an older one.", metrics.duplicate_ratio),
        Family(
            "memorybank_alert",
            "gauge",
            "Whether an alert is raised (1) or not (0).",
            tuple(Sample({"id": name, "level": rule.level.lower()}, int(name in raised)) for name, rule in ALERTS.items()),
        ),
    )


def _search_time(report: MetricsReport) -> Family:
    usage = report.usage
    counts = list(accumulate(usage.within_bounds))
    bounds = [*map(str, BOUNDS_SECONDS), "+Inf"]
    samples = (
        *(Sample({"le": bound}, count, "_bucket") for bound, count in zip(bounds, counts, strict=True)),
        Sample({}, usage.search_seconds, "_sum"),
        Sample({}, counts[-1], "_count"),
    )
    return Family("memorybank_search_time_seconds", "histogram", "Duration of searches.", samples if usage.lines else ())


def _gauge(name: str, explained: str, value: float | None) -> Family:
    return Family(name, "gauge", explained, _one(value))


def _one(value: float | None) -> tuple[Sample, ...]:
    return (Sample({}, value),)


def _by(label: str, values: Mapping[str, float]) -> tuple[Sample, ...]:
    return tuple(Sample({label: name}, value) for name, value in values.items())


def _lines(family: Family, common: Labels) -> Iterator[str]:
    known = [sample for sample in family.samples if sample.value is not None]
    if not known:
        return
    yield f"# HELP {family.name} {family.help}"
    yield f"# TYPE {family.name} {family.kind}"
    for sample in known:
        yield f"{family.name}{sample.suffix}{{{_labels({**common, **sample.labels}.items())}}} {sample.value!r}"


def _labels(pairs: Iterable[tuple[str, str]]) -> str:
    return ",".join(f'{name}="{_escaped(value)}"' for name, value in pairs)


def _escaped(value: str) -> str:
    """Escape backslash, quote and line feed, as the format requires. Bytes that are not UTF-8 become question marks."""
    text = value.encode("utf-8", "replace").decode()
    return text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
