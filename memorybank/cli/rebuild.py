"""`memorybank rebuild`."""

import click

from memorybank.cli import output
from memorybank.cli.call import CommandCall
from memorybank.cli.help import examples
from memorybank.cli.index import print_report
from memorybank.cli.options import InstantTextType
from memorybank.cli.progress import progress


@click.command(
    epilog=examples(
        "memorybank rebuild",
        "memorybank rebuild --as-of 2025-12-31T00:00:00Z --format json",
    )
)
@click.option("--as-of", type=InstantTextType(), metavar="WHEN", help="Calculate scores as of this day, and write it to last_updated.")
@output.format_option()
@click.pass_obj
def command(call: CommandCall, as_of: str | None, form: str) -> None:
    """Regenerate all derived files: cache, indexes, metadata, archive catalogues.

    Notes, archive and logs are only read. The same files and the same --as-of give the same result, byte for byte.
    """
    bank = call.open()
    with progress("rebuilding", call.clock) as step:
        report = bank.index.rebuild(as_of=as_of, progress=step)
    print_report(report, form)
