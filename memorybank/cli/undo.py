"""`memorybank undo`."""

from typing import TYPE_CHECKING

import click

from memorybank.cli import output, page
from memorybank.cli.call import CommandCall
from memorybank.cli.help import examples
from memorybank.cli.output import Column
from memorybank.cli.page import FIRST_ROWS
from memorybank.cli.quantities import counted, size
from memorybank.cli.rotation_report import raise_gravest

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem

    from memorybank.bank import Bank
    from memorybank.rotation.undo import ReturnedNote, UndoReport


def complete_rotation(context: click.Context, parameter: click.Parameter, incomplete: str) -> "list[CompletionItem]":
    """Return the rotations that can be undone, newest first."""
    from click.shell_completion import CompletionItem

    from memorybank.errors import MemorybankError

    try:
        rotations = CommandCall(context.find_root().params.get("bank")).open(read_only=True).rotation.undoable()
    except (MemorybankError, OSError):
        return []
    return [CompletionItem(each.rotation.id, help=counted(each.left, "note")) for each in rotations if each.rotation.id.startswith(incomplete)]


@click.command(
    epilog=examples(
        "memorybank undo --list                    all rotations, newest first",
        "memorybank undo                           restores what the newest one archived",
        "memorybank undo 20250917T123456789Z-1a2b3c",
    )
)
@click.argument("rotation", required=False, metavar="[ROTATION]", shell_complete=complete_rotation)
@click.option("--list", "listing", is_flag=True, help="Only list the rotations that can be undone, newest first.")
@output.format_option()
@click.pass_obj
def command(call: CommandCall, rotation: str | None, listing: bool, form: str) -> None:
    """Restore every note that a rotation archived, byte for byte, with its date.

    No note is replaced: if the path is taken, the note is restored as NAME~DIGEST.md. The archive keeps its copy. Running the command twice has no
    further effect.
    """
    if listing:
        if rotation is not None:
            raise click.UsageError("--list shows all rotations; omit ROTATION")
        _list(call.open(read_only=True), form)
        return
    report = call.open().rotation.undo(rotation)
    if form == "json":
        output.write_json(report.to_json())
    else:
        _show(report, form)
    raise_gravest(report.errors)


def _list(bank: "Bank", form: str) -> None:
    rotations = bank.rotation.undoable()
    columns = (Column("rotation"), Column("type"), *(Column(name, right=True) for name in ("notes", "size", "restored")))
    cells = [(each.rotation.id, each.rotation.trigger, each.left, size(each.size), each.back) for each in rotations]
    output.rows(form, columns, cells, [each.to_json() for each in rotations], empty="no rotation has archived a note yet")


def _show(report: "UndoReport", form: str) -> None:
    if report.already and not report.returned and not report.errors:
        page.say(f"nothing to restore: {counted(report.already, 'note')} of rotation {report.rotation_id} already restored")
        return
    already = f"; {counted(report.already, 'note')} already restored" if report.already else ""
    page.say(f"{counted(len(report.returned), 'note')} of rotation {report.rotation_id} restored{already}")
    shown = [(note.key, remark(note)) for note in report.returned[:FIRST_ROWS]]
    if shown:
        page.say("")
        remarks = [Column("remark", flexible=True)] if any(said for _, said in shown) else []
        columns = [Column("note", flexible=True), *remarks]
        output.rows(form, columns, [cells[: len(columns)] for cells in shown], None, empty="")
    if len(shown) < len(report.returned):
        page.say("")
        page.say(f"{counted(len(report.returned) - len(shown), 'more note')}; 'memorybank list' shows them")
    for key, error in report.errors:
        page.say(f"still archived: {key}: {error.message}")


def remark(note: "ReturnedNote") -> str | None:
    """Return what is unusual about the way a note came back; None when nothing is."""
    said = []
    if note.key != note.original_path:
        said.append(f"{note.original_path} has different text now, so the note was restored next to it")
    if note.from_backup:
        said.append("with the edits made after the rotation")
    return "; ".join(said) or None
