"""`memorybank rotate`."""

import sys
from dataclasses import replace
from typing import TYPE_CHECKING

import click

from memorybank.cli import output, page, rotation_plan, rotation_report
from memorybank.cli.call import CommandCall
from memorybank.cli.help import examples
from memorybank.cli.options import as_of_option
from memorybank.cli.progress import progress
from memorybank.cli.quantities import counted
from memorybank.errors import BrakeRefused

if TYPE_CHECKING:
    from memorybank.rotation.plan import RotationPlan

TYPES = ("size_based", "time_based", "importance_based", "manual")


@click.command(
    epilog=examples(
        "memorybank rotate --dry-run                     what would leave, why, and what would keep it",
        "memorybank rotate --dry-run --as-of +60d        the same in 60 days, if nothing changes",
        "memorybank rotate --dry-run --all --format markdown > plan.md",
        "memorybank rotate                               asks first if the rotation is large",
        "memorybank rotate --needed --dry-run            what unattended maintenance would archive",
        "memorybank rotate --type importance_based --yes",
        "memorybank undo                                 restores everything",
    )
)
@click.option("--dry-run", is_flag=True, help="Only print the plan; nothing in the bank changes, not even a cache.")
@as_of_option
@click.option(
    "--type",
    "rotation_type",
    type=click.Choice(TYPES),
    default="manual",
    show_default=True,
    help="Rules to apply. size_based: size and directory_size; time_based: medium; importance_based: low; manual: all of them.",
)
@click.option(
    "--needed",
    is_flag=True,
    help="Archive only what brings active/ back within rotation.pressure (300 notes, 5 MB, 100 session notes), the least important notes first.",
)
@click.option("--all", "every", is_flag=True, help=f"Print every row, not only the first {page.FIRST_ROWS}.")
@click.option("--yes", is_flag=True, help="Do not ask: rotate even if the rotation is large (the brake) or the clock disagrees with the logs.")
@output.format_option()
@click.pass_obj
def command(call: CommandCall, dry_run: bool, as_of: str | None, rotation_type: str, needed: bool, every: bool, yes: bool, form: str) -> None:
    """Move notes that no longer matter into the archive. Every byte is verified before a note leaves.

    A rotation of more than 10 notes or 50 MB (alert_on_large_rotations) asks first; where nobody can be asked, it ends with exit code 8 unless --yes is given.
    --as-of requires --dry-run. --needed cannot be combined with another --type than manual.
    """
    if as_of is not None and not dry_run:
        raise click.UsageError("--as-of requires --dry-run, because a rotation always happens now")
    if needed and rotation_type != "manual":
        raise click.UsageError(f"--needed chooses among all rules; leave out --type {rotation_type}")
    bank = call.open(read_only=dry_run)
    plan = bank.rotation.plan("pressure" if needed else rotation_type, as_of=as_of)
    if dry_run:
        rotation_plan.show(plan, form, every=every)
        return
    if plan.is_large and not yes and form != "json" and _somebody_is_there():
        plan = _confirmed(plan, form)
    with progress("archiving", call.clock) as step:
        report = bank.rotation.execute(plan, yes=yes, progress=step)
    if form == "json":
        output.write_json(report.to_json())
    else:
        rotation_report.show(report, form, every=every)
    rotation_report.raise_gravest(report.errors)


def _somebody_is_there() -> bool:
    return sys.stdin.isatty() and sys.stdout.isatty()


def _confirmed(plan: "RotationPlan", form: str) -> "RotationPlan":
    """Return the plan without its brake after a person has seen it and agreed. Other refusals (a clock that differs) still apply."""
    rotation_plan.summary(plan, form)
    page.say("")
    if not click.confirm(f"Archive {counted(len(plan.leaving), 'note')}?", err=True):
        raise BrakeRefused("nothing was archived", next_step="'memorybank rotate --dry-run --all' shows every note that would leave")
    return replace(plan, brake=None)
