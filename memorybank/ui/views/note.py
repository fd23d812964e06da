"""One note: its text, the parts of its importance, its neighbours, its claims, where it was shown, and why a prompt shows it or not."""

from typing import Any
from urllib.parse import urlencode

from memorybank.bank.activity import NOTE
from memorybank.claims.claim import UNKNOWN
from memorybank.errors import NotFound, UsageError
from memorybank.storage.layout import is_source_key
from memorybank.ui import charts
from memorybank.ui.markup import is_titled, rendered
from memorybank.ui.request import Answer, PageRequest, RawResponse, Redirect, RenderedPage
from memorybank.ui.site import Site

TIMES = 12
_CHARACTERS = 2_000


def show(site: Site, request: PageRequest) -> Answer:
    """One note. A person who opens it reads it: a page that may write records a view, as `memorybank show` does."""
    bank = site.open()
    with bank.at_once():
        key = bank.notes.locate(key_of(request))
        note = bank.notes.read(key, record_view=site.allow_write)
        explained, edges = bank.scores.explain(key), bank.notes.links(key)
        claims = () if is_source_key(key) else bank.claims.list(key, is_patient=False)
        rank = bank.scores.ranks().get(explained.note.importance)
        superseded = bank.decisions.superseded(key)
    links_to = sorted({target for source, target in edges if source == key})
    linked_from = sorted({source for source, target in edges if target == key})
    html = rendered(note.body, note.key, request.prefix, links_to)
    values = {
        **_head(site, note.key, note.title, explained.note.source),
        "note": note,
        "row": explained.note,
        "rank": rank,
        "html": html,
        "is_titled": is_titled(html, note.title),
        "claims": [each for each in claims if each.found.state != UNKNOWN],
        "superseded": superseded,
        "contributions": explained.contributions,
        "chart": charts.contributions(explained.contributions),
        "links_to": links_to,
        "linked_from": linked_from,
        "graph": charts.neighbours(key, note.title, linked_from, links_to, path_of),
        "is_bookmarked": explained.note.bookmarked or bank.notes.is_bookmarked(key),
        "source_path": bank.layout.relative(bank.layout.file_path(key)),
        "is_withheld": bool(bank.trust.withheld([f"active/{key}"])) and not explained.note.source,
        "own_bookmark": any(entry.path == key for entry in bank.notes.bookmark_list()),
    }
    return RenderedPage("note.html", values)


def show_recall(site: Site, request: PageRequest) -> Answer:
    """When agents were shown the note and what came of it; and why a prompt would show it, or not.

    q: the prompt
    """
    bank = site.open()
    query = request.text("q")[:_CHARACTERS]
    with bank.at_once(is_thorough=False):
        key = bank.notes.locate(key_of(request))
        note = bank.notes.read(key, record_view=False)
        times, total = bank.activity.times_shown(NOTE + key, limit=TIMES)
        verdict = bank.memory.why(key, query) if query else None
    values = {**_head(site, key, note.title, ""), "memory": NOTE + key, "times": times, "total": total, "q": query, "verdict": verdict}
    return RenderedPage("note_recall.html", values)


def _head(site: Site, key: str, title: str, source: str) -> dict[str, Any]:
    """Return what every page of a note shows above its own content."""
    return {"key": key, "title": title, "is_own": not source and not is_source_key(key)}


def picture(site: Site, request: PageRequest) -> Answer:
    """A picture that a note shows.

    name: path below active/
    """
    found = site.open().notes.picture(request.text("name"))
    return RawResponse(found.media_type, found.data)


def rate(site: Site, request: PageRequest) -> Answer:
    text = request.text("rating")
    try:
        rating = float(text)
    except ValueError:
        raise UsageError(f"{text[:40]!r} is not a rating", next_step="enter a number from 0 to 10") from None
    key = site.open().notes.rate(key_of(request), rating)
    return Redirect(path_of(key), "told.rated", f"{rating:g}")


def bookmark(site: Site, request: PageRequest) -> Answer:
    """Add or remove the bookmark of exactly this note. A pattern that also covers others can only be removed with the command."""
    notes = site.open().notes
    key = notes.resolve(key_of(request))
    if request.text("remove"):
        if not notes.bookmark_remove(key):
            raise NotFound(f"{key} has no bookmark of its own", next_step="'memorybank bookmark list' shows the pattern that covers it")
        return Redirect(path_of(key), "told.unbookmarked")
    notes.bookmark_add(key)
    return Redirect(path_of(key), "told.bookmarked")


def path_of(key: str) -> str:
    return "/note?" + urlencode({"key": key})


def key_of(request: PageRequest) -> str:
    """Return the key that a request names. Raises `UsageError` without one."""
    return request.required("key", "no note was given", "choose one from the search")
