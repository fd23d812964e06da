"""`memorybank index`."""

from typing import TYPE_CHECKING

import click

from memorybank.cli import output
from memorybank.cli.call import CommandCall
from memorybank.cli.help import examples
from memorybank.cli.options import complete_key
from memorybank.cli.output import Column
from memorybank.cli.progress import progress
from memorybank.cli.quantities import counted
from memorybank.errors import ValidationFailed

if TYPE_CHECKING:
    from memorybank.bank import Bank
    from memorybank.index.fold import FoldReport


@click.command(
    epilog=examples(
        "memorybank index                                       what changed since the last run",
        "memorybank index --mode full",
        "memorybank index --mode selective planning/overview.md",
        "memorybank index --check                               exit code 9 if index and notes differ",
    )
)
@click.argument("paths", nargs=-1, metavar="[PATH...]", shell_complete=complete_key)
@click.option(
    "--mode",
    type=click.Choice(["full", "incremental", "selective"]),
    default="incremental",
    show_default=True,
    help="full: all notes; incremental: what changed; selective: only the notes that are named.",
)
@click.option("--publish", is_flag=True, help="Also write indexes/*.json after --mode selective, which otherwise leaves them unchanged.")
@click.option("--check", is_flag=True, help="Only compare the index with the notes; writes nothing, and exits with code 9 if they differ.")
@click.option("--optimize", is_flag=True, help="Compact the index file afterwards.")
@output.format_option()
@click.pass_obj
def command(call: CommandCall, paths: tuple[str, ...], mode: str, publish: bool, check: bool, optimize: bool, form: str) -> None:
    """Update the working index and publish indexes/*.json.

    A search updates the index by itself. Run this command for the published files, or before the first search of a large bank.
    """
    if paths and mode != "selective":
        raise click.UsageError("PATH requires --mode selective")
    if mode == "selective" and not paths and not check:
        raise click.UsageError("--mode selective needs at least one PATH")
    if check:
        _check(call.open(read_only=True), form)
        return
    bank = call.open()
    with progress("indexing", call.clock) as step:
        report = bank.index.update(mode, paths, publish=True if publish else None, progress=step)
    if optimize:
        bank.index.optimize()
    print_report(report, form)


def _check(bank: "Bank", form: str) -> None:
    problems = bank.index.check()
    cells = [(problem.path, problem.code, problem.message) for problem in problems]
    data = [problem.to_json() for problem in problems]
    output.rows(form, (Column("path"), Column("code"), Column("problem", flexible=True)), cells, data, empty="index and notes agree")
    if problems:
        raise ValidationFailed(f"the index differs from the notes in {counted(len(problems), 'place')}", next_step="'memorybank index' updates it")


def print_report(report: "FoldReport", form: str) -> None:
    """Print the counts of an update, and a notice with the number of problems."""
    fields = {name: getattr(report, name) for name in ("found", "read", "added", "changed", "removed", "rescored")}
    data = {**fields, "problems": [problem.to_json() for problem in report.problems]}
    if form == "json":
        output.write_json(data)
        return
    did = ", ".join(f"{count:,} {name}" for name, count in fields.items() if name != "found")
    output.write(f"{counted(report.found, 'note')}: {did}\n")
    if report.problems:
        output.notice(f"{counted(len(report.problems), 'problem')}; 'memorybank list --problems' shows them")
