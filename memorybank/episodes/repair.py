"""`episodes repair`: makes a list readable that is broken or holds two copies, and schedules days that were given up for another attempt.

The caller holds the lock. No text is lost: every entry that leaves the list is kept in the archives or next to the list.
"""

from typing import NamedTuple

from memorybank.clock import Clock
from memorybank.episodes import archive
from memorybank.episodes.coverage import MOST_ATTEMPTS
from memorybank.episodes.entry import WEEK, Episode
from memorybank.episodes.store import EpisodeStore
from memorybank.episodes.union import union


class RepairReport(NamedTuple):
    """The result of a repair.

    set_aside: the new name of an unreadable list, else ""
    saved: number of entries read out of it
    merged: whether the file held two copies
    dropped: number of entries that a better one replaced; they are in the archives now
    retried: dates that the next update tries again
    lost: merged weeks whose archive is missing or damaged
    """

    set_aside: str
    saved: int
    merged: bool
    dropped: int
    retried: tuple[str, ...]
    lost: tuple[str, ...]


def repair(store: EpisodeStore, clock: Clock) -> RepairReport:
    """Repair the list of a bank and return what was done."""
    name, saved = store.set_aside(clock)
    stored = store.read()
    before = len(stored.entries) + len(stored.dropped)
    retried: list[str] = []

    def edit(entries: list[Episode]) -> list[Episode]:
        kept, _ = union(entries)
        retried[:] = [entry.date for entry in kept if _is_given_up(entry)]
        return [entry.with_fields(error={**(entry.error or {}), "attempts": 0}) if _is_given_up(entry) else entry for entry in kept]

    entries = store.change(edit) if before else ()
    lost = tuple(entry.date for entry in entries if entry.kind == WEEK and entry.compressed and not archive.unfolded(store.layout, entry))
    return RepairReport(name, saved, stored.merged, before - len(entries), tuple(retried), lost)


def _is_given_up(entry: Episode) -> bool:
    return entry.is_error and entry.attempts >= MOST_ATTEMPTS
