"""`memorybank bookmark add|remove|list`."""

import click

from memorybank.cli import output
from memorybank.cli.call import CommandCall
from memorybank.cli.help import examples
from memorybank.cli.options import complete_key
from memorybank.cli.output import Column
from memorybank.errors import NotFound, ValidationFailed
from memorybank.storage.layout import Layout


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
@click.option("--note", default="", help="Reason for the bookmark.")
@click.pass_obj
def add(call: CommandCall, pattern: str, note: str) -> None:
    """Bookmark one note, a folder ('planning/'), or every note that a pattern such as 'shared/*.md' matches."""
    bank = call.open()
    added = bank.notes.bookmark_add(pattern, note)
    output.write(f"{'bookmarked' if added else 'already bookmarked'}: {output.clean(pattern)}\n")
    if added and not _matches(bank.layout):
        output.notice("no note matches it at present; check the spelling with 'memorybank list'")


@command.command("remove", epilog=examples("memorybank bookmark remove planning/overview.md"))
@click.argument("pattern", metavar="KEY|GLOB", shell_complete=complete_key)
@click.pass_obj
def remove(call: CommandCall, pattern: str) -> None:
    """Remove a bookmark, written as 'bookmark list' shows it."""
    if not call.open().notes.bookmark_remove(pattern):
        raise NotFound(f"no bookmark {pattern!r}", next_step="'memorybank bookmark list' shows all bookmarks as they are written")
    output.write(f"bookmark removed: {output.clean(pattern)}\n")


@command.command("list", epilog=examples("memorybank bookmark list --format json"))
@output.format_option()
@click.pass_obj
def show(call: CommandCall, form: str) -> None:
    """List the bookmarks with their reasons."""
    from memorybank.notes import bookmarks

    marks = bookmarks.load(call.layout())
    if marks.malformed is not None:
        raise ValidationFailed(f"{marks.malformed.path}: {marks.malformed.message}", next_step="fix the JSON by hand, or restore the file from git")
    data = [{"path": mark.path, "added_at": mark.added_at, "note": mark.note} for mark in marks.entries]
    cells = [(mark.path, mark.added_at, mark.note) for mark in marks.entries]
    columns = (Column("path"), Column("added at"), Column("note", flexible=True))
    output.rows(form, columns, cells, data, empty="no bookmarks; 'memorybank bookmark add KEY' adds one")


def _matches(layout: Layout) -> bool:
    """Whether the bookmark that was added last protects a note."""
    from memorybank.notes import bookmarks, scan

    mark = bookmarks.Bookmarks((bookmarks.load(layout).entries[-1],))
    return any(mark.matches(found.key) for found in scan.sweep(layout).found)
