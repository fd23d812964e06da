"""`memorybank verify`."""

from typing import TYPE_CHECKING

import click

from memorybank.cli import output, page
from memorybank.cli.call import Call
from memorybank.cli.findings import fail_on_errors, print_findings
from memorybank.cli.help import examples
from memorybank.cli.quantities import counted, size

if TYPE_CHECKING:
    from memorybank.rotation.verify import VerifyReport


@click.command(
    epilog=examples(
        "memorybank verify                       exit 0 when every byte is what was written, else 9",
        "memorybank verify --format json",
        "memorybank verify --repair              lost sidecars again, from the rotation log",
    )
)
@click.option("--repair", is_flag=True, help="First write sidecars that are missing or damaged again from the rotation log; nothing else is touched.")
@output.format_option()
@click.pass_obj
def command(call: Call, repair: bool, form: str) -> None:
    """Prove that the archive is whole: read every log line, sidecar and archived note, and compute every digest again.

    Changes nothing, uses nothing derived, and works in a clone that has only the archive. Exit code 9 when something is lost or damaged; warnings are 0.
    """
    if repair:
        written = call.open().archive.repair()
        output.notice(f"{counted(len(written), 'sidecar')} written again")
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
            ("archived notes", f"{report.objects:,} whole, {size(report.bytes_read)}, of {counted(report.sidecars, 'sidecar')}"),
            ("log lines", f"{report.log_lines:,} read"),
            ("findings", f"{len(report.findings):,}" if report.findings else "none; every digest is what was written"),
        ],
    )
    if report.findings:
        page.say("")
        print_findings(report.findings, form)
