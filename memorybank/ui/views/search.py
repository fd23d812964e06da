"""Search as you type: `memorybank search` with its filters."""

from typing import Any
from urllib.parse import urlencode

from memorybank import clock
from memorybank.errors import UsageError
from memorybank.search.hit import Hit
from memorybank.search.hit import SearchAnswer as Found
from memorybank.search.query import KINDS, TYPES
from memorybank.ui.asked import Answer, PageRequest, RenderedPage, Site
from memorybank.ui.markup import pieces

LIMITS = (20, 50, 200)
_CHARACTERS = 2_000
"""Maximum length of a query. A longer one was not typed."""
_FRESH = "; --fresh looks at every note first"
"""Advice of the command that the page replaces with its own: here Enter does it."""
_FILTERS = ("category", "tag", "since", "until", "min_importance", "kind", "archive")


def show(site: Site, asked: PageRequest) -> Answer:
    """The hits, best first; without a query the notes that changed last. While a person types, a large bank is not examined completely."""
    query = asked.text("q")[:_CHARACTERS]
    kind = asked.text("type") or "keyword"
    limit = _limit(asked.text("limit"))
    found, problem = Found(query, kind, ()), ""
    try:
        found = _search(site, asked, query, kind if query or kind == "importance" else "recent", limit)
    except UsageError as error:
        problem = f"{error.message}; {error.next_step}" if error.next_step else error.message
    values = {
        "q": query, "type": kind, "types": TYPES, "kinds": KINDS, "limit": limit, "limits": LIMITS, "problem": problem, 
        "stale": (found.stale or "").replace(_FRESH, ""), "is_quick": _FRESH in (found.stale or ""),
        "hits": [_fields(hit) for hit in found.hits], "is_filtered": any(asked.text(name) for name in _FILTERS),
        "is_refined": kind != TYPES[0] or limit != LIMITS[0],
    }  # fmt: skip
    return RenderedPage("hits.html" if asked.partial else "search.html", values)


def _search(site: Site, asked: PageRequest, query: str, kind: str, limit: int) -> Found:
    return site.open().search(
        query,
        kind,
        limit,
        category=asked.text("category") or None,
        tags=asked.texts("tag"),
        since=_instant(asked.text("since")),
        until=_instant(asked.text("until"), end=True),
        min_importance=_importance(asked.text("min_importance")),
        archive=asked.text("archive") == "on",
        fresh=asked.text("fresh") == "yes" or not asked.partial,
        kinds=[asked.text("kind")] if asked.text("kind") else (),
    )


def _fields(hit: Hit) -> dict[str, Any]:
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


def _instant(text: str, *, end: bool = False) -> str | None:
    """Return the instant, in UTC, of a date as the browser's field writes it.

    end: the last millisecond of that day, so that `until` includes it
    """
    if not text:
        return None
    instant = clock.parse(text)
    if instant is None:
        raise UsageError(f"{text[:40]!r} is not a date", next_step="write it as 2025-09-17")
    return clock.isoformat(instant + clock.DAY - 1 if end else instant)


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
