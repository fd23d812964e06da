"""Joins two copies of the list. Entries that only one copy has are kept, and of two texts about the same messages the better one is kept.

"The same" means the same dates of the same sources.
"""

from __future__ import annotations

__light__ = True

from memorybank.episodes.entry import BRIEF, DAY, ERROR, SUPPLEMENT, WEEK, Episode, sort

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence
    from typing import TypeVar

    Copy = TypeVar("Copy")

_BEGIN, _BASE, _MIDDLE, _END = "<<<<<<<", "|||||||", "=======", ">>>>>>>"


def copies(data: bytes, parse: Callable[[str], Copy], what: str) -> list[Copy]:
    """Return the copies that a file contains: one, or two (ours first) when git left conflict marks in it.

    parse: turns text into a copy; raises ValueError with the reason
    what: what the file should be, for messages, such as `JSON list`

    Raises ValueError with the reason, for a reader who knows the file's name.
    """
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        raise ValueError(f"is not UTF-8 (byte {error.start})") from None
    both = sides(text)
    if both is None:
        return [parse(text)]
    try:
        return [parse(side) for side in both]
    except ValueError:
        raise ValueError(f"contains git conflict marks, and one of the two sides is not a {what}") from None


def sides(text: str) -> tuple[str, str] | None:
    """Return the two texts between git's conflict marks, or None when there are no marks."""
    ours: list[str] = []
    theirs: list[str] = []
    both = (ours, theirs)
    found = False
    into: tuple[list[str], ...] = both
    for line in text.split("\n"):
        mark = line[:7]
        if mark == _BEGIN and into is both:
            found, into = True, (ours,)
        elif found and mark == _BASE and into == (ours,):
            into = ()  # the common ancestor (diff3 style) belongs to neither side
        elif found and mark == _MIDDLE and into is not both:
            into = (theirs,)
        elif found and mark == _END and into is not both:
            into = both
        else:
            for side in into:
                side.append(line)
    return ("\n".join(ours), "\n".join(theirs)) if found else None


def union(*copies: Sequence[Episode]) -> tuple[list[Episode], list[Episode]]:
    """Return (entries that stay, sorted; entries that a better one replaces). Every entry is in one of the two."""
    entries: dict[str, Episode] = {}
    for copy in copies:
        for entry in copy:
            entries.setdefault(entry.encoded, entry)
    kept: list[Episode] = []
    dropped: list[Episode] = []
    for entry in sorted(entries.values(), key=_rank, reverse=True):
        (dropped if any(_replaces(other, entry) for other in kept) else kept).append(entry)
    return sort(kept), dropped


def may_overlap(entries: Sequence[Episode]) -> bool:
    """Return whether several of these sorted entries may be about the same messages: two of one date, a day within a week, two with one id."""
    latest, seen = "", set()
    for entry in entries:
        if entry.kind == SUPPLEMENT:
            if entry.id in seen:
                return True
            seen.add(entry.id)
        elif entry.first:
            if entry.first <= latest:
                return True
            latest = entry.last
    return False


def _replaces(better: Episode, entry: Episode) -> bool:
    """Return whether `better`, whose text is at least as good, covers everything that this entry covers.

    A day covers its sources from their beginning, so one of two days with the same sources is enough, however many messages each had. A supplement covers
    what came later, so only one with the very same messages replaces it.
    """
    if not entry.covers:
        return entry.is_error and bool(entry.first) and better.date == entry.date and better.kind in (DAY, BRIEF, ERROR)
    if better.kind == WEEK != entry.kind:
        return not entry.is_edited and set(entry.covers) <= set(better.covers)
    if better.date != entry.date:
        return False
    if entry.is_error or better.kind == entry.kind != SUPPLEMENT:
        return _pairs(entry) <= _pairs(better)
    return better.kind in (DAY, SUPPLEMENT) and entry.kind == SUPPLEMENT and set(entry.covers) <= set(better.covers)


def _pairs(entry: Episode) -> set[tuple[str, str]]:
    return {(date, source) for date, source, _ in entry.covers}


def _rank(entry: Episode) -> tuple[bool, bool, int, bool, str, str]:
    """Sort key with the better entry last.

    A summary ranks above a record of failure, a person's words above a program's, wider coverage above narrower, a final text above a draft, and then the
    later one.
    """
    return (not entry.is_error, entry.is_edited, len(entry.covers), not entry.draft, entry.created_at, entry.encoded)


def same(one: Iterable[Episode], other: Iterable[Episode]) -> bool:
    """Return whether two lists have the same entries in the same order."""
    return [entry.encoded for entry in one] == [entry.encoded for entry in other]
