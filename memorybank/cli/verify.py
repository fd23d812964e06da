"""`memorybank verify`."""

from typing import TYPE_CHECKING

import click

from memorybank.cli import output, page
from memorybank.cli.call import CommandCall
from memorybank.cli.findings import fail_on_errors, print_findings
from memorybank.cli.help import examples
from memorybank.cli.quantities import counted, size

if TYPE_CHECKING:
    from memorybank.rotation.verify import VerifyReport


@click.command(
    epilog=examples(
        "memorybank verify                       exit code 0 if every byte is intact, otherwise 9",
        "memorybank verify --format json",
        "memorybank verify --repair              recreates lost sidecars from the rotation log",
    )
)
@click.option("--repair", is_flag=True, help="First recreate missing or damaged sidecars from the rotation log; nothing else is changed.")
@output.format_option()
@click.pass_obj
def command(call: CommandCall, repair: bool, form: str) -> None:
    """Verify that the archive is intact: read every log line, sidecar and archived note, and compute every digest again.

    Nothing is changed and no derived file is used, so the command also works in a clone that has only the archive. The exit code is 9 if something is lost or
    damaged, and 0 if there are only warnings.
    """
    if repair:
        written = call.open().archive.repair()
        output.notice(f"{counted(len(written), 'sidecar')} recreated")
    report = call.open(read_only=True).archive.verify()
    if form == "json":
        output.write_json(report.to_json())
    else:
        _show(report, form)
    fail_on_errors(report.findings)


def _show(report: "VerifyReport", form: str) -> None:
    page.facts(
        form,
        [
            ("archived notes", f"{report.objects:,} intact, {size(report.bytes_read)}, from {counted(report.sidecars, 'sidecar')}"),
            ("log lines", f"{report.log_lines:,} read"),
            ("findings", f"{len(report.findings):,}" if report.findings else "none; every digest matches"),
        ],
    )
    if report.findings:
        page.say("")
        print_findings(report.findings, form)
