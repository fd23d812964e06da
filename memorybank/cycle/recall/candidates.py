"""The notes and episodes of the index that may concern a moment, found by shared anchors and by the rarest words; and the topics of a prompt.

Only what the reader may see is found. Self-improving memory cycle, phase 3.
"""

from __future__ import annotations

__light__ = True

from memorybank import clock
from memorybank.config.group import MAX_FILE_BYTES
from memorybank.cycle.event import PROMPT, SUBAGENT_START, TOOL_BEFORE
from memorybank.cycle.fold import schema
from memorybank.cycle.know import learned
from memorybank.cycle.recall import labels, matching, ranking
from memorybank.cycle.recall.ranking import Memory, Recollection
from memorybank.errors import MemorybankError
from memorybank.index import claim_rows, queries
from memorybank.index.decision_rows import Supersessions
from memorybank.index.schema import VERSION as INDEX_VERSION
from memorybank.storage import database, disk
from memorybank.storage.answering import answer
from memorybank.values import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from _sqlite3 import Connection
    from collections.abc import Callable, Collection, Iterable, Sequence

    from memorybank.cycle.base import CycleContext
    from memorybank.cycle.recall.query import QueryContext
    from memorybank.cycle.recall.ranking import MemoryReader
    from memorybank.episodes.topics.similarity import TopicMatch
    from memorybank.index.claim_rows import NoteClaim
    from memorybank.index.decision_rows import SupersededStatement
    from memorybank.index.queries import NoteRow
    from memorybank.storage.layout import Layout

SESSION_NOTES = "sync/sessions/"
_MOST_ANCHORS = 32
_MOST_OF_ONE_ANCHOR = 60
"""Maximum number of memories examined for one anchor, the newest first."""
_UNSPECIFIC = 5
"""A bare file name that more notes than this mention is shared by many files (`index.ts`) and is ignored."""
_MOST_OF_A_FOLDER = 3
"""A folder that more notes than this name says nothing about any of them."""
_LEAST_WORDS = 3
"""Words that a query and an episode have in common. A day is about so much that one or two are chance."""
WORDED = (PROMPT, SUBAGENT_START)
"""Moments at which a question has words. A call is matched by what it touches, which neither titles nor days say, and a start shows the last days anyway."""


class Sources(Value):
    """Read connections to the two caches. A connection is None when its cache is missing or cannot be read."""

    index: Connection | None
    cycle: Connection | None

    def claims_of(self, note: int, root: str) -> list[NoteClaim]:
        """Return what the note with this row names, as far as it was looked up. root: folder that paths are relative to."""
        return answer(self.index, [], lambda index: claim_rows.claims_of_row(index, root, note))

    def claims_in(self, text: str, since: int, root: str) -> list[NoteClaim]:
        """Return the paths that a text of another kind names. since: instant (ms) of the text."""
        return answer(self.index, [], lambda index: claim_rows.claims_in(index, root, text, since))

    def superseded(self, note: int, kept: Collection[str], counts: Callable[[NoteRow], bool]) -> list[SupersededStatement]:
        """Return what was superseded of the note with this row, by notes that count for the reader. kept: ids of pairs that a person does not accept."""

        def superseded(index: Connection) -> list[SupersededStatement]:
            return Supersessions(index, kept, lambda newer: (row := queries.row_of(index, newer)) is not None and counts(row)).of_note(note)

        return answer(self.index, [], superseded)

    def close(self) -> None:
        """Close both connections."""
        for connection in (self.index, self.cycle):
            if connection is not None:
                connection.close()


def open_sources(base: CycleContext) -> Sources:
    """Open the caches of a bank as they are on the disk.

    A hook leaves them open: its process ends, and closing the last connection would settle the write-ahead log, which takes two syncs.
    """
    return Sources(database.open_reading(base.layout.database, INDEX_VERSION), database.open_reading(schema.path(base.layout), schema.VERSION))


def open_notes(layout: Layout) -> Sources:
    """Open the index of another bank, whose events are of no concern here."""
    return Sources(database.open_reading(layout.database, INDEX_VERSION), None)


def find(sources: Sources, query: QueryContext, reader: MemoryReader, least: float | None = None) -> list[Memory]:
    """Return every note and episode that shares something with the query and that the reader may see.

    least: the share of the query that a note without a shared anchor must match, by default that of the settings
    """
    if sources.index is None or query.is_empty:
        return []
    register(sources.index, reader)
    least = reader.settings.recall.min_match if least is None else least
    found: list[Memory] = answer(sources.index, [], lambda index: _notes(index, query, least))
    found += answer(sources.index, [], lambda index: _episodes(index, query, least))
    made_of = [_sessions_of(memory) for memory in found]
    own = _own_sessions(sources.cycle, list({session for sessions in made_of for session in sessions}))
    others = [memory for memory, sessions in zip(found, made_of, strict=True) if not sessions or not own.issuperset(sessions)]
    return [memory for memory in others if not _is_session_note(memory) or _is_about(memory, query)]


def _is_about(session_note: Memory, query: QueryContext) -> bool:
    """Return whether a query names the subject of a session. A few files and words in common are chance: a session has many."""
    return query.moment in WORDED and session_note.named and _has_enough_words(session_note.matched)


def _has_enough_words(labels: Sequence[str]) -> bool:
    """Return whether these words in common are more than chance. A Japanese word counts twice, because a Japanese sentence yields fewer words."""
    return sum(1 if label.isascii() else 2 for label in labels) >= _LEAST_WORDS


def _sessions_of(memory: Memory) -> Sequence[str]:
    """Return the sessions that a session note or an episode was made from; [] for what stands for itself, and for an episode whose day the query names."""
    if _is_session_note(memory):
        return [str(memory.session)]
    return [source.partition(":")[2] for source in memory.sources] if memory.kind == ranking.EPISODE and not memory.shared else []


def register(index: Connection, reader: MemoryReader) -> None:
    """Give a connection to an index the functions with which SQL asks what the reader may see and needs."""
    index.create_function("sees", 8, reader.sees)
    index.create_function("needs", 2, _needs(index, reader.host))


def _needs(connection: Connection, host: str) -> Callable[[str, str], bool]:
    """Return the SQL function that decides whether an agent of a host needs to be shown a file of a source: not one that the host loads itself."""
    loaded: set[str] = answer(connection, set(), lambda index: queries.digests_loaded_by(index, host)) if host else set()

    def needs(hosts: str, digest: str) -> bool:
        return f" {host} " not in hosts and digest not in loaded

    return needs


def _is_session_note(memory: Memory) -> bool:
    return memory.key.startswith(SESSION_NOTES) and memory.session is not None


def _own_sessions(connection: Connection | None, sessions: Sequence[str]) -> set[str]:
    """Return the sessions among these whose log is in this bank: their passages say what their notes and episodes say. A colleague's have no passages."""
    if not sessions:
        return set()
    asked = f"SELECT session FROM files WHERE session IN ({','.join('?' * len(sessions))})"
    return answer(connection, set(), lambda cycle: {row[0] for row in cycle.execute(asked, sessions)})


def find_in_second(index: Connection, query: QueryContext, reader: MemoryReader) -> list[Memory]:
    """Return every note of a second bank that shares something with the query and that the reader may see."""
    if query.is_empty:
        return []
    register(index, reader)
    return answer(index, [], lambda second: _notes(second, query, reader.settings.recall.min_match, matching.SECOND_NOTES))


def _notes(connection: Connection, query: QueryContext, least: float, corpus: matching.NoteCorpus | None = None) -> list[Memory]:
    """Return the notes with a shared anchor, and those with a match of at least `least`. A call is matched by what it touches alone."""
    shared = _note_anchors(connection, query.anchors)
    _add_notes_of_folder(connection, query.edited, shared)
    words = () if query.moment == TOOL_BEFORE else query.words
    own: Collection[int] = ()
    if corpus is None and query.moment == PROMPT:
        from memorybank.cycle.recall import own_notes  # late: a call asks nothing

        own = own_notes.about(connection, query)
    also = {*shared, *labels.rows_with(connection, query.labels), *own}
    matches = matching.match(connection, corpus or matching.NOTES, words, also, least, naming=query.moment == PROMPT, topic=query.topic)
    chosen = {*shared, *own, *_above(matches, least)}
    labelled = labels.in_titles(connection, chosen, query.labels)
    found = []
    for row in queries.seen(connection, chosen):
        memory = read_note(row)
        _explain(memory, shared, matches)
        memory.labelled = labelled.get(row.id, 0)
        memory.named = memory.named or memory.number in own or (memory.labelled == labels.WITH_ITS_WORD and memory.titled > 0)
        found.append(memory)
    return found


def notes(sources: Sources, numbers: Iterable[int]) -> list[Memory]:
    """Return the notes with these rows that the reader of `find` may be shown."""
    return answer(sources.index, [], lambda index: [*map(read_note, queries.seen(index, numbers))])


def with_anchors(sources: Sources, reader: MemoryReader, anchors: Sequence[str]) -> list[Memory]:
    """Return the notes with one of these anchors that the reader may see, the most important first."""
    if sources.index is None:
        return []
    register(sources.index, reader)

    def found(index: Connection) -> list[Memory]:
        rows = {row for anchor in anchors for row in queries.seen_with_anchor(index, anchor, _MOST_OF_ONE_ANCHOR)}
        return sorted(map(read_note, queries.seen(index, rows)), key=lambda memory: (-memory.importance, memory.key))

    return answer(sources.index, [], found)


def read_note(row: NoteRow) -> Memory:
    """Build a memory from the row of a note.

    A session note and a learned note get the id of the memory that they were made from, so that both count as one memory.
    """
    is_session = row.key.startswith(SESSION_NOTES) and row.session_id is not None
    return Memory(
        f"session:{row.session_id}" if is_session else learned.memory_of(row.key) or f"note:{row.key}",
        "note",
        row.id,
        row.modified,
        importance=row.importance / 10,
        acl=row.acl,
        privacy=row.privacy,
        role=row.agent_created,
        session=row.session_id,
        agent=row.agent_created,
        author="human" if row.agent_created is None else "agent",
        key=row.key,
        text=row.title,
    )


def _episodes(connection: Connection, query: QueryContext, least: float) -> list[Memory]:
    """Return the episodes of the days that the query names, and those that contain much of it. Moments outside `WORDED` find none."""
    if query.moment not in WORDED:
        return []
    least += ranking.EPISODE_EXTRA_MATCH  # an episode with less in common is not worth reading
    matches = matching.match(connection, matching.EPISODES, query.words, (), least, naming=query.moment == PROMPT, topic=query.topic)
    named = _named_days(connection, query.days)
    chosen = {*named, *(row for row in _above(matches, least) if _has_enough_words(matches[row].matched))}
    found = []
    if chosen:
        rows = connection.execute(f"SELECT id, key, modified, sources FROM episodes WHERE id IN ({','.join(map(str, chosen))}) AND told = 1")
        for number, key, modified, sources in rows:
            memory = Memory(key, ranking.EPISODE, number, modified, importance=ranking.NEUTRAL, author="agent", sources=sources.split())
            _explain(memory, named, matches)
            found.append(memory)
    return found


def _named_days(connection: Connection, days: Sequence[str]) -> dict[int, list[str]]:
    """Return {episode: the days of the query that it covers}: the episode of the date itself and that of its merged week."""
    found: dict[int, list[str]] = {}
    for day in days:
        from memorybank.episodes import dates  # late: most questions name no day

        monday = dates.monday(day)
        keys = (f"{ranking.EPISODE}:{day}", f"{ranking.EPISODE}:{dates.written(monday, dates.plus(monday, 6))}")
        _add(found, (row[0] for row in connection.execute("SELECT id FROM episodes WHERE key IN (?, ?)", keys)), f"day:{day}")
    return found


def _note_anchors(connection: Connection, anchors: Sequence[str]) -> dict[int, list[str]]:
    """Return {note: the anchors of the query that it contains}: files by their path or the end of it, notes by their key and by links to them."""
    found: dict[int, list[str]] = {}
    for anchor in anchors[:_MOST_ANCHORS]:
        kind, _, name = anchor.partition(":")
        if kind == "note":
            _add(found, queries.seen_with_anchor(connection, anchor, _MOST_OF_ONE_ANCHOR), anchor)
            _add(found, queries.named_or_linked(connection, name, _MOST_OF_ONE_ANCHOR), anchor)
        parts = name.split("/") if kind == "file" else ()  # notes name neither commands nor errors
        for begin in range(len(parts)):  # the path, its ends of two or more parts, the bare file name
            notes = queries.seen_with_anchor(connection, f"file:{'/'.join(parts[begin:])}", _MOST_OF_ONE_ANCHOR)
            if begin < len(parts) - 1 or len(notes) <= _UNSPECIFIC:  # otherwise the name is ambiguous: it says nothing about any of these notes
                _add(found, notes, anchor)
    return found


def _add_notes_of_folder(connection: Connection, path: str, found: dict[int, list[str]]) -> None:
    """Add notes that name the nearest folder of a file that is about to change ("never edit files in `src/generated/`"). A single name is too common."""
    parts = path.split("/")
    for end in range(len(parts) - 1, 1, -1):
        folder = "/".join(parts[:end])
        notes = queries.seen_with_anchor(connection, f"file:{folder}", _MOST_OF_ONE_ANCHOR)
        if notes:
            _add(found, notes if len(notes) <= _MOST_OF_A_FOLDER else (), f"file:{folder}/")
            return


def _above(matches: dict[int, matching.Match], least: float) -> Iterable[int]:
    return (row for row, match in matches.items() if match.match >= least or match.names)


def _explain(memory: Memory, shared: dict[int, list[str]], matches: dict[int, matching.Match]) -> None:
    memory.shared = shared.get(memory.number, ())
    match = matches.get(memory.number)
    if match is not None:
        memory.matched, memory.match, memory.titled, memory.chance, memory.named = match.matched, match.match, match.titled, match.chance, match.names


def _add(found: dict[int, list[str]], rows: Iterable[int], anchor: str) -> None:
    for row in rows:
        names = found.setdefault(row, [])
        if anchor not in names:
            names.append(anchor)


def topics_of(base: CycleContext, query: QueryContext) -> list[Recollection]:
    """Return the topics that a prompt is about, the nearest first; [] at other moments, and when the settings do not ask for topics (`topics.inject`).

    A topic is chosen by its similarity alone, calibrated on the bank's own episodes. No call can show that a topic was used.
    """
    if query.moment != PROMPT or not _may_want_topics(base):
        return []
    from memorybank.config import episodes as episode_settings  # late: most banks do not inject topics
    from memorybank.episodes.topics import similarity, store

    settings = episode_settings.load(base.layout)
    if settings is None or not settings.topics.inject:
        return []
    try:
        stored = store.read(base.layout)
    except (MemorybankError, OSError):  # not readable: the prompt gets no topics
        return []
    return [_of_topic(match) for match in similarity.search(query.text, stored.topics, stored.measure)]


def _may_want_topics(base: CycleContext) -> bool:
    """Return whether the settings could ask for topics: a file that never contains the key leaves it at its default, off."""
    try:
        data = disk.read(f"{base.layout.config}/episodes_config.json", MAX_FILE_BYTES)
    except (MemorybankError, OSError):  # missing or not readable: topics stay off
        return False
    return b"inject" in data or b"\\" in data  # JSON can write any letter as an escape


def _of_topic(match: TopicMatch) -> Recollection:
    topic = match.topic
    memory = Memory(
        f"{ranking.TOPIC}:{topic.id}",
        ranking.TOPIC,
        0,
        clock.parse(f"{topic.last}T00:00:00Z") or 0,
        importance=match.similarity,
        author="agent",
        text=f"{topic.label}: {topic.summary}" if topic.summary else topic.label,
        matched=match.words,
        match=match.similarity,
        sources=sorted(topic.written),
    )
    return Recollection(memory, {"context_match": match.similarity})
