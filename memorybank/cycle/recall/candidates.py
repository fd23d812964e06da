"""What might be remembered at one moment: notes and episodes from the index, and groups, lessons and summaries from the cycle's cache,
found by anchors in common and by the rarest words, among what the reader may see. Reads only.

Self-improving memory cycle, phase 3. Light imports only: hooks load this file.
"""

from __future__ import annotations

from memorybank.clock import DAY
from memorybank.cycle.event import PROMPT, SUBAGENT_START
from memorybank.cycle.fold import schema
from memorybank.cycle.recall import matching, ranking
from memorybank.cycle.recall.moments import CALLS, MORE_OF_IT, SUMMARIES
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
    from memorybank.cycle.base import Base
    from memorybank.cycle.recall.context import Context
    from memorybank.cycle.recall.query import QueryContext
    from memorybank.visibility import Viewer

SESSION_NOTES = "sync/sessions/"
_MOST_ANCHORS = 32
_MOST_OF_ONE_ANCHOR = 60
"""Memories of one anchor that are looked at, the newest first."""
_UNSPECIFIC = 5
"""A bare file name that more notes than these mention belongs to many files (`index.ts`)."""
_RECENT = 40
_ASKED_FOR_DAYS = (PROMPT, SUBAGENT_START)
"""Moments at which episodes are looked for. The start of a session tells the last days itself, and no call is about a day."""
EPISODE_COLUMNS = "id, key, modified, sources"
NOTE_COLUMNS = "id, key, title, modified, importance, acl, privacy, agent_created, session_id"
MEMORY_COLUMNS = (
    "id, memory, kind, last_at, acl, privacy, hold, role, session, agent, task, tool, fingerprint, failures, successes, origin, protected, read_only, "
    "status, fixed_by, outcome, novelty, signal"
)

_READ_ONLY = MEMORY_COLUMNS.split(", ").index("read_only")


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


def open_sources(base: Base) -> Sources:
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
    def since(self) -> int:
        """Groups that ended before are cold: only their failures with a fix are looked at."""
        return self.now - (self.settings.organize.warm_days + 1) * DAY

    @property
    def least(self) -> float:
        """The match below which words alone bring nothing up."""
        return self.settings.recall.min_match if self.query.needs_evidence else 0.0

    def sees(self, kind: str, at: int, acl: str | None, privacy: str | None, hold: int, role: str | None, session: str | None, agent: str | None) -> bool:
        return ranking.sees(kind, at, acl, privacy, bool(hold), role, session, agent, self.viewer, self.settings, self.now)


def find(sources: Sources, question: Question) -> list[Memory]:
    """Every candidate that the reader may see; a session's note and its summary are one memory. Importance of what is no note is not
    joined yet."""
    found: dict[str, Memory] = {}
    for connection, ask in ((sources.cycle, _memories), (sources.index, _notes), (sources.index, _episodes)):
        if connection is None:
            continue
        connection.create_function("sees", 8, question.sees)
        try:
            memories = ask(connection, question)
        except sqlite3.DatabaseError:  # damaged, or written for longer than a hook waits: the other cache answers alone
            continue
        for memory in memories:
            other = found.get(memory.memory)
            if other is None or _fit(memory) > _fit(other) or (_fit(memory) == _fit(other) > (False, 0.0)):
                found[memory.memory] = memory
    return list(found.values())


def _fit(memory: Memory) -> tuple[bool, float]:
    """How well it fits what is asked. Of a session's note and its summary the better one is told: alike, the note by the passage that
    was asked for; where nothing is asked, the summary, which was made to be read at a glance."""
    return bool(memory.shared), memory.match


def _notes(connection: Connection, question: Question) -> list[Memory]:
    query = question.query
    shared = _note_anchors(connection, query.anchors)
    matches = matching.match(connection, matching.NOTES, query.words, shared, question.least, naming=query.moment == PROMPT, topic=query.topic)
    chosen = {*shared, *_above(matches, question.least)}
    if not query.needs_evidence:
        for column in ("importance", "modified"):
            newest = f"SELECT id FROM notes WHERE {matching.NOTE_IS_SEEN} ORDER BY {column} DESC, key LIMIT {_RECENT}"
            chosen.update(row[0] for row in connection.execute(newest))
    found = []
    for row in connection.execute(f"SELECT {NOTE_COLUMNS} FROM notes WHERE id IN ({_listed(chosen)}) AND {matching.NOTE_IS_SEEN}"):
        memory = read_note(row)
        _explain(memory, shared, matches, query)
        found.append(memory)
    return found


def read_note(row: Sequence[Any]) -> Memory:
    """A row of `NOTE_COLUMNS`."""
    number, key, title, modified, importance, acl, privacy, agent, session = row
    is_session = str(key).startswith(SESSION_NOTES) and session is not None
    return Memory(
        f"session:{session}" if is_session else f"note:{key}",
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
            _explain(memory, named, matches, query)
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
            rows = connection.execute("SELECT note FROM anchors WHERE anchor = ? LIMIT ?", (form, _MOST_OF_ONE_ANCHOR)).fetchall()
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


def _memories(connection: Connection, question: Question) -> list[Memory]:
    query, now = question.query, question.now
    shared: dict[int, list[str]] = {}
    for anchor in query.anchors[:_MOST_ANCHORS]:
        _add(shared, (row[0] for row in connection.execute(_OF_ANCHOR, (anchor, question.since, _MOST_OF_ONE_ANCHOR))), anchor)
    matches = matching.match(connection, matching.MEMORIES, query.words, shared, question.least, naming=query.moment == PROMPT, topic=query.topic)
    chosen = {*shared, *_above(matches, question.least)}
    if not query.needs_evidence:
        newest = f"SELECT id FROM memories WHERE kind = ? AND last_at <= ? AND {matching.MEMORY_IS_SEEN} ORDER BY last_at DESC, memory DESC LIMIT ?"
        for kind, at_most in _NEWEST.items():
            chosen.update(row[0] for row in connection.execute(newest, (kind, now, at_most)))
    found = []
    seen = f"SELECT {MEMORY_COLUMNS} FROM memories WHERE id IN ({_listed(chosen)}) AND first_at <= ? AND {matching.MEMORY_IS_SEEN}"
    for row in connection.execute(seen, (now,)):
        memory = memory_of(row, query, question.context)
        if memory is not None:
            _explain(memory, shared, matches, query)
            found.append(memory)
    return found


_OF_ANCHOR = f"""
    SELECT a.memory FROM anchors a JOIN memories INDEXED BY memories_recall ON id = a.memory
    WHERE a.anchor = ? AND (protected = 1 OR last_at >= ? OR kind <> 'group') AND {matching.MEMORY_IS_SEEN} ORDER BY last_at DESC LIMIT ?"""
"""Lessons, summaries, and groups that are not cold."""
_NEWEST = {schema.SESSION: 10, schema.LESSON: 40, schema.GROUP: 80, schema.DAY: 10, schema.MONTH: 10}
"""How many of each kind compete where no evidence is asked for."""


def memory_of(row: Sequence[Any], query: QueryContext, context: Context) -> Memory | None:
    """One row as a candidate; None for what the context itself just did, and for calls that only looked or only went well."""
    found = read_memory(row)
    read_only = row[_READ_ONLY]
    if found.session == context.session and found.agent == context.agent and (not context.began or found.at >= context.began):
        return None
    if query.moment in CALLS and (found.kind in SUMMARIES or (found.kind == schema.GROUP and not found.open)):
        return None
    if found.kind == schema.GROUP and not found.failed and read_only:
        return None
    if found.kind == schema.GROUP and not query.needs_evidence and (read_only or (found.tool == "Bash" and not found.failed)):
        return None
    return found


def read_memory(row: Sequence[Any]) -> Memory:
    """A row of `MEMORY_COLUMNS`, whatever is asked."""
    (number, memory, kind, at, acl, privacy, hold, role, session, agent, task, tool, fingerprint, failures, successes, origin, protected,
     read_only, status, fixed_by, outcome, novelty, signal) = row  # fmt: skip
    found = Memory(
        memory,
        kind,
        number,
        at,
        importance=0.0,
        acl=acl,
        privacy=privacy,
        hold=bool(hold),
        role=role,
        session=session,
        agent=agent,
        task=task,
        tool=tool,
        fingerprint=fingerprint,
        failed=bool(failures),
        succeeded=bool(successes),
        author=origin,
    )
    found.protected = bool(protected)
    found.known = (outcome, novelty, signal)
    found.open = status == "failure" and fixed_by is None and not read_only
    return found


def _above(matches: dict[int, matching.Match], least: float) -> Iterable[int]:
    return (row for row, match in matches.items() if match.match >= least or match.names)


def _explain(memory: Memory, shared: dict[int, list[str]], matches: dict[int, matching.Match], query: QueryContext) -> None:
    memory.shared = shared.get(memory.number, ())
    match = matches.get(memory.number)
    if match is not None:
        memory.matched, memory.match, memory.chance, memory.named = match.matched, match.match, match.chance, match.names
        memory.telling = sum(label not in query.weak for label in match.matched)


def _add(found: dict[int, list[str]], rows: Iterable[int], anchor: str) -> None:
    for row in rows:
        names = found.setdefault(row, [])
        if anchor not in names:
            names.append(anchor)


def _listed(numbers: Iterable[int]) -> str:
    return ",".join(str(int(number)) for number in numbers)
