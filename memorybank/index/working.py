"""The working index: one open cache at one `now`, ready for questions; `fold` brings it up to date."""

import json
import sqlite3
from collections.abc import Iterable, Iterator
from types import TracebackType
from typing import TYPE_CHECKING

from memorybank.clock import Clock
from memorybank.config.settings import Settings
from memorybank.errors import PermissionRefused, Problem
from memorybank.index.schema import TABLES, VERSION
from memorybank.storage import database
from memorybank.storage.layout import Layout

if TYPE_CHECKING:
    from memorybank.index.row import IndexedNote

_COLUMNS = (
    "key, file_id, digest, size, mtime_ns, title, language, tags, topics, created, modified, date_source, importance, rating, bookmarked, "
    "acl, privacy, agent_created, session_id, words, duplicate_of, content, temporal, access, relationship, user, reasons, id"
)


class Index:
    """One open cache.

    now: the instant (ms) of every age and score read from it; observed_at: when what a fold sees was seen; frozen: nothing
    under the bank may change, so that folds happen in a copy in memory.
    """

    def __init__(self, connection: sqlite3.Connection, layout: Layout, settings: Settings, clock: Clock, *, now: int | None = None, frozen: bool) -> None:
        self.connection = connection
        self.layout = layout
        self.settings = settings
        self.clock = clock
        self.observed_at = clock.now()
        self.now = self.observed_at if now is None else now
        self.frozen = frozen

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

    def thaw(self) -> None:
        """Before a fold of a frozen index: continue in a writable copy in memory."""
        if self.frozen and self.connection.execute("SELECT file FROM pragma_database_list WHERE name = 'main'").fetchone()[0]:
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
        words = self._keywords(keys)
        if keys is None:
            rows: Iterable[sqlite3.Row] = self.connection.execute(f"SELECT {_COLUMNS} FROM notes ORDER BY key")
        else:
            rows = self._rows_of(keys)
        return [_note(row, words.get(row[-1], ())) for row in rows]

    def note(self, key: str) -> "IndexedNote | None":
        found = self.notes((key,))
        return found[0] if found else None

    def problems(self) -> list[Problem]:
        """What parsing found wrong in indexed notes, by key and line."""
        rows = self.connection.execute("SELECT key, code, line, message FROM problems ORDER BY key, line, code")
        return [Problem(code, key, message, line) for key, code, line, message in rows]

    def _rows_of(self, keys: Iterable[str]) -> Iterator[sqlite3.Row]:
        for key in keys:
            yield from self.connection.execute(f"SELECT {_COLUMNS} FROM notes WHERE key = ?", (key,))

    def _keywords(self, keys: Iterable[str] | None) -> dict[int, tuple[str, ...]]:
        """{note id: keywords by rank}."""
        grouped: dict[int, list[str]] = {}
        if keys is None:
            rows: Iterable[tuple[int, str]] = self.connection.execute("SELECT note, word FROM keywords ORDER BY note, rank")
        else:
            rows = (
                row
                for key in keys
                for row in self.connection.execute("SELECT note, word FROM keywords WHERE note = (SELECT id FROM notes WHERE key = ?) ORDER BY rank", (key,))
            )
        for note, word in rows:
            grouped.setdefault(note, []).append(word)
        return {note: tuple(found) for note, found in grouped.items()}


def open_index(layout: Layout, settings: Settings, clock: Clock, *, now: int | None = None, frozen: bool = False) -> Index:
    """The cache as it lies on disk, not yet brought up to date."""
    if not frozen:
        try:
            return Index(database.open_writable(layout.database, TABLES, VERSION), layout, settings, clock, now=now, frozen=False)
        except PermissionRefused:
            frozen = True  # a read-only bank is read all the same
    return Index(database.open_frozen(layout.database, TABLES, VERSION), layout, settings, clock, now=now, frozen=frozen)


def _note(row: sqlite3.Row, words: tuple[str, ...]) -> "IndexedNote":
    from memorybank.index.row import IndexedNote
    from memorybank.scoring.importance import ScoreBreakdown

    (
        *start, title, language, tags, topics, created, modified, date_source, importance, rating, bookmarked, acl, privacy,
        agent, session, word_count, duplicate_of, content, temporal, access, relationship, user, reasons, _,
    ) = row  # fmt: skip
    key, file_id, digest, size, mtime_ns = start
    breakdown = ScoreBreakdown(content, temporal, access, relationship, user, importance, tuple(reasons.split()))
    return IndexedNote(
        key, file_id, digest, size, mtime_ns, title, language, _texts(tags), _texts(topics), created, modified, date_source, importance, rating,
        bool(bookmarked), acl, privacy, agent, session, word_count, words, duplicate_of, breakdown,
    )  # fmt: skip


def _texts(stored: str) -> tuple[str, ...]:
    return tuple(json.loads(stored)) if stored != "[]" else ()
