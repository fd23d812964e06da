"""The fold: brings the working index up to date with the notes, the access log and git, processing only what changed.

One fold is one transaction. What it observes (a content seen for the first time, a note that was removed) is appended to the access log
before the cache commits; a fold that dies in between can be repeated without duplicating a line. Incremental folds and one fold of
everything give the same rows at the same `now`.
"""

import os
from collections.abc import Collection, Iterator
from contextlib import contextmanager, suppress

from memorybank.index import meta, staleness
from memorybank.index.report import FoldReport, Progress
from memorybank.index.working import Index
from memorybank.notes import scan
from memorybank.notes.scan import NoteSweep
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
    """Bring the index up to date with everything or, with `only`, with these keys alone; the files of other notes are not looked at.

    portion: never process more than these keys, for callers with little time. An empty index starts with them, and an index made with other
        settings keeps its rows until a complete fold.
    most: maximum number of notes to process. If more changed, the most recently changed ones are folded as a portion, and
        `FoldReport.left` is the number of the others.
    anew: delete every row first, in the same transaction, so that readers see the old index until the new one is complete.
    progress: called with (done, total) while notes are read and once more when all are done; None uses `index.progress`.

    A frozen index is folded in a copy in memory, and no log line is written.
    Raises `LockTimeout` while another process folds, and `PermissionRefused` if the bank turns out to be read-only.
    """
    swept = scan.sweep(index.layout) if only is None else scan.find_keys(index.layout, only)
    report = FoldReport(found=len(swept.found), problems=list(swept.problems))
    found = staleness.difference(index, swept, only)
    if most is not None and (waiting := _waiting(index, swept, found)) > most:
        latest = sorted(found.suspects, key=lambda suspect: (-suspect.mtime_ns, suspect.key))
        only, portion = [*(suspect.key for suspect in latest), *found.gone][: int(most)], True
        report.left = waiting - len(only)
        swept = scan.find_keys(index.layout, only)
    if anew or staleness.is_due(index, found):
        index.thaw()
        with _exclusive(index):
            from memorybank.index import apply, store

            if portion:
                staleness.begin(index)
            elif anew or staleness.settings_changed(index):
                # Other settings can change every row, so all notes are read again.
                store.clear(index.connection)
                swept = scan.sweep(index.layout)
                only = None
                meta.write(index.connection, "settings", staleness.settings_text(index))
            # Compared again under the lock: another process may have folded since the first comparison.
            difference, told = staleness.difference(index, swept, only), progress or index.progress
            apply.apply(index, difference, report, told)
            if told is not None:
                told(len(difference.suspects), len(difference.suspects))
            if only is None:
                _remember_sweep(index, swept)
    elif only is None and index.is_writable and len(swept.found) > index.settings.index.freshness.max_sweep_notes:
        with suppress(sqlite3.OperationalError):  # busy: another process is folding and will record its sweep
            _remember_sweep(index, swept)
    if not anew:
        index.looked += report.found
        index.read += report.read
    return report


def _waiting(index: Index, swept: NoteSweep, found: staleness.IndexDifference) -> int:
    """Number of notes that a complete fold would read or remove; all notes if the settings changed."""
    return max(len(swept.found) if staleness.settings_changed(index) else 0, len(found.suspects) + len(found.gone))


def _remember_sweep(index: Index, swept: NoteSweep) -> None:
    """Record when all notes were last looked at, and the mtimes that the folders had just before."""
    known = dict(index.connection.execute("SELECT path, mtime_ns FROM folders"))
    if known != swept.folders:
        index.connection.execute("DELETE FROM folders")
        index.connection.executemany("INSERT INTO folders VALUES (?, ?)", swept.folders.items())
    meta.write(index.connection, "swept_at", index.observed_at)


@contextmanager
def _exclusive(index: Index) -> Iterator[None]:
    """Hold the fold lock and a transaction. A copy in memory needs no lock."""
    if index.frozen:
        with database.transaction(index.connection):
            yield
        return
    lock = Lock(os.path.join(index.layout.cache, "fold.lock"), "memorybank index", index.clock)
    with lock, database.transaction(index.connection):
        yield
