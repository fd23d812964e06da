"""`memorybank banks`: the banks of this machine that `memorybank search --all` searches."""

import os

import click

from memorybank.cli import output
from memorybank.cli.call import CommandCall, examples
from memorybank.cli.output import Column

_COLUMNS = (Column("bank"), Column("state"))


@click.group(
    invoke_without_command=True,
    epilog=examples(
        "memorybank banks",
        "memorybank banks add                    the bank of this folder",
        "memorybank banks add ~/work/api",
        "memorybank banks remove ~/work/api",
        "memorybank search --all 'retry policy'",
    ),
)
@output.format_option()
@click.pass_context
def command(context: click.Context, form: str) -> None:
    """List the banks of this machine that 'memorybank search --all' searches: those that you added.

    No bank is added without you, because a search of everything shows a coding agent what other projects know. The list is in your own settings ('banks').
    """
    if context.invoked_subcommand is None:
        _list(form)


def _list(form: str) -> None:
    from memorybank.bank import registered

    found = registered.listed(os.environ)
    cells = [(each.bank, each.reason or "usable") for each in found]
    output.rows(form, _COLUMNS, cells, [each.to_json() for each in found], empty="no bank is registered; 'memorybank banks add' adds the one of this folder")


@command.command("list", epilog=examples("memorybank banks list --format json"))
@output.format_option()
def list_(form: str) -> None:
    """List the registered banks."""
    _list(form)


@command.command("add", epilog=examples("memorybank banks add", "memorybank banks add ~/work/api"))
@click.argument("folder", required=False)
@output.text_format_option("One line, or a JSON object.")
@click.pass_obj
def add(call: CommandCall, folder: str | None, form: str) -> None:
    """Let 'memorybank search --all' search a bank: that of FOLDER, a project or the bank itself; by default that of the working folder."""
    from memorybank.bank import registered

    written, is_new = registered.add(call.layout().root if folder is None else _absolute(folder), os.environ)
    output.result(form, f"{'added' if is_new else 'already there'}: {written}", {"bank": written, "is_new": is_new})


@command.command("remove", epilog=examples("memorybank banks remove ~/work/api"))
@click.argument("folder", required=False)
@output.text_format_option("One line, or a JSON object.")
@click.pass_obj
def remove(call: CommandCall, folder: str | None, form: str) -> None:
    """Search a bank no more. The bank itself stays as it is; 'memorybank banks add' takes this back."""
    from memorybank.bank import registered

    written = registered.remove(call.layout().root if folder is None else _absolute(folder), os.environ)
    output.result(form, f"removed: {written}", {"bank": written})


def _absolute(folder: str) -> str:
    from memorybank.config import personal_bank

    return personal_bank.place_of(folder, os.environ) or os.path.abspath(folder)
