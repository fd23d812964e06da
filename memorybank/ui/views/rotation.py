"""The plan of a rotation, a button that runs exactly that plan, and undo."""

from dataclasses import replace

from memorybank.rotation.plan import RotationPlan
from memorybank.rotation.rules import TYPES
from memorybank.ui.asked import Answer, PageRequest, Redirect, RenderedPage, Site

FIRST_ROWS = 500
"""Maximum number of rows of a table. A browser takes seconds for thousands."""


def show(site: Site, asked: PageRequest) -> Answer:
    bank = site.open()
    return _planned(site, bank.rotation.plan(_type(asked)), "")


def run(site: Site, asked: PageRequest) -> Answer:
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
        return Redirect("/rotation", "told.nothing")
    return RenderedPage("rotated.html", {"report": report})


def undo(site: Site, asked: PageRequest) -> Answer:
    report = site.open().rotation.undo(asked.text("rotation") or None)
    return RenderedPage("undone.html", {"report": report})


def _planned(site: Site, plan: RotationPlan, why: str, status: int = 200) -> RenderedPage:
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
    return RenderedPage("rotation.html", values, status)


def _type(asked: PageRequest) -> str:
    return asked.text("type") or "manual"
