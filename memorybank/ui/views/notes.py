"""Finding notes: by folder, tag and order, page by page; and by words, as a person types (`memorybank search` with its filters)."""

from typing import Any
from urllib.parse import urlencode

from memorybank.bank import Bank
from memorybank.errors import UsageError
from memorybank.index.fold import FRESH_HINT
from memorybank.index.listing import SORTS
from memorybank.search.hit import Hit, SearchAnswer
from memorybank.search.query import BY_MEANING, KINDS
from memorybank.search.query import TYPES as ALL_TYPES
from memorybank.ui.markup import pieces
from memorybank.ui.request import Answer, PageRequest, RenderedPage
from memorybank.ui.site import Site

SIZE = 12
MOST_HITS = 300
"""Maximum number of hits that can be paged through. A better query is faster than the twentieth page."""
TYPES = tuple(each for each in ALL_TYPES if each not in BY_MEANING)
"""Without those by meaning: the page searches while a person types, and each search would send what was typed so far to the embedder."""
_CHARACTERS = 2_000
"""Maximum length of a query. A longer one was not typed."""
_FILTERS = ("since", "until", "min_importance", "kind", "archive", "type")
"""The fields that only a search has. With one of them, or with words, hits are shown; otherwise the list of notes."""


def show(site: Site, request: PageRequest) -> Answer:
    """The notes, or the hits of a search. While a person types, a large bank is not examined completely."""
    query = request.text("q")[:_CHARACTERS]
    is_search = bool(query) or any(request.text(name) not in ("", TYPES[0]) for name in _FILTERS)
    values: dict[str, Any] = {"q": query, "type": request.text("type") or TYPES[0], "sort": request.text("sort") or next(iter(SORTS))}
    values |= {"types": TYPES, "kinds": KINDS, "sorts": tuple(SORTS), "is_search": is_search, "folder": request.text("category").strip("/")}
    values |= {
        "problem": None,
        "hits": [],
        "notes": (),
        "stale": (),
        "is_quick": False,
        "is_weak": False,
        "pager": None,
        "folders": (),
        "known_folders": (),
        "known_tags": (),
    }
    try:
        bank = site.open()
        values |= _hits(bank, request, query) if is_search else _notes(bank, request, values["sort"])
        # A filter suggests the names that it knows.
        values["known_folders"], values["known_tags"] = ((), ()) if request.partial else bank.catalogue.names()
    except UsageError as error:
        values["problem"] = error
    if request.partial:
        return RenderedPage("hits.html", values)
    values["is_refined"] = any(request.text(name) not in ("", TYPES[0]) for name in (*_FILTERS, "tag"))
    return RenderedPage("notes.html", values)


def _notes(bank: Bank, request: PageRequest, sort: str) -> dict[str, Any]:
    page = request.page_of(SIZE)
    found = bank.catalogue.notes(
        folder=request.text("category").strip("/"), tags=request.texts("tag"), sort=sort, first=page.first, limit=page.size
    )  # fmt: skip
    return {"notes": found.notes, "folders": found.folders, "pager": page.of(found.total), **_freshness(found.stale)}


def _hits(bank: Bank, request: PageRequest, query: str) -> dict[str, Any]:
    page = request.page_of(SIZE)
    kind = request.text("type") or TYPES[0]
    most = min(MOST_HITS, page.first + page.size + 1)
    found = _search(bank, request, query, kind if query or kind == "importance" else "recent", most)
    total = MOST_HITS if len(found.hits) > page.first + page.size else len(found.hits)
    hits = [_hit_fields(hit) for hit in page.part(found.hits)]
    is_all = len(found.hits) < most
    return {
        "hits": hits,
        "pager": page.of(total),
        "is_all": is_all,
        "is_weak": bool(hits) and all(hit.is_weak for hit in found.hits),
        **_freshness(found.stale),
    }


def _freshness(stale: tuple[Any, ...]) -> dict[str, Any]:
    """Return why an answer may be incomplete. The advice for users of the command line is replaced by that for users of the page."""
    return {"stale": [reason for reason in stale if reason != FRESH_HINT], "is_quick": FRESH_HINT in stale}


def _search(bank: Bank, request: PageRequest, query: str, kind: str, limit: int) -> SearchAnswer:
    return bank.search(
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
        target = "/episodes?" + urlencode({"episode": hit.key})
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
