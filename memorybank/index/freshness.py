"""How up to date an answer is: checks everything in a small bank, what is cheap and likely in a large one, and says what was not checked."""

import os

from memorybank.errors import LockTimeout, PermissionRefused
from memorybank.index import meta
from memorybank.index.fold import fold
from memorybank.index.report import FoldReport
from memorybank.index.working import Index

FRESH_HINT = "; --fresh looks at every note first"
"""The advice of a command line. The local page replaces it with its own."""
MAY_BE_STALE = "in-place edits of the last {seconds:.0f} s may not be in this answer" + FRESH_HINT


def refresh(index: Index, *, fresh: bool = False) -> str | None:
    """Bring the index up to date as far as an answer needs it. Returns a sentence if the answer may be stale, otherwise None.

    fresh: check every note, whatever the size of the bank.

    The stat of every file is compared with `fresh`, in a bank of at most `max_sweep_notes` notes, and when the last check is older than
    `max_age_seconds`. Otherwise only the folders' mtimes are compared, which show notes that were created, deleted, renamed, or saved by
    renaming.
    """
    settings = index.settings.index.freshness
    swept_at = meta.integer(index.connection, "swept_at")
    age = None if swept_at is None else (index.clock.now() - swept_at) / 1000
    if fresh or age is None or not 0 <= age <= settings.max_age_seconds or index.count() <= settings.max_sweep_notes or _folders_changed(index):
        return _fold(index)
    return MAY_BE_STALE.format(seconds=max(age, 1))


def refresh_shown(index: Index, keys: list[str]) -> bool:
    """Check the notes about to be shown; True if one changed, so that the caller should run its query again."""
    report = fold(index, only=tuple(dict.fromkeys(keys))) if keys else FoldReport()  # a note with several hits is checked once
    return report.altered > 0


def _fold(index: Index) -> str | None:
    try:
        fold(index)
    except LockTimeout:
        return "another process is updating the index; this answer is from before its update"
    except PermissionRefused:
        if index.frozen:
            raise
        index.freeze()
        fold(index)
    return None


def _folders_changed(index: Index) -> bool:
    for path, mtime_ns in index.connection.execute("SELECT path, mtime_ns FROM folders"):
        try:
            if os.stat(os.path.join(index.layout.active, path)).st_mtime_ns != mtime_ns:
                return True
        except OSError:
            return True
    return False
