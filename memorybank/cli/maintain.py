"""`memorybank maintain`."""

from typing import TYPE_CHECKING

import click

from memorybank.cli import output, page, rotation_plan, rotation_report
from memorybank.cli.call import CommandCall
from memorybank.cli.findings import fail_on_errors, print_findings
from memorybank.cli.help import examples
from memorybank.cli.page import Fact
from memorybank.cli.quantities import counted, size
from memorybank.clock import isoformat

if TYPE_CHECKING:
    from memorybank.rotation.maintain import MaintainReport


@click.command(
    epilog=examples(
        "memorybank maintain                    runs what is due, without questions",
        "0 6 * * * cd ~/project && memorybank maintain --format json        a line for cron",
    )
)
@click.option("--yes", is_flag=True, help="Run even if the clock disagrees with the logs. The brake still applies.")
@output.format_option()
@click.pass_obj
def command(call: CommandCall, yes: bool, form: str) -> None:
    """Run all due maintenance: rotation, expired archive objects and backups, leftovers of killed commands.

    Notes leave only when active/ is over rotation.pressure (300 notes, 5 MB, 100 session notes): the least important ones of those that the rules allow to
    leave, and no more than necessary. With 'unattended: by_rules' in rotation_config.json, all rules whose interval has passed are applied instead.

    Full texts in the event logs that are older than `record.text_days` are blanked. The command is made to run unattended: of a large rotation only the first
    10 notes or 50 MB are archived; 'memorybank rotate' shows the rest and asks.
    """
    report = call.open().rotation.maintain(yes=yes)
    if form == "json":
        output.write_json(report.to_json())
    else:
        _show(report, form)
    fail_on_errors(report.backups.findings)
    errors = [*report.recovery.errors, *(error for rotation in report.rotations for error in rotation.errors)]
    rotation_report.raise_gravest(errors)


def _show(report: "MaintainReport", form: str) -> None:
    page.facts(form, _facts(report))
    for rotation in report.rotations:
        page.say("")
        page.say(f"Rotation, type {rotation.rotation_type}")
        page.say("")
        rotation_report.show(rotation, form, every=False)
    if report.backups.findings:
        page.say("")
        print_findings(report.backups.findings, form)


def _needed(report: "MaintainReport") -> int:
    """Return how many notes had to leave: those that left, those that stayed because of an error or a change, and those that the brake left."""
    return sum(len(rotation.rotated) + len(rotation.stayed) + rotation.remaining for rotation in report.rotations)


def _announced(count: int) -> str:
    from memorybank.log.rotation_state import OBSERVED_DAYS

    return f"{counted(count, 'archive object')} will be deleted after {OBSERVED_DAYS} later days with maintenance; bookmark a note to keep its object"


def _facts(report: "MaintainReport") -> list[Fact]:
    backups = report.backups
    removed = f"{counted(len(backups.compressed), 'file')} compressed, {len(backups.removed):,} removed, {size(backups.bytes_freed)} freed"
    return [
        ("rules run", ", ".join(report.evaluated) or "none"),
        *([("active notes", rotation_plan.need(_needed(report), report.occupancy))] if report.occupancy else []),
        *(("not due", f"{trigger}, until {isoformat(at)}") for trigger, at in report.not_due.items()),
        *rotation_report.finished(report.recovery),
        ("archived", counted(sum(len(rotation.rotated) for rotation in report.rotations), "note")),
        *([("announced", _announced(len(report.announced)))] if report.announced else []),
        ("expired", f"{counted(len(report.deleted), 'archive object')} removed"),
        ("backups", removed),
        ("leftovers", f"{counted(report.removed_temps, 'temporary file')} removed"),
        *([("old texts", f"{counted(report.blanked_texts, 'text')} blanked in the event logs")] if report.blanked_texts else []),
        *(("warning", warning) for warning in report.warnings),
    ]
