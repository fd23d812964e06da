"""The plan of a rotation, a button that runs exactly that plan, and undo."""

from dataclasses import replace

from memorybank.rotation.plan import RotationPlan
from memorybank.rotation.rules import TYPES
from memorybank.ui.asked import Answer, Asked, Moved, Shown, Site

FIRST_ROWS = 500
"""Maximum number of rows of a table. A browser takes seconds for thousands."""


def show(site: Site, asked: Asked) -> Answer:
    bank = site.open()
    return _planned(site, bank.rotation.plan(_type(asked)), "")


def run(site: Site, asked: Asked) -> Answer:
    """Run the plan that the form was made for.

    If the plan is another one by now, nothing happens and the new plan is shown (409). A large rotation needs a second form, with `sure`.
    """
    bank = site.open()
    plan = bank.rotation.plan(_type(asked))
    if plan.essence != asked.text("plan"):
        return _planned(site, plan, "changed", 409)
    if plan.is_large:
        if asked.text("sure") != "yes":
            return _planned(site, plan, "brake")
        plan = replace(plan, brake=None)
    report = bank.rotation.execute(plan)
    if report.rotation_id is None and not report.errors:
        return Moved("/rotation", "told.nothing")
    return Shown("rotated.html", {"report": report})


def undo(site: Site, asked: Asked) -> Answer:
    report = site.open().rotation.undo(asked.text("rotation") or None)
    return Shown("undone.html", {"report": report})


def _planned(site: Site, plan: RotationPlan, why: str, status: int = 200) -> Shown:
    """Return the page of a plan.

    why: `changed` if the plan changed since the form was made, `brake` if it is large, otherwise ""
    """
    leaving = plan.leaving
    others = [decision for decision in plan.decisions if decision.action != "archive"]
    values = {
        "plan": plan,
        "leaving": leaving,
        "first": leaving[:FIRST_ROWS],
        "unshown": max(0, len(leaving) - FIRST_ROWS),
        "others": others[:FIRST_ROWS],
        "more": max(0, len(others) - FIRST_ROWS),
        "types": TYPES,
        "why": why,
        "rotations": site.open().rotation.undoable(),
    }
    return Shown("rotation.html", values, status)


def _type(asked: Asked) -> str:
    return asked.text("type") or "manual"
