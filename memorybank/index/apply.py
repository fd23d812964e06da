"""The writing half of a fold: reads the changed files, stores them, and updates everything that depends on them. Loaded only when needed."""

from __future__ import annotations

__light__ = True

from memorybank.config.settings import Settings
from memorybank.config.sources import INSTRUCTIONS
from memorybank.errors import Problem
from memorybank.index import dating, decisions, duplicates, files, links, meta, observations, queries, rescore, store
from memorybank.index.changes import COUNTED_ANEW, SHARE_COUNTED_ANEW, FoldChanges
from memorybank.index.extract import NoteExtract, Outcome, outcome_of, outcomes_of
from memorybank.index.observations import LoggedChanges
from memorybank.index.working import FoldReport, Index
from memorybank.notes import loaded
from memorybank.notes.note_files import NoteFile, NoteFiles
from memorybank.storage import full_text
from memorybank.storage import system as os
from memorybank.storage.layout import Layout, is_source_key

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Generator, Iterable, Iterator, Mapping, Sequence

    from memorybank.index.working import Progress

PARALLEL_FROM = 2_000
"""Number of files from which worker processes are used; fewer are read before the workers have started."""
_MOST_WORKERS = 4
MANY = 500
"""Number of changed notes from which the full text is merged into one segment afterwards: it adds little to their indexing."""
_CHUNK = 64
_DEPTH = 4
"""Maximum depth of nested imports, as in Claude Code."""


def apply(index: Index, read: Iterable[tuple[NoteFile, Outcome]], gone: Sequence[str], report: FoldReport, most: int | None) -> None:
    """Make rows agree with their files, and with the access log and git.

    The caller holds the lock and the transaction. `report` is updated in place.

    read: the files that changed, with what reading them gave.
    gone: keys of rows whose file does not exist.
    most: as for `TermCounts`.
    """
    connection = index.connection
    started_ns = index.observed_at * 1_000_000
    touched = observations.catch_up(connection, index.layout)
    touched.keys.update(dating.catch_up(index))
    changes = FoldChanges(connection, (meta.integer(connection, "revision") or 0) + 1, most)
    for found, outcome in read:
        _store(index, found, outcome, changes, report, started_ns)
    changes.rows.write()
    for key in gone:
        store.remove(connection, key, changes)
    report.removed += len(gone)
    _observe(index, changes, touched)
    _settle(index, changes, touched, report)


def most_to_add_up(index: Index, most: int) -> int:
    """Return the number of changed notes up to which their terms are added up: none if no note has been counted yet.

    most: maximum number of notes that change.
    """
    if index.connection.execute("SELECT 1 FROM frequencies LIMIT 1").fetchone() is None:
        return 0
    # Counting the notes reads them all, so it happens only for many changes.
    return max(COUNTED_ANEW, (index.count() if most > COUNTED_ANEW else 0) // SHARE_COUNTED_ANEW)


def clear(index: Index) -> None:
    """Delete every row of every note."""
    store.clear(index.connection)


def read_changes(index: Index, suspects: list[NoteFile] | NoteFiles, progress: Progress | None) -> Generator[tuple[NoteFile, Outcome], None, None]:
    """Read files whose rows may be out of date, as `read_files` does. What is yielded last agrees with the row at that moment."""
    known = _KnownDigests(index)
    for done, (found, outcome) in enumerate(read_files(index.layout, index.settings, suspects, known), 1):
        before = known.pop(found.key, None)
        if outcome is None and (now := known.digest(found.key)) != before:
            # Another process folded this note since its row was read.
            outcome = outcome_of(index.layout, index.settings, found, now)
        yield found, outcome
        if progress is not None and done % 64 == 0 and done < len(suspects):
            progress(done, len(suspects))


def merge_full_text(index: Index, report: FoldReport) -> None:
    """Merge the segments of the full text after a fold that changed many notes."""
    if report.altered >= MANY:
        full_text.merge_all(index.connection, "note_text")


def read_files(
    layout: Layout, settings: Settings, suspects: list[NoteFile] | NoteFiles, known: Mapping[str, str] | _KnownDigests
) -> Iterator[tuple[NoteFile, Outcome]]:
    """Read files and extract what the index stores of them. Yield each, in the given order, with its outcome.

    Reading and tokenizing is most of the time of a full build and needs only the file and the settings, so worker processes share it when there
    are many files (measured: half the time on two cores). Files that a worker does not deliver are read in this process.

    known: {key: digest} of the contents that are indexed already; asked with `get` when a file is about to be read.
    """
    workers = min(_processors(), _MOST_WORKERS)
    if len(suspects) < PARALLEL_FROM or workers < 2:
        for begin in range(0, len(suspects), _CHUNK):
            some = suspects[begin : begin + _CHUNK]
            yield from zip(some, outcomes_of(layout, settings, some, (known.get(found.key) for found in some)), strict=True)
        return
    # Imported late: a hook reads one note, and should not pay for loading subprocess and pickle.
    from contextlib import ExitStack

    from memorybank.index.workers import Worker

    chunks = (suspects[begin : begin + _CHUNK] for begin in range(0, len(suspects), _CHUNK))
    with ExitStack() as stack:
        waiting: list[tuple[Worker, Sequence[NoteFile]]] = []

        def ask(worker: Worker) -> None:
            if chunk := next(chunks, None):
                worker.ask(chunk, {found.key: digest for found in chunk if (digest := known.get(found.key)) is not None})
                waiting.append((worker, chunk))

        for _ in range(workers):
            ask(stack.enter_context(Worker(layout, settings)))
        while waiting:
            worker, chunk = waiting.pop(0)
            outcomes = worker.answer()
            # It reads the next files while the caller stores these.
            ask(worker)
            # The worker failed: what it was asked is read here.
            if outcomes is None:
                outcomes = list(outcomes_of(layout, settings, chunk, (known.get(found.key) for found in chunk)))
            yield from zip(chunk, outcomes, strict=True)


class _KnownDigests(dict[str, str | None]):
    """{key: digest} of notes that have a row, queried from the rows when a file is about to be read. Whoever has read it takes its entry out."""

    def __init__(self, index: Index) -> None:
        super().__init__()
        self._connection = index.connection
        self._is_any = self._connection.execute("SELECT 1 FROM notes LIMIT 1").fetchone() is not None

    def get(self, key: str, default: object = None) -> str | None:
        if not self._is_any:
            return None
        if key not in self:
            self[key] = self.digest(key)
        return self[key]

    def digest(self, key: str) -> str | None:
        """Return the digest that the row of a note has now."""
        row = self._connection.execute("SELECT digest FROM notes WHERE key = ?", (key,)).fetchone()
        return None if row is None else str(row[0])


def _store(index: Index, found: NoteFile, outcome: Outcome, changes: FoldChanges, report: FoldReport, started_ns: int) -> None:
    """Write one outcome of reading to the note's row: remove, touch, or put."""
    connection = index.connection
    row = connection.execute("SELECT id, mtime_ns, size, source FROM notes WHERE key = ?", (found.key,)).fetchone()
    # A file written within this window before the fold began can change again without a new mtime: the next fold reads it again.
    racy = found.mtime_ns > started_ns - index.settings.index.freshness.racy_window_ms * 1_000_000
    report.read += 1
    if isinstance(outcome, Problem):
        report.problems.append(outcome)
        if row is not None:
            store.remove(connection, found.key, changes)
            report.removed += 1
    elif outcome is None:
        store.touch(connection, row[0], found, changes.revision, racy=racy)
        if row[1:3] != (found.mtime_ns, found.size):
            changes.touched.add(found.key)
    else:
        store.put(connection, None if row is None else int(row[0]), outcome, found, changes, racy=racy)
        # The row of a new note says that it is one of the bank, and so does that of a known one that never was a file of a source.
        if found.source or (row is not None and row[3]):
            changes.rows.write()
            _mark_source(index, found, outcome)
        report.added += row is None
        report.changed += row is not None


def _mark_source(index: Index, found: NoteFile, outcome: NoteExtract) -> None:
    """Record which source a row belongs to, and which hosts load its file."""
    source = files.source_of(index, found)
    hosts = loaded.hosts(source, found.key, outcome.folded[: outcome.body_at]) if source is not None else ()
    queries.mark_source(index.connection, found.key, found.source, hosts)


def _observe(index: Index, changes: FoldChanges, touched: LoggedChanges) -> None:
    """Append the contents that this fold saw for the first time to the access log, and fold these entries as if they had been read from it."""
    connection = index.connection
    contents = dating.dates_of_contents(connection, changes)
    at = index.observed_at
    entries = observations.new_sightings(connection, contents, at) + observations.new_removals(connection, changes.removed, at)
    # Written before the cache commits: if the process is killed in between, the next fold finds these entries in the log and adds none again.
    if not index.frozen:
        observations.append(connection, index.layout, entries, index.clock)
    observations.store(connection, entries, touched)


def _settle(index: Index, changes: FoldChanges, touched: LoggedChanges, report: FoldReport) -> None:
    """Update everything that depends on the changes: dates, links, duplicates, term counts, scores."""
    connection = index.connection
    # The order matters: duplicates compare creation dates, and scores depend on all of the steps before.
    redated = dating.settle(index, changes, touched)
    relinked = links.settle(index, changes)
    decisions.settle(index, changes, redated)
    reduplicated = duplicates.settle(connection, index.settings, changes, redated)
    stale = changes.keys() | touched.keys | redated | relinked | reduplicated
    _settle_imports(index, changes)
    changes.terms.write(connection)
    report.rescored = rescore.settle(index, stale, changes.revision)
    if changes.keys() or report.rescored:
        meta.write(connection, "revision", changes.revision)
    if changes.keys() or redated:
        meta.write(connection, meta.NOTES_REVISION, changes.revision)


def _processors() -> int:
    """Return the number of processors that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _settle_imports(index: Index, changes: FoldChanges) -> None:
    """If a file of a source changed, record again which files a host loads because its instructions import them with `@path`."""
    if any(map(is_source_key, changes.keys())):
        connection = index.connection
        before = dict(connection.execute("SELECT key, imported_by FROM notes WHERE imported_by <> ''"))
        after = _imported(index)
        for key in before.keys() | after.keys():
            if before.get(key, "") != after.get(key, ""):
                connection.execute("UPDATE notes SET imported_by = ? WHERE key = ?", (after.get(key, ""), key))


def _imported(index: Index) -> dict[str, str]:
    """Return {key: the hosts that load the file through an import, each between spaces}."""
    names = [source.name for source in index.sources.sources if source.kind == INSTRUCTIONS]
    found: dict[str, set[str]] = {}
    keys = {key.casefold(): key for (key,) in index.connection.execute("SELECT key FROM notes WHERE source <> ''")}
    for host in loaded.IMPORTING:
        marks = ",".join("?" * len(names))
        pending = [row[0] for row in index.connection.execute(f"SELECT key FROM notes WHERE source IN ({marks}) AND loaded_by LIKE ?", (*names, f"% {host} %"))]
        seen = set(pending)
        for _ in range(_DEPTH):
            pending = [key for importing in pending for key in _imports(index, importing, keys) if key not in seen]
            seen.update(pending)
            for key in pending:
                found.setdefault(key, set()).add(host)
    return {key: f" {' '.join(sorted(hosts))} " for key, hosts in found.items()}


def _imports(index: Index, key: str, keys: dict[str, str]) -> list[str]:
    row = index.connection.execute("SELECT text FROM folded f JOIN notes n ON n.id = f.id WHERE n.key = ?", (key,)).fetchone()
    # The stored text is case-folded, so names are compared without case.
    return [keys[path.casefold()] for path in loaded.imports(key, row[0]) if path.casefold() in keys] if row is not None else []
