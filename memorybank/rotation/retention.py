"""Deletes archive objects after their retention period: only those of rule `low`, never a bookmarked note's, and after a tombstone is logged.

The deletion itself is not synced: an object that comes back after a power loss is due again.
"""

from dataclasses import dataclass, field
from typing import Any

from memorybank import clock as time_of
from memorybank.archive import store
from memorybank.archive.object import ArchiveObject
from memorybank.clock import DAY, Clock
from memorybank.config.settings import Settings
from memorybank.log import rotation as log
from memorybank.log.rotation import RotationState
from memorybank.notes.bookmarks import Bookmarks
from memorybank.storage import disk
from memorybank.storage.layout import Layout


@dataclass(frozen=True, slots=True)
class ExpiredObject:
    """One object whose retention period is over. after: the instant (ms) from which it may be deleted"""

    described: ArchiveObject
    after: int


@dataclass(slots=True)
class RetentionResult:
    """What was deleted.

    deleted: paths of objects, relative to the bank
    entries: the log lines for the caller to append
    """

    deleted: list[str] = field(default_factory=list)
    entries: list[dict[str, Any]] = field(default_factory=list)


def due(objects: list[ArchiveObject], bookmarks: Bookmarks, settings: Settings, now: int) -> list[ExpiredObject]:
    """Return the objects that may be deleted at `now`. The later of the sidecar's date and the current setting counts."""
    days = settings.rotation.rotation_strategy.archival_rules.low_importance.delete_after_archive_days
    found = []
    for described in objects:
        if described.rule == "low" and described.delete_after is not None and not bookmarks.matches(described.original_path):
            after = max(described.delete_after, described.archived_at + days * DAY)
            if after <= now:
                found.append(ExpiredObject(described, after))
    return found


def run(layout: Layout, bookmarks: Bookmarks, settings: Settings, clock: Clock, now: int) -> RetentionResult:
    """Delete what is due. The caller holds the lock and logs `entries`."""
    objects, _ = store.listing(layout)
    expired = due(objects, bookmarks, settings, now)
    if not expired:
        return RetentionResult()
    tombstones = [
        log.entry(
            "tombstone",
            now,
            archive_path=each.described.object_path,
            path=each.described.original_path,
            sha256=each.described.sha256,
            reason="retention",
            delete_after=time_of.isoformat(each.after),
        )
        for each in expired
    ]
    log.append(layout, tombstones, clock)
    return finish(layout, log.read(layout), bookmarks, now)


def finish(layout: Layout, state: RotationState, bookmarks: Bookmarks, now: int) -> RetentionResult:
    """Carry out the tombstones without a deletion. A bookmark that was set in the meantime cancels one. The caller logs `entries`."""
    done = RetentionResult()
    for tombstone in state.tombstones.values():
        if bookmarks.matches(tombstone.key):
            done.entries.append(log.entry("abandoned", now, archive_path=tombstone.archive_path, path=tombstone.key, reason="bookmarked"))
            continue
        sidecar = store.sidecar_beside(tombstone.archive_path)
        disk.remove(store.absolute(layout, tombstone.archive_path))
        disk.remove(store.absolute(layout, sidecar))
        done.deleted.append(tombstone.archive_path)
        done.entries.append(log.entry("deleted", now, archive_path=tombstone.archive_path, path=tombstone.key))
    return done
