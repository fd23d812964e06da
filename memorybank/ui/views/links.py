"""The links between notes: a drawing of the most linked ones, and a table of all, page by page."""

from memorybank.ui import charts
from memorybank.ui.request import Answer, PageRequest, RenderedPage
from memorybank.ui.site import Site
from memorybank.ui.views.note import path_of

MOST_LINKED = 60
"""Maximum number of notes in the drawing."""
SIZE = 15


def show(site: Site, request: PageRequest) -> Answer:
    bank = site.open()
    with bank.at_once():
        edges, notes = bank.notes.links(), bank.notes.list()
    importance = {note.key: note.importance for note in notes}
    pairs = sorted({edge for edge in edges if edge[0] != edge[1]})
    linked = {key for pair in pairs for key in pair}
    drawn = charts.most_linked(pairs, MOST_LINKED)
    page = request.page_of(SIZE)
    values = {
        "graph": charts.graph(drawn, pairs, importance, path_of) if drawn else None,
        "edges": page.part(pairs),
        "pager": page.of(len(pairs)),
        "count": len(pairs),
        "left_out": len(linked) - len(drawn),
        "alone": len(importance.keys() - linked),
    }
    return RenderedPage("links.html", values)
