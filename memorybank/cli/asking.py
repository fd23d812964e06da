"""Questions to the person at the terminal, before a command does what needs their consent."""

import sys
from typing import TYPE_CHECKING

import click

from memorybank.cli import output
from memorybank.errors import BrakeRefused, UsageError
from memorybank.text.quantities import counted

if TYPE_CHECKING:
    from memorybank.bank import Bank
    from memorybank.index.working import Progress
    from memorybank.rotation.decision import RotationPlan
    from memorybank.rotation.report import RotationReport


def is_somebody_there() -> bool:
    """Return whether a person can read a question and answer it."""
    return sys.stdin.isatty() and sys.stdout.isatty()


def require_consent(question: str, *, refusal: str, next_step: str) -> None:
    """Ask, and abort the command unless the answer is yes. Raises `UsageError` with the other two texts if nobody can be asked."""
    if not is_somebody_there():
        raise UsageError(refusal, next_step=next_step)
    click.confirm(question, abort=True, err=True)


def is_archiving_confirmed(notes: int) -> bool:
    return click.confirm(f"Archive {counted(notes, 'note')}?", err=True)


def execute(bank: "Bank", plan: "RotationPlan", command: str, *, yes: bool, progress: "Progress | None" = None) -> "RotationReport":
    """Carry out a plan. command: the command with the options that made this plan, which a refusal by the brake repeats"""
    try:
        return bank.rotation.execute(plan, yes=yes, progress=progress)
    except BrakeRefused as error:
        raise BrakeRefused(error.message, next_step=f"check it with '{command} --dry-run', then run '{command} --yes'") from error


def require_consent_to_send(announcement: str, *, agreed: bool) -> None:
    """Say what would be sent where, and ask for consent for this bank. Raises `UsageError` without a terminal and without `--yes`.

    agreed: whether `--yes` was given
    """
    output.notice(announcement)
    if agreed:
        return
    if not sys.stdin.isatty():
        raise UsageError("nobody has agreed to send texts of this bank there", next_step="run the command in a terminal, or agree with --yes")
    click.confirm("Send them, now and in later runs for this bank?", abort=True, err=True)
