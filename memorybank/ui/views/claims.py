"""What notes name and is not so any more, as `memorybank claims` lists it."""

from memorybank.claims.claim import KINDS, STATES, UNTRUE
from memorybank.ui.request import Answer, PageRequest, RenderedPage
from memorybank.ui.site import Site

PATH = "/claims"
SIZE = 12


def show(site: Site, request: PageRequest) -> Answer:
    """The claims of all notes.

    state: one of the states; without one, outdated claims
    kind: one of the kinds; without one, every kind
    """
    state, kind = request.one_of("state", STATES, "claims"), request.one_of("kind", KINDS, "claims")
    states = (state,) if state else UNTRUE
    every = site.open().claims.list(is_patient=False)
    found = [each for each in every if each.found.state in states and kind in ("", each.claim.kind)]
    page = request.page_of(SIZE)
    values = {"found": page.part(found), "pager": page.of(len(found)), "states": STATES, "kinds": KINDS, "state": state, "kind": kind}
    return RenderedPage("claims.html", values)
