"""`memorybank init`."""

import os

import click

from memorybank.cli import output
from memorybank.cli.call import Call
from memorybank.cli.help import examples


@click.command(
    epilog=examples(
        "memorybank init",
        "memorybank --bank ~/notes/memory init",
    )
)
@click.pass_obj
def command(call: Call) -> None:
    """Create a memory bank here: folders, .gitignore, an empty list of bookmarks, the time zone of your days.

    The bank lies in .claude/memory of the repository's root. Running it again makes what is missing and touches nothing else.
    """
    from memorybank.config.zones import own_zone
    from memorybank.storage import create_bank, layout

    root = create_bank.place(os.getcwd(), explicit=call.named, environment=os.environ.get("MEMORYBANK_DIR"), home=os.path.expanduser("~"))
    made = create_bank.create_bank(root, own_zone(os.environ))
    shown = layout.describe(root).relative(root)
    if made:
        output.write(f"{shown}: made {', '.join(made)}\n\n{_next_steps(shown)}")
    else:
        output.write(f"{shown}: already a complete bank; nothing changed\n")
    lacking = create_bank.missing_ignores(root)
    if lacking:
        output.notice(f"{shown}/.gitignore lacks these lines, so that local files would be committed: {' '.join(lacking)}")


def _next_steps(shown: str) -> str:
    return (
        "Next:\n"
        "  memorybank remember 'one thing worth knowing next month'\n"
        "  memorybank add 'Why we chose SQLite' --folder planning --tag decision\n"
        "  memorybank search SQLite\n"
        f"  git add {shown}        notes are meant to be committed\n"
    )
