"""The plan of a rotation, a button that runs exactly that plan, and undo; archived notes, with every digest checked, and restoring."""

from dataclasses import replace

from memorybank.clock import day_of
from memorybank.notes.parse import parse
from memorybank.rotation.plan import RotationPlan
from memorybank.rotation.rules import TYPES
from memorybank.text.similarity import folded
from memorybank.ui.markup import is_titled, rendered
from memorybank.ui.request import Answer, PageRequest, Redirect, RenderedPage
from memorybank.ui.site import Site
from memorybank.ui.views.notes import path_of

FIRST_ROWS = 500
"""Maximum number of rows of a table. A browser takes seconds for thousands."""
MOST_ARCHIVED = 200


def show_plan(site: Site, request: PageRequest) -> Answer:
    bank = site.open()
    return _planned(site, bank.rotation.plan(_type(request)), "")


def run(site: Site, request: PageRequest) -> Answer:
    """Run the plan that the form was made for.

    If the plan is another one by now, nothing happens and the new plan is shown (409). A large rotation needs a second form, with `sure`.
    """
    bank = site.open()
    plan = bank.rotation.plan(_type(request))
    if plan.essence != request.text("plan"):
        return _planned(site, plan, "changed", 409)
    if plan.is_large:
        if request.text("sure") != "yes":
            return _planned(site, plan, "brake")
        plan = replace(plan, brake=None)
    report = bank.rotation.execute(plan)
    if report.rotation_id is None and not report.errors:
        return Redirect("/rotation", "told.nothing")
    return RenderedPage("rotated.html", {"report": report})


def undo(site: Site, request: PageRequest) -> Answer:
    report = site.open().rotation.undo(request.text("rotation") or None)
    return RenderedPage("undone.html", {"report": report})


def _planned(site: Site, plan: RotationPlan, why: str, status: int = 200) -> RenderedPage:
    """Return the page of a plan.

    why: `changed` if the plan changed since the form was made, `brake` if it is large, otherwise ""
    """
    leaving = plan.leaving
    others = [decision for decision in plan.decisions if decision.action != "archive"]
    values = {
        "plan": plan,
        "deferred": len(plan.deferred),
        "until": day_of(plan.grace.until) if plan.grace else "",
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


def _type(request: PageRequest) -> str:
    return request.text("type") or "manual"


def show_archive(site: Site, request: PageRequest) -> Answer:
    """Archived notes, newest first.

    q: words that must occur in title, place or gist
    """
    archive = site.open().archive
    every, problems = archive.listing()
    wanted = folded(request.text("q")).split()
    found = [each for each in every if all(word in folded(f"{each.original_path} {each.title} {each.gist}") for word in wanted)]
    found.sort(key=lambda each: (each.archived_at, each.id), reverse=True)
    values = {
        "objects": found[:MOST_ARCHIVED],
        "all": len(every),
        "problems": problems[:20],
        "q": request.text("q"),
        "is_expiring": archive.is_expiring,
    }
    return RenderedPage("archive.html", values)


def show_archived_note(site: Site, request: PageRequest) -> Answer:
    described, data = site.open().archive.show(request.text("id"))
    html = rendered(parse(described.original_path, data).body, described.original_path, request.prefix)
    return RenderedPage("object.html", {"object": described, "html": html, "is_titled": is_titled(html, described.title)})


def restore(site: Site, request: PageRequest) -> Answer:
    returned = site.open().archive.restore(request.text("id"))
    return Redirect(path_of(returned.key), "told.restored", returned.key)
