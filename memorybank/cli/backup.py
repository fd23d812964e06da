"""`memorybank backup list|prune`."""

import click

from memorybank.cli import output, page
from memorybank.cli.call import CommandCall
from memorybank.cli.findings import fail_on_errors, print_findings
from memorybank.cli.help import examples
from memorybank.cli.output import Column
from memorybank.cli.quantities import counted, size
from memorybank.clock import day_of


@click.group(
    epilog=examples(
        "memorybank backup list",
        "memorybank backup prune",
    )
)
def command() -> None:
    """Manage backups: the original files that rotations moved to backups/ on this machine.

    They expire automatically (backup_policy). The archive, which is committed, also keeps every note.
    """


@command.command("list", short_help="List the backups of each rotation.", epilog=examples("memorybank backup list --format json"))
@output.format_option()
@click.pass_obj
def show(call: CommandCall, form: str) -> None:
    """List the backups of each rotation, oldest first, and when they expire.

    'edited' counts files that were edited after the rotation. 'undo' restores that text, and it is never removed.
    """
    found = call.open(read_only=True).backups.list()
    columns = (Column("rotation"), Column("expires"), *(Column(name, right=True) for name in ("files", "size", "packed", "missing", "edited")))
    cells = [(each.rotation_id, day_of(each.expires_at), each.files, size(each.size), each.compressed, each.missing, len(each.edited)) for each in found]
    output.rows(form, columns, cells, [each.to_json() for each in found], empty="no backups")


@command.command(
    "prune",
    short_help="Compress or remove the backups that are due.",
    epilog=examples("memorybank backup prune", "memorybank backup prune --format json"),
)
@click.option("--yes", is_flag=True, help="Run even if the clock disagrees with the logs.")
@output.format_option()
@click.pass_obj
def prune(call: CommandCall, yes: bool, form: str) -> None:
    """Compress backups that are older than a day, and remove those that have expired.

    Only files that the log recorded as they are now are touched: one that was edited since, or whose archived copy is damaged, is reported and kept.
    """
    report = call.open().backups.prune(yes=yes)
    if form == "json":
        fields = {"compressed": report.compressed, "removed": report.removed, "bytes_freed": report.bytes_freed}
        output.write_json({**fields, "findings": [found.to_json() for found in report.findings]})
    else:
        page.say(f"{counted(len(report.compressed), 'backup')} compressed, {len(report.removed):,} removed, {size(report.bytes_freed)} freed")
        if report.findings:
            page.say("")
            print_findings(report.findings, form)
    fail_on_errors(report.findings)
