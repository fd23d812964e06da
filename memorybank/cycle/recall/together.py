"""What goes together: the files and commands that other contexts touched close to the one that this moment touches.

"tests/test_a.py, schemas/a.json (4 of 5 sessions)" is in no single memory. It is counted when it is asked for, from the groups of calls
that this reader may see, so that nothing is kept that could tell more than its sources. What this context has touched, read or been told
already is no news and left out; when nothing is left, there is nothing to tell. Reads only.

Light imports only: hooks load this file.
"""

from __future__ import annotations

from memorybank.cycle.fold import schema
from memorybank.cycle.fold.phrases import phrase
from memorybank.cycle.recall import matching
from memorybank.cycle.recall.ranking import TOGETHER, Memory

TYPE_CHECKING = False
if TYPE_CHECKING:
    from _sqlite3 import Connection
    from collections.abc import Callable, Iterable

_ASKED = ("file:", "err:")
_TOLD = ("file:", "cmd:", "note:")
_MOST_TRIGGERS = 6
_MOST_GROUPS = 40
_MOST_CONTEXTS = 10
"""Of one anchor, the newest."""
_BEHIND, _BEFORE = 20, 10
"""Results of a context that are close to the one that touched the anchor."""
LEAST_SHARE = 0.5
_DOUBT = 0.7
"""Added to the contexts that were counted: what happened in one of one is less sure than what did in five of six."""
MOST_TOLD = 6
MOST_TOLD_ONCE = 4
"""After one context: it did other things besides."""
_MOST_TOLD_APART = 12
_EVERYWHERE = 4
"""Sessions that ran a command before it belongs to none in particular."""
_ROOM, _LONGEST_NAME = 220, 90
"""Characters of anchors in one memory, and of one anchor; a longer command names so much that it will not come again."""


class Companion:
    """One anchor that goes together with another. contexts: in how many of those counted; last: when (ms); away: how many results lie
    between, at its closest."""

    __slots__ = ("anchor", "away", "contexts", "last")

    def __init__(self, anchor: str, contexts: int = 0, last: int = 0, away: int = 0) -> None:
        self.anchor = anchor
        self.contexts = contexts
        self.last = last
        self.away = away


def find(connection: Connection, anchors: Iterable[str], context: tuple[str, str], now: int, is_known: Callable[[str], bool], language: str) -> list[Memory]:
    """One memory for each anchor that something goes together with. context: session and agent whose own doings are none; is_known:
    whether its context knows an anchor already; language: of the words around it."""
    found = []
    told: set[str] = set()
    asked = [anchor for anchor in anchors if anchor.startswith(_ASKED)][:_MOST_TRIGGERS]
    for anchor in asked:
        contexts = _contexts(connection, anchor, context, now)
        companions = [
            companion
            for companion in _companions(connection, contexts, anchor, now)
            if companion.contexts / (len(contexts) + _DOUBT) >= LEAST_SHARE
            and companion.anchor not in told
            and companion.anchor not in asked
            and not is_known(companion.anchor)
        ]
        if len(contexts) == 1:
            companions = [companion for companion in companions[:_MOST_TOLD_APART] if not _is_everywhere(connection, companion.anchor, now)]
        companions = told_of(companions, MOST_TOLD if companions and companions[0].contexts > 1 else MOST_TOLD_ONCE)
        if len(companions) > 1 or (companions and companions[0].contexts > 1):  # one thing, once, is a coincidence
            told.update(companion.anchor for companion in companions)
            found.append(_memory(anchor, companions, len(contexts), language))
    return found


def _contexts(connection: Connection, anchor: str, own: tuple[str, str], now: int) -> list[tuple[int, str, int]]:
    """(file, agent, offset of the first call that touched the anchor) of the newest other contexts."""
    found: dict[tuple[int, str], int] = {}
    for file, agent, session, offset in connection.execute(_TOUCHED, (now, anchor, _MOST_GROUPS)):
        if (session, agent) == own or offset is None:
            continue
        key = (file, agent)
        if key in found:
            found[key] = min(found[key], offset)
        elif len(found) < _MOST_CONTEXTS:
            found[key] = offset
    return [(file, agent, offset) for (file, agent), offset in found.items()]


def _companions(connection: Connection, contexts: list[tuple[int, str, int]], anchor: str, now: int) -> list[Companion]:
    """What the contexts touched close to these calls, the most frequent and then the closest first."""
    close: dict[int, dict[int, int]] = {}
    for number, (file, agent, offset) in enumerate(contexts):
        for statement, most in ((_AFTER, _BEHIND), (_EARLIER, _BEFORE)):
            for away, (group,) in enumerate(connection.execute(statement, (file, offset, agent, most))):
                if group is not None:
                    numbers = close.setdefault(group, {})
                    numbers[number] = min(away, numbers.get(number, away))
    found: dict[str, Companion] = {}
    counted: dict[str, set[int]] = {}
    listed = ",".join(map(str, close))
    for group, other, at in connection.execute(_ANCHORS.format(listed), (now,)):
        if other == anchor or not other.startswith(_TOLD):
            continue
        companion = found.setdefault(other, Companion(other))
        nearest = min(close[group].values())
        companion.away = min(companion.away, nearest) if other in counted else nearest
        counted.setdefault(other, set()).update(close[group])
        companion.contexts = len(counted[other])
        companion.last = max(companion.last, at)
    return sorted(found.values(), key=lambda companion: (-companion.contexts, companion.away, -companion.last, companion.anchor))


def _is_everywhere(connection: Connection, anchor: str, now: int) -> bool:
    """Whether a command is run in many sessions: what came once beside it says nothing about it. (`git push` beside any file.)"""
    if not anchor.startswith("cmd:"):
        return False
    return len(connection.execute(_SESSIONS_OF, (anchor, now, _EVERYWHERE)).fetchall()) == _EVERYWHERE


def told_of(companions: list[Companion], most: int) -> list[Companion]:
    """The first, as many as there is room for: what a memory names must stand in it."""
    found: list[Companion] = []
    room = _ROOM
    for companion in companions:
        size = len(companion.anchor)
        if size <= _LONGEST_NAME and size <= room and len(found) < most:
            found.append(companion)
            room -= size
    return found


_TOUCHED = f"""
    SELECT file, agent, session, (SELECT min(offset) FROM events e WHERE e.memory = m.id) FROM memories m WHERE first_at <= ? AND id IN (
        SELECT a.memory FROM anchors a JOIN memories INDEXED BY memories_recall ON id = a.memory
        WHERE a.anchor = ? AND kind = '{schema.GROUP}' AND {matching.MEMORY_IS_SEEN} ORDER BY last_at DESC LIMIT ?)
    ORDER BY last_at DESC"""
_SESSIONS_OF = f"""
    SELECT DISTINCT session FROM anchors a JOIN memories ON id = a.memory
    WHERE a.anchor = ? AND kind = '{schema.GROUP}' AND first_at <= ? AND {matching.MEMORY_IS_SEEN} LIMIT ?"""
_AFTER = "SELECT memory FROM events WHERE file = ? AND offset >= ? AND agent = ? AND event = 'tool_after' ORDER BY offset LIMIT ?"
_EARLIER = "SELECT memory FROM events WHERE file = ? AND offset < ? AND agent = ? AND event = 'tool_after' ORDER BY offset DESC LIMIT ?"
_ANCHORS = f"""
    SELECT id, a.anchor, last_at FROM memories JOIN anchors a ON a.memory = id
    WHERE id IN ({{}}) AND first_at <= ? AND (read_only = 0 OR tool = 'Read') AND (tool <> 'Bash' OR a.anchor LIKE 'cmd:%') AND {matching.MEMORY_IS_SEEN}"""
"""A look around (`grep`, `git status`) belongs to everything; a file that was read belongs to what it was read for."""


def _memory(anchor: str, companions: list[Companion], contexts: int, language: str) -> Memory:
    last = max(companion.last for companion in companions)
    share = companions[0].contexts / (contexts + _DOUBT)
    found = Memory(f"{TOGETHER}:{anchor}", TOGETHER, 0, last, importance=share, author="tool")
    found.names = [companion.anchor for companion in companions]
    found.shared = [anchor]
    parts = [f"{named(companion.anchor)} ({companion.contexts}/{contexts})" for companion in companions]
    wording = "together_error" if anchor.startswith("err:") else "together"
    found.text = phrase(wording, language, what=anchor.partition(":")[2], parts=", ".join(parts))
    found.relevance = share
    return found


def named(anchor: str) -> str:
    """An anchor as it is told."""
    kind, _, name = anchor.partition(":")
    return f"`{' '.join(word for word in name.split(' ') if word not in ('_', '#'))}`" if kind == "cmd" else name
