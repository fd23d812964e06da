"""The plan of a rotation, a button that runs exactly that plan, and undo."""

from memorybank.clock import day_of
from memorybank.rotation.decision import RotationPlan
from memorybank.rotation.rules import TYPES
from memorybank.ui.request import Answer, PageRequest, Redirect, RenderedPage
from memorybank.ui.site import Site

SIZE = 10
MOST_STAYING = 30
"""Maximum number of notes that stay in the list below the plan. The command lists all of them."""
MOST_ROTATIONS = 10


def show_plan(site: Site, request: PageRequest) -> Answer:
    bank = site.open()
    return _planned(site, request, bank.rotation.plan(_type(request)), "")


def run(site: Site, request: PageRequest) -> Answer:
    """Run the plan that the form was made for.

    If the plan is another one by now, nothing happens and the new plan is shown (409). A large rotation needs a second form, with `sure`.
    """
    bank = site.open()
    plan = bank.rotation.plan(_type(request))
    if plan.essence != request.text("plan"):
        return _planned(site, request, plan, "changed", 409)
    if plan.is_large:
        if request.text("sure") != "yes":
            return _planned(site, request, plan, "brake")
        plan = plan.with_changes(brake=None)
    report = bank.rotation.execute(plan)
    if report.rotation_id is None and not report.errors:
        return Redirect("/rotation", "told.nothing")
    return RenderedPage("rotated.html", {"report": report, "first": report.rotated[:MOST_STAYING]})


def undo(site: Site, request: PageRequest) -> Answer:
    report = site.open().rotation.undo(request.text("rotation") or None)
    return RenderedPage("undone.html", {"report": report, "first": report.returned[:MOST_STAYING]})


def _planned(site: Site, request: PageRequest, plan: RotationPlan, why: str, status: int = 200) -> RenderedPage:
    """Return the page of a plan.

    why: `changed` if the plan changed since the form was made, `brake` if it is large, otherwise ""
    """
    leaving, page = plan.leaving, request.page_of(SIZE)
    others = [decision for decision in plan.decisions if decision.action != "archive"]
    values = {
        "plan": plan,
        "deferred": len(plan.deferred),
        "until": day_of(plan.grace.until) if plan.grace else "",
        "leaving": leaving,
        "first": page.part(leaving),
        "pager": page.of(len(leaving)),
        "others": others[:MOST_STAYING],
        "more": max(0, len(others) - MOST_STAYING),
        "types": TYPES,
        "why": why,
        "rotations": site.open().rotation.undoable()[:MOST_ROTATIONS],
    }
    return RenderedPage("rotation.html", values, status)


def _type(request: PageRequest) -> str:
    return request.text("type") or "manual"
