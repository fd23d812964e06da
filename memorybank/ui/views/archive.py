"""The archived notes, page by page; one of them, with every digest checked; and restoring it."""

from memorybank.notes.parse import parse
from memorybank.ui.markup import is_titled, rendered
from memorybank.ui.request import Answer, PageRequest, Redirect, RenderedPage
from memorybank.ui.site import Site
from memorybank.ui.views.note import path_of

SIZE = 8


def show(site: Site, request: PageRequest) -> Answer:
    """Archived notes, newest first.

    q: words that must occur in title, path or gist
    """
    archive = site.open()
    page = request.page_of(SIZE)
    found = archive.catalogue.archived(request.text("q"), first=page.first, limit=page.size)
    values = {
        "objects": found.notes,
        "pager": page.of(found.found),
        "all": found.total,
        "problems": found.problems,
        "q": request.text("q"),
        "returned": archive.archive.returned(),
        "is_expiring": archive.archive.is_expiring,
    }
    return RenderedPage("archive.html", values)


def show_object(site: Site, request: PageRequest) -> Answer:
    described, data = site.open().archive.show(request.text("id"))
    html = rendered(parse(described.original_path, data).body, described.original_path, request.prefix)
    return RenderedPage("object.html", {"object": described, "html": html, "is_titled": is_titled(html, described.title)})


def restore(site: Site, request: PageRequest) -> Answer:
    returned = site.open().archive.restore(request.text("id"))
    return Redirect(path_of(returned.key), "told.restored", returned.key)
