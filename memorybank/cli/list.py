"""`memorybank list`."""

import click

from memorybank.cli import output
from memorybank.cli.call import CommandCall
from memorybank.cli.help import examples
from memorybank.cli.options import Filters, filter_options
from memorybank.cli.output import Column


@click.command(
    epilog=examples(
        "memorybank list --category planning --tag decision",
        "memorybank list --since -7d --format json",
        "memorybank list --problems               problems, with file, line and code",
    )
)
@filter_options
@click.option("--problems", is_flag=True, help="List problems of notes and of their file names instead.")
@output.format_option()
@click.pass_obj
def command(call: CommandCall, filters: Filters, problems: bool, form: str) -> None:
    """List the active notes by key, or their problems.

    A problem never stops a command: a note with a problem is still indexed and found as far as it can be read.
    """
    if problems:
        _problems(call, form)
        return
    from memorybank.clock import day_of

    notes = [note for note in call.open().notes.list() if filters.accept(note)]
    data = [output.note_fields(note) for note in notes]
    cells = [(note.key, note.importance, day_of(note.modified), note.title) for note in notes]
    columns = (Column("key"), Column("importance", right=True), Column("modified"), Column("title", flexible=True))
    output.rows(form, columns, cells, data, empty="no notes match")


def _problems(call: CommandCall, form: str) -> None:
    found = call.open().notes.problems()
    data = [problem.to_json() for problem in found]
    cells = [(problem.path, problem.line, problem.code, problem.message) for problem in found]
    output.rows(form, (Column("path"), Column("line", right=True), Column("code"), Column("problem", flexible=True)), cells, data, empty="no problems")
