"""`memorybank mv`."""

import click

from memorybank.cli import output, page
from memorybank.cli.call import CommandCall, examples
from memorybank.cli.options import complete_key, key_argument


@click.command(
    epilog=examples(
        "memorybank mv planning/overview.md planning/roadmap.md",
        "memorybank mv shared/用語集.md planning/             keeps the name",
        "memorybank mv planning/overview.md roadmap --dry-run",
        "memorybank undo                                 takes the renaming back",
    )
)
@key_argument()
@click.argument("new", metavar="NEW", shell_complete=complete_key)
@click.option("--dry-run", is_flag=True, help="Only print the new key and what links to the note; nothing in the bank changes.")
@output.text_format_option("Lines of text, or a JSON object.")
@click.pass_obj
def command(call: CommandCall, key: str, new: str, dry_run: bool, form: str) -> None:
    """Rename a note, or move it to another folder of active/.

    NEW is a key, or a folder with a / at its end. The note keeps its bytes, its date, its views and the bookmark of its key. An existing note is never
    replaced. Links are not rewritten: the notes that link to it are listed.
    """
    bank = call.open(read_only=dry_run)
    old = bank.notes.resolve(key)
    linked = sorted({source for source, target in bank.notes.links(old) if target == old})
    if dry_run:
        target, change = bank.notes.new_key(old, new), ""
    else:
        target, change = bank.notes.rename(old, new)
    if form == "json":
        output.write_json({"key": old, "new_key": target, "change": change or None, "linked_from": linked})
        return
    page.say(f"{'would rename' if dry_run else 'renamed'}: {old} -> {target}")
    for source in linked:
        page.say(f"  linked from {source}")
    if change:
        page.say(f"to undo it: memorybank undo {change}")
