"""Prints findings about stored data, and derives the exit code from them."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from memorybank.cli import output, page
from memorybank.cli.output import Column
from memorybank.cli.page import Card
from memorybank.cli.quantities import counted
from memorybank.errors import ValidationFailed

if TYPE_CHECKING:
    from memorybank.rotation.report import ArchiveFinding

COLUMNS = (Column("level"), Column("path"), Column("code"), Column("finding"), Column("next step"))


def print_findings(findings: "Sequence[ArchiveFinding]", form: str) -> None:
    """Print every finding as a card or a row. JSON is up to the caller."""
    if form == "table" and output.is_page():
        page.cards(map(_card, findings))
    else:
        cells = [(found.level, found.path, found.code, found.message, found.next_step or None) for found in findings]
        output.rows(form, COLUMNS, cells, None, empty="nothing to report")


def fail_on_errors(findings: "Sequence[ArchiveFinding]") -> None:
    """Raise `ValidationFailed` (exit code 9) if a finding is an error. Warnings alone do not raise it."""
    errors = [found for found in findings if found.level == "error"]
    if errors:
        step = next((found.next_step for found in errors if found.next_step), "look for the files named above in git, in backups/ or in a colleague's clone")
        raise ValidationFailed(f"{counted(len(errors), 'error')} found in stored data, listed above", next_step=step)


def _card(found: "ArchiveFinding") -> Card:
    step = (f"next: {found.next_step}",) if found.next_step else ()
    return Card(found.level, found.path, (f"{found.code}: {found.message}", *step))
