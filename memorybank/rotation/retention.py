"""Deleting archive objects when their time is over: only those of rule `low`, never a bookmarked note's, tombstone first."""

from dataclasses import dataclass

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
class Expiry:
    """One object whose time is over. after: the instant (ms) from which it may go."""

    described: ArchiveObject
    after: int


def due(objects: list[ArchiveObject], bookmarks: Bookmarks, settings: Settings, now: int) -> list[Expiry]:
    """What may be deleted at `now`. Of the sidecar's date and the present setting the later counts. Pure."""
    days = settings.rotation.rotation_strategy.archival_rules.low_importance.delete_after_archive_days
    found = []
    for described in objects:
        if described.rule == "low" and described.delete_after is not None and not bookmarks.matches(described.original_path):
            after = max(described.delete_after, described.archived_at + days * DAY)
            if after <= now:
                found.append(Expiry(described, after))
    return found


def run(layout: Layout, bookmarks: Bookmarks, settings: Settings, clock: Clock, now: int) -> list[str]:
    """Delete what is due and return the paths. The caller holds the lock."""
    objects, _ = store.listing(layout)
    expired = due(objects, bookmarks, settings, now)
    if not expired:
        return []
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
    return finish(layout, log.read(layout), bookmarks, clock, now)


def finish(layout: Layout, state: RotationState, bookmarks: Bookmarks, clock: Clock, now: int) -> list[str]:
    """Carry out the tombstones that stand without a deletion; a bookmark set meanwhile cancels one."""
    deleted, entries, folders = [], [], set()
    for tombstone in state.tombstones.values():
        if bookmarks.matches(tombstone.key):
            entries.append(log.entry("abandoned", now, archive_path=tombstone.archive_path, path=tombstone.key, reason="bookmarked"))
            continue
        sidecar = store.sidecar_beside(tombstone.archive_path)
        disk.remove(store.absolute(layout, tombstone.archive_path))
        disk.remove(store.absolute(layout, sidecar))
        folders.add(store.absolute(layout, tombstone.archive_path.rpartition("/")[0]))
        deleted.append(tombstone.archive_path)
        entries.append(log.entry("deleted", now, archive_path=tombstone.archive_path, path=tombstone.key))
    store.sync(folders)
    if entries:
        log.append(layout, entries, clock)
    return deleted
