"""Whether the bank is healthy: what `doctor`, `status` and `metrics` say, the importance of its notes, when they changed, and their size."""

from collections import Counter

from memorybank.bank.status import SOON_DAYS
from memorybank.clock import day_of
from memorybank.doctor import run
from memorybank.doctor.problems import summary
from memorybank.metrics.alerts import most_severe
from memorybank.rotation.rules import MB
from memorybank.ui import charts
from memorybank.ui.request import Answer, PageRequest, RenderedPage
from memorybank.ui.site import Site

MONTHS = 18
MOST_PROBLEMS = 20


def show(site: Site, request: PageRequest) -> Answer:
    """The contents of `memorybank status` and `memorybank metrics`, with charts."""
    bank = site.open()
    with bank.at_once():
        status, notes, archived, problems = bank.status(), bank.notes.list(), bank.archive.list(), bank.notes.problems()
    findings = [*(found for found in run.quick(bank.layout, bank.clock) if found.level in ("WARN", "FAIL")), *summary(status.problems)]
    now = bank.clock.now()
    active_bytes = sum(note.size for note in notes)
    limit = bank.settings.rotation.rotation_policy.triggers.size_based.max_directory_size_mb * MB
    modified, left = Counter(day_of(note.modified)[:7] for note in notes), Counter(day_of(each.archived_at)[:7] for each in archived)
    values = {
        "notes": notes,
        "archived": archived,
        "active_bytes": active_bytes,
        "limit": int(limit),
        "plain_bytes": sum(each.size for each in archived),
        "stored_bytes": sum(each.object_size for each in archived),
        "mean": sum(note.importance for note in notes) / len(notes) if notes else None,
        "histogram": charts.histogram([note.importance for note in notes]),
        "timeline": charts.timeline(modified, left, now, MONTHS),
        "storage": charts.storage(active_bytes, int(limit), sum(each.object_size for each in archived)),
        "problems": problems[:MOST_PROBLEMS],
        "status": status,
        "stale": status.report.stale,
        "level": most_severe([*(found.level for found in findings), *(alert.level for alert in status.report.alerts)]),
        "findings": findings,
        "metrics": status.report.metrics.to_json(),
        "changes": {name: keys for name, keys in status.changes.to_json().items() if keys},
        "soon_days": SOON_DAYS,
    }
    return RenderedPage("health.html", values)
