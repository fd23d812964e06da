"""`memorybank superseded list|keep|restore`."""

from typing import TYPE_CHECKING

import click

from memorybank.cli import output
from memorybank.cli.call import CommandCall, examples
from memorybank.cli.options import complete_key
from memorybank.cli.output import Column
from memorybank.clock import day_of, isoformat
from memorybank.errors import ValidationFailed
from memorybank.text.quantities import counted

if TYPE_CHECKING:
    from memorybank.index.decision_rows import SupersededStatement

_COLUMNS = (Column("id"), Column("statement", flexible=True), Column("superseded by", flexible=True), Column("since"))
_ENTIRE = "(the entire note)"


@click.group(epilog=examples("memorybank superseded list", "memorybank superseded keep superseded:1a2b3c4d", "memorybank superseded restore"))
def command() -> None:
    """List the decisions and rules in notes that a later one replaced. Agents are shown the later one.

    A later statement replaces an earlier one about the same subject when it says what is no longer used, denies it, or gives it another value; and a note
    replaces another one when one of them says so. docs/superseded.md explains the rules. In doubt nothing is superseded.
    """


@command.command(
    "list",
    short_help="List superseded statements.",
    epilog=examples(
        "memorybank superseded list",
        "memorybank superseded list planning/queue.md",
        "memorybank superseded list --format json",
        "memorybank superseded list --check      exit code 9 if something is superseded",
    ),
)
@click.argument("note", required=False, shell_complete=complete_key)
@click.option("--check", is_flag=True, help="Exit with code 9 if something is listed. For scripts and CI.")
@output.format_option()
@click.pass_obj
def list_(call: CommandCall, note: str | None, check: bool, form: str) -> None:
    """List the statements that were superseded, each with the statement that is in force now; of NOTE, or of all notes."""
    found = call.open().decisions.superseded(note)
    cells = [(each.id, _said(each.key, each.line, each.text), _said(each.by, each.by_line, each.by_text), day_of(each.at)) for each in found]
    output.rows(form, _COLUMNS, cells, [_fields(each) for each in found], empty="no statement is known to be superseded")
    if check and found:
        raise ValidationFailed(
            f"superseded: {counted(len(found), 'statement')}",
            next_step="correct the notes with 'memorybank edit NOTE', archive them with 'memorybank forget NOTE', or 'memorybank superseded keep ID'",
        )


@command.command("keep", short_help="Say that two statements do not contradict each other.", epilog=examples("memorybank superseded keep superseded:1a2b3c4d"))
@click.argument("names", metavar="ID...", nargs=-1, required=True)
@click.pass_obj
def keep(call: CommandCall, names: tuple[str, ...]) -> None:
    """Say that the statements of ID do not contradict each other, so that the earlier one is shown as before.

    It lasts until one of the statements is worded differently. It is a line of `rejected.jsonl`; commit it, so that it applies to everybody.
    """
    decisions = call.open().decisions
    for name in names:
        kept = decisions.keep(name)
        output.write(f"kept: {output.clean(kept.id)}  {output.clean(_said(kept.key, kept.line, kept.text))}\n")
    output.notice("'memorybank superseded restore' takes it back; commit rejected.jsonl, so that it applies to everybody")


@command.command(
    "restore", short_help="Take back the newest 'keep'.", epilog=examples("memorybank superseded restore", "memorybank superseded restore superseded:1a2b")
)
@click.argument("name", metavar="ID", required=False)
@click.pass_obj
def restore(call: CommandCall, name: str | None) -> None:
    """Take back what 'keep' recorded for ID, or most recently: the pair counts again."""
    output.write(f"restored: {output.clean(call.open().decisions.restore(name))}\n")


def _said(key: str, line: int, text: str) -> str:
    return f"{key}:{line}  {text}" if text else f"{key}  {_ENTIRE}"


def _fields(each: "SupersededStatement") -> dict[str, object]:
    return {
        "id": each.id,
        "key": each.key,
        "line": each.line or None,
        "statement": each.text or None,
        "by": each.by,
        "by_line": each.by_line or None,
        "by_statement": each.by_text or None,
        "since": isoformat(each.at),
    }
