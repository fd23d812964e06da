"""The working index: one open cache at one `now`, ready for questions; `fold` brings it up to date."""

from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache
from types import TracebackType
from typing import TYPE_CHECKING, Any

from memorybank.clock import Clock
from memorybank.config.settings import Settings
from memorybank.errors import PermissionRefused, Problem
from memorybank.index.schema import TABLES, VERSION
from memorybank.storage import database, jsontext
from memorybank.storage.layout import Layout
from memorybank.storage.sqlite import sqlite3

if TYPE_CHECKING:
    from memorybank.index.report import Progress
    from memorybank.index.row import IndexedNote

_COLUMNS = (
    "key, file_id, digest, size, mtime_ns, title, language, tags, topics, created, modified, date_source, importance, rating, bookmarked, "
    "acl, privacy, agent_created, session_id, words, duplicate_of, content, temporal, access, relationship, user, reasons"
)
"""In the order of `IndexedNote`, then the parts of its breakdown."""


class Index:
    """One open cache.

    now: the instant (ms) of every age and score read from it; observed_at: when what a fold sees was seen; frozen: nothing
    under the bank may change, so that folds happen in a copy in memory; looked, read: note files that folds compared with their rows, and
    those that they had to read.
    """

    def __init__(self, connection: sqlite3.Connection, layout: Layout, settings: Settings, clock: Clock, *, now: int | None = None, frozen: bool) -> None:
        self.connection = connection
        self.layout = layout
        self.settings = settings
        self.clock = clock
        self.observed_at = clock.now()
        self.now = self.observed_at if now is None else now
        self.frozen = frozen
        self.looked = self.read = 0
        self.stale: str | None = None
        """Why it is not up to date although it was to be (a sentence); None when it is, or nobody asked for it."""
        self.progress: Progress | None = None
        """Told of every fold that is told of nobody else."""

    def __enter__(self) -> "Index":
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        """Close; an error of SQLite leaves as a typed one, and a cache that turned out to be damaged is set aside."""
        self.close()
        if isinstance(error, sqlite3.Error):
            if database.is_broken(error) and not self.frozen:
                database.set_aside(self.layout.database)
            raise database.typed(error, self.layout.relative(self.layout.database)) from error

    def close(self) -> None:
        self.connection.close()

    def go_on(self, settings: Settings) -> None:
        """For another question to an index that stayed open: now is now again, and these are the settings."""
        self.settings = settings
        self.now = self.observed_at = self.clock.now()

    @property
    def is_writable(self) -> bool:
        """Whether the connection takes rows: the cache on disk unless it is frozen, or a copy in memory."""
        return not self.frozen or not self.connection.execute("SELECT file FROM pragma_database_list WHERE name = 'main'").fetchone()[0]

    def thaw(self) -> None:
        """Before a fold of a frozen index: continue in a writable copy in memory."""
        if not self.is_writable:
            frozen, self.connection = self.connection, database.thaw(self.connection)
            frozen.close()

    def freeze(self) -> None:
        """Go on in a copy in memory: the bank turned out to be read-only."""
        self.connection.close()
        self.connection = database.open_frozen(self.layout.database, TABLES, VERSION)
        self.frozen = True

    def count(self) -> int:
        return int(self.connection.execute("SELECT count(*) FROM notes").fetchone()[0])

    def counts(self) -> dict[str, int]:
        """Rows of the two tables that every answer comes from, one a note: the cheap check at the end of every update is that they agree."""
        return {table: int(self.connection.execute(f"SELECT count(*) FROM {table}").fetchone()[0]) for table in ("notes", "note_text_docsize")}

    def keys(self) -> list[str]:
        return [row[0] for row in self.connection.execute("SELECT key FROM notes ORDER BY key")]

    def notes(self, keys: Iterable[str] | None = None) -> "list[IndexedNote]":
        """Every indexed note in key order, or the named ones in the given order (unknown keys are left out)."""
        rows = self.connection.execute(f"SELECT {_COLUMNS} FROM notes ORDER BY key") if keys is None else self._rows_of(keys)
        return list(map(_loader(), rows))

    def note(self, key: str) -> "IndexedNote | None":
        found = self.notes((key,))
        return found[0] if found else None

    def problems(self) -> list[Problem]:
        """What parsing found wrong in indexed notes, by key and line."""
        rows = self.connection.execute("SELECT key, code, line, message FROM problems ORDER BY key, line, code")
        return [Problem(code, key, message, line) for key, code, line, message in rows]

    def _rows_of(self, keys: Iterable[str]) -> Iterator[tuple[Any, ...]]:
        for key in keys:
            yield from self.connection.execute(f"SELECT {_COLUMNS} FROM notes WHERE key = ?", (key,))


def open_index(layout: Layout, settings: Settings, clock: Clock, *, now: int | None = None, frozen: bool = False) -> Index:
    """The cache as it lies on disk, not yet brought up to date."""
    if not frozen:
        try:
            return Index(database.open_writable(layout.database, TABLES, VERSION), layout, settings, clock, now=now, frozen=False)
        except PermissionRefused:
            frozen = True  # a read-only bank is read all the same
    return Index(database.open_frozen(layout.database, TABLES, VERSION), layout, settings, clock, now=now, frozen=frozen)


def in_memory(layout: Layout, settings: Settings, clock: Clock) -> Index:
    """A copy of the cache in memory, for who asks again and again and may change nothing: each fold takes in what changed since the one before."""
    index = open_index(layout, settings, clock, frozen=True)
    index.thaw()
    return index


def _loader() -> "Callable[[tuple[Any, ...]], IndexedNote]":
    """From a row of `_COLUMNS` to its value; what it needs is imported when notes are first read."""
    from memorybank.index.row import IndexedNote
    from memorybank.scoring.importance import ScoreBreakdown

    def load(row: tuple[Any, ...]) -> IndexedNote:
        breakdown = ScoreBreakdown(*(*row[21:26], row[12], _words(row[26])))
        return IndexedNote(*(*row[:7], _texts(row[7]), _texts(row[8]), *row[9:14], bool(row[14]), *row[15:21], breakdown))

    return load


@lru_cache(maxsize=4096)
def _texts(stored: str) -> tuple[str, ...]:
    return tuple(jsontext.decode(stored))


@lru_cache(maxsize=1024)
def _words(stored: str) -> tuple[str, ...]:
    return tuple(stored.split())
