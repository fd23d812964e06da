"""Deletes archive objects after their retention period, if a person switched that on (`delete_after_archive_days`; ADR 0051).

Only objects of rule `low` are deleted, never a bookmarked note's. An object is first announced by a tombstone in the log. It is deleted
when runs of at least `OBSERVED_DAYS` different later days have seen the tombstone, each of them recorded in the log, and it is still due.
A clock that is ahead can therefore only announce. When it is right again, the announcement is cancelled.

The folders are synced before a deletion is logged, so an object that the log calls deleted does not come back after a power loss. One that
comes back from git is announced again.
"""

import os
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from memorybank import clock as time_of
from memorybank.archive import store
from memorybank.archive.object import ArchiveObject
from memorybank.clock import DAY, Clock
from memorybank.config.settings import Settings
from memorybank.log import rotation as log
from memorybank.log.rotation_state import OBSERVED_DAYS, RotationState, Tombstone
from memorybank.notes.bookmarks import Bookmarks
from memorybank.storage import disk
from memorybank.storage.layout import Layout


@dataclass(slots=True)
class RetentionResult:
    """What was announced and deleted.

    announced, deleted: paths of objects, relative to the bank
    entries: the log lines for the caller to append
    """

    announced: list[str] = field(default_factory=list)
    deleted: list[str] = field(default_factory=list)
    entries: list[dict[str, Any]] = field(default_factory=list)


def due(objects: Sequence[ArchiveObject], bookmarks: Bookmarks, settings: Settings, now: int) -> list[ArchiveObject]:
    """Return the objects whose retention period is over at `now`. The later of the sidecar's date and the current setting counts; null means never."""
    days = settings.rotation.rotation_strategy.archival_rules.low_importance.delete_after_archive_days
    if days is None:
        return []
    return [
        described
        for described in objects
        if described.rule == "low"
        and described.delete_after is not None
        and max(described.delete_after, described.archived_at + days * DAY) <= now
        and not bookmarks.matches(described.original_path)
    ]


def run(layout: Layout, bookmarks: Bookmarks, settings: Settings, clock: Clock, now: int) -> RetentionResult:
    """Announce the objects that are due, and delete those that were announced long enough ago. The caller holds the lock and logs `entries`."""
    state = log.read(layout)
    is_on = settings.rotation.rotation_strategy.archival_rules.low_importance.delete_after_archive_days is not None
    if not is_on and not state.tombstones:
        return RetentionResult()
    objects, _ = store.listing(layout)
    listed = {described.object_path for described in objects}
    expired = {described.object_path: described for described in due(objects, bookmarks, settings, now)}
    done = RetentionResult(announced=[path for path in expired if path not in state.tombstones])
    announcements = [_tombstone(expired[path], now) for path in done.announced]
    standing = [tombstone for path, tombstone in state.tombstones.items() if path in expired]
    if any(tombstone.lacks(now) for tombstone in standing):
        announcements.append(log.entry("observed", now, tombstones=len(standing)))
    if announcements:
        # Synced before anything is deleted: after a crash the log proves that an object was allowed to go.
        log.append(layout, announcements, clock, durable=any(tombstone.seen(now).is_ripe for tombstone in standing))
        state = log.read(layout)
    for path, tombstone in state.tombstones.items():
        if path in expired:
            if tombstone.is_ripe:
                _delete(layout, tombstone, now, done)
        elif path in listed:  # an object whose sidecar could not be read now stays announced
            reason = "bookmarked" if bookmarks.matches(tombstone.key) else "not_due"
            done.entries.append(log.entry("abandoned", now, archive_path=path, path=tombstone.key, reason=reason))
    _sync(layout, done)
    return done


def finish(layout: Layout, state: RotationState, now: int) -> RetentionResult:
    """Complete deletions that were interrupted: the object is missing and its tombstone has been seen on enough days. The caller logs `entries`.

    An object that still exists is left to `run`, which checks the settings and the bookmarks again.
    """
    done = RetentionResult()
    for tombstone in state.tombstones.values():
        if tombstone.is_ripe and not store.is_there(layout, tombstone.archive_path):
            _delete(layout, tombstone, now, done)
    _sync(layout, done)
    return done


def _tombstone(described: ArchiveObject, now: int) -> dict[str, Any]:
    first_day = (now // DAY + OBSERVED_DAYS) * DAY
    return log.entry(
        "tombstone",
        now,
        archive_path=described.object_path,
        path=described.original_path,
        sha256=described.sha256,
        reason="retention",
        delete_after=time_of.isoformat(first_day),
    )


def _delete(layout: Layout, tombstone: Tombstone, now: int, done: RetentionResult) -> None:
    disk.remove(store.absolute(layout, tombstone.archive_path))
    disk.remove(store.absolute(layout, store.sidecar_beside(tombstone.archive_path)))
    done.deleted.append(tombstone.archive_path)
    done.entries.append(log.entry("deleted", now, archive_path=tombstone.archive_path, path=tombstone.key))


def _sync(layout: Layout, done: RetentionResult) -> None:
    store.sync({os.path.dirname(store.absolute(layout, path)) for path in done.deleted})
