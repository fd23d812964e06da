"""`memorybank mv`."""

from typing import TYPE_CHECKING

import click

from memorybank.cli import output, page
from memorybank.cli.call import CommandCall, examples
from memorybank.cli.options import complete_key, key_argument, quiet_option
from memorybank.cli.progress import progress
from memorybank.text.quantities import counted

if TYPE_CHECKING:
    from memorybank.bank import Bank
    from memorybank.bank.rewriting import RelinkPlan


@click.command(
    epilog=examples(
        "memorybank mv planning/overview.md planning/roadmap.md",
        "memorybank mv planning/overview.md shared/ --links   and rewrites the links to it",
        "memorybank mv shared/用語集.md planning/             keeps the name",
        "memorybank mv planning/overview.md roadmap --links --dry-run",
        "memorybank undo                                      takes all of it back",
    )
)
@key_argument()
@click.argument("new", metavar="NEW", shell_complete=complete_key)
@click.option("--links", "with_links", is_flag=True, help="Rewrite [..](..) and [[..]] in notes that link to it, and relative links in the note itself.")
@click.option("--dry-run", is_flag=True, help="Only print the new key and what links to the note; nothing in the bank changes.")
@output.text_format_option("Lines of text, or a JSON object.")
@quiet_option
@click.pass_obj
def command(call: CommandCall, key: str, new: str, with_links: bool, dry_run: bool, form: str) -> None:
    """Rename a note, or move it to another folder of active/.

    NEW is a key, or a folder. The note keeps its bytes, its date, its views and the bookmark of its key. An existing note is never replaced. Notes that link
    to it are listed; with --links they are rewritten in the same change, and keep their dates. File names in running text and in code stay as they are.
    """
    bank = call.open(read_only=dry_run)
    key = bank.notes.find(key)
    if with_links:
        planned = bank.notes.plan_links(key, new)
        change = ""
        if not dry_run:
            with progress("rewriting links", call.clock) as step:
                change = bank.notes.rename_with_links(planned, progress=step)
        _show_links(form, planned, dry_run, change)
    else:
        _rename(bank, key, new, dry_run, form)


def _rename(bank: "Bank", key: str, new: str, dry_run: bool, form: str) -> None:
    linked = sorted({source for source, target in bank.notes.links(key) if target == key})
    target, change = (bank.notes.new_key(key, new), "") if dry_run else bank.notes.rename(key, new)
    if form == "json":
        output.write_json({"key": key, "new_key": target, "change": change or None, "linked_from": linked})
        return
    page.say(f"{'would rename' if dry_run else 'renamed'}: {key} -> {target}")
    for source in linked:
        page.say(f"  linked from {source}")
    if linked and dry_run:
        page.say("these links stay as they are; --links rewrites them")
    _how_to_undo(change)


def _show_links(form: str, planned: "RelinkPlan", dry_run: bool, change: str) -> None:
    if form == "json":
        rewritten = [{"key": key, "links": count} for key, count in planned.rewritten]
        left = [{"key": key, "targets": list(targets)} for key, targets in planned.left]
        output.write_json({"key": planned.key, "new_key": planned.new_key, "change": change or None, "rewritten": rewritten, "left": left})
        return
    page.say(f"{'would rename' if dry_run else 'renamed'}: {planned.key} -> {planned.new_key}")
    for key, count in planned.rewritten:
        page.say(f"  {counted(count, 'link')} {'to rewrite' if dry_run else 'rewritten'} in {key}")
    for key, targets in planned.left:
        page.say(f"  stays as written in {key}: {', '.join(targets)}")
    _how_to_undo(change)


def _how_to_undo(change: str) -> None:
    if change:
        page.say(f"to undo it: memorybank undo {change}")
