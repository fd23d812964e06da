"""`memorybank init`."""

import os
from contextlib import suppress

import click

from memorybank.cli import output
from memorybank.cli.call import CommandCall, examples
from memorybank.errors import ConfigInvalid
from memorybank.text.quantities import counted


@click.command(
    epilog=examples(
        "memorybank init",
        "memorybank --bank ~/notes/memory init",
        "memorybank init --personal                a bank of your own, for every repository",
    )
)
@click.option("--personal", "is_personal", is_flag=True, help="Create your own bank outside all repositories: its rules and facts hold in each of them.")
@click.pass_obj
def command(call: CommandCall, is_personal: bool) -> None:
    """Create a memory bank: folders, .gitignore, an empty list of bookmarks, and your time zone, which decides when a day ends.

    The bank is created in .claude/memory at the root of the repository. Running the command again creates what is missing and changes nothing else.
    Notes that are already there, as in a fresh clone, are indexed. In the first 14 days (grace_days) no note leaves by its age.
    """
    from memorybank.bank import Bank, recording
    from memorybank.cli.index import take_in
    from memorybank.cli.progress import progress
    from memorybank.config import personal_bank
    from memorybank.config.zones import own_zone
    from memorybank.notes.date_record import INIT
    from memorybank.storage import create_bank, layout
    from memorybank.trust import gate

    if is_personal and not call.is_personal:
        if call.named is not None:
            raise click.UsageError("--bank and --personal name two banks; omit one of them")
        call.name_personal()
    root = _root(call)
    made = create_bank.create_bank(root, own_zone(os.environ), is_personal=call.is_personal)
    place = layout.describe(root)
    is_open = gate.gate_of(place, os.environ, call.clock).is_open
    indexed = take_in(call)
    # The use of a bank with unreadable settings does not begin now; commands that need the settings say what is wrong.
    with suppress(ConfigInvalid), progress("indexing", call.clock) as step:
        bank = Bank.open(root, clock=call.clock)
        bank.progress = step
        made += recording.begin(bank, INIT)
    shown = personal_bank.as_written(root, os.environ) if call.is_personal else place.relative(root)
    if made:
        output.write(f"{shown}: created {', '.join(made)}\n\n{_PERSONAL_STEPS if call.is_personal else _next_steps(shown)}")
    else:
        output.write(f"{shown}: the bank is already complete; nothing changed\n")
    if indexed:
        output.write(f"indexed {counted(indexed, 'note')}\n")
    if not is_open:
        output.notice(f"{gate.WAITS}, and to accept it")
    if call.is_personal:
        return
    lacking = create_bank.missing_ignores(root)
    if lacking:
        output.notice(f"{shown}/.gitignore lacks lines that keep local files out of git; add: {' '.join(lacking)}")


def _root(call: CommandCall) -> str:
    """Return the folder of the new bank. Raises `UsageError` for a place where a bank would do harm."""
    from memorybank.storage import create_bank

    home = os.path.expanduser("~")
    root = create_bank.bank_path(os.getcwd(), explicit=call.named, environment=os.environ.get("MEMORYBANK_DIR"), home=home)
    create_bank.refuse_to_litter(root, home)
    if call.is_personal:
        create_bank.refuse_repository(root, home)
    return root


_PERSONAL_STEPS = (
    "Next:\n"
    "  memorybank --personal add 'Always answer in British English' --tag rule     a rule: every session of every repository starts with it\n"
    "  memorybank --personal remember 'The VPN needs a new token every Monday.'    a fact: shown at prompts about it\n"
    "  memorybank personal                                                         what is shown in this repository\n"
    "Nothing of it is ever written into a repository.\n"
)


def _next_steps(shown: str) -> str:
    return (
        "Next:\n"
        "  memorybank remember 'one thing worth knowing next month'\n"
        "  memorybank add 'Why we chose SQLite' --folder planning --tag decision\n"
        "  memorybank search SQLite\n"
        "  memorybank hooks install      connect your coding agent: it is shown what fits its work\n"
        "  memorybank git install        git merges notes by what they mean, once in each clone\n"
        f"  git add {shown}        notes are meant to be committed\n"
    )
