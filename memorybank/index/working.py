"""The working index: one open cache at one `now`, ready for queries, and what a fold that brings it up to date reports."""

from __future__ import annotations

__light__ = True


from memorybank.clock import Clock
from memorybank.config import sources
from memorybank.config.settings import Settings
from memorybank.config.sources import SourceList
from memorybank.errors import CONFLICT, LockTimeout, MemorybankError, Misplaced, PermissionRefused, Problem, ResourceExhausted
from memorybank.index import meta
from memorybank.index.schema import TABLES, VERSION
from memorybank.reasons.reason import Reason
from memorybank.storage import database, jsontext
from memorybank.storage.layout import Layout
from memorybank.storage.sqlite import sqlite3
from memorybank.values import Value, lru_cache

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from types import TracebackType
    from typing import Any, TypeAlias

    from memorybank.index.row import IndexedNote

    Progress: TypeAlias = Callable[[int, int], None]
    """Called with (done, total) notes while a fold reads."""
else:

    def __getattr__(name):
        """Return `Progress`, which only commands name. A hook does without the 25 abstract classes around `Callable`."""
        if name != "Progress":
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        from collections.abc import Callable

        return Callable[[int, int], None]


_COLUMNS = (
    "key, file_id, digest, size, mtime_ns, title, language, tags, topics, created, modified, date_source, importance, rating, bookmarked, "
    "acl, privacy, agent_created, session_id, words, duplicate_of, source, content, temporal, access, relationship, user, reasons"
)
"""The columns in the order of `IndexedNote`, followed by the parts of its breakdown."""


class FoldReport(Value, frozen=False):
    """The result of one fold.

    found: note files compared with their rows.
    problems: notes and folders that could not be read.
    read: files opened.
    added, changed, removed: rows written.
    rescored: notes whose score was computed.
    left: changed notes that were not processed because the caller limited their number.
    """

    found: int
    problems: list[Problem]
    read: int = 0
    added: int = 0
    changed: int = 0
    removed: int = 0
    rescored: int = 0
    left: int = 0

    @property
    def altered(self) -> int:
        """Number of rows added, changed or removed."""
        return self.added + self.changed + self.removed


class Index:
    """One open cache.

    now: the instant (ms) for every age and score read from it.
    observed_at: the instant (ms) recorded for what a fold sees.
    frozen: nothing in the bank may be changed; folds happen in a copy in memory.
    unreadable: the notes and folders that the last look at all files could not read; None before the first.
    looked: number of note files that folds have compared with their rows.
    read: number of note files that folds had to read.
    """

    def __init__(self, connection: sqlite3.Connection, layout: Layout, settings: Settings, clock: Clock, *, now: int | None = None, frozen: bool) -> None:
        self.connection = connection
        self.layout = layout
        self.settings = settings
        self.clock = clock
        self.observed_at = clock.now()
        self.now = self.observed_at if now is None else now
        self.frozen = frozen
        self.unreadable: list[Problem] | None = None
        self.looked = self.read = 0
        self.agrees = False
        """Whether the last fold compared every file with its row and found no difference."""
        self.stale: tuple[Reason, ...] = ()
        """Reasons why the rows are not up to date, with their age; () when they are, or when no update was requested."""
        self.refused: MemorybankError | None = None
        """Why the cache on disk cannot be written, although the caller allowed it."""
        self._sources: SourceList | None = None
        self.git_seconds: float | None = None
        """Time limit for git of a caller that can fold again later."""
        self.progress: Progress | None = None
        """Called with the progress of folds that are not passed a callback of their own."""

    def __enter__(self) -> Index:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        """Close the connection. An SQLite error is raised as a typed one, and a cache that turned out to be damaged is set aside."""
        self.close()
        if isinstance(error, sqlite3.Error):
            is_set_aside = database.is_broken(error) and not self.frozen
            if is_set_aside:
                database.set_aside(self.layout.database)
            raise database.typed(error, self.layout.relative(self.layout.database), was_set_aside=is_set_aside) from error

    def close(self) -> None:
        self.connection.close()

    def go_on(self, settings: Settings) -> None:
        """Prepare an index that stayed open for another query: set `now` to the current instant, and use these settings."""
        self.settings = settings
        self.now = self.observed_at = self.clock.now()
        self._sources = None

    @property
    def sources(self) -> SourceList:
        """The sources of the bank, read once."""
        if self._sources is None:
            self._sources = sources.load(self.layout)
        return self._sources

    @property
    def is_writable(self) -> bool:
        """Whether the connection accepts writes: the cache on disk unless it is frozen, or a copy in memory."""
        return not self.frozen or not self.connection.execute("SELECT file FROM pragma_database_list WHERE name = 'main'").fetchone()[0]

    def thaw(self) -> None:
        """Switch a frozen index to a writable copy in memory, as folding it requires."""
        if not self.is_writable:
            frozen, self.connection = self.connection, database.thaw(self.connection)
            frozen.close()

    def freeze(self, refused: MemorybankError) -> None:
        """Switch to a copy in memory, because the cache on disk turned out not to be writable."""
        try:
            copy = database.thaw(self.connection)
        except sqlite3.Error:
            copy = database.open_frozen(self.layout.database, TABLES, VERSION)
        self.connection.close()
        self.connection, self.frozen, self.refused = copy, True, refused

    def require_writable(self) -> None:
        """Raise the error that keeps the cache from being written, for a caller whose purpose is to write it."""
        if self.refused is not None:
            raise self.refused

    def forget_after(self, at: int) -> None:
        """Delete the notes and episodes that did not exist at the instant `at` (ms), in a copy in memory."""
        self.thaw()
        self.connection.execute("DELETE FROM notes WHERE created > ?", (at,))
        for name in (meta.TOTALS, meta.SUPERSEDED):
            meta.write(self.connection, name, None)
        self.connection.execute("DELETE FROM episodes WHERE max(written, modified) > ?", (at,))

    def count(self) -> int:
        """Return the number of indexed notes."""
        return int(self.connection.execute("SELECT count(*) FROM notes").fetchone()[0])

    def counts(self) -> dict[str, int]:
        """Return the number of rows in the two tables behind every answer. Both have one row per note; each update checks at its end that they agree."""
        return {table: int(self.connection.execute(f"SELECT count(*) FROM {table}").fetchone()[0]) for table in ("notes", "note_text_docsize")}

    def keys(self) -> list[str]:
        """Return the keys of all indexed notes of the bank, sorted."""
        return [row[0] for row in self.connection.execute("SELECT key FROM notes WHERE source = '' ORDER BY key")]

    def notes(self, keys: Iterable[str] | None = None) -> list[IndexedNote]:
        """Return all indexed notes of the bank in key order, or the given notes and files of sources in the given order; unknown keys are left out."""
        rows = self.connection.execute(f"SELECT {_COLUMNS} FROM notes WHERE source = '' ORDER BY key") if keys is None else self._rows_of(keys)
        return list(map(_loader(), rows))

    def notes_of_rows(self, ids: Iterable[int]) -> list[IndexedNote]:
        """Return the notes in these rows, which exist, in the given order."""
        rows = (self.connection.execute(f"SELECT {_COLUMNS} FROM notes WHERE id = ?", (identifier,)).fetchone() for identifier in ids)
        return list(map(_loader(), rows))

    def selected_notes(self) -> list[IndexedNote]:
        """Return the notes in the `selected` table in key order (`index.selection`)."""
        return list(map(_loader(), self.connection.execute(f"SELECT {_COLUMNS} FROM selected CROSS JOIN notes USING (id) ORDER BY key")))

    def source_notes(self) -> list[IndexedNote]:
        """Return all indexed files of sources in key order."""
        return list(map(_loader(), self.connection.execute(f"SELECT {_COLUMNS} FROM notes WHERE source <> '' ORDER BY key")))

    def note(self, key: str) -> IndexedNote | None:
        """Return one indexed note, or None."""
        found = self.notes((key,))
        return found[0] if found else None

    def problems(self) -> list[Problem]:
        """Return the problems that parsing found in indexed notes, by key and line."""
        rows = self.connection.execute("SELECT key, code, line, message FROM problems ORDER BY key, line, code")
        return [Problem(code, key, message, line) for key, code, line, message in rows]

    def is_unmerged(self, key: str) -> bool:
        """Whether a note has both sides of a conflict of git, so that nobody knows yet which one holds."""
        return self.connection.execute("SELECT 1 FROM problems WHERE key = ? AND code = ?", (key, CONFLICT)).fetchone() is not None

    def future_dates(self) -> Iterator[Problem]:
        """Yield a problem for each date of a note that is later than now."""
        from memorybank.notes import dates  # late: few callers ask

        # No note was created after its last change.
        rows = self.connection.execute("SELECT key, created, modified, date_source FROM notes WHERE modified > ? AND source = '' ORDER BY key", (self.now,))
        for key, *dated in rows:
            yield from dates.future_problems(key, dates.NoteDates._make(dated), self.now)

    def _rows_of(self, keys: Iterable[str]) -> Iterator[tuple[Any, ...]]:
        for key in keys:
            yield from self.connection.execute(f"SELECT {_COLUMNS} FROM notes WHERE key = ?", (key,))


def open_index(
    layout: Layout, settings: Settings, clock: Clock, *, now: int | None = None, frozen: bool = False, reading: sqlite3.Connection | None = None
) -> Index:
    """Open the cache as stored on disk, without bringing it up to date.

    now: instant (ms) to score for; None means the current one.
    frozen: whether to change nothing on disk.
    reading: a connection of `database.open_reading` to this cache, which is used if it can write.
    A cache that cannot be written (read-only, a full disk, locked) is opened frozen in any case; then `Index.refused` says why.
    """
    refused: MemorybankError | None = None
    if not frozen:
        if reading is not None and database.make_writable(reading):
            return Index(reading, layout, settings, clock, now=now, frozen=False)
        try:
            return Index(database.open_writable(layout.database, TABLES, VERSION), layout, settings, clock, now=now, frozen=False)
        except (PermissionRefused, Misplaced, ResourceExhausted, LockTimeout) as error:
            refused = error  # the bank can still be read
    index = Index(database.open_frozen(layout.database, TABLES, VERSION), layout, settings, clock, now=now, frozen=True)
    index.refused = refused
    return index


def in_memory(layout: Layout, settings: Settings, clock: Clock) -> Index:
    """Open a copy of the cache in memory, for a caller that asks repeatedly and may change nothing. Each fold adds what changed since the last."""
    index = open_index(layout, settings, clock, frozen=True)
    with database.closed_on_error(index.connection):
        index.thaw()
    return index


def _loader() -> Callable[[tuple[Any, ...]], IndexedNote]:
    """Return a function from a row of `_COLUMNS` to an `IndexedNote`. Its imports happen only when notes are first read."""
    from memorybank.index.row import IndexedNote
    from memorybank.scoring.importance import ScoreBreakdown

    def load(row: tuple[Any, ...]) -> IndexedNote:
        breakdown = ScoreBreakdown(*(*row[22:27], row[12], _words(row[27])))
        return IndexedNote(*(*row[:7], _texts(row[7]), _texts(row[8]), *row[9:14], bool(row[14]), *row[15:21], breakdown, row[21]))

    return load


@lru_cache(maxsize=4096)
def _texts(stored: str) -> tuple[str, ...]:
    return tuple(jsontext.decode(stored))


@lru_cache(maxsize=1024)
def _words(stored: str) -> tuple[str, ...]:
    return tuple(stored.split())
