"""Archived notes: a list, one note with every digest checked, and restoring."""

from memorybank.notes.parse import parse
from memorybank.text.similarity import folded
from memorybank.ui.asked import Answer, PageRequest, Redirect, RenderedPage, Site
from memorybank.ui.markup import is_titled, rendered
from memorybank.ui.views.note import path_of

MOST = 200


def show(site: Site, asked: PageRequest) -> Answer:
    """Archived notes, newest first.

    q: words that must occur in title, place or gist
    """
    archive = site.open().archive
    every, problems = archive.listing()
    wanted = folded(asked.text("q")).split()
    found = [each for each in every if all(word in folded(f"{each.original_path} {each.title} {each.gist}") for word in wanted)]
    found.sort(key=lambda each: (each.archived_at, each.id), reverse=True)
    return RenderedPage(
        "archive.html",
        {"objects": found[:MOST], "count": len(found), "all": len(every), "problems": problems[:20], "q": asked.text("q"), "is_expiring": archive.is_expiring},
    )


def one(site: Site, asked: PageRequest) -> Answer:
    described, data = site.open().archive.show(asked.text("id"))
    html = rendered(parse(described.original_path, data).body, described.original_path, asked.at)
    return RenderedPage("object.html", {"object": described, "html": html, "is_titled": is_titled(html, described.title)})


def restore(site: Site, asked: PageRequest) -> Answer:
    returned = site.open().archive.restore(asked.text("id"))
    return Redirect(path_of(returned.key), "told.restored", returned.key)
