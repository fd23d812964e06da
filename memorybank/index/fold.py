"""The fold: bring the working index up to date with the notes, the access log and git, doing only what changed.

One fold is one transaction. What it observes (a content seen for the first time, a note gone) is appended to the access log
before the cache commits; a fold that dies in between repeats itself without doubling a line. Folding step by step and
folding everything anew give the same rows at the same `now`.
"""

import os
import sqlite3
from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from typing import TypeAlias

from memorybank.config.settings import digest_of
from memorybank.errors import Problem
from memorybank.index import dating, duplicates, links, meta, observations, rescore, store
from memorybank.index.changes import Changes
from memorybank.index.observations import Touched
from memorybank.index.working import Index
from memorybank.notes import scan
from memorybank.notes.scan import Found, Sweep
from memorybank.storage.lock import Lock

Progress: TypeAlias = Callable[[int, int], None]
"""Called with (done, total) notes while a fold reads."""


@dataclass(slots=True)
class FoldReport:
    """What one fold did. read: files opened; rows written: added, changed, removed; rescored: notes whose score was computed."""

    found: int = 0
    read: int = 0
    added: int = 0
    changed: int = 0
    removed: int = 0
    rescored: int = 0
    problems: list[Problem] = field(default_factory=list)

    @property
    def altered(self) -> int:
        return self.added + self.changed + self.removed


@dataclass(slots=True)
class _Difference:
    """Disk against rows. suspects: to be read; gone: keys whose file is not there; hidden: folders that could not be listed."""

    suspects: list[Found]
    gone: list[str]
    hidden: tuple[str, ...]


def fold(index: Index, *, only: Collection[str] | None = None, anew: bool = False, progress: Progress | None = None) -> FoldReport:
    """Bring everything up to date, or, with `only`, just these keys (selective; other notes' files are not looked at).

    anew: forget every row first, in the same transaction, so that readers see the old index until the new one is whole.
    A frozen index is folded in a copy in memory and no log line is written.
    """
    started_ns = index.observed_at * 1_000_000
    swept = scan.sweep(index.layout) if only is None else scan.look(index.layout, only)
    report = FoldReport(found=len(swept.found), problems=list(swept.problems))
    if anew or _is_due(index, _difference(index, swept, only)):
        index.thaw()
        with _exclusive(index):
            if anew or meta.text(index.connection, "settings") not in (None, _digest(index)):
                store.clear(index.connection)
                swept = scan.sweep(index.layout)
                only = None
            _apply(index, _difference(index, swept, only), report, started_ns, whole=only is None, progress=progress)
            if only is None:
                _remember_sweep(index, swept)
    elif only is None and not index.frozen and len(swept.found) > index.settings.index.freshness.max_sweep_notes:
        with suppress(sqlite3.OperationalError):  # busy: somebody else is folding and will remember
            _remember_sweep(index, swept)
    return report


def _difference(index: Index, swept: Sweep, only: Collection[str] | None) -> _Difference:
    if only is None:
        rows = index.connection.execute("SELECT key, size, mtime_ns, ctime_ns, inode, racy FROM notes")
    else:
        marks = ",".join("?" * len(only))
        rows = index.connection.execute(f"SELECT key, size, mtime_ns, ctime_ns, inode, racy FROM notes WHERE key IN ({marks})", tuple(only))
    known = {key: (stat, racy) for key, *stat, racy in rows}
    suspects = []
    for item in swept.found:
        entry = known.pop(item.key, None)
        if entry is None or entry[1] or entry[0] != [item.size, item.mtime_ns, item.ctime_ns, item.inode]:
            suspects.append(item)
    hidden = tuple(problem.path for problem in swept.problems if problem.code == "unreadable")
    return _Difference(suspects, [key for key in sorted(known) if not key.startswith(hidden)], hidden)


def _is_due(index: Index, difference: _Difference) -> bool:
    """Whether a fold would write anything; reads only."""
    connection = index.connection
    return bool(
        difference.suspects
        or difference.gone
        or meta.text(connection, "settings") != _digest(index)
        or observations.is_behind(connection, index.layout)
        or dating.is_behind(connection, index.layout)
        or rescore.is_due(connection, index.now)
    )


def _apply(index: Index, difference: _Difference, report: FoldReport, started_ns: int, *, whole: bool, progress: Progress | None) -> None:
    connection = index.connection
    meta.write(connection, "settings", _digest(index))
    touched = observations.catch_up(connection, index.layout)
    touched.keys |= dating.catch_up(connection, index.layout)
    changes = Changes()
    for done, item in enumerate(difference.suspects):
        _fold_file(index, item, changes, report, started_ns)
        if progress is not None and (done % 64 == 63 or done + 1 == len(difference.suspects)):
            progress(done + 1, len(difference.suspects))
    for key in difference.gone:
        store.remove(connection, key, changes)
    report.removed += len(difference.gone)
    _observe(index, changes, touched, difference.hidden if whole else None)
    _settle(index, changes, touched, report)


def _fold_file(index: Index, item: Found, changes: Changes, report: FoldReport, started_ns: int) -> None:
    connection = index.connection
    outcome = scan.read(index.layout, item)
    report.read += 1
    if isinstance(outcome, Problem):
        report.problems.append(outcome)
        if connection.execute("SELECT 1 FROM notes WHERE key = ?", (item.key,)).fetchone():
            store.remove(connection, item.key, changes)
            report.removed += 1
        return
    racy = item.mtime_ns > started_ns - index.settings.index.freshness.racy_window_ms * 1_000_000
    known = connection.execute("SELECT id, digest, mtime_ns FROM notes WHERE key = ?", (item.key,)).fetchone()
    if known is not None and known[1] == outcome.digest:
        store.touch(connection, known[0], item, racy=racy)
        if known[2] != item.mtime_ns:
            changes.touched.add(item.key)
        return
    store.put(connection, index.settings, outcome, item, changes, racy=racy)
    if known is None:
        report.added += 1
    else:
        report.changed += 1


def _observe(index: Index, changes: Changes, touched: Touched, hidden: tuple[str, ...] | None) -> None:
    """Append what this fold saw for the first time to the access log, and fold it as if it had been read from there.

    hidden: None unless the whole bank was looked at; what lies in a folder that could not be listed is not gone.
    """
    connection = index.connection
    contents = {content.key: (content.digest, dating.date_of_content(connection, content)) for content in changes.contents}
    gone = set(changes.removed)
    if hidden is not None and meta.integer(connection, "complete") is None:
        absent = (row[0] for row in connection.execute("SELECT key FROM sightings EXCEPT SELECT key FROM notes"))
        gone |= {key for key in absent if not key.startswith(hidden)}
        meta.write(connection, "complete", 1)
    entries = observations.new_sightings(connection, contents, index.observed_at) + observations.new_removals(connection, gone, index.observed_at)
    if not index.frozen:
        observations.append(connection, index.layout, entries, index.clock)
    observations.store(connection, entries, touched)


def _settle(index: Index, changes: Changes, touched: Touched, report: FoldReport) -> None:
    """Everything that follows from what changed: dates, links, duplicates, scores."""
    connection = index.connection
    redated = dating.settle(index, changes, touched)
    relinked = links.settle(index, changes)
    reduplicated = duplicates.settle(connection, index.settings, changes, redated)
    stale = changes.keys() | touched.keys | redated | relinked | reduplicated
    report.rescored = rescore.settle(index, stale)
    if changes.keys() or report.rescored:
        meta.write(connection, "revision", (meta.integer(connection, "revision") or 0) + 1)


def _digest(index: Index) -> str:
    """What the rows depend on in the settings; another rotation policy changes none of them."""
    return f"{digest_of(index.settings.scoring)} {digest_of(index.settings.index)}"


def _remember_sweep(index: Index, swept: Sweep) -> None:
    """When everything was last looked at, and the folders as they were just before."""
    known = dict(index.connection.execute("SELECT path, mtime_ns FROM folders"))
    if known != swept.folders:
        index.connection.execute("DELETE FROM folders")
        index.connection.executemany("INSERT INTO folders VALUES (?, ?)", swept.folders.items())
    meta.write(index.connection, "swept_at", index.observed_at)


@contextmanager
def _exclusive(index: Index) -> Iterator[None]:
    """One fold at a time, in one transaction; a frozen index needs neither lock nor rollback."""
    if index.frozen:
        yield
        return
    with Lock(os.path.join(index.layout.cache, "fold.lock"), "memorybank index", index.clock):
        index.connection.execute("BEGIN IMMEDIATE")
        try:
            yield
        except BaseException:
            index.connection.execute("ROLLBACK")
            raise
        index.connection.execute("COMMIT")
