"""Search as you type (`memorybank search` with its filters), and one note: its text, the parts of its importance, its links, rating, bookmark."""

from typing import Any
from urllib.parse import urlencode

from memorybank.claims.claim import UNKNOWN
from memorybank.errors import NotFound, UsageError
from memorybank.index.fold import FRESH_HINT
from memorybank.search.hit import Hit, SearchAnswer
from memorybank.search.query import BY_MEANING, KINDS
from memorybank.search.query import TYPES as ALL_TYPES
from memorybank.storage.layout import is_source_key
from memorybank.ui.charts import contributions
from memorybank.ui.markup import is_titled, pieces, rendered
from memorybank.ui.request import Answer, PageRequest, RawResponse, Redirect, RenderedPage
from memorybank.ui.site import Site

LIMITS = (20, 50, 200)
_CHARACTERS = 2_000
"""Maximum length of a query. A longer one was not typed."""
TYPES = tuple(each for each in ALL_TYPES if each not in BY_MEANING)
"""Without those by meaning: the page searches while a person types, and each search would send what was typed so far to the embedder."""
_FILTERS = ("category", "tag", "since", "until", "min_importance", "kind", "archive")


def show_search(site: Site, request: PageRequest) -> Answer:
    """The hits, best first; without a query the notes that changed last. While a person types, a large bank is not examined completely."""
    query = request.text("q")[:_CHARACTERS]
    kind = request.text("type") or "keyword"
    limit = _limit(request.text("limit"))
    found, problem = SearchAnswer(query, kind, ()), ""
    try:
        found = _search(site, request, query, kind if query or kind == "importance" else "recent", limit)
    except UsageError as error:
        problem = f"{error.message}; {error.next_step}" if error.next_step else error.message
    values = {
        "q": query,
        "type": kind,
        "types": TYPES,
        "kinds": KINDS,
        "limit": limit,
        "limits": LIMITS,
        "problem": problem,
        "stale": [reason for reason in found.stale if reason != FRESH_HINT],
        "is_quick": FRESH_HINT in found.stale,
        "hits": [_hit_fields(hit) for hit in found.hits],
        "is_weak": bool(found.hits) and all(hit.is_weak for hit in found.hits),
        "is_filtered": any(request.text(name) for name in _FILTERS),
        "is_refined": kind != TYPES[0] or limit != LIMITS[0],
    }
    return RenderedPage("hits.html" if request.partial else "search.html", values)


def _search(site: Site, request: PageRequest, query: str, kind: str, limit: int) -> SearchAnswer:
    return site.open().search(
        query,
        kind,
        limit,
        category=request.text("category") or None,
        tags=request.texts("tag"),
        since=request.text("since") or None,
        until=request.text("until") or None,
        min_importance=_importance(request.text("min_importance")),
        archive=request.text("archive") == "on",
        fresh=request.text("fresh") == "yes" or not request.partial,
        kinds=[request.text("kind")] if request.text("kind") else (),
    )


def _hit_fields(hit: Hit) -> dict[str, Any]:
    if hit.kind != "note":
        target = "/memory?" + urlencode({"episode": hit.key})
    elif hit.archive_id is not None:
        target = "/archive/object?" + urlencode({"id": hit.archive_id})
    else:
        target = "/note?" + urlencode({"key": hit.key})
    return {"hit": hit, "target": target, "pieces": pieces(*_without_title(hit))}


def _without_title(hit: Hit) -> tuple[str, tuple[tuple[int, int], ...]]:
    """Return (snippet, marks) without a heading that repeats the title, unless a match is in it."""
    heading = f"# {hit.title} "
    if not hit.snippet.startswith(heading) or any(start < len(heading) for start, _ in hit.marks):
        return hit.snippet, hit.marks
    return hit.snippet[len(heading) :], tuple((start - len(heading), end - len(heading)) for start, end in hit.marks)


def _limit(text: str) -> int:
    return int(text) if text.isascii() and text.isdigit() and int(text[:4]) in LIMITS else LIMITS[0]


def _importance(text: str) -> float | None:
    if not text:
        return None
    try:
        number = float(text)
    except ValueError:
        number = -1.0
    if not 0 <= number <= 10:
        raise UsageError(f"{text[:40]!r} is not an importance", next_step="write a number from 0 to 10")
    return number


def show_note(site: Site, request: PageRequest) -> Answer:
    """One note. A person who opens it reads it: a page that may write records a view, as `memorybank show` does."""
    bank = site.open()
    with bank.at_once():
        key = bank.notes.locate(_key(request))
        note = bank.notes.read(key, record_view=site.allow_write)
        explained, edges = bank.scores.explain(key), bank.notes.links(key)
        claims = () if is_source_key(key) else bank.claims.list(key, is_patient=False)
        rank = bank.scores.ranks().get(explained.note.importance)
    links_to = sorted({target for source, target in edges if source == key})
    html = rendered(note.body, note.key, request.prefix, links_to)
    values = {
        "note": note,
        "row": explained.note,
        "rank": rank,
        "html": html,
        "is_titled": is_titled(html, note.title),
        "score_value": explained.note.importance,
        "claims": [each for each in claims if each.found.state != UNKNOWN],
        "contributions": explained.contributions,
        "chart": contributions(explained.contributions),
        "links_to": links_to,
        "linked_from": sorted({source for source, target in edges if target == key}),
        "is_bookmarked": explained.note.bookmarked or bank.notes.is_bookmarked(key),
        "source_path": bank.layout.relative(bank.layout.file_path(key)),
        "is_withheld": bool(bank.trust.withheld([f"active/{key}"])) and not explained.note.source,
        "own_bookmark": any(entry.path == key for entry in bank.notes.bookmark_list()),
    }
    return RenderedPage("note.html", values)


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
    key = site.open().notes.rate(_key(request), rating)
    return Redirect(path_of(key), "told.rated", f"{rating:g}")


def bookmark(site: Site, request: PageRequest) -> Answer:
    """Add or remove the bookmark of exactly this note. A pattern that also covers others can only be removed with the command."""
    notes = site.open().notes
    key = notes.resolve(_key(request))
    if request.text("remove"):
        if not notes.bookmark_remove(key):
            raise NotFound(f"{key} has no bookmark of its own", next_step="'memorybank bookmark list' shows the pattern that covers it")
        return Redirect(path_of(key), "told.unbookmarked")
    notes.bookmark_add(key)
    return Redirect(path_of(key), "told.bookmarked")


def path_of(key: str) -> str:
    return "/note?" + urlencode({"key": key})


def _key(request: PageRequest) -> str:
    key = request.text("key")
    if not key:
        raise UsageError("no note was given", next_step="choose one from the search")
    return key
