"""The part of `memorybank index --meaning` that asks a person and shows the progress."""

import sys
from typing import TYPE_CHECKING

import click

from memorybank.cli import output
from memorybank.cli.call import CommandCall
from memorybank.cli.progress import progress
from memorybank.errors import UsageError
from memorybank.text.quantities import counted

if TYPE_CHECKING:
    from memorybank.bank import Bank
    from memorybank.bank.embedded import EmbeddingReport


def make_vectors(call: CommandCall, bank: "Bank", *, agreed: bool) -> "EmbeddingReport":
    """Make the missing vectors, after asking once for each bank and host."""
    if not bank.meaning.has_consent():
        _ask(bank, agreed=agreed)
    with progress("embedding", call.clock) as step:
        return bank.meaning.update(progress=step)


def _ask(bank: "Bank", *, agreed: bool) -> None:
    """Say who would receive how much text, and ask for consent. Raises `UsageError` without a terminal and without `--yes`."""
    choice, pending, kept_at = bank.meaning.choice(), bank.meaning.pending(), bank.meaning.store().leaves_by
    output.notice(
        f"{choice.name}: {counted(pending.passages, 'passage')}, about {pending.characters:,} characters of notes and episodes that everybody may see, "
        f"and the text of later searches by meaning would be sent to {choice.leaves_by}"
        f"{f'; {kept_at} would keep these passages and their vectors' if kept_at else ''}"
    )
    if not agreed:
        if not sys.stdin.isatty():
            raise UsageError("nobody has agreed to send texts of this bank there", next_step="run the command in a terminal, or agree with --yes")
        click.confirm("Send them, now and in later runs for this bank?", abort=True, err=True)
    bank.meaning.give_consent()
