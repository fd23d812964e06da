"""Prints what a rotation would do (RotationPlan), what it did (RotationReport), and how a note came back.

Turns the errors of an incomplete run into an exit code.
"""

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from memorybank.cli import output, page
from memorybank.cli.output import Column
from memorybank.cli.page import Card, Fact
from memorybank.clock import local_day_of
from memorybank.errors import MemorybankError
from memorybank.reasons.reason import text_of
from memorybank.text.quantities import counted, size, tally

if TYPE_CHECKING:
    from memorybank.editing.undo import UndoneNote
    from memorybank.rotation.decision import RotationDecision, RotationPlan
    from memorybank.rotation.pressure import Occupancy
    from memorybank.rotation.recover import Recovery
    from memorybank.rotation.report import RotatedNote, RotationReport
    from memorybank.rotation.undo import ReturnedNote

_PLAN_COLUMNS = (
    *output.columns("note", "action", "rule", "reason"),
    *output.columns("importance", "age", "size", right=True),
    Column("lever"),
)
_REPORT_COLUMNS = (Column("note"), Column("rule"), Column("reason"), Column("importance", right=True), Column("size", right=True), Column("archive id"))
_RULES_WITH_AGE = ("low", "medium")
"""Rules whose reason contains the age."""
_FINISHED = {
    "moved": "archived",
    "put_back": "put back because they had changed",
    "abandoned": "left where they are",
    "sidecars": "sidecars recreated",
    "deleted": "expired archive objects removed",
    "purged": "archived notes removed because their text was purged",
}


def show_plan(plan: "RotationPlan", form: str, *, every: bool) -> None:
    """Print the entire plan in JSON; otherwise the summary and the first notes that would leave.

    every: whether to print all of them, and then every note that stays, with the reason
    """
    if output.as_json(form, plan):
        return
    show_summary(plan, form)
    shown, total = (plan.decisions, len(plan.decisions)) if every else (plan.leaving, plan.leaving_count)
    page.first_rows(form, shown, _PLAN_COLUMNS, _decision_cells, _decision_card, every=every, more_hint="--all shows them", total=total)
    staying = plan.notes - plan.leaving_count
    if staying and not every:
        page.say("", f"{counted(staying, 'note')} {'stays' if staying == 1 else 'stay'}; --all shows why")


def show_summary(plan: "RotationPlan", form: str) -> None:
    """Print the result in one line, then what stays, and facts that a person should know before running the plan."""
    page.say(_result(plan), "")
    page.facts(form, _plan_facts(plan))


def _result(plan: "RotationPlan") -> str:
    total = counted(plan.notes, "note")
    if not plan.leaving_count:
        return f"would archive none of {total}"
    rules = tally(plan.leaving_by_rule)
    return f"would archive {plan.leaving_count:,} of {total}, {size(plan.leaving_bytes)}: {rules}"


def show_deferred(plan: "RotationPlan") -> None:
    """Say which notes only the grace of a new bank keeps, and how to archive them all the same; nothing when there are none."""
    if plan.deferred_count:
        page.say("")
        page.facts("table", [("grace", _deferred(plan))])


def _deferred(plan: "RotationPlan") -> str:
    assert plan.grace is not None
    count = plan.deferred_count
    stay = f"{counted(count, 'note')} {'stays' if count == 1 else 'stay'} in spite of {'its' if count == 1 else 'their'} age"
    return f"{stay} {plan.grace.text}; --no-grace applies the rules now"


def needed_text(count: int, occupancy: "Occupancy", *, waits: bool = False) -> str:
    """Return how many notes have to leave so that `active/` is within `rotation.pressure`, and how full it is.

    waits: whether the grace of a new bank keeps notes
    """
    if count:
        return f"{counted(count, 'note')} {'needs' if count == 1 else 'need'} to leave ({occupancy.text})"
    over = "nothing leaves yet" if waits else "nothing may leave by the rules"
    return f"{over if occupancy.is_over else 'nothing needs to leave'} ({occupancy.text})"


def _plan_facts(plan: "RotationPlan") -> list[Fact]:
    kept = plan.kept
    preserved = sum(plan.preserved_counts.values())
    return [
        ("plan", f"of {local_day_of(plan.now)}, type {plan.rotation_type}"),
        ("preserved", f"{preserved:,}" + (f": {tally(plan.preserved_counts)}" if preserved else "")),
        ("kept", f"{kept:,}" + (": no rule applies to them" if kept and not plan.deferred_count else "")),
        *([("grace", _deferred(plan))] if plan.deferred_count else []),
        ("needed", needed_text(plan.needed_count, plan.occupancy, waits=bool(plan.deferred_count))),
        ("brake", _brake(plan)),
        *(("rule skipped", f"{rule}: {reason}") for rule, reason in plan.skipped_rules),
        *(("warning", str(warning)) for warning in plan.warnings),
    ]


def _brake(plan: "RotationPlan") -> str:
    if plan.brake is None:
        return "switched off"
    limits = f"above {counted(plan.brake.files, 'note')} or {size(int(plan.brake.size))}"
    return f"asks first, or needs --yes: {limits}" if plan.is_large else f"not reached; it asks {limits}"


def _decision_cells(decision: "RotationDecision") -> tuple[object, ...]:
    age = f"{decision.age_days} d"
    return decision.key, decision.action, decision.rule, str(decision.reason), decision.importance, age, size(decision.size), text_of(decision.lever) or None


def _decision_card(decision: "RotationDecision") -> Card:
    rule = "" if decision.rule == "none" else f", {decision.rule}"
    age = f"{counted(decision.age_days, 'day')} old"
    measures = size(decision.size) if decision.rule in _RULES_WITH_AGE else f"{age}, {size(decision.size)}"
    means = "to keep it" if decision.action == "archive" else "kept by"
    lever = f"; {means}: {decision.lever}" if decision.lever else ""
    return Card(f"{decision.importance:.1f}", decision.key, (f"{decision.action}{rule}: {decision.reason}", measures + lever))


def show_report(report: "RotationReport", form: str, *, every: bool) -> None:
    """Print what a rotation did. JSON is up to the caller."""
    page.facts(form, _report_facts(report))
    page.first_rows(form, report.rotated, _REPORT_COLUMNS, _note_cells, _note_card, every=every, more_hint="'memorybank archive list' shows them")
    if report.rotation_id is not None and report.rotated:
        page.say("")
        page.facts(form, [("to undo it", f"memorybank undo {report.rotation_id}"), ("for one note", "memorybank archive restore ID")])


def _report_facts(report: "RotationReport") -> list[Fact]:
    if report.rotation_id is not None and (report.rotated or not report.taken):
        done = f"{counted(len(report.rotated), 'note')}, {size(report.bytes_moved)}, in rotation {report.rotation_id}"
    elif report.remaining or report.taken:
        done = "nothing"
    else:
        done = f"none of {counted(report.files_processed, 'note')}; 'memorybank rotate --dry-run' shows why each stays"
    later = f"{counted(report.remaining, 'note')} above the limit of the brake; 'memorybank rotate --dry-run' shows them"
    return [
        ("archived", done),
        *([("left for later", later)] if report.remaining else []),
        *(("not needed", _taken(taken_by, count)) for taken_by, count in report.taken.items()),
        *(("stayed", f"{note.key} ({note.reason}): {note.message}") for note in report.stayed if not note.taken_by),
        *recovery_facts(report.recovery),
        *(("warning", str(warning)) for warning in report.warnings),
    ]


def _taken(rotation_id: str, count: int) -> str:
    """Return what another rotation did while this one waited for it."""
    return f"another rotation has just archived {counted(count, 'note')} of this plan; to undo it: memorybank undo {rotation_id}"


def recovery_facts(recovery: "Recovery") -> list[Fact]:
    """Return facts about the work of an interrupted command that was finished now."""
    return [("finished from an earlier run", f"{len(found):,} {what}") for name, what in _FINISHED.items() if (found := getattr(recovery, name))]


def _note_cells(note: "RotatedNote") -> tuple[object, ...]:
    return note.key, note.rule, str(note.reason), note.importance, size(note.size), _archive_id(note)


def _note_card(note: "RotatedNote") -> Card:
    return Card(f"{note.importance:.1f}", note.key, (f"{note.rule}: {note.reason}", f"{size(note.size)}; archive id {_archive_id(note)[-8:]}"))


def _archive_id(note: "RotatedNote") -> str:
    return note.archive_path.rpartition("/")[2].removesuffix(".zst").removesuffix(".md")


def show_taken_back(undone: "Sequence[UndoneNote]", form: str, fields: dict[str, object]) -> list[tuple[str, MemorybankError]]:
    """Print which files a change that was taken back returned. Return the errors of the others as `raise_most_severe` takes them.

    fields: first members of the JSON object
    """
    errors = [(note.key, note.error) for note in undone if note.error is not None]
    if form == "json":
        failed = [{"path": key, "code": error.code, "message": error.message} for key, error in errors]
        output.write_json({**fields, "returned": [note.key for note in undone if note.error is None], "errors": failed})
    else:
        for note in undone:
            page.say(f"{'as before' if note.error is None else 'stayed'}: {note.key}")
    return errors


def raise_most_severe(errors: Iterable[tuple[str, MemorybankError]]) -> None:
    """Raise the error with the highest exit code, after a run that did what it could. Does nothing without errors.

    errors: pairs of (subject, error)
    """
    found = list(errors)
    if not found:
        return
    about, most_severe = max(found, key=lambda pair: pair[1].exit_code)
    message = most_severe.message if about in most_severe.message else f"{about}: {most_severe.message}"
    others = f"; and {counted(len(found) - 1, 'other error')}" if len(found) > 1 else ""
    raise type(most_severe)(message + others, next_step=most_severe.next_step)


def restore_remark(note: "ReturnedNote") -> str | None:
    """Return a remark if a note came back in an unusual way, else None."""
    remarks = []
    if note.key != note.original_path:
        remarks.append(f"{note.original_path} has different text now, so the note was restored next to it")
    if note.from_backup:
        remarks.append("with the edits made after the rotation")
    return "; ".join(remarks) or None
