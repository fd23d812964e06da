"""One note: its text, the parts of its importance, its links; rating and bookmark."""

from urllib.parse import urlencode

from memorybank.errors import NotFound, UsageError
from memorybank.ui.asked import Answer, PageRequest, RawResponse, Redirect, RenderedPage, Site
from memorybank.ui.charts import contributions
from memorybank.ui.markup import is_titled, rendered


def show(site: Site, asked: PageRequest) -> Answer:
    """One note. A person who opens it reads it: a page that may write records a view, as `memorybank show` does."""
    bank = site.open()
    with bank.at_once():
        key = bank.notes.resolve(_key(asked))
        note = bank.notes.read(key, record_view=site.allow_write)
        explained, edges = bank.scores.explain(key), bank.notes.links(key)
    links_to = sorted({target for source, target in edges if source == key})
    html = rendered(note.body, note.key, asked.at, links_to)
    values = {
        "note": note,
        "row": explained.note,
        "html": html,
        "is_titled": is_titled(html, note.title),
        "score_value": explained.note.importance,
        "contributions": explained.contributions,
        "chart": contributions(explained.contributions),
        "links_to": links_to,
        "linked_from": sorted({source for source, target in edges if target == key}),
        "is_bookmarked": explained.note.bookmarked or bank.notes.is_bookmarked(key),
        "own_bookmark": any(entry.path == key for entry in bank.notes.bookmark_list()),
    }
    return RenderedPage("note.html", values)


def picture(site: Site, asked: PageRequest) -> Answer:
    """A picture that a note shows.

    name: path below active/
    """
    found = site.open().notes.picture(asked.text("name"))
    return RawResponse(found.media_type, found.data)


def rate(site: Site, asked: PageRequest) -> Answer:
    text = asked.text("rating")
    try:
        rating = float(text)
    except ValueError:
        raise UsageError(f"{text[:40]!r} is not a rating", next_step="enter a number from 0 to 10") from None
    key = site.open().notes.rate(_key(asked), rating)
    return Redirect(path_of(key), "told.rated", f"{rating:g}")


def bookmark(site: Site, asked: PageRequest) -> Answer:
    """Add or remove the bookmark of exactly this note. A pattern that also covers others can only be removed with the command."""
    notes = site.open().notes
    key = notes.resolve(_key(asked))
    if asked.text("remove"):
        if not notes.bookmark_remove(key):
            raise NotFound(f"{key} has no bookmark of its own", next_step="'memorybank bookmark list' shows the pattern that covers it")
        return Redirect(path_of(key), "told.unbookmarked")
    notes.bookmark_add(key)
    return Redirect(path_of(key), "told.bookmarked")


def path_of(key: str) -> str:
    return "/note?" + urlencode({"key": key})


def _key(asked: PageRequest) -> str:
    key = asked.text("key")
    if not key:
        raise UsageError("no note was given", next_step="choose one from the search")
    return key
