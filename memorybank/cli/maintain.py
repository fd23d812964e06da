"""The commands that keep archive and backups in order: `memorybank maintain`, `backup` and `verify`."""

from typing import TYPE_CHECKING

import click

from memorybank.cli import output, page
from memorybank.cli.call import CommandCall, examples
from memorybank.cli.options import quiet_option, yes_option
from memorybank.cli.output import Column
from memorybank.cli.page import Fact, fail_on_errors, print_findings
from memorybank.cli.rotation_report import needed_text, raise_most_severe, recovery_facts, show_report
from memorybank.clock import isoformat, local_day_of
from memorybank.text.quantities import counted, size

if TYPE_CHECKING:
    from memorybank.rotation.maintain import MaintainReport
    from memorybank.rotation.verify import VerifyReport


@click.command(
    epilog=examples(
        "memorybank maintain                    runs what is due, without questions",
        "0 6 * * * cd ~/project && memorybank maintain --format json        a line for cron",
    )
)
@yes_option("Run even if the clock disagrees with the logs. The brake still applies.")
@output.format_option()
@quiet_option
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
        _show_maintained(report, form)
    fail_on_errors(report.backups.findings)
    errors = [*report.recovery.errors, *(error for rotation in report.rotations for error in rotation.errors)]
    raise_most_severe(errors)


def _show_maintained(report: "MaintainReport", form: str) -> None:
    page.facts(form, _maintain_facts(report))
    for rotation in report.rotations:
        page.say("")
        page.say(f"Rotation, type {rotation.rotation_type}")
        page.say("")
        show_report(rotation, form, every=False)
    print_findings(report.backups.findings, form)


def _needed(report: "MaintainReport") -> int:
    """Return how many notes had to leave: those that left, those that stayed because of an error or a change, and those that the brake left."""
    return sum(len(rotation.rotated) + len(rotation.stayed) + rotation.remaining for rotation in report.rotations)


def _announced(count: int) -> str:
    from memorybank.log.rotation_state import OBSERVED_DAYS

    return f"{counted(count, 'archive object')} will be deleted after {OBSERVED_DAYS} later days with maintenance; bookmark a note to keep its object"


def _maintain_facts(report: "MaintainReport") -> list[Fact]:
    backups = report.backups
    removed = f"{counted(len(backups.compressed), 'file')} compressed, {len(backups.removed):,} removed, {size(backups.bytes_freed)} freed"
    return [
        ("rules run", ", ".join(report.evaluated) or "none"),
        *([("active notes", needed_text(_needed(report), report.occupancy, waits=report.grace is not None))] if report.occupancy else []),
        *([("grace", f"nothing leaves by its age {report.grace.text}")] if report.grace else []),
        *(("not due", f"{trigger}, until {isoformat(at)[:16].replace('T', ' ')} UTC") for trigger, at in report.not_due.items()),
        *recovery_facts(report.recovery),
        ("archived", counted(sum(len(rotation.rotated) for rotation in report.rotations), "note")),
        *([("announced", _announced(len(report.announced)))] if report.announced else []),
        ("expired", f"{counted(len(report.deleted), 'archive object')} removed"),
        ("backups", removed),
        ("leftovers", f"{counted(report.removed_temps, 'temporary file')} removed"),
        *([("old texts", f"{counted(report.blanked_texts, 'text')} blanked in the event logs")] if report.blanked_texts else []),
        *(("warning", str(warning)) for warning in report.warnings),
    ]


@click.group(
    epilog=examples(
        "memorybank backup list",
        "memorybank backup prune",
    )
)
def backup() -> None:
    """Manage backups: the original files that rotations moved to backups/ on this machine.

    They expire automatically (backup_policy). The archive, which is committed, also keeps every note.
    """


@backup.command("list", short_help="List the backups of each rotation.", epilog=examples("memorybank backup list --format json"))
@output.format_option()
@click.pass_obj
def backup_list(call: CommandCall, form: str) -> None:
    """List the backups of each rotation, oldest first, and when they expire.

    'edited' counts files that were edited after the rotation. They are never removed, and 'undo' restores the edited text.
    """
    found = call.open(read_only=True).backups.list()
    columns = (Column("rotation"), Column("expires"), *output.columns("files", "size", "packed", "missing", "edited", right=True))
    cells = [(each.rotation_id, local_day_of(each.expires_at), each.files, size(each.size), each.compressed, each.missing, len(each.edited)) for each in found]
    output.rows(form, columns, cells, [each.to_json() for each in found], empty="no backups")


@backup.command(
    "prune",
    short_help="Compress or remove the backups that are due.",
    epilog=examples("memorybank backup prune", "memorybank backup prune --format json"),
)
@yes_option("Run even if the clock disagrees with the logs.")
@output.format_option()
@click.pass_obj
def backup_prune(call: CommandCall, yes: bool, form: str) -> None:
    """Compress backups that are older than a day, and remove those that have expired.

    Only files that the log recorded as they are now are touched: one that was edited since, or whose archived copy is damaged, is reported and kept.
    """
    report = call.open().backups.prune(yes=yes)
    if form == "json":
        fields = {"compressed": report.compressed, "removed": report.removed, "bytes_freed": report.bytes_freed}
        output.write_json({**fields, "findings": [found.to_json() for found in report.findings]})
    else:
        page.say(f"{counted(len(report.compressed), 'backup')} compressed, {len(report.removed):,} removed, {size(report.bytes_freed)} freed")
        print_findings(report.findings, form)
    fail_on_errors(report.findings)


@click.command(
    epilog=examples(
        "memorybank verify                       exit code 0 if every byte is intact, otherwise 9",
        "memorybank verify --format json",
        "memorybank verify --repair              recreates lost sidecars from the rotation log",
        "memorybank verify --acknowledge         accepts what a removed worktree or a stash took with it, if it is complete elsewhere",
        "memorybank verify --unacknowledge       takes that back",
    )
)
@click.option("--repair", is_flag=True, help="First recreate missing or damaged sidecars from the rotation log; nothing else is changed.")
@click.option("--acknowledge", is_flag=True, help="Accept missing archived notes that are complete elsewhere: from now on they are warnings.")
@click.option("--unacknowledge", is_flag=True, help="Take all acknowledgements back.")
@output.format_option()
@click.pass_obj
def verify(call: CommandCall, repair: bool, acknowledge: bool, unacknowledge: bool, form: str) -> None:
    """Verify that the archive is intact: read every log line, sidecar and archived note, and compute every digest again.

    Nothing is changed and no derived file is used, so the command also works in a clone that has only the archive. The exit code is 9 if something is lost or
    damaged, and 0 if there are only warnings.

    A removed worktree or a stash takes archived notes with it that the rotation log lists. If such a note is complete elsewhere (as a note, in a backup,
    another worktree, a commit or a stash), --acknowledge accepts that. Every run looks it up again: if that copy is lost too, it is an error again.
    """
    if acknowledge and unacknowledge:
        raise click.UsageError("--acknowledge and --unacknowledge cannot be combined")
    if acknowledge:
        output.notice(f"{counted(len(call.open().archive.acknowledge()), 'missing archived note')} acknowledged")
    if unacknowledge:
        output.notice(f"{counted(len(call.open().archive.unacknowledge()), 'acknowledgement')} taken back")
    if repair:
        written = call.open().archive.repair()
        output.notice(f"{counted(len(written), 'sidecar')} recreated")
    report = call.open(read_only=True).archive.verify()
    if form == "json":
        output.write_json(report.to_json())
    else:
        _show_verified(report, form)
    fail_on_errors(report.findings)


def _show_verified(report: "VerifyReport", form: str) -> None:
    page.facts(
        form,
        [
            ("archived notes", f"{report.objects:,} intact, {size(report.bytes_read)}, from {counted(report.sidecars, 'sidecar')}"),
            ("log lines", f"{report.log_lines:,} read"),
            ("findings", f"{len(report.findings):,}" if report.findings else "none; every digest matches"),
        ],
    )
    print_findings(report.findings, form)
