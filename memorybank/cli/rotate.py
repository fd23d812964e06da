"""`memorybank rotate` and `memorybank undo`."""

from typing import TYPE_CHECKING

import click

from memorybank.cli import output, page
from memorybank.cli.asking import execute, is_archiving_confirmed, is_somebody_there
from memorybank.cli.call import CommandCall, examples
from memorybank.cli.options import as_of_option, completing, quiet_option, yes_option
from memorybank.cli.output import Column
from memorybank.cli.page import FIRST_ROWS, Card
from memorybank.cli.progress import progress
from memorybank.cli.rotation_report import raise_most_severe, restore_remark, show_deferred, show_plan, show_report, show_summary, show_taken_back
from memorybank.clock import isoformat, local_day_of
from memorybank.errors import BrakeRefused
from memorybank.text.quantities import counted, size

if TYPE_CHECKING:
    from memorybank.bank import Bank
    from memorybank.log.changes import ChangeRecord
    from memorybank.rotation.decision import RotationPlan
    from memorybank.rotation.undo import Undoable, UndoReport

TYPES = ("size_based", "time_based", "importance_based", "manual")


@click.command(
    epilog=examples(
        "memorybank rotate --dry-run                     what would leave, why, and what would keep it",
        "memorybank rotate --dry-run --all               the same, and why every other note stays",
        "memorybank rotate --dry-run --as-of +60d        the same in 60 days, if nothing changes",
        "memorybank rotate --dry-run --all --format markdown > plan.md",
        "memorybank rotate                               asks first if the rotation is large",
        "memorybank rotate --needed --dry-run            what unattended maintenance would archive",
        "memorybank rotate --no-grace --dry-run          in the first days of a bank: what its rules of age would archive",
        "memorybank rotate --type importance_based --yes",
        "memorybank undo                                 restores everything",
    )
)
@click.option("--dry-run", is_flag=True, help="Only print the plan. Nothing in the bank changes, not even the cache.")
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
    help="Archive only as many notes as bring active/ back within rotation.pressure (300 notes, 5 MB, 100 session notes), the least important first.",
)
@click.option("--no-grace", is_flag=True, help="Apply the rules of age also in the first 14 days after init or adopt (grace_days).")
@click.option("--all", "every", is_flag=True, help=f"Print every note that leaves, not only the first {FIRST_ROWS}; with --dry-run also why the others stay.")
@yes_option("Do not ask: rotate even if the rotation is large (the brake) or the clock disagrees with the logs.")
@output.format_option()
@quiet_option
@click.pass_obj
def command(call: CommandCall, dry_run: bool, as_of: str | None, rotation_type: str, needed: bool, no_grace: bool, every: bool, yes: bool, form: str) -> None:
    """Move notes that no longer matter into the archive. Every byte is verified before a note leaves.

    A rotation of more than 10 notes or 50 MB (alert_on_large_rotations) asks first; where nobody can be asked, it ends with exit code 8 unless --yes is given.
    In the first 14 days after init or adopt (grace_days), no note leaves by its age; the plan shows which would, and --no-grace archives them.

    --as-of requires --dry-run. --needed cannot be combined with another --type than manual.
    """
    if as_of is not None and not dry_run:
        raise click.UsageError("--as-of requires --dry-run, because a rotation always happens now")
    if needed and rotation_type != "manual":
        raise click.UsageError(f"--needed chooses among all rules; leave out --type {rotation_type}")
    bank = call.open(read_only=dry_run)
    lists_all = every or form == "json"
    first = FIRST_ROWS if dry_run and not lists_all else None
    plan = bank.rotation.plan("pressure" if needed else rotation_type, as_of=as_of, ignore_grace=no_grace, every=dry_run and lists_all, first=first)
    if dry_run:
        show_plan(plan, form, every=every)
        return
    options = (f" --type {rotation_type}" * (rotation_type != "manual"), " --needed" * needed, " --no-grace" * no_grace)
    again = "memorybank rotate" + "".join(options)
    if plan.is_large and not yes and form != "json" and is_somebody_there():
        plan = _confirmed(plan, form, again)
    with progress("archiving", call.clock) as step:
        report = execute(bank, plan, again, yes=yes, progress=step)
    if not output.as_json(form, report):
        show_report(report, form, every=every)
        show_deferred(plan)
    raise_most_severe(report.errors)


def _confirmed(plan: "RotationPlan", form: str, again: str) -> "RotationPlan":
    """Show the plan, and return it without its brake if a person agrees. Other refusals (a clock that differs) still apply.

    again: the command with the options that made this plan
    """
    show_summary(plan, form)
    page.say("")
    if not is_archiving_confirmed(len(plan.leaving)):
        raise BrakeRefused("nothing was archived", next_step=f"'{again} --dry-run --all' shows every note that would leave")
    return plan.with_changes(brake=None)


@completing
def complete_rotation(call: CommandCall, typed: str) -> dict[str, str | None]:
    """Complete the rotations that can be undone, newest first."""
    rotation = call.open(read_only=True).rotation
    changes = {change: counted(len(records), "note") for change, records in rotation.undoable_changes().items()}
    return {**{each.rotation.id: counted(each.left, "note") for each in rotation.undoable()}, **changes}


@click.command(
    epilog=examples(
        "memorybank undo --list                    what can be undone, the newest first",
        "memorybank undo                           takes the newest of it back that is not taken back yet",
        "memorybank undo 20250917T123456789Z-1a2b3c",
    )
)
@click.argument("rotation", required=False, metavar="[ID]", shell_complete=complete_rotation)
@click.option("--list", "listing", is_flag=True, help="Only list what can be undone, newest first.")
@output.format_option()
@quiet_option
@click.pass_obj
def undo(call: CommandCall, rotation: str | None, listing: bool, form: str) -> None:
    """Restore every note that a rotation archived, with its bytes and date; or take back an edit, a rating, a rename of a note or tag, or an adoption.

    Without ID, the newest of these that is not undone yet is undone, so each further run goes one step back. With ID, a second run changes nothing.
    A note that somebody changed after an edit stays as it is (exit code 1).

    No note is replaced: if the path is taken, the note is restored as NAME~DIGEST.md. The archive keeps its copy.
    """
    if listing:
        if rotation is not None:
            raise click.UsageError("--list shows everything that can be undone; omit the id")
        _list_rotations(call.open(read_only=True), form)
        return
    bank = call.open()
    changes = bank.rotation.undoable_changes()
    change = _next_change(bank, changes) if rotation is None else rotation if rotation in changes else None
    if change is not None:
        _undo_change(bank, change, form, is_named=rotation is not None)
        return
    if rotation is None and changes and not bank.rotation.undoable():
        _show_nothing_left(next(reversed(changes)), form)
        return
    report = bank.rotation.undo(rotation)
    if form == "json":
        output.write_json(report.to_json())
    elif rotation is None and report.already and not report.returned and not report.errors:
        _show_nothing_left(report.rotation_id, form)
    else:
        _show_undone(report, form)
    raise_most_severe(report.errors)


def _next_change(bank: "Bank", changes: "dict[str, list[ChangeRecord]]") -> str | None:
    """Return the newest change that is not undone yet; None if a rotation that is not undone yet is newer, or no change is left."""
    newest = max(reversed(bank.rotation.open_changes()), key=lambda change: changes[change][0].at, default=None)
    rotations = [each.rotation.started_at for each in bank.rotation.undoable() if each.back < each.left]
    return None if newest is None or (rotations and rotations[0] > changes[newest][0].at) else newest


def _undo_change(bank: "Bank", change: str, form: str, *, is_named: bool) -> None:
    errors = show_taken_back(bank.rotation.undo_change(change), form, {"change": change})
    if errors and not is_named:
        output.notice("to take back something older instead, name it: memorybank undo ID; 'memorybank undo --list' lists the ids")
    raise_most_severe(errors)


def _show_nothing_left(newest: str, form: str) -> None:
    """Say that everything that can be undone is undone. newest: the id of what was done last"""
    if not output.as_json(form, {"change": newest, "returned": [], "errors": []}):
        page.say("nothing to restore: everything that 'memorybank undo --list' shows has been undone already")


def _changes_listed(bank: "Bank") -> list[tuple[int, tuple[object, ...], dict[str, object]]]:
    """Return (instant, cells, fields) of each change that can be undone, for the list of rotations."""
    found: list[tuple[int, tuple[object, ...], dict[str, object]]] = []
    taken_back = bank.rotation.changes_taken_back()
    for change, records in bank.rotation.undoable_changes().items():
        at, command = records[0].at, records[0].command
        what = command.removeprefix("memorybank ")
        fields: dict[str, object] = {"rotation_id": change, "trigger": command, "started_at": isoformat(at), "completed_at": isoformat(records[-1].at)}
        notes, back = [record.path.removeprefix("active/") for record in records], taken_back.get(change, 0)
        fields.update(changed=notes, files_returned=back)
        found.append((at, (change, local_day_of(at), what, notes[-1], len(set(notes)), None, back), fields))
    return found


def _list_rotations(bank: "Bank", form: str) -> None:
    rotations = bank.rotation.undoable()
    columns = (*output.columns("id", "day", "what", "note"), *output.columns("notes", "size", "restored", right=True))
    listed = [(each.rotation.started_at, _cells(each), each.to_json()) for each in rotations]
    listed = sorted([*listed, *_changes_listed(bank)], key=lambda row: row[0], reverse=True)
    empty = "nothing to undo: no command has archived, edited or renamed a note yet"
    page.listing(form, [cells for _, cells, _ in listed], columns, tuple, _undo_card, [fields for _, _, fields in listed], empty=empty)


def _cells(each: "Undoable") -> tuple[object, ...]:
    first = next(iter(each.rotation.archived), None)
    return each.rotation.id, local_day_of(each.rotation.started_at), each.rotation.trigger, first, each.left, size(each.size), each.back


def _undo_card(cells: tuple[object, ...]) -> Card:
    name, day, what, note, notes, _, back = cells
    restored = f", {back} restored" if back else ""
    others = f" and {counted(int(str(notes)) - 1, 'more note')}" if notes != 1 else ""
    return Card(str(day), str(name), (f"{what}: {note}{others}{restored}",))


def _show_undone(report: "UndoReport", form: str) -> None:
    if report.already and not report.returned and not report.errors:
        page.say(f"nothing to restore: {counted(report.already, 'note')} of rotation {report.rotation_id} already restored")
        return
    already = f"; {counted(report.already, 'note')} already restored" if report.already else ""
    page.say(f"{counted(len(report.returned), 'note')} of rotation {report.rotation_id} restored{already}")
    shown = [(note.key, restore_remark(note)) for note in report.returned[:FIRST_ROWS]]
    if shown:
        page.say("")
        remarks = [Column("remark", flexible=True)] if any(remark for _, remark in shown) else []
        columns = [Column("note", flexible=True), *remarks]
        output.rows(form, columns, [cells[: len(columns)] for cells in shown], None, empty="")
    if len(shown) < len(report.returned):
        page.say("", f"{counted(len(report.returned) - len(shown), 'more note')}; 'memorybank list' shows them")
    for key, error in report.errors:
        page.say(f"still archived: {key}: {error.message}")
