"""Reading memories at one event: for whom, by what was asked, and what is printed of each. Reads only.

Light imports only: hooks load this file.
"""

from __future__ import annotations

from memorybank.clock import day_of
from memorybank.cycle import event as events
from memorybank.cycle.fold.exposed import evidence_of
from memorybank.cycle.fold.spoken import SAID
from memorybank.cycle.improve import contribution, patterns
from memorybank.cycle.recall import context as contexts
from memorybank.cycle.recall import query, ranking, shown
from memorybank.log import events as log
from memorybank.storage import jsontext
from memorybank.visibility import Viewer

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection

    from memorybank.cycle.base import Base
    from memorybank.cycle.event import Event
    from memorybank.cycle.recall.candidates import Sources
    from memorybank.cycle.recall.context import Context
    from memorybank.cycle.recall.query import QueryContext
    from memorybank.cycle.recall.ranking import Memory, Recollection
    from memorybank.injection import Item

CHARACTERS = {events.SESSION_START: 480, events.PROMPT: 420, events.SUBAGENT_START: 420, events.TOOL_BEFORE: 320, query.FAILURE: 420}
"""Of one memory's text, at each moment."""
_MOST_ANCHORS = 12
_ANCHORS = {"note": ("anchors", "note"), ranking.EPISODE: ("episode_anchors", "episode")}
"""Where the anchors of a memory lie; of all others in the cycle's cache."""


class Reading:
    """One event's view of the memories. now: ms; tail: the end of its session's log; context: what its agent said and was shown;
    query: what is asked; viewer: for whom."""

    def __init__(self, base: Base, event: Event, moment: str, now: int, sources: Sources) -> None:
        self.base = base
        self.now = now
        self.sources = sources
        role = base.role(event.agent_role)
        self.tail = log.end_of(base.layout, event.session_id)
        self.context: Context = contexts.read(self.tail, event, role, sources.cycle)
        self.query: QueryContext = query.of_event(event, moment, self.context.past, base.root, day_of(now))
        self.viewer = Viewer(role=role, session=event.session_id or None, agent=event.agent_id)
        self._items: dict[str, Item | None] = {}
        self._met = b"\n".join(line for line in self.tail.split(b"\n") if b'"event":"exposure"' not in line)
        self._anchors: dict[str, list[str]] = {}

    def recollect(self, memory: Memory) -> Recollection:
        return ranking.recollect(memory, self.query, self.viewer, self.base.settings, self.now)

    def item(self, recollection: Recollection, characters: int | None = None) -> Item | None:
        """What is printed of a memory, read once."""
        name = recollection.memory.memory
        if name not in self._items:
            self._read_text(recollection.memory)
            self._items[name] = shown.item(recollection, self.query, self.sources, self.base, characters or CHARACTERS[self.query.moment])
        return self._items[name]

    def anchors(self, memory: Memory) -> list[str]:
        """The anchors that would show that a memory was used: its own, but for those that the event named itself."""
        return [anchor for anchor in self._all_anchors(memory) if anchor not in self.query.given][:_MOST_ANCHORS]

    def pattern(self, memory: Memory) -> str:
        """What the policy would leave out together with it."""
        return patterns.pattern(memory.kind, memory.tool, self._all_anchors(memory), memory.key)

    def is_left_out(self, memory: Memory) -> bool:
        """Whether it proved worthless by itself, or by what it is or how it came up (by the policy); never what is spared, and nothing in
        a session that probes."""
        if patterns.is_probe(self.context.session):
            return False
        left_out = self.base.policy.exclusions if self.base.policy is not None else ()
        occasion = self._occasion(memory)
        is_spared = patterns.is_spared(occasion, protected=memory.protected, failed=memory.failed)
        if not is_spared and (occasion in left_out or memory.contribution < contribution.WORTHLESS):
            return True
        return not (memory.protected or memory.failed) and self.pattern(memory) in left_out

    def is_news(self, memory: Memory, told: Collection[str]) -> bool:
        """Whether it says more than its context was told lately. told: anchors that this moment tells already.

        A note is read for its words, and what is spared is told again; anything else has nothing new to say when every anchor that it
        would add was told.
        """
        if memory.kind == "note" or patterns.is_spared(self._occasion(memory), protected=memory.protected, failed=memory.failed):
            return True
        anchors = self.anchors(memory)
        return not anchors or any(anchor not in told and anchor not in self.context.told for anchor in anchors)

    def _occasion(self, memory: Memory) -> str:
        return patterns.occasion(memory.memory, self.query.moment, evidence_of(memory.shared))

    def _all_anchors(self, memory: Memory) -> list[str]:
        if memory.kind in ranking.ROWLESS:
            return list(memory.names)
        if memory.memory not in self._anchors:
            connection = self.sources.index if memory.kind in ranking.INDEXED else self.sources.cycle
            table, column = _ANCHORS.get(memory.kind, ("anchors", "memory"))
            asked = f"SELECT anchor FROM {table} WHERE {column} = ? AND anchor NOT LIKE '{SAID}%' LIMIT 64"
            rows = connection.execute(asked, (memory.number,)) if connection is not None else ()
            own = [f"note:{memory.key}"] if memory.kind == "note" else []
            self._anchors[memory.memory] = [*own, *(row[0] for row in rows)]
        return self._anchors[memory.memory]

    def knows(self, anchor: str) -> bool:
        """Whether its context has met an anchor, or was told of it: then it is no news."""
        if anchor in self.context.told or anchor in self.query.given:
            return True
        kind, _, name = anchor.partition(":")
        written = jsontext.encode_bytes(anchor if kind == "cmd" else name)
        return (written if kind == "cmd" else written[1:-1]) in self._met

    def _read_text(self, memory: Memory) -> None:
        if memory.kind == ranking.EPISODE:
            memory.text = self._text_of_episode(memory)
        elif memory.kind not in ("note", *ranking.ROWLESS) and self.sources.cycle is not None:
            row = self.sources.cycle.execute("SELECT text FROM memories WHERE id = ?", (memory.number,)).fetchone()
            memory.text = str(row[0]) if row is not None else ""

    def _text_of_episode(self, memory: Memory) -> str:
        """As the list of episodes says it now: what was taken out of the list is not told. The index has it where the list is the one it read."""
        from memorybank.episodes import documents, store

        if self.sources.index is None:
            return ""
        row = self.sources.index.execute(
            "SELECT text, (SELECT value FROM meta WHERE name = 'episodes') FROM episodes WHERE id = ?", (memory.number,)
        ).fetchone()
        if row is not None and str(row[1]).startswith(store.state(self.base.layout) + " "):
            return str(row[0])
        return documents.now(self.base.layout, memory.memory)
