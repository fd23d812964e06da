"""Prints a RotationPlan: what would leave and why, and what would keep it."""

from collections import Counter
from typing import TYPE_CHECKING

from memorybank.cli import output, page
from memorybank.cli.output import Column
from memorybank.cli.page import Card, Fact
from memorybank.cli.quantities import counted, size, tally
from memorybank.clock import day_of

if TYPE_CHECKING:
    from memorybank.rotation.plan import RotationDecision, RotationPlan
    from memorybank.rotation.pressure import Occupancy

COLUMNS = (
    Column("note"),
    Column("action"),
    Column("rule"),
    Column("reason"),
    Column("importance", right=True),
    Column("age", right=True),
    Column("size", right=True),
    Column("lever"),
)


def show(plan: "RotationPlan", form: str, *, every: bool) -> None:
    """Print the entire plan in JSON; otherwise the summary and the first rows, beginning with the notes that would leave."""
    if form == "json":
        output.write_json(plan.to_json())
        return
    summary(plan, form)
    page.first_rows(form, plan.decisions, COLUMNS, _cells, _card, every=every, rest="--all shows them")


def summary(plan: "RotationPlan", form: str) -> None:
    """Print what would leave, what stays and why, and what a person should know before running it."""
    page.say(f"Rotation plan of {day_of(plan.now)}, type {plan.rotation_type}")
    page.say("")
    page.facts(form, _facts(plan))


def need(count: int, occupancy: "Occupancy") -> str:
    """Return how many notes have to leave so that `active/` is within `rotation.pressure`, and how full it is."""
    if count:
        return f"{counted(count, 'note')} {'needs' if count == 1 else 'need'} to leave ({occupancy.text})"
    return f"{'nothing may leave by the rules' if occupancy.is_over else 'nothing needs to leave'} ({occupancy.text})"


def _facts(plan: "RotationPlan") -> list[Fact]:
    leaving = plan.leaving
    rules = tally(Counter(decision.rule for decision in leaving))
    kept = sum(decision.action == "keep" for decision in plan.decisions)
    preserved = sum(plan.preserved_counts.values())
    return [
        ("would archive", f"{len(leaving):,} of {counted(len(plan.decisions), 'note')}, {size(plan.leaving_bytes)}" + (f": {rules}" if rules else "")),
        ("preserved", f"{preserved:,}" + (f": {tally(plan.preserved_counts)}" if preserved else "")),
        ("kept", f"{kept:,}" + (": no rule applies to them" if kept else "")),
        ("needed", need(len(plan.needed), plan.occupancy)),
        ("brake", _brake(plan)),
        *(("rule skipped", f"{rule}: {reason}") for rule, reason in plan.skipped_rules),
        *(("warning", warning) for warning in plan.warnings),
    ]


def _brake(plan: "RotationPlan") -> str:
    if plan.brake is None:
        return "switched off"
    limits = f"above {counted(plan.brake.files, 'note')} or {size(int(plan.brake.size))}"
    return f"asks first, or needs --yes: {limits}" if plan.is_large else f"not reached; it asks {limits}"


def _cells(decision: "RotationDecision") -> tuple[object, ...]:
    age = f"{decision.age_days} d"
    return decision.key, decision.action, decision.rule, decision.reason, decision.importance, age, size(decision.size), decision.lever or None


def _card(decision: "RotationDecision") -> Card:
    rule = "" if decision.rule == "none" else f", {decision.rule}"
    age = f"{counted(decision.age_days, 'day')} old"
    measures = size(decision.size) if age in decision.reason else f"{age}, {size(decision.size)}"
    means = "to keep it" if decision.action == "archive" else "kept by"
    lever = f"; {means}: {decision.lever}" if decision.lever else ""
    return Card(f"{decision.importance:.1f}", decision.key, (f"{decision.action}{rule}: {decision.reason}", measures + lever))
