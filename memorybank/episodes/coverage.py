"""Decides which days are due for a summary, by the messages that the entries cover and never by the dates of the entries.

A day of a source is covered when the digest of all its messages is in the `covers` of an entry that holds a summary, whoever wrote it. So late imports
are due, and days that a colleague's committed episode covers are not.
Source: episodic memory specification, section 4 A (which days are processed, records of failed days).
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from memorybank.episodes.entry import CHAT, DAY, SUPPLEMENT, Episode
from memorybank.summarize.summarizer import weaker

MOST_ATTEMPTS = 3


@dataclass(frozen=True, slots=True)
class DueSummary:
    """One piece of work for the summarizer.

    kind: `day`, or `supplement` when the date already has an entry
    sources: the sources that have something uncovered
    again: the draft that a better summarizer rewrites from the same messages; else None
    errors: the records of failure that a success replaces
    attempts: number of failed attempts so far
    """

    date: str
    kind: str
    sources: tuple[str, ...]
    again: Episode | None = None
    errors: tuple[Episode, ...] = ()
    attempts: int = 0


@dataclass(frozen=True, slots=True)
class SummaryPlan:
    """The work of one run. due: oldest first; given_up: dates that failed in three runs and are not tried again."""

    due: tuple[DueSummary, ...]
    given_up: tuple[str, ...]


def covered_digests(entries: Iterable[Episode]) -> dict[tuple[str, str], frozenset[str]]:
    """Return the digests that entries with a summary cover, by date and source. Records of failure cover nothing."""
    found: dict[tuple[str, str], set[str]] = {}
    for entry in entries:
        if not entry.is_error:
            for date, source, digest in entry.covers:
                found.setdefault((date, source), set()).add(digest)
    return {pair: frozenset(known) for pair, known in found.items()}


def plan(
    inventory: Mapping[str, Mapping[str, str]],
    entries: Sequence[Episode],
    today: str,
    *,
    by: str,
    since: str = "",
    until: str = "\uffff",
) -> SummaryPlan:
    """Return what is due. Today and later days never are.

    inventory: {date: {source: digest of all its messages}}
    by: name of the summarizer of this run
    since, until: first and last date to consider
    """
    known = covered_digests(entries)
    foreign = [entry for entry in entries if not entry.has_covers]
    due: list[DueSummary] = []
    given_up: list[str] = []
    for date in sorted(inventory):
        if not since <= date <= until or date >= today:
            continue
        sources = tuple(
            name
            for name, digest in sorted(inventory[date].items())
            if digest not in known.get((date, name), ()) and not (name.startswith(CHAT) and any(entry.covers_chat_of(date) for entry in foreign))
        )
        if sources:
            item = _missing(date, sources, inventory[date], entries)
            if item.attempts < MOST_ATTEMPTS:
                due.append(item)
            else:
                given_up.append(date)
    due += [
        DueSummary(draft.first, draft.kind, tuple(sorted({source for _, source, _ in draft.covers})), again=draft)
        for draft in entries
        if _is_due_again(draft, inventory, by, since, until)
    ]
    return SummaryPlan(tuple(sorted(due, key=lambda item: (item.date, item.again is not None, item.kind))), tuple(given_up))


def _missing(date: str, sources: tuple[str, ...], digests: Mapping[str, str], entries: Sequence[Episode]) -> DueSummary:
    has_entry = any(not entry.is_error and entry.first <= date <= entry.last for entry in entries)
    errors = tuple(entry for entry in entries if entry.is_error and entry.first == entry.last == date)
    # Attempts count only for the same messages: a day that has grown since it failed gets new attempts.
    same = [entry.attempts for entry in errors if entry.covers and {(date, name, digests[name]) for name in sources} <= set(entry.covers)]
    return DueSummary(date, SUPPLEMENT if has_entry else DAY, sources, None, errors, max(same, default=0))


def _is_due_again(entry: Episode, inventory: Mapping[str, Mapping[str, str]], by: str, since: str, until: str) -> bool:
    """Return whether a better summarizer can rewrite a draft: no person has edited it, and all of its sources are available here."""
    return (
        entry.draft
        and entry.kind in (DAY, SUPPLEMENT)
        and weaker(entry.by, by)
        and not entry.is_edited
        and since <= entry.first <= until
        and bool(entry.covers)
        and all(source in inventory.get(date, ()) for date, source, _ in entry.covers)
    )
