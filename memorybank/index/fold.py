"""The fold: brings the working index up to date with the notes, the access log and git, processing only what changed.

A fold of at most `SLICE` notes is one transaction; a larger one commits slice after slice, and readers see what is done (ADR 0095). What a fold
observes (a content seen for the first time, a note that was removed) is appended to the access log before the cache commits; a fold that dies in
between can be repeated without duplicating a line. Incremental folds and one fold of everything give the same rows at the same `now`.

`refresh` folds as much as an answer needs: everything in a small bank; in a large one, the notes that are cheap to check or likely to have changed.
It says what was not checked.
"""

from __future__ import annotations

__light__ = True

from itertools import islice

from memorybank.clock import isoformat, storable
from memorybank.errors import LockTimeout, MemorybankError, PermissionRefused, ResourceExhausted
from memorybank.index import files, meta, queries, readiness, staleness
from memorybank.index.working import FoldReport, Index
from memorybank.log import lines
from memorybank.notes.note_files import NoteSweep
from memorybank.reasons.reason import Reason
from memorybank.storage import database
from memorybank.storage import system as os
from memorybank.storage.lock import Lock
from memorybank.storage.sqlite import sqlite3

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection
    from types import TracebackType

    from memorybank.index.working import Progress

FRESH_HINT = Reason("stale.fresh")
"""The advice for users of the command line. The local page has its own."""
SLICE = 1_000
"""Number of notes that are processed at a time: it bounds the memory of a fold, and what an interrupted one loses."""
_MANY = 100
"""Number of changed notes from which SQLite may keep more pages."""
_SIZE_OF_CHANGES = "changes_size"
"""Key of `meta`: the size of the log of changes when all of its changes were known to be finished."""
_AGREED = "agreed_revision"
"""Key of `meta`: the revision of the rows, if the last look at all files found each file and its row equal, and no problem."""


def fold(
    index: Index,
    *,
    only: Collection[str] | None = None,
    anew: bool = False,
    portion: bool = False,
    limit: float | None = None,
    progress: Progress | None = None,
) -> FoldReport:
    """Bring the index up to date with everything or, with `only`, with these keys alone; the files of other notes are not looked at.

    portion: whether to process at most these keys, for callers with little time. An empty index starts with them, and an index made with other
        settings keeps its rows until a complete fold.
    limit: maximum number of notes to process. If more changed, the most recently changed ones are folded as a portion, and
        `FoldReport.left` is the number of the others.
    anew: whether to delete every row first, in the same transaction, so that readers see the old index until the new one is complete.
    progress: called with (done, total) while notes are read and once more when all are done; None uses `index.progress`.

    A frozen index is folded in a copy in memory, and no log line is written.
    Raises `LockTimeout` while another process folds, and `PermissionRefused` if the bank turns out to be read-only.
    """
    _finish_interrupted_change(index)
    index.agrees = False
    swept = files.sweep(index) if only is None else files.find_keys(index, only)
    report = FoldReport(swept.count, list(swept.problems))
    found = staleness.difference(index, swept, only)
    if limit is not None and (waiting := _waiting(index, swept, found)) > limit:
        latest = sorted(found.suspects, key=lambda suspect: (-suspect.mtime_ns, suspect.key))
        only, portion = [*(suspect.key for suspect in latest), *found.gone][: int(limit)], True
        report.left = waiting - len(only)
        swept = files.find_keys(index, only)
    is_unchanged = found.is_none
    if anew or staleness.is_due(index, found):
        index.thaw()
        told = progress or index.progress
        # A portion is small, and nobody else sees a copy in memory. Where all rows are made again, readers keep the old ones until then.
        if portion or anew or index.frozen or len(found.suspects) + len(found.gone) <= SLICE or _must_start_again(index):
            with _exclusive(index):
                if portion:
                    staleness.record_settings(index)
                elif anew or staleness.settings_changed(index):
                    del found, swept  # nobody needs the files of the first look any more
                    swept, only = _start_again(index), None
                if only is None:
                    staleness.record_sources(index)
                _fold_slices(index, swept, only, report, told, _held)
        else:
            with _exclusive(index):
                staleness.record_settings(index)
                if only is None:
                    staleness.record_sources(index)
            _fold_slices(index, swept, only, report, told, _exclusive)
    elif only is None and index.is_writable:
        _remember_sweep_unless_busy(index, swept, found)
    index.agrees = only is None and is_unchanged and not report.altered
    if only is None:
        index.unreadable = report.problems
    if not anew:
        index.looked += report.found
        index.read += report.read
    return report


def refresh(index: Index, *, fresh: bool = False, settled: bool = False) -> tuple[Reason, ...]:
    """Bring the index up to date as far as an answer needs it. Returns the reasons why the answer may be stale.

    fresh: whether to check every note, whatever the size of the bank.
    settled: whether to check every note also if the last check found a difference, if a row changed since, or if log, git or time would change one.
        Without any of these, `Index.agrees` says what that check said.

    The stat of every file is compared with `fresh`, in a bank of at most `max_sweep_notes` notes, and when the last check is older than
    `max_age_seconds`. Otherwise only the folders' mtimes are compared, which show notes that were created, deleted, renamed, or saved by
    renaming.
    """
    _finish_interrupted_change(index)
    settings = index.settings.index.freshness
    swept_at = meta.integer(index.connection, "swept_at")
    age = None if swept_at is None else (index.clock.now() - swept_at) / 1000
    is_large = queries.has_more_than(index.connection, settings.max_sweep_notes)
    is_current = age is not None and 0 <= age <= settings.max_age_seconds and readiness.is_ready(index.connection)
    is_enough = is_current and is_large and not fresh and (not settled or _is_settled(index))
    if not is_enough or staleness.sources_changed(index) or _folders_changed(index):
        _fold_if_possible(index)
        return index.stale
    index.agrees = settled
    return Reason("stale.in_place", seconds=max(age or 0, 1)), FRESH_HINT


def refresh_shown(index: Index, keys: list[str]) -> bool:
    """Check the notes that are about to be shown. Return whether one changed, so that the caller has to repeat its query.

    If they cannot be checked, `Index.stale` says why.
    """
    if not keys:
        return False
    # A note with several hits is checked once.
    report = _fold_if_possible(index, only=tuple(dict.fromkeys(keys)))
    return report is not None and report.altered > 0


def _is_settled(index: Index) -> bool:
    """Return whether the last look at all files found files and rows equal, and nothing but a file can have changed a row since."""
    revision = meta.integer(index.connection, "revision") or 0
    return meta.integer(index.connection, _AGREED) == revision and not staleness.is_due(index, staleness.NO_DIFFERENCE)


def _finish_interrupted_change(index: Index) -> None:
    """Finish the change of a note that a killed command left, because the note can be without its name. A change in progress is left alone.

    Every search does this, so the check is a single stat: the log of changes has not grown since all of its changes were known to be finished.
    In a frozen index nothing is changed, and an error changes nothing.
    """
    size = lines.size(os.path.join(index.layout.log, "changes.jsonl"))
    if index.frozen or size == (meta.integer(index.connection, _SIZE_OF_CHANGES) or 0):
        return
    from memorybank.editing.write import finish_interrupted

    try:
        if not finish_interrupted(index.layout, index.clock, timeout=0):
            # The size from before: a change that began in the meantime is asked about again.
            meta.write(index.connection, _SIZE_OF_CHANGES, size)
    except (MemorybankError, sqlite3.OperationalError):
        return  # a lock that is held: the change goes on, and the next fold asks again; a cache that is busy: somebody else remembers the size


def _must_start_again(index: Index) -> bool:
    """Return whether there are rows, and they were made with other settings."""
    return staleness.settings_changed(index) and (meta.text(index.connection, "settings") is not None or index.count() > 0)


def _start_again(index: Index) -> NoteSweep:
    """Delete every row, because other settings can change each of them, and find all notes."""
    from memorybank.index import apply

    apply.clear(index)
    meta.write(index.connection, "settings", staleness.settings_text(index))
    return files.sweep(index)


def _fold_slices(index: Index, swept: NoteSweep, only: Collection[str] | None, report: FoldReport, told: Progress | None, hold: type[_exclusive]) -> None:
    """Bring the rows of the notes that were swept up to date, `SLICE` notes at a time.

    hold: the lock and the transaction of one slice; `_held` where the caller holds them.

    The files are compared with their rows once more in each slice, because another process may have folded them since. Until the last slice, the
    index records how many notes wait, so that hooks look for these in their files, and a search continues the fold.
    """
    from memorybank.index import apply

    found = staleness.difference(index, swept, only)
    suspects, gone = found.suspects, found.gone
    total = len(gone) + len(suspects)
    if total > _MANY:
        database.write_much(index.connection)
    read = apply.read_changes(index, suspects, told)
    try:
        for begin in range(0, max(total, 1), SLICE):
            end = begin + SLICE
            part = suspects[max(0, begin - len(gone)) : max(0, end - len(gone))]
            with hold(index):
                keys = [*gone[begin:end], *(found.key for found in part)]
                now = staleness.difference(index, NoteSweep(part, {}, swept.problems), keys)
                changed = {found.key for found in now.suspects}
                # Nobody sees the slices of one transaction, so terms are counted after the last one.
                most = apply.most_to_add_up(index, len(keys)) if hold is not _held or total <= SLICE else None if end < total else -1
                apply.apply(index, (each for each in islice(read, len(part)) if each[0].key in changed), now.gone, report, most)
                if end < total:
                    if only is None:
                        readiness.record(index.connection, total - end)
                    continue
                apply.merge_full_text(index, report)
                if only is None:
                    _remember_sweep(index, swept)
                    if swept.listed is not None:
                        staleness.record_agreement(index, staleness.difference(index, swept, None))
    finally:
        read.close()
    if told is not None:
        told(len(suspects), len(suspects))


def _waiting(index: Index, swept: NoteSweep, found: staleness.IndexDifference) -> int:
    """Return the number of notes that a complete fold would read or remove; all notes if the settings changed."""
    return max(swept.count if staleness.settings_changed(index) else 0, len(found.suspects) + len(found.gone))


def _remember_sweep_unless_busy(index: Index, swept: NoteSweep, found: staleness.IndexDifference) -> None:
    is_large = swept.count > index.settings.index.freshness.max_sweep_notes
    if not (is_large or found.listings):
        return
    try:
        with database.transaction(index.connection):
            if is_large:
                _remember_sweep(index, swept, found.revision if found.is_none and not swept.problems else None)
            staleness.record_agreement(index, found)
    except sqlite3.OperationalError:
        return  # another process is folding and will record its sweep


def _remember_sweep(index: Index, swept: NoteSweep, agreed: int | None = None) -> None:
    """Record when all notes were last looked at, and the mtimes that the folders had just before.

    agreed: the revision of the rows, if no file and no row differed
    """
    known = dict(index.connection.execute("SELECT path, mtime_ns FROM folders"))
    if known != swept.folders:
        index.connection.execute("DELETE FROM folders")
        index.connection.executemany("INSERT INTO folders VALUES (?, ?)", swept.folders.items())
    meta.write(index.connection, "swept_at", index.observed_at)
    meta.write(index.connection, _AGREED, agreed)
    readiness.record(index.connection, 0)


class _exclusive:
    """A context manager that holds the fold lock and a transaction. A copy in memory needs no lock."""

    __slots__ = ("_lock", "_transaction")

    def __init__(self, index: Index) -> None:
        self._lock = None if index.frozen else Lock(os.path.join(index.layout.cache, "fold.lock"), "memorybank index", index.clock)
        self._transaction = database.transaction(index.connection)

    def __enter__(self) -> None:
        if self._lock is None:
            self._transaction.__enter__()
            return
        self._lock.__enter__()
        try:
            self._transaction.__enter__()
        except BaseException as error:
            self._lock.__exit__(type(error), error, error.__traceback__)
            raise

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        try:
            self._transaction.__exit__(kind, error, trace)
        finally:
            if self._lock is not None:
                self._lock.__exit__(kind, error, trace)


class _held(_exclusive):
    """The same for a slice whose caller holds the lock and the transaction: without effect."""

    def __enter__(self) -> None:
        return

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        return


def _fold_if_possible(index: Index, *, only: Collection[str] | None = None) -> FoldReport | None:
    """Fold. Where the cache cannot be written, fold in a copy in memory. Where that is impossible too, set `Index.stale` and return None."""
    index.stale = ()
    while True:
        try:
            return fold(index, only=only)
        except sqlite3.Error as error:
            if database.is_broken(error):
                raise  # `Index.__exit__` sets the cache aside
            refused = database.typed(error, index.layout.relative(index.layout.database))
        except (LockTimeout, PermissionRefused, ResourceExhausted) as error:
            refused = error
        if isinstance(refused, LockTimeout) or (index.frozen and isinstance(refused, ResourceExhausted)):
            index.stale = _reason(refused), _age(index)
            return None
        if index.frozen or not isinstance(refused, PermissionRefused | ResourceExhausted):
            raise refused
        # Memory needs neither permission nor space on the disk, so the answer is current.
        index.freeze(refused)


def _reason(refused: MemorybankError) -> Reason:
    return Reason("stale.busy") if isinstance(refused, LockTimeout) else Reason("stale.refused", problem=refused.message)


def _age(index: Index) -> Reason:
    """Return the time of the rows' last update."""
    swept_at = meta.integer(index.connection, "swept_at")
    return Reason("stale.incomplete") if swept_at is None else Reason("stale.of", at=isoformat(swept_at))


def _folders_changed(index: Index) -> bool:
    for path, mtime_ns in index.connection.execute("SELECT path, mtime_ns FROM folders"):
        try:
            if storable(os.stat(files.folder_path(index, path)).st_mtime_ns) != mtime_ns:
                return True
        except OSError:
            return True
    return False
