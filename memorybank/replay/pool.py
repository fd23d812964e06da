"""Every memory that a baseline may choose from at one moment of a run: calls, summaries, passages of what was said, and notes, regardless of who may
see them. The calls of one fingerprint by one agent in one session are one memory.

Temporary triggers in the cache record which rows change, so that a run reads each row once per change.
"""

from __future__ import annotations

from _sqlite3 import Connection
from itertools import product
from typing import Any

from memorybank.cycle.base import CycleContext
from memorybank.cycle.event import MAIN
from memorybank.cycle.fold import cache, schema, wording
from memorybank.cycle.fold.recorded import LogEvent
from memorybank.cycle.know.findings import FINDING
from memorybank.cycle.recall import ranking, shown
from memorybank.cycle.recall.candidates import Sources, read_note
from memorybank.cycle.recall.query import QueryContext
from memorybank.cycle.recall.ranking import Memory, Recollection
from memorybank.index import queries
from memorybank.index.queries import NoteTokens
from memorybank.index.schema import VERSION as INDEX_VERSION
from memorybank.injection import printed
from memorybank.log import events, lines
from memorybank.replay.sources import SESSION_NOTES
from memorybank.storage import database
from memorybank.text.commands.anchors import of_text as anchors_of_text
from memorybank.text.words.terms import terms
from memorybank.visibility import Viewer

_MOST_ANCHORS = 64
_NAMED = 12
"""Maximum number of anchors in an exposure line."""
_NOBODYS_QUERY = QueryContext("replay")
_SUMMARIES, _PASSAGES, _CALLS = "summaries", "passages", "calls"
_SCOPE = ("acl", "privacy", "hold", "role", "session", "agent")
_ROW = {
    _SUMMARIES: "SELECT id, session, last_at, text, detail FROM summaries WHERE id = ?",
    _PASSAGES: f"SELECT id, memory, at, heading, text, {', '.join(_SCOPE)} FROM passages WHERE id = ?",
}
_OFFSETS = 1 << 40
"""More than the bytes of any log: a call is named by the number of its log times this, and its offset."""


class PoolEntry:
    """One memory in its current state.

    terms: the terms of its text, separated by blanks
    calls: number of calls that a memory is made of, 1 for a note, otherwise 0
    place: its index in `Pool.entries`
    texts: {limit in characters: text as printed}
    """

    __slots__ = ("anchors", "calls", "memory", "place", "terms", "texts")

    def __init__(self, memory: Memory, anchors: list[str], terms: str, calls: int) -> None:
        self.memory = memory
        self.anchors = anchors
        self.terms = terms
        self.calls = calls
        self.texts: dict[int, str] = {}
        self.place = 0

    def named(self, given: frozenset[str]) -> tuple[str, ...]:
        """Return the anchors that an exposure line would list: those that the trigger does not contain."""
        return tuple(anchor for anchor in self.anchors if anchor not in given)[:_NAMED]


class Pool:
    """All memories at one moment of a run.

    entries: in order of appearance, except that the last entry takes the place of a deleted one, which makes deleting cheap
    notes: the entries present from the beginning
    """

    def __init__(self, base: CycleContext) -> None:
        self.base = base
        self.entries: list[PoolEntry] = []
        self._by_id: dict[str, PoolEntry] = {}
        self._by_number: dict[tuple[str, int], PoolEntry] = {}
        self._connection = cache.writable(base.layout)
        self._connection.execute("CREATE TEMP TABLE changed (place TEXT, id INTEGER, PRIMARY KEY (place, id)) WITHOUT ROWID")
        for table, (what, row) in product((_SUMMARIES, _PASSAGES), (("INSERT", "NEW"), ("UPDATE", "NEW"), ("DELETE", "OLD"))):
            self._connection.execute(
                f"CREATE TEMP TRIGGER {table}_{what} AFTER {what} ON main.{table} BEGIN INSERT OR IGNORE INTO changed VALUES ('{table}', {row}.id); END"
            )
        self._connection.execute(
            "CREATE TEMP TRIGGER called AFTER INSERT ON main.events WHEN NEW.event = 'tool_after' BEGIN"
            f" INSERT OR IGNORE INTO changed VALUES ('{_CALLS}', NEW.file * {_OFFSETS} + NEW.offset); END"
        )
        self._counted: set[int] = set()
        self._calls: dict[tuple[str | None, ...], PoolEntry] = {}
        self.notes = notes(base)
        for entry in self.notes:
            self._put(entry)

    def refresh(self) -> list[tuple[PoolEntry | None, PoolEntry | None]]:
        """Apply the changes since the previous call and return them as (entry before, entry after); None means that there is none."""
        numbers = self._connection.execute("SELECT place, id FROM changed ORDER BY place, id").fetchall()
        if not numbers:
            return []
        self._connection.execute("DELETE FROM changed")
        return [self._read(table, number) for table, number in numbers]

    def printed(self, entry: PoolEntry, characters: int) -> str:
        """Return a memory as an agent reads it, with about `characters` characters of its text; "" when there is nothing to print."""
        text = entry.texts.get(characters)
        if text is None:
            note = shown.read(entry.memory, self.base) if entry.memory.kind == ranking.NOTE else None
            item = shown.item(Recollection(entry.memory, {}), _NOBODYS_QUERY, Sources(None, None), self.base, characters, note)
            text = entry.texts[characters] = "" if item is None else printed(item)
        return text

    def may_see(self, entry: PoolEntry, viewer: Viewer, now: int) -> bool:
        """Return whether this viewer may be shown it, and whether it comes from another context than the viewer's own."""
        memory = entry.memory
        if memory.session == viewer.session and memory.agent == viewer.agent:
            return False
        if memory.acl == "user" and memory.privacy == "public":
            return True  # the most common case, in which `MemoryReader.may_see` gives the same answer more slowly
        return ranking.MemoryReader(viewer, self.base.settings, now).may_see(memory)

    def _read(self, table: str, number: int) -> tuple[PoolEntry | None, PoolEntry | None]:
        if table == _CALLS:
            return self._call(number)
        row = self._connection.execute(_ROW[table], (number,)).fetchone()
        if row is None:
            gone = self._by_number.pop((table, number), None)
            if gone is not None and self._by_id.get(gone.memory.memory) is gone:
                self._take(gone)
                return gone, None
            return None, None
        if table == _SUMMARIES and not row[-1]:  # that of an old session, which a baseline may still choose as it was
            return None, None
        entry = (_of_summary if table == _SUMMARIES else _of_passage)(row, self.base.root)
        self._by_number[table, number] = entry
        return self._put(entry), entry

    def _call(self, number: int) -> tuple[PoolEntry | None, PoolEntry | None]:
        """Add a call to the memory of its fingerprint. A call that is folded again, because its session is continued after a month, is known."""
        file, offset = divmod(number, _OFFSETS)
        (name,) = self._connection.execute("SELECT name FROM files WHERE id = ?", (file,)).fetchone()
        found = next(iter(lines.read(f"{events.folder(self.base.layout)}/{name}", offset)), None)
        if number in self._counted or found is None:
            return None, None
        self._counted.add(number)
        line = LogEvent(found)
        line.leave_out(self.base.places)
        key = (line.session, line.agent, line.cell.name, line.fingerprint or line.id)
        before = self._calls.get(key)
        entry = self._calls[key] = _of_call(line, before)
        return self._put(entry), entry

    def _put(self, entry: PoolEntry) -> PoolEntry | None:
        old = self._by_id.get(entry.memory.memory)
        if old is None:
            entry.place = len(self.entries)
            self.entries.append(entry)
        else:
            entry.place = old.place
            self.entries[entry.place] = entry
        self._by_id[entry.memory.memory] = entry
        return old

    def _take(self, entry: PoolEntry) -> None:
        del self._by_id[entry.memory.memory]
        # The last entry moves into the gap: the random arm needs a list without holes, and its order does not matter.
        last = self.entries.pop()
        if last is not entry:
            last.place = entry.place
            self.entries[entry.place] = last


def notes(base: CycleContext) -> list[PoolEntry]:
    """Return the notes that the index contains now, without session notes."""
    connection = database.open_reading(base.layout.database, INDEX_VERSION)
    if connection is None:
        return []
    try:
        return [_of_note(connection, note) for note in queries.with_tokens(connection) if not note.row.key.startswith(SESSION_NOTES)]
    finally:
        connection.close()


def _of_note(connection: Connection, note: NoteTokens) -> PoolEntry:
    memory = read_note(note.row)
    anchors = [row[0] for row in connection.execute("SELECT anchor FROM anchors WHERE note = ? LIMIT ?", (memory.number, _MOST_ANCHORS))]
    return PoolEntry(memory, [f"note:{memory.key}", *anchors], note.tokens, 1)


def _of_call(line: LogEvent, before: PoolEntry | None) -> PoolEntry:
    """Return the entry of a call together with the earlier calls of its fingerprint: what the newest one did, and the newest error."""
    error = f" — {wording.error_line(line.error)}" if line.failed else ""
    name = f"call:{line.id}" if before is None else before.memory.memory
    scope = {column: line.scope[column] for column in _SCOPE}
    memory = Memory(name, "call", 0, line.at, importance=0.0, **_scope(list(scope.values())), text=wording.call(line) + error)
    anchors = dict.fromkeys((*(before.anchors if before is not None else ()), *line.anchors))
    return PoolEntry(memory, list(anchors)[:_MOST_ANCHORS], " ".join(terms(memory.text)), 1 + (before.calls if before is not None else 0))


def _of_summary(row: tuple[Any, ...], root: str) -> PoolEntry:
    number, session, at, text, _ = row
    scope = ("user", "public", 0, MAIN, session, MAIN)
    memory = Memory(f"{schema.SESSION}:{session}", schema.SESSION, number, at, importance=0.0, **_scope(list(scope)), text=text)
    return PoolEntry(memory, _named(text, root), " ".join(terms(text)), 0)


def _of_passage(row: tuple[Any, ...], root: str) -> PoolEntry:
    """Return the entry of a passage of what was said; its anchors are the files that it names."""
    number, name, at, heading, text, *columns = row
    scope = _scope(columns)
    memory = Memory(name, FINDING, number, at, importance=0.0, **scope, text=f"{heading}: {text}" if heading else text)
    memory.source = f"session {scope['session'][:8]}"
    return PoolEntry(memory, _named(text, root), " ".join(terms(memory.text)), 0)


def _named(text: str, root: str) -> list[str]:
    """Return the files that a text names, as anchors."""
    return [anchor for anchor in anchors_of_text(text, root) if anchor.startswith("file:")][:_MOST_ANCHORS]


def _scope(values: list[Any]) -> dict[str, Any]:
    scope = dict(zip(_SCOPE, values, strict=True))
    return {**scope, "hold": bool(scope["hold"])}
