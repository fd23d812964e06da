"""Which days are due: by what the entries say that they cover, never by the dates they carry. Pure.

A day of a source is told when the digest of all its messages is in some good entry's `covers`, whoever wrote it: so what was imported
late is due, and what a colleague's committed episode covers is not. Source: episodic memory specification, section 4 A (which days are
processed, records of failed days).
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from memorybank.episodes.entry import DAY, ERROR, SUPPLEMENT, Episode
from memorybank.summarize.summarizer import weaker

MOST_ATTEMPTS = 3
CHAT = "chat/"
Pairs = Mapping[tuple[str, str], frozenset[str]]
"""{(date, source): digests}"""


@dataclass(frozen=True, slots=True)
class Due:
    """One thing to summarise. kind: `day`, or `supplement` where the date has an entry already; sources: those with something untold.

    again: the draft whose very messages are told anew by a better summarizer, else None; errors: the records of failure that a
    success replaces; attempts: how often it was tried in vain.
    """

    date: str
    kind: str
    sources: tuple[str, ...]
    again: Episode | None = None
    errors: tuple[Episode, ...] = ()
    attempts: int = 0


@dataclass(frozen=True, slots=True)
class Plan:
    """due: oldest first; given_up: dates that were tried in three runs and are tried no more."""

    due: tuple[Due, ...]
    given_up: tuple[str, ...]


def told(entries: Iterable[Episode]) -> dict[tuple[str, str], frozenset[str]]:
    """What the good entries cover."""
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
) -> Plan:
    """What is due. inventory: {date: {source: digest of all its messages}}; today and later never count; by: the summarizer of this run."""
    known = told(entries)
    adopted = _adopted(entries)
    due: list[Due] = []
    given_up: list[str] = []
    for date in sorted(inventory):
        if not since <= date <= until or date >= today:
            continue
        sources = tuple(
            name
            for name, digest in sorted(inventory[date].items())
            if digest not in known.get((date, name), ()) and not (name.startswith(CHAT) and _is_within(date, adopted))
        )
        if sources:
            item = _missing(date, sources, inventory[date], entries)
            if item.attempts < MOST_ATTEMPTS:
                due.append(item)
            else:
                given_up.append(date)
    due += [
        Due(draft.first, draft.kind, tuple(sorted({source for _, source, _ in draft.covers})), again=draft)
        for draft in entries
        if _is_due_again(draft, inventory, by, since, until)
    ]
    return Plan(tuple(sorted(due, key=lambda item: (item.date, item.again is not None, item.kind))), tuple(given_up))


def _missing(date: str, sources: tuple[str, ...], digests: Mapping[str, str], entries: Sequence[Episode]) -> Due:
    has_entry = any(not entry.is_error and _speaks_of(entry, date) for entry in entries)
    errors = tuple(entry for entry in entries if entry.is_error and entry.first == entry.last == date)
    same = [entry.attempts for entry in errors if entry.covers and {(date, name, digests[name]) for name in sources} <= set(entry.covers)]
    return Due(date, SUPPLEMENT if has_entry else DAY, sources, None, errors, max(same, default=0))


def _speaks_of(entry: Episode, date: str) -> bool:
    return bool(entry.first) and entry.first <= date <= entry.last


def _is_due_again(entry: Episode, inventory: Mapping[str, Mapping[str, str]], by: str, since: str, until: str) -> bool:
    """A draft that a better summarizer can tell anew: its words are still a program's, and its sources are all here."""
    return (
        entry.draft
        and entry.kind in (DAY, SUPPLEMENT)
        and weaker(entry.by, by)
        and not entry.is_edited
        and since <= entry.first <= until
        and bool(entry.covers)
        and all(source in inventory.get(date, ()) for date, source, _ in entry.covers)
    )


def _adopted(entries: Iterable[Episode]) -> list[tuple[str, str]]:
    """The dates of entries that do not say what they cover: those of the program that kept the chat logs told a date once for all."""
    return [(entry.first, entry.last) for entry in entries if not entry.has_covers and entry.first and entry.kind != ERROR]


def _is_within(date: str, ranges: Iterable[tuple[str, str]]) -> bool:
    return any(first <= date <= last for first, last in ranges)
