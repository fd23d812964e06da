"""`episodes repair`: a list that cannot be read, or holds two copies, becomes one again; days that were given up are tried again.

The caller holds the lock. Nothing that was written is lost: what leaves the list lies in the archives or beside it.
"""

from typing import NamedTuple

from memorybank.clock import Clock
from memorybank.episodes import archive
from memorybank.episodes.coverage import MOST_ATTEMPTS
from memorybank.episodes.entry import WEEK, Episode
from memorybank.episodes.store import Store
from memorybank.episodes.union import union


class Repaired(NamedTuple):
    """set_aside: the new name of a list that could not be read, ""; saved: entries read out of it; merged: there were two copies;
    dropped: entries that another one told better, now in the archives; retried: dates that the next update tries again; lost: merged
    weeks whose archive is missing or damaged."""

    set_aside: str
    saved: int
    merged: bool
    dropped: int
    retried: tuple[str, ...]
    lost: tuple[str, ...]


def repair(store: Store, clock: Clock) -> Repaired:
    stored = store.read()
    name, saved = store.set_aside(clock) if stored.broken else ("", 0)
    stored = store.read()
    before = len(stored.entries) + len(stored.dropped)
    retried: list[str] = []

    def edit(entries: list[Episode]) -> list[Episode]:
        kept, _ = union(entries)
        retried[:] = [entry.date for entry in kept if _is_given_up(entry)]
        return [entry.with_fields(error={**(entry.error or {}), "attempts": 0}) if _is_given_up(entry) else entry for entry in kept]

    entries = store.change(edit) if before else ()
    lost = tuple(entry.date for entry in entries if entry.kind == WEEK and entry.compressed and not archive.unfolded(store.layout, entry))
    return Repaired(name, saved, stored.merged, before - len(entries), tuple(retried), lost)


def _is_given_up(entry: Episode) -> bool:
    return entry.is_error and entry.attempts >= MOST_ATTEMPTS
