"""`memorybank doctor`."""

import os
import sys
from collections.abc import Iterator, Sequence
from functools import partial
from itertools import groupby
from typing import TYPE_CHECKING

import click

from memorybank.cli import output, page
from memorybank.cli.call import CommandCall, examples
from memorybank.cli.options import yes_option
from memorybank.cli.output import Column
from memorybank.cli.page import Card
from memorybank.cli.progress import progress
from memorybank.errors import ValidationFailed
from memorybank.text.quantities import counted

if TYPE_CHECKING:
    from memorybank.doctor.finding import Check, DoctorFinding
    from memorybank.doctor.run import FixResult

_FINDINGS = (Column("level"), Column("check"), Column("where"), Column("what", flexible=True), Column("next step", flexible=True))
_FIRST = 5
"""Maximum number of findings of one kind that a page shows. Of the others it shows only how many there are."""
_CHECKS = (Column("check"), Column("passes when", flexible=True), Column("needs", flexible=True), Column("fix"))


@click.command(
    epilog=examples(
        "memorybank doctor                       exit code 0, or 9 if something is broken",
        "memorybank doctor --fix                 fix what can be fixed without asking",
        "memorybank doctor --strict              exit code 9 for warnings, too",
        "memorybank doctor --list                every check, what it needs, what its fix does",
        "memorybank doctor --format json",
    )
)
@click.option(
    "--fix",
    "should_fix",
    is_flag=True,
    help="Fix derived files, file modes, temporary files, cut log lines and missing ignore lines; ask before anything else.",
)
@yes_option("With --fix: answer every question with yes.")
@click.option("--list", "listed", is_flag=True, help="List the checks and run none.")
@click.option("--strict", is_flag=True, help="Exit with code 9 for warnings, too.")
@output.format_option()
@click.pass_obj
def command(call: CommandCall, should_fix: bool, yes: bool, listed: bool, strict: bool, form: str) -> None:
    """Check the bank, its logs, its hooks and this installation for problems, and say how to fix them.

    A check is OK, WARN, FAIL, or UNKNOWN if the information for it is missing. Nothing is changed without --fix. The exit code is 9 if a check fails.
    """
    if yes and not should_fix:
        raise click.UsageError("--yes requires --fix")
    if listed and (should_fix or strict):
        raise click.UsageError("--list runs no checks; use it without --fix and --strict")
    from memorybank.doctor import run
    from memorybank.doctor.context import DoctorContext
    from memorybank.doctor.table import CHECKS

    if listed:
        _list(CHECKS, form)
        return
    layout = call.layout()
    with progress("checking", call.clock) as step:
        found = run.examine(DoctorContext(layout, call.clock, os.environ), CHECKS, step)
    fixed: tuple[FixResult, ...] = ()
    if should_fix:
        context = DoctorContext(layout, call.clock, os.environ)
        fixed = tuple(run.carry_out(context, run.due_fixes(found, CHECKS), partial(_agrees, yes), lambda each: progress(f"fixing {each.id}", call.clock)))
    if fixed:
        with progress("checking again", call.clock) as step:
            found = run.examine(DoctorContext(layout, call.clock, os.environ), CHECKS, step)
    _show(found, fixed, CHECKS, form)
    _conclude(found, strict)


def _agrees(yes: bool, question: str) -> bool:
    """Return whether a person agrees: with --yes, or when asked on a terminal."""
    return yes or (sys.stdin.isatty() and click.confirm(question, err=True))


def _list(checks: "Sequence[Check]", form: str) -> None:
    page.listing(form, checks, _CHECKS, _check_cells, _check_card, [check.to_json() for check in checks])


def _check_cells(check: "Check") -> tuple[object, ...]:
    return check.id, check.title, check.needs or None, check.fix.id if check.fix else None


def _check_card(check: "Check") -> Card:
    title = f"{check.title}{f' (needs {check.needs})' if check.needs else ''}"
    if check.fix is None:
        return Card("", check.id, (title,))
    asks = ", after a question" if check.fix.question else ""
    return Card("fix", check.id, (title, f"--fix {check.fix.does}{asks}"))


def _show(found: "Sequence[DoctorFinding]", fixed: "Sequence[FixResult]", checks: "Sequence[Check]", form: str) -> None:
    from memorybank.doctor import run

    counts = run.counts(found, checks)
    if form == "json":
        levels = run.most_severe(found, checks)
        data = {
            "healthy": not counts["FAIL"],
            "counts": counts,
            "checks": [{"id": check.id, "title": check.title, "level": levels[check.id]} for check in checks],
            "findings": [finding.to_json() for finding in found],
            "fixed": [each.to_json() for each in fixed],
        }
        output.write_json(data)
        return
    for each in fixed:
        for line in each.done:
            page.say(f"fixed: {line}")
        if each.refused:
            page.say(f"not fixed: {each.fix}: {each.refused}")
    if fixed:
        page.say("")
    if form == "table" and output.is_page():
        page.cards(_cards(found))
    elif found:
        cells = [(each.level, each.id, each.where or None, each.what, each.suggestion or None) for each in found]
        output.rows(form, _FINDINGS, cells, None, empty="")
    if found:
        page.say("")
    page.say(_summary(counts, found, checks))


def _cards(found: "Sequence[DoctorFinding]") -> Iterator[Card]:
    """Yield a card for each finding; where many are of one kind, only for the first of them."""
    for (name, _), alike in groupby(found, lambda finding: (finding.id, finding.level)):
        every = list(alike)
        yield from map(_card, every[:_FIRST])
        if len(every) > _FIRST:
            yield Card("", f"{len(every) - _FIRST:,} more of {name}", ("'memorybank doctor --format json' lists all of them",))


def _card(finding: "DoctorFinding") -> Card:
    where = (finding.where,) if finding.where else ()
    step = (f"next: {finding.suggestion}",) if finding.suggestion else ()
    return Card(finding.level, finding.id, (finding.what, *where, *step))


def _summary(counts: dict[str, int], found: "Sequence[DoctorFinding]", checks: "Sequence[Check]") -> str:
    results = [f"{counts['OK']:,} ok"]
    if counts["WARN"]:
        results.append(counted(counts["WARN"], "warning"))
    results += [f"{counts[level]:,} {name}" for level, name in (("FAIL", "failed"), ("UNKNOWN", "unknown")) if counts[level]]
    fixable = sum(finding.fix is not None for finding in found)
    fixes = f"; 'memorybank doctor --fix' can fix {fixable} of the above" if fixable else ""
    return f"{counted(len(checks), 'check')}: {', '.join(results)}{fixes}"


def _conclude(found: "Sequence[DoctorFinding]", strict: bool) -> None:
    grave = [finding for finding in found if finding.level == "FAIL" or (strict and finding.level == "WARN")]
    if grave:
        first = grave[0]
        step = "'memorybank doctor --fix' fixes what it can" if first.fix else first.suggestion or "fix what is listed above"
        raise ValidationFailed(f"doctor found {counted(len(grave), 'problem')}, listed above", next_step=step)
