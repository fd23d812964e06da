"""`memorybank forget`."""

from typing import TYPE_CHECKING

import click

from memorybank.cli import output, page
from memorybank.cli.asking import execute, is_archiving_confirmed, is_somebody_there
from memorybank.cli.call import CommandCall, examples
from memorybank.cli.options import key_argument
from memorybank.cli.output import Column
from memorybank.cli.rotation_report import raise_most_severe
from memorybank.errors import BrakeRefused
from memorybank.reasons.reason import text_of

if TYPE_CHECKING:
    from memorybank.bank import Bank
    from memorybank.rotation.decision import RotationPlan
    from memorybank.rotation.report import RotationReport


_COLUMNS = (
    Column("note"),
    *output.columns("importance", "age", right=True),
    Column("reason", flexible=True),
    Column("linked from", flexible=True),
)


@click.command(
    epilog=examples(
        "memorybank forget planning/old-plan.md",
        "memorybank forget shared/古いメモ.md --dry-run      what would leave, and what links to it",
        "memorybank forget --stale                       notes about files that were deleted; asks before anything changes",
        "memorybank forget --stale --format json         the same as data; nothing changes without --yes",
        "memorybank undo                                 brings back what was forgotten last",
    )
)
@key_argument("keys", many=True, required=False)
@click.option("--stale", is_flag=True, help="Propose the notes about things that are gone from the repository, each with the reason, and ask.")
@click.option("--dry-run", is_flag=True, help="Only print what would be archived; nothing in the bank changes.")
@click.option("-y", "--yes", is_flag=True, help="Do not ask: with --stale, about many notes (the brake), or when the clock disagrees with the logs.")
@output.text_format_option("Lines of text, or a JSON object.")
@click.pass_obj
def command(call: CommandCall, keys: tuple[str, ...], stale: bool, dry_run: bool, yes: bool, form: str) -> None:
    """Move notes to the archive, whatever their importance. 'memorybank undo' brings them back, byte for byte.

    Every byte is verified before a note leaves, as in a rotation. Notes that link to a forgotten note are listed; they do not change. A bookmarked note is
    refused.

    --stale proposes notes whose central claims are gone (docs/claims.md), and changes nothing without --yes or an answer.
    """
    if stale == bool(keys):
        raise click.UsageError("name notes, or let --stale propose them" + ("; not both" if stale else ""))
    bank = call.open(read_only=dry_run)
    plan = bank.rotation.plan_forget_stale() if stale else bank.rotation.plan_forget([bank.notes.find(key) for key in keys])
    linked = {decision.key: _linking(bank, decision.key, plan) for decision in plan.leaving}
    if stale and form != "json":
        _propose(plan, linked)
        _show_review(bank)
        if not plan.leaving or dry_run or (not yes and not _is_accepted(plan)):
            return
        plan = plan.with_changes(brake=None)
    elif dry_run or (stale and not (yes and plan.leaving)):
        _show(form, plan, linked, None, {"review": _review(bank)} if stale else {})
        return
    if plan.is_large and not yes and form != "json" and is_somebody_there():
        if not is_archiving_confirmed(len(plan.leaving)):
            raise BrakeRefused("nothing was archived", next_step="'memorybank forget KEY... --dry-run' shows every note that would leave")
        plan = plan.with_changes(brake=None)
    report = execute(bank, plan, "memorybank forget --stale" if stale else "memorybank forget KEY...", yes=yes)
    _show(form, plan, linked, report)
    raise_most_severe(report.errors)


def _propose(plan: "RotationPlan", linked: dict[str, list[str]]) -> None:
    """Print the notes that are proposed, each with its reason."""
    cells = [
        (decision.key, decision.importance, f"{decision.age_days} d", text_of(decision.reason), ", ".join(linked[decision.key]) or None)
        for decision in plan.leaving
    ]
    output.rows("table", _COLUMNS, cells, None, empty="no note is about something that is gone; 'memorybank claims' lists outdated claims")


def _review(bank: "Bank") -> list[dict[str, object]]:
    """Return the statements that call themselves temporary, and have been for long."""
    return [{"path": each.key, "line": each.claim.line, "claim": each.claim.subject} for each in bank.claims.to_review()]


def _show_review(bank: "Bank") -> None:
    found = _review(bank)
    if found:
        page.say("", "to review (not archived), called temporary for more than 180 days:")
        for each in found:
            page.say(f"  {each['path']}:{each['line']}: {each['claim']}")


def _is_accepted(plan: "RotationPlan") -> bool:
    """Ask the person. Without a terminal nobody can answer, so the way to go on is printed."""
    if not is_somebody_there():
        page.say("", "nothing was archived; --yes archives these notes, 'memorybank forget KEY...' some of them")
        return False
    if is_archiving_confirmed(len(plan.leaving)):
        return True
    page.say("nothing was archived")
    return False


def _linking(bank: "Bank", key: str, plan: "RotationPlan") -> list[str]:
    """Return the keys of the notes that stay and link to this one."""
    leaving = {decision.key for decision in plan.leaving}
    return sorted({source for source, target in bank.notes.links(key) if target == key and source not in leaving})


def _show(form: str, plan: "RotationPlan", linked: dict[str, list[str]], report: "RotationReport | None", more: dict[str, object] | None = None) -> None:
    """Print the plan of a dry run, or the report of the rotation. more: further members of the JSON object"""
    if output.as_json(form, {**(plan.to_json() if report is None else report.to_json()), "linked_from": linked, **(more or {})}):
        return
    done = [decision.key for decision in plan.leaving] if report is None else [note.key for note in report.rotated]
    for key in done:
        page.say(f"{'would archive' if report is None else 'archived'}: {key}")
        for source in linked[key]:
            page.say(f"  linked from {source}")
    if report is None:
        return
    for stayed in report.stayed:
        page.say(f"stayed: {stayed.key}: {stayed.message}")
    for warning in report.warnings:
        output.notice(str(warning))
    if report.rotated and report.rotation_id is not None:
        page.say(f"to undo it: memorybank undo {report.rotation_id}")
