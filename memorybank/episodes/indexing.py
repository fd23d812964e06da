"""Keeps the working index up to date with the list of episodes, without reading an unchanged list."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from memorybank.episodes import list_state
from memorybank.errors import LockTimeout, Problem
from memorybank.index import episodes
from memorybank.index.episodes import EpisodeDocument, EpisodeListing
from memorybank.index.working import Index
from memorybank.reasons.reason import Reason

if TYPE_CHECKING:
    from memorybank.episodes.dates import LocalCalendar
    from memorybank.episodes.entry import Episode

BUSY = Reason("stale.episodes_busy")
_NAMED = 5
_EVENTS, _SESSION = "events/", "session:"


def bring_up_to_date(index: Index) -> Reason | None:
    """Update the index to the current list. Return the problem that prevented it, or None.

    For an unchanged list, only the file's metadata is read.
    """
    zone = index.settings.episodes.timezone
    state = _state(index, zone)
    try:
        problem = episodes.fold(index, state, lambda: _listed(index, zone, state))
    except LockTimeout:
        return BUSY
    return Reason("stale.episodes_unreadable", problem=str(problem)) if problem else None


def differences(index: Index) -> Iterator[Problem]:
    """Yield a problem when the episodes in the index differ from those in the list. Changes nothing."""
    rows = dict(index.connection.execute("SELECT key, digest FROM episodes"))
    listed = {document.key: document.digest for document in _listed(index, index.settings.episodes.timezone, "").documents}
    changed = [key for key in sorted(rows.keys() | listed.keys()) if rows.get(key) != listed.get(key)]
    if changed:
        named = ", ".join(changed[:_NAMED]) + (f" and {len(changed) - _NAMED} more" if len(changed) > _NAMED else "")
        yield Problem(
            "index_outdated", index.layout.relative(list_state.path_of(index.layout)), f"the episodes in the index differ from those in the list: {named}"
        )


def _state(index: Index, zone: str) -> str:
    return f"{list_state.state(index.layout)} {zone}"


def _listed(index: Index, zone: str, state: str) -> EpisodeListing:
    """Return the current list as documents.

    When the file was modified just before it was read, the result carries no state, so that the next call reads the list again: a second change within
    the clock's resolution would not be visible in the state.
    """
    from memorybank.episodes import list_file  # late, like the next ones: a search seldom finds a new list
    from memorybank.episodes.dates import LocalCalendar
    from memorybank.episodes.entry import documents

    stored = list_file.read(index.layout)
    since_ns = (index.observed_at - index.settings.index.freshness.racy_window_ms) * 1_000_000
    is_settled = list_state.modified_ns(index.layout) <= since_ns and _state(index, zone) == state
    calendar = LocalCalendar(zone)
    found = [_document(name, entries, calendar) for name, entries in documents(stored.entries).items()]
    return EpisodeListing(state if is_settled else "", found, stored.broken)


def _document(name: str, entries: list[Episode], calendar: LocalCalendar) -> EpisodeDocument:
    from memorybank.episodes import dates
    from memorybank.episodes.entry import document_text

    first, last = entries[0].first, entries[0].last
    end = (calendar.instant(dates.plus(last, 1)) or 0) - 1
    sources = {source for entry in entries for _, source, _ in entry.covers}
    summaries = sorted(_SESSION + source.removeprefix(_EVENTS) for source in sources if source.startswith(_EVENTS))
    return EpisodeDocument(
        key=name,
        title=entries[0].date,
        kind=entries[0].kind,
        may_be_shown=any(entry.is_showable for entry in entries),
        dates=tuple(dates.between(first, last)),
        began=calendar.instant(first) or 0,
        modified=end,
        written=min((calendar.instant(entry.created_at) or end for entry in entries), default=end),
        sources=tuple(summaries) if len(summaries) == len(sources) else (),
        text=document_text(entries),
    )
