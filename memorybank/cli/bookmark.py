"""`memorybank bookmark add|remove|list`."""

import click

from memorybank.cli import output
from memorybank.cli.call import Call
from memorybank.cli.help import examples
from memorybank.cli.options import complete_key
from memorybank.cli.output import Column


@click.group(
    epilog=examples(
        "memorybank bookmark add planning/overview.md --note 'read this first'",
        "memorybank bookmark add 'shared/*.md'",
        "memorybank bookmark list",
    )
)
def command() -> None:
    """Keep notes out of every rotation, whatever their importance."""


@command.command("add", epilog=examples("memorybank bookmark add planning/overview.md --note 'read this first'"))
@click.argument("pattern", metavar="KEY|GLOB", shell_complete=complete_key)
@click.option("--note", default="", help="Why it is kept.")
@click.pass_obj
def add(call: Call, pattern: str, note: str) -> None:
    """Bookmark one note, or every note that a pattern such as 'shared/*.md' matches."""
    call.open().notes.bookmark_add(pattern, note)
    output.write(f"bookmarked: {pattern}\n")


@command.command("remove", epilog=examples("memorybank bookmark remove planning/overview.md"))
@click.argument("pattern", metavar="KEY|GLOB", shell_complete=complete_key)
@click.pass_obj
def remove(call: Call, pattern: str) -> None:
    """Take a bookmark back."""
    call.open().notes.bookmark_remove(pattern)
    output.write(f"no longer bookmarked: {pattern}\n")


@command.command("list", epilog=examples("memorybank bookmark list --format json"))
@output.format_option()
@click.pass_obj
def show(call: Call, form: str) -> None:
    """List the bookmarks and what each is for."""
    marks = call.open(read_only=True).notes.bookmark_list()
    data = [{"path": mark.path, "added_at": mark.added_at, "note": mark.note} for mark in marks]
    cells = [(mark.path, mark.added_at, mark.note) for mark in marks]
    columns = (Column("path"), Column("added at"), Column("note", flexible=True))
    output.rows(form, columns, cells, data, empty="no bookmarks; 'memorybank bookmark add KEY' makes one")
