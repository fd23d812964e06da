"""Statements of notes that a later one contradicts or replaced, and the decision of a person that two of them do not contradict each other."""

from memorybank.ui.request import Answer, PageRequest, Redirect, RenderedPage
from memorybank.ui.site import Site

PATH = "/conflicts"
SIZE = 8


def show(site: Site, request: PageRequest) -> Answer:
    found = site.open().decisions.superseded()
    page = request.page_of(SIZE)
    return RenderedPage("conflicts.html", {"found": page.part(found), "pager": page.of(len(found))})


def keep(site: Site, request: PageRequest) -> Answer:
    """Record that a statement is still in force."""
    name = request.required("id", "nothing was chosen", "choose an entry of the list")
    return Redirect(PATH, "told.kept", site.open().decisions.keep(name).key)
