"""`memorybank tags`."""

import click

from memorybank.cli import output
from memorybank.cli.call import CommandCall, examples
from memorybank.cli.output import Column


@click.command(
    epilog=examples(
        "memorybank tags",
        "memorybank tags --format json",
        "memorybank list --tag decision                  the notes with one tag",
    )
)
@output.format_option()
@click.pass_obj
def command(call: CommandCall, form: str) -> None:
    """List the tags of the notes with their counts, the most frequent first.

    A nested tag such as db/postgres also counts for db. Tags that differ only in case are one tag, shown as most notes write it.
    """
    found = call.open().notes.tags()
    data = [{"tag": each.tag, "notes": each.notes, "nested": each.nested} for each in found]
    cells = [(each.tag, each.notes, each.nested or None) for each in found]
    columns = (Column("tag", flexible=True), Column("notes", right=True), Column("nested", right=True))
    output.rows(form, columns, cells, data, empty="no note has a tag; add 'tags: [TAG]' to the front matter of a note")
