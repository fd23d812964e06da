"""`memorybank tags` and `tags rename`."""

from typing import TYPE_CHECKING

import click

from memorybank.cli import output, page
from memorybank.cli.call import CommandCall, examples
from memorybank.cli.options import completing, quiet_option
from memorybank.cli.output import Column
from memorybank.cli.progress import progress
from memorybank.text.quantities import counted

if TYPE_CHECKING:
    from memorybank.bank.rewriting import TagPlan

FIRST_NOTES = 20
"""Number of notes that `tags rename` lists unless --all is given."""


@click.group(
    invoke_without_command=True,
    epilog=examples(
        "memorybank tags",
        "memorybank tags --format json",
        "memorybank tags rename postgres db/postgres --dry-run",
        "memorybank list --tag decision                  the notes with one tag",
    ),
)
@output.format_option()
@click.pass_context
def command(context: click.Context, form: str) -> None:
    """List the tags of the notes with their counts, the most frequent first, or rename one.

    A nested tag such as db/postgres also counts for db. Tags that differ only in case are one tag, shown as most notes write it.
    """
    if context.invoked_subcommand is not None:
        return
    call: CommandCall = context.obj
    found = call.open().notes.tags()
    data = [{"tag": each.tag, "notes": each.notes, "nested": each.nested} for each in found]
    is_nested = any(each.nested for each in found)
    cells = [(each.tag, each.notes, *([each.nested or None] if is_nested else [])) for each in found]
    columns = (Column("tag", flexible=True), *output.columns("notes", *(["nested"] if is_nested else []), right=True))
    output.rows(form, columns, cells, data, empty="no note has a tag; add 'tags: [TAG]' to the front matter of a note")


@completing
def complete_tag(call: CommandCall, typed: str) -> dict[str, str | None]:
    return {each.tag: counted(each.notes, "note") for each in call.open(read_only=True).notes.tags()}


@command.command(
    short_help="Rename a tag in all notes.",
    epilog=examples(
        "memorybank tags rename postgres db/postgres --dry-run      what would change",
        "memorybank tags rename db database               db/postgres becomes database/postgres",
        "memorybank tags rename 決定 decision",
        "memorybank undo                                  takes all of it back",
    ),
)
@click.argument("old", metavar="OLD", shell_complete=complete_tag)
@click.argument("new", metavar="NEW", shell_complete=complete_tag)
@click.option("--dry-run", is_flag=True, help="Only print the notes that would change, with their tags; nothing in the bank changes.")
@click.option("--all", "every", is_flag=True, help=f"List every note; otherwise the first {FIRST_NOTES}.")
@output.text_format_option("Lines of text, or a JSON object.")
@quiet_option
@click.pass_obj
def rename(call: CommandCall, old: str, new: str, dry_run: bool, every: bool, form: str) -> None:
    """Rename a tag, and the tags nested below it, in all notes as one change.

    Only that tag changes in a note; its other bytes and its date stay. If notes have the new tag already, the two become one tag. If a note cannot be
    edited, nothing changes.
    """
    notes = call.open(read_only=dry_run).notes
    planned = notes.plan_tags(old, new)
    change = ""
    if not dry_run:
        with progress("renaming", call.clock) as step:
            change = notes.rename_tag(planned, progress=step)
    if form == "json":
        changed = [{"key": note.key, "tags": note.tags} for note in planned.notes]
        output.write_json({"old": planned.old, "new": planned.new, "change": change or None, "notes": changed, "merged_with": planned.merged})
        return
    _show(planned, dry_run, change, every)


def _show(planned: "TagPlan", dry_run: bool, change: str, every: bool) -> None:
    page.say(f"{planned.old} -> {planned.new}: {counted(len(planned.notes), 'note')} {'would change' if dry_run else 'changed'}")
    if planned.merged:
        page.say(f"{counted(planned.merged, 'other note')} with {planned.new} already")
    shown = planned.notes[: None if every else FIRST_NOTES]
    for note in shown:
        page.say(f"  {note.key}: {', '.join(f'{before} -> {after}' for before, after in note.tags.items())}")
    if len(shown) < len(planned.notes):
        page.say(f"  and {counted(len(planned.notes) - len(shown), 'more note')}; --all lists every note")
    if change:
        page.say(f"to undo it: memorybank undo {change}")
