"""`memorybank metrics`."""

import json
import os
from collections.abc import Sequence
from typing import TYPE_CHECKING

import click

from memorybank.cli import output, page
from memorybank.cli.call import CommandCall, examples
from memorybank.cli.output import Column
from memorybank.cli.page import Card
from memorybank.clock import isoformat
from memorybank.errors import NotFound, UsageError
from memorybank.text.quantities import counted, tally

if TYPE_CHECKING:
    from memorybank.bank import Bank
    from memorybank.metrics.alerts import Alert
    from memorybank.metrics.measure import MetricsReport

COLUMNS = (Column("metric"), Column("value", right=True), Column("meaning", flexible=True))
_ALERT_COLUMNS = (Column("level"), Column("alert"), Column("since"), Column("what", flexible=True), Column("next step", flexible=True))
_MEANING = {
    "total_files": ("notes, active and archived", ""),
    "total_size_mb": ("MiB on disk, archived notes as stored", ""),
    "active_files": ("notes in active/", ""),
    "archived_files": ("notes in the archive, without copies of restored ones", ""),
    "compression_ratio": ("bytes of archived notes before compression, divided by those after it", ""),
    "search_requests_per_hour": ("searches in the last 60 minutes", "nothing has been recorded yet"),
    "average_search_time_ms": ("ms, mean of the last 100 searches", "nothing has been searched yet"),
    "cache_hit_ratio": ("share of compared notes whose index row was up to date", "no notes have been compared yet"),
    "index_update_frequency": ("updates of the index in the last 24 hours", "nothing has been recorded yet"),
    "average_importance_score": ("mean importance of active notes, 0-10", "there are no active notes"),
    "score_distribution": ("active notes by importance", ""),
    "rotation_efficiency": ("share of the bytes in the last plan that were archived", "nothing has been rotated yet"),
    "duplicate_ratio": ("share of active notes that repeat an older one", "there are no active notes"),
}
"""Metric → (what it measures, why it may be unknown)."""


@click.command(
    epilog=examples(
        "memorybank metrics",
        "memorybank metrics --format json",
        "memorybank metrics --format prometheus --output /var/lib/node_exporter/memorybank.prom",
    )
)
@output.format_option("prometheus")
@click.option(
    "--output",
    "target",
    metavar="FILE",
    type=click.Path(dir_okay=False),
    help="Write the result to this file instead of printing it; the file is replaced in one step.",
)
@click.pass_obj
def command(call: CommandCall, form: str, target: str | None) -> None:
    """Measure the bank (size, searches, index, importance, rotation) and show the active alerts.

    Every number is computed from the notes, the archive and the log of operations; a value that cannot be known yet is unknown, not 0. The command also writes
    metadata/analytics.json. Prometheus reads its format through the textfile collector of the node exporter.
    """
    if target == "":
        raise UsageError("--output names no file", next_step="name a file, or omit --output to print the result")
    bank = call.open()
    report = bank.metrics.update()
    if target is not None:
        _write(target, _text(bank, report, form))
    elif form in ("json", "prometheus"):
        output.write(_text(bank, report, form))
    else:
        page.listing(form, _cells(report), COLUMNS, tuple, _metric_card)
        _show_alerts(report.alerts, form)


def _text(bank: "Bank", report: "MetricsReport", form: str) -> str:
    """Return the entire result as text; a table looks as it does in a pipe."""
    if form == "prometheus":
        from memorybank.metrics import prometheus

        return prometheus.render(report, os.path.basename(bank.layout.work_tree))
    if form == "json":
        from memorybank.metrics import analytics

        return json.dumps(analytics.document(report), ensure_ascii=False, indent=2, allow_nan=False) + "\n"
    draw = output.markdown if form == "markdown" else output.plain
    text = draw(COLUMNS, _cells(report))
    return text + ("\n" + draw(_ALERT_COLUMNS, list(map(_alert_cells, report.alerts))) if report.alerts else "")


def _cells(report: "MetricsReport") -> list[tuple[str, str, str]]:
    cells = []
    for names in report.metrics.to_json().values():
        for name, value in names.items():
            meaning, unknown = _MEANING[name]
            cells.append((name, _shown(value), meaning if value is not None else f"unknown: {unknown}"))
    return cells


def _metric_card(cells: tuple[str, str, str]) -> Card:
    name, value, meaning = cells
    return Card(name, value, (meaning,))


def _shown(value: object) -> str:
    if isinstance(value, dict):
        return tally(value) or "none"
    if isinstance(value, float):
        whole, _, digits = f"{value:,.6f}".partition(".")
        return f"{whole}.{digits.rstrip('0') or '0'}"
    return "-" if value is None else f"{value:,}"


def _show_alerts(alerts: "Sequence[Alert]", form: str) -> None:
    page.say("")
    if not alerts:
        page.say("no alert is active")
        return
    page.say(f"{counted(len(alerts), 'alert')}", "")
    page.listing(form, alerts, _ALERT_COLUMNS, _alert_cells, _alert_card)


def _alert_cells(alert: "Alert") -> tuple[str, str, str, str, str]:
    return alert.level, alert.id, isoformat(alert.since), str(alert.message), str(alert.next_step)


def _alert_card(alert: "Alert") -> Card:
    return Card(alert.level, alert.id, (f"{alert.message} (since {isoformat(alert.since)})", f"next: {alert.next_step}"))


def _write(target: str, text: str) -> None:
    """Replace a file that others may be reading.

    A symbolic link stays a link. A device or a pipe is refused, because it belongs to another program.
    """
    from memorybank.storage import disk

    path = os.path.realpath(target)
    if not os.path.isdir(os.path.dirname(path)):
        raise NotFound(f"there is no folder {os.path.dirname(target)}", next_step="create it, or name a file in an existing folder")
    if os.path.lexists(path) and not os.path.isfile(path):
        raise UsageError(f"{target} is not a file that can be replaced", next_step="omit --output to print the result")
    disk.replace(path, (text.encode(),), mode=disk.USER_FILE, durable=False)
