"""The fold: bring the working index up to date with the notes, the access log and git, doing only what changed.

One fold is one transaction. What it observes (a content seen for the first time, a note gone) is appended to the access log
before the cache commits; a fold that dies in between repeats itself without doubling a line. Folding step by step and
folding everything anew give the same rows at the same `now`.
"""

import os
from collections.abc import Collection, Iterator
from contextlib import contextmanager, suppress

from memorybank.index import meta, staleness
from memorybank.index.report import FoldReport, Progress
from memorybank.index.working import Index
from memorybank.notes import scan
from memorybank.notes.scan import Sweep
from memorybank.storage import database
from memorybank.storage.lock import Lock
from memorybank.storage.sqlite import sqlite3


def fold(
    index: Index,
    *,
    only: Collection[str] | None = None,
    anew: bool = False,
    portion: bool = False,
    most: float | None = None,
    progress: Progress | None = None,
) -> FoldReport:
    """Bring everything up to date, or, with `only`, just these keys (selective; other notes' files are not looked at).

    portion: never more than these keys, for who has little time: an index that is not begun begins with them, and one of other
    settings keeps its rows until somebody folds it whole.
    most: take in no more notes than so many: when more changed, those changed last are folded as a portion, and the report says how many are left.
    anew: forget every row first, in the same transaction, so that readers see the old index until the new one is whole.
    A frozen index is folded in a copy in memory and no log line is written.
    progress: told (done, total) while notes are read, and that all are when the fold is; None: the one that the index brings.
    """
    swept = scan.sweep(index.layout) if only is None else scan.look(index.layout, only)
    report = FoldReport(found=len(swept.found), problems=list(swept.problems))
    found = staleness.difference(index, swept, only)
    if most is not None and (waiting := _waiting(index, swept, found)) > most:
        latest = sorted(found.suspects, key=lambda suspect: (-suspect.mtime_ns, suspect.key))
        only, portion = [*(suspect.key for suspect in latest), *found.gone][: int(most)], True
        report.left = waiting - len(only)
        swept = scan.look(index.layout, only)
    if anew or staleness.is_due(index, found):
        index.thaw()
        with _exclusive(index):
            from memorybank.index import apply, store

            if portion:
                staleness.begin(index)
            elif anew or staleness.settings_changed(index):
                store.clear(index.connection)
                swept = scan.sweep(index.layout)
                only = None
                meta.write(index.connection, "settings", staleness.settings_text(index))
            difference, told = staleness.difference(index, swept, only), progress or index.progress
            apply.apply(index, difference, report, told)
            if told is not None:
                told(len(difference.suspects), len(difference.suspects))
            if only is None:
                _remember_sweep(index, swept)
    elif only is None and index.is_writable and len(swept.found) > index.settings.index.freshness.max_sweep_notes:
        with suppress(sqlite3.OperationalError):  # busy: somebody else is folding and will remember
            _remember_sweep(index, swept)
    if not anew:
        index.looked += report.found
        index.read += report.read
    return report


def _waiting(index: Index, swept: Sweep, found: staleness.Difference) -> int:
    """Notes that a whole fold would read or forget: of other settings, all of them."""
    return max(len(swept.found) if staleness.settings_changed(index) else 0, len(found.suspects) + len(found.gone))


def _remember_sweep(index: Index, swept: Sweep) -> None:
    """When everything was last looked at, and the folders as they were just before."""
    known = dict(index.connection.execute("SELECT path, mtime_ns FROM folders"))
    if known != swept.folders:
        index.connection.execute("DELETE FROM folders")
        index.connection.executemany("INSERT INTO folders VALUES (?, ?)", swept.folders.items())
    meta.write(index.connection, "swept_at", index.observed_at)


@contextmanager
def _exclusive(index: Index) -> Iterator[None]:
    """One fold at a time, in one transaction; a copy in memory needs no lock."""
    if index.frozen:
        with database.transaction(index.connection):
            yield
        return
    lock = Lock(os.path.join(index.layout.cache, "fold.lock"), "memorybank index", index.clock)
    with lock, database.transaction(index.connection):
        yield
