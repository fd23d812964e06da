"""Notes and episodes of the index that a moment may be about: found by anchors in common and by the rarest words, among what the reader
may see. Reads only.

Self-improving memory cycle, phase 3.
"""

from __future__ import annotations

__light__ = True

from memorybank.cycle.event import PROMPT, SUBAGENT_START, TOOL_BEFORE
from memorybank.cycle.fold import schema
from memorybank.cycle.know import learned
from memorybank.cycle.recall import matching, ranking
from memorybank.cycle.recall.ranking import Memory
from memorybank.episodes import dates
from memorybank.index.schema import VERSION as INDEX_VERSION
from memorybank.storage import database
from memorybank.storage.sqlite import sqlite3

TYPE_CHECKING = False
if TYPE_CHECKING:
    from _sqlite3 import Connection
    from collections.abc import Iterable, Sequence
    from typing import Any

    from memorybank.config.cycle import CycleSettings
    from memorybank.cycle.base import CycleContext
    from memorybank.cycle.recall.context import Context
    from memorybank.cycle.recall.query import QueryContext
    from memorybank.visibility import Viewer

SESSION_NOTES = "sync/sessions/"
_MOST_ANCHORS = 32
_MOST_OF_ONE_ANCHOR = 60
"""Memories of one anchor that are looked at, the newest first."""
_HAVING = f"SELECT note FROM anchors JOIN notes ON id = note WHERE anchor = ? AND {matching.NOTE_IS_SEEN} LIMIT ?"
_UNSPECIFIC = 5
"""A bare file name that more notes than these mention belongs to many files (`index.ts`)."""
MORE_OF_IT = 0.25
"""An episode holds many words: it must hold so much more of a prompt than `min_match`."""
_ASKED_FOR_DAYS = (PROMPT, SUBAGENT_START)
"""Moments at which episodes are looked for. The start of a session tells the last days itself, and no call is about a day."""
EPISODE_COLUMNS = "id, key, modified, sources"
NOTE_COLUMNS = "id, key, title, modified, importance, acl, privacy, agent_created, session_id"


class Sources:
    """The two caches, open for reading; None where there is none that can be read."""

    __slots__ = ("cycle", "index")

    def __init__(self, index: Connection | None, cycle: Connection | None) -> None:
        self.index = index
        self.cycle = cycle

    def close(self) -> None:
        for connection in (self.index, self.cycle):
            if connection is not None:
                connection.close()


def open_sources(base: CycleContext) -> Sources:
    """The caches as they lie on the disk."""
    return Sources(database.open_reading(base.layout.database, INDEX_VERSION), database.open_reading(schema.path(base.layout), schema.VERSION))


class Question:
    """Who asks what, and when (ms). context: whose own doings are no memories."""

    __slots__ = ("context", "now", "query", "settings", "viewer")

    def __init__(self, query: QueryContext, context: Context, viewer: Viewer, settings: CycleSettings, now: int) -> None:
        self.query = query
        self.context = context
        self.viewer = viewer
        self.settings = settings
        self.now = now

    @property
    def least(self) -> float:
        """The match below which words alone bring nothing up."""
        return self.settings.recall.min_match

    def sees(self, kind: str, at: int, acl: str | None, privacy: str | None, hold: int, role: str | None, session: str | None, agent: str | None) -> bool:
        return ranking.sees(kind, at, acl, privacy, bool(hold), role, session, agent, self.viewer, self.settings, self.now)


def find(sources: Sources, question: Question) -> list[Memory]:
    """Every note and episode that has something in common with the question and that the reader may see."""
    found: list[Memory] = []
    if sources.index is None or question.query.is_empty:
        return found
    sources.index.create_function("sees", 8, question.sees)
    for ask in (_notes, _episodes):
        try:
            found += ask(sources.index, question)
        except sqlite3.DatabaseError:  # damaged, or written for longer than a hook waits
            continue
    own = _own_sessions(sources.cycle, [memory.session for memory in found if _is_session_note(memory)])
    return [memory for memory in found if not (_is_session_note(memory) and memory.session in own)]


def _is_session_note(memory: Memory) -> bool:
    return memory.key.startswith(SESSION_NOTES) and memory.session is not None


def _own_sessions(connection: Connection | None, sessions: Sequence[str | None]) -> set[str]:
    """Those of these sessions whose log lies here: their passages say what their notes say, piece by piece. A colleague's note stands alone."""
    if connection is None or not sessions:
        return set()
    try:
        rows = connection.execute(f"SELECT session FROM files WHERE session IN ({','.join('?' * len(sessions))})", sessions).fetchall()
    except sqlite3.DatabaseError:
        return set()
    return {row[0] for row in rows}


def _notes(connection: Connection, question: Question) -> list[Memory]:
    """A call is about what it touches; a prompt, a failure and a task also about what they say."""
    query = question.query
    shared = _note_anchors(connection, query.anchors)
    words = () if query.moment == TOOL_BEFORE else query.words
    matches = matching.match(connection, matching.NOTES, words, shared, question.least, naming=query.moment == PROMPT, topic=query.topic)
    chosen = {*shared, *_above(matches, question.least)}
    found = []
    for row in connection.execute(f"SELECT {NOTE_COLUMNS} FROM notes WHERE id IN ({_listed(chosen)}) AND {matching.NOTE_IS_SEEN}"):
        memory = read_note(row)
        _explain(memory, shared, matches)
        found.append(memory)
    return found


def read_note(row: Sequence[Any]) -> Memory:
    """A row of `NOTE_COLUMNS`. A session note and a learned note are one memory with what they were made from."""
    number, key, title, modified, importance, acl, privacy, agent, session = row
    is_session = str(key).startswith(SESSION_NOTES) and session is not None
    return Memory(
        f"session:{session}" if is_session else learned.memory_of(str(key)) or f"note:{key}",
        "note",
        int(number),
        int(modified),
        importance=float(importance) / 10,
        acl=acl,
        privacy=privacy,
        role=agent,
        session=session,
        agent=agent,
        author="human" if agent is None else "agent",
        key=str(key),
        text=str(title),
    )


def _episodes(connection: Connection, question: Question) -> list[Memory]:
    """Days that are named, and those that hold much of what is asked; none where nothing is asked."""
    query = question.query
    if query.moment not in _ASKED_FOR_DAYS:
        return []
    least = question.settings.recall.min_match + MORE_OF_IT  # whatever holds less is not worth telling, nor reading
    matches = matching.match(connection, matching.EPISODES, query.words, (), least, naming=query.moment == PROMPT, topic=query.topic)
    named = _named_days(connection, query.days)
    chosen = {*named, *_above(matches, least)}
    found = []
    if chosen:
        for row in connection.execute(f"SELECT {EPISODE_COLUMNS} FROM episodes WHERE id IN ({_listed(chosen)}) AND told = 1"):
            memory = read_episode(row)
            _explain(memory, named, matches)
            found.append(memory)
    return found


def _named_days(connection: Connection, days: Sequence[str]) -> dict[int, list[str]]:
    """{episode: days of the query that it tells of}: a date's own, and that of its merged week."""
    found: dict[int, list[str]] = {}
    for day in days:
        monday = dates.monday(day)
        keys = (f"{ranking.EPISODE}:{day}", f"{ranking.EPISODE}:{dates.written(monday, dates.plus(monday, 6))}")
        _add(found, (row[0] for row in connection.execute("SELECT id FROM episodes WHERE key IN (?, ?)", keys)), f"day:{day}")
    return found


def read_episode(row: Sequence[Any]) -> Memory:
    """A row of `EPISODE_COLUMNS`."""
    number, key, modified, sources = row
    memory = Memory(str(key), ranking.EPISODE, int(number), int(modified), importance=ranking.NEUTRAL, author="agent")
    memory.sources = str(sources).split()
    return memory


def _note_anchors(connection: Connection, anchors: Sequence[str]) -> dict[int, list[str]]:
    """{note: anchors of the query that it has}: files by their path or a longer end of it, notes by themselves and by links to them."""
    found: dict[int, list[str]] = {}
    for anchor in anchors[:_MOST_ANCHORS]:
        kind, _, name = anchor.partition(":")
        for form, at_most in _forms(kind, name):
            rows = connection.execute(_HAVING, (form, _MOST_OF_ONE_ANCHOR)).fetchall()
            if len(rows) <= at_most:
                _add(found, (row[0] for row in rows), anchor)
        if kind == "note":
            named = "SELECT id FROM notes WHERE key = ?1 UNION SELECT source FROM links WHERE target = ?1 AND target <> '' LIMIT ?2"
            _add(found, (row[0] for row in connection.execute(named, (name, _MOST_OF_ONE_ANCHOR))), anchor)
    return found


def _forms(kind: str, name: str) -> Iterable[tuple[str, int]]:
    """(an anchor as notes may write it, how many notes may mention it): a path, its ends of at least two parts, its bare file name."""
    yield f"{kind}:{name}", _MOST_OF_ONE_ANCHOR
    if kind == "file":
        parts = name.split("/")
        for begin in range(1, len(parts)):
            end = "/".join(parts[begin:])
            yield f"file:{end}", _MOST_OF_ONE_ANCHOR if begin < len(parts) - 1 else _UNSPECIFIC


def _above(matches: dict[int, matching.Match], least: float) -> Iterable[int]:
    return (row for row, match in matches.items() if match.match >= least or match.names)


def _explain(memory: Memory, shared: dict[int, list[str]], matches: dict[int, matching.Match]) -> None:
    memory.shared = shared.get(memory.number, ())
    match = matches.get(memory.number)
    if match is not None:
        memory.matched, memory.match, memory.chance, memory.named = match.matched, match.match, match.chance, match.names


def _add(found: dict[int, list[str]], rows: Iterable[int], anchor: str) -> None:
    for row in rows:
        names = found.setdefault(row, [])
        if anchor not in names:
            names.append(anchor)


def _listed(numbers: Iterable[int]) -> str:
    return ",".join(str(int(number)) for number in numbers)
