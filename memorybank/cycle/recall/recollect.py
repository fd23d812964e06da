"""Recollecting: from an event to the text for the agent, with reasons. Reads only: afterwards a hook records the exposure (`context.expose`).

Self-improving memory cycle, phase 3. Hooks and `memorybank recall` use the same code, so the command shows exactly what a hook injects.
"""

from __future__ import annotations

__light__ = True

from memorybank.clock import day_of
from memorybank.cycle import event as events
from memorybank.cycle.fold import ticked
from memorybank.cycle.improve import contribution, occasions
from memorybank.cycle.know import rejected
from memorybank.cycle.know.findings import FINDING
from memorybank.cycle.recall import candidates, knowledge, query, ranking, shown
from memorybank.cycle.recall import context as contexts
from memorybank.cycle.recall.ranking import MemoryReader
from memorybank.injection import InjectionSection, build
from memorybank.log import events as log
from memorybank.reasons.reason import Reason
from memorybank.storage import jsontext
from memorybank.storage import system as os
from memorybank.storage.sqlite import sqlite3
from memorybank.text import no_memory
from memorybank.values import Value
from memorybank.visibility import Viewer

TYPE_CHECKING = False
if TYPE_CHECKING:
    from _sqlite3 import Connection
    from collections.abc import Collection, Sequence

    from memorybank.cycle.base import CycleContext
    from memorybank.cycle.event import Event
    from memorybank.cycle.know.rejected import Verdict
    from memorybank.cycle.know.search import Passage
    from memorybank.cycle.recall.candidates import Sources
    from memorybank.cycle.recall.context import Allowance
    from memorybank.cycle.recall.opening import Opening
    from memorybank.cycle.recall.ranking import Memory, Recollection
    from memorybank.injection import InjectedMemory, Injection

REST = "'memorybank recall' shows what it finds"
NOTE_MISSING = Reason("recall.note_missing")
SWITCH = "MEMORYBANK_RECALL"
"""Environment variable. With the value `off`, agents that see it are shown no memories."""
CHARACTERS = {events.SESSION_START: 480, events.PROMPT: 420, events.SUBAGENT_START: 420, events.TOOL_BEFORE: 320, query.FAILURE: 420}
"""Maximum length of one memory's text, at each moment."""
_MOST_ANCHORS = 12
_ANCHORS = {ranking.NOTE: ("anchors", "note"), ranking.EPISODE: ("episode_anchors", "episode")}
"""(table, column) of the anchors of each indexed kind."""


class Composed(Value, frozen=False):
    """What one context is shown.

    shown: in order.
    left_out: each with its reason.
    resident: digest of the resident summary in the injection; '' when it is not included.
    """

    injection: Injection | None
    shown: Sequence[Recollection]
    left_out: Sequence[Recollection]
    resident: str = ""
    resident_tokens: int = 0


class Reading:
    """One event's view of the memories.

    now: ms.
    tail: the end of the session's log.
    context: what the agent said and was shown.
    query: what is searched.
    reader: who reads.
    rejected: memories that a person rejected.
    wrong: {memory: instant (ms)} of those whose latest tick is wrong.
    """

    def __init__(self, base: CycleContext, event: Event, moment: str, now: int, sources: Sources) -> None:
        self.base = base
        self.now = now
        self.sources = sources
        role = base.role(event.agent_role)
        self.tail = log.end_of(base.layout, event.session_id)
        self.context = contexts.read(self.tail, event, role, sources.cycle)
        self.query = query.of_event(event, moment, self.context.past, base.root, day_of(now))
        self.reader = MemoryReader(Viewer(role=role, session=event.session_id or None, agent=event.agent_id), base.settings, now)
        self._rejections = rejected.Rejections(rejected.verdicts(base.layout), base.existing_key)
        self.rejected = {memory: verdict for memory, verdict in self._rejections.verdicts.items() if verdict.is_rejected}
        self.wrong = _marked_wrong(sources.cycle)
        self._alike: dict[str, Verdict] = {}
        self._items: dict[str, InjectedMemory | None] = {}
        # What the log says besides exposures, for `knows`: a name in it was touched by the agent, not just shown.
        self._lines_besides_exposures = b"\n".join(line for line in self.tail.split(b"\n") if b'"event":"exposure"' not in line)
        self._anchors: dict[str, list[str]] = {}

    def recollect(self, memory: Memory) -> Recollection:
        """Return the memory with its score at this event."""
        return ranking.recollect(memory, self.query, self.reader)

    def item(self, recollection: Recollection, characters: int | None = None) -> InjectedMemory | None:
        """Return what is printed of a memory, read at most once; None when its note no longer exists.

        characters: maximum length of its text; by default that of the moment.
        """
        name = recollection.memory.memory
        if name not in self._items:
            if recollection.memory.kind == ranking.EPISODE:
                recollection.memory.text = self._text_of_episode(recollection.memory)
            self._items[name] = shown.item(recollection, self.query, self.sources, self.base, characters or CHARACTERS[self.query.moment])
        return self._items[name]

    def anchors(self, memory: Memory) -> list[str]:
        """Return the anchors whose later occurrence would show that a memory was used: its own without those that the event itself contains."""
        return [anchor for anchor in self._all_anchors(memory) if anchor not in self.query.given][:_MOST_ANCHORS]

    def refused(self, memory: Memory) -> Reason | None:
        """Return why nobody wants a memory: a person rejected it or one that says the same, or it is derived and was marked wrong. None when neither holds."""
        verdict = self.rejected.get(memory.memory) or self._alike.get(memory.memory)
        if verdict is not None:
            return rejected.why(verdict, memory.memory)
        if memory.memory in self.wrong and not _is_spared(memory):
            return Reason("recall.marked_wrong", day=day_of(self.wrong[memory.memory]))
        return None

    def rejection_of(self, passage: Passage) -> Verdict | None:
        """The verdict that rejects a passage or what says the same; `refused` names it from then on."""
        verdict = self._rejections.of_passage(passage)
        if verdict is not None:
            self._alike[passage.memory] = verdict
        return verdict

    def suppressed(self, memory: Memory) -> Reason | None:
        """Return why a memory may not be shown, None when it may: it is refused, or the policy excludes it, or it was never used on this occasion.

        The policy and unused exposures count only against derived memories, never against what people wrote or stated, and not in a session that
        probes excluded memories.
        """
        refused = self.refused(memory)
        if refused is not None:
            return refused
        if _is_spared(memory) or occasions.is_probe(self.context.session):
            return None
        occasion = occasions.name(memory.kind, self.query.moment)
        policy = self.base.policy
        if policy is not None and occasion in policy.exclusions:
            return Reason("recall.excluded", version=policy.version, occasion=occasion)
        if self.sources.cycle is not None and self.base.settings.phases.improve:
            worth = contribution.at_occasion(self.sources.cycle, memory.memory, self.query.moment)
            memory.contribution = worth.average
            if worth.is_worthless:
                return Reason("recall.unused", day=day_of(worth.since), count=worth.count)
        return None

    def knows(self, anchor: str) -> bool:
        """Return whether the context already touched this anchor or was shown it."""
        if anchor in self.context.shown_anchors or anchor in self.query.given:
            return True
        kind, _, name = anchor.partition(":")
        written = jsontext.encode_bytes(anchor if kind == "cmd" else name)
        return (written if kind == "cmd" else written[1:-1]) in self._lines_besides_exposures

    def _all_anchors(self, memory: Memory) -> list[str]:
        if memory.kind not in ranking.INDEXED:
            return list(memory.names)
        if memory.memory not in self._anchors:
            table, column = _ANCHORS[memory.kind]
            connection = self.sources.index
            rows = connection.execute(f"SELECT anchor FROM {table} WHERE {column} = ? LIMIT 64", (memory.number,)) if connection is not None else ()
            own = [f"note:{memory.key}"] if memory.kind == ranking.NOTE else []
            self._anchors[memory.memory] = [*own, *(row[0] for row in rows)]
        return self._anchors[memory.memory]

    def _text_of_episode(self, memory: Memory) -> str:
        """The text of an episode in the current list, so that an entry that was removed from the list is not shown. The index's copy is used when it
        was read from this very list."""
        from memorybank.episodes import store

        if self.sources.index is None:
            return ""
        row = self.sources.index.execute(
            "SELECT text, (SELECT value FROM meta WHERE name = 'episodes') FROM episodes WHERE id = ?", (memory.number,)
        ).fetchone()
        if row is not None and str(row[1]).startswith(store.state(self.base.layout) + " "):
            return str(row[0])
        return store.current_document(self.base.layout, memory.memory)


class Draft(Reading):
    """Everything that one event might show, ranked. `compose` leaves out what the context already has."""

    def __init__(self, base: CycleContext, event: Event, moment: str, now: int, sources: Sources | None = None) -> None:
        super().__init__(base, event, moment, now, candidates.open_sources(base) if sources is None else sources)
        self.opening: Opening | None = None
        self.earned: list[Recollection] = []
        self.near: list[Recollection] = []
        self._topics: list[Recollection] = []
        if self.sources.cycle is not None:
            self.sources.cycle.create_function("sees", 8, self.reader.sees)
        if self._left(self.tail).is_spent:
            return
        if moment == events.SESSION_START and event.agent_id == events.MAIN:
            from memorybank.cycle.recall import opening

            self.opening = opening.of_session(base, event, self)
            return
        known = knowledge.find(self, event, self.sources.cycle)
        named = {memory.memory for memory in known}
        found = [*(note for note in candidates.find(self.sources, self.query, self.reader) if note.memory not in named), *known]
        earned, self.near = ranking.rank(found, self.query, self.reader)
        about = candidates.topics_of(base, self.query)
        for one in (*earned, *about):
            one.why = self.suppressed(one.memory)
        self.earned = [one for one in earned if one.why is None]
        self._topics = [one for one in about if one.why is None]
        self.near = [*(one for one in (*earned, *about) if one.why is not None), *self.near]

    @property
    def has_something(self) -> bool:
        """Whether anything could be shown or came near; if not, the caller needs no lock."""
        return bool(self.earned or self.near or self._topics or self.opening)

    def compose(self, given: set[str], tail: bytes | None = None) -> Composed:
        """Return what is shown to a context that already has these memories.

        tail: the end of its session's log, when it was read again under the lock.
        """
        budget, limit = _budget(self.base, self.query.moment), self.base.settings.recall.top_k
        left = self._left(self.tail if tail is None else tail)
        if self.opening is not None:
            sections, fixed, left_out = self.opening.sections(given, left)
            injection = build(sections, budget)
            inside: Collection[str] = injection.sizes if injection is not None else ()
            composed = Composed(injection, [one for one in fixed if one.memory.memory in inside], left_out)
            if injection is not None:
                composed.resident, composed.resident_tokens = self.opening.resident_in(injection)
            return composed
        beyond = Reason("recall.beyond_limit", most=limit)
        answered = {f"session:{one.memory.session}" for one in self.earned if one.memory.kind == FINDING}
        chosen: list[Recollection] = []
        items: list[InjectedMemory] = []
        left_out = []
        for one in (*self.earned, *self._topics):
            is_known = _is_known(one.memory, given, answered)
            item = None if is_known else self.item(one)
            if item is not None and len(items) < limit and left.spend_on(item):  # `spend_on` subtracts, so it must come last
                chosen.append(one)
                items.append(item)
                continue
            one.why = ranking.ALREADY_SHOWN if is_known else NOTE_MISSING if item is None else beyond
            left_out.append(one)
        # `build` may drop items that exceed the budget in UTF-16 units; what it dropped is not an exposure.
        injection = build([InjectionSection("", budget, items=items, rest=REST)], budget, brief=True)
        inside = injection.sizes if injection is not None else ()
        for one in chosen:
            if one.memory.memory not in inside:
                one.why = beyond
                left_out.append(one)
        return Composed(injection, [one for one in chosen if one.memory.memory in inside], [*left_out, *self.near])

    def _left(self, tail: bytes) -> Allowance:
        """The tokens that the session may still be shown."""
        return contexts.allowance_of(self.base.settings.budgets.session_tokens, self.context.session, tail, self.sources.cycle)


def why_off(base: CycleContext, event: Event, moment: str) -> Reason | None:
    """Return why an event is shown no memory at all; None when it may be shown some.

    The reason is the settings, the environment, or a person who asked for a session without memory.
    """
    if not base.settings.phases.recall or not getattr(base.settings.recall.enabled, moment):
        return Reason("silence.settings", moment=moment)
    if os.environ.get(SWITCH, "").lower() == log.OFF:
        return Reason("silence.variable", variable=SWITCH)
    if next(log.peek(base.layout, event.session_id), {}).get("recall") == log.OFF:
        return Reason("silence.prompt")
    return Reason("silence.prompt") if event.human and no_memory.is_asked(event.prompt or "") else None


def _is_spared(memory: Memory) -> bool:
    """Whether a memory is shown whatever its worth. A model's rule is not among those that people wrote or stated."""
    return occasions.is_spared(memory.kind) and not memory.made_by


def _marked_wrong(connection: Connection | None) -> dict[str, int]:
    if connection is None:
        return {}
    try:
        return ticked.wrong(connection)
    except sqlite3.DatabaseError:  # damaged, or locked for longer than a hook waits
        return {}


def _is_known(memory: Memory, given: Collection[str], answered: Collection[str]) -> bool:
    """Whether a context already has what a memory says.

    That holds for a memory that it was shown. It also holds for an episode whose day nobody named, when a day of its week was shown or
    findings of all its sessions are shown.

    answered: the sessions of those findings.
    """
    if memory.memory in given or memory.kind != ranking.EPISODE or memory.shared:
        return memory.memory in given
    first, _, last = memory.memory.partition(":")[2].partition("~")
    days = (other.partition(":")[2] for other in given if other.startswith(f"{ranking.EPISODE}:"))
    return any(first <= day <= (last or first) for day in days) or (bool(memory.sources) and all(source in answered for source in memory.sources))


def preview(base: CycleContext, event: Event, moment: str, now: int, sources: Sources | None = None) -> tuple[Draft, Composed]:
    """Return what a hook would show at `now` (ms), without writing anything.

    sources: open caches, if they are not those on the disk.
    """
    draft = Draft(base, event, moment, now, sources)
    return draft, draft.compose(draft.context.shown)


def _budget(base: CycleContext, moment: str) -> int:
    budgets = base.settings.budgets
    units: int = {
        events.SESSION_START: budgets.session_start,
        events.PROMPT: budgets.prompt,
        events.TOOL_BEFORE: budgets.tool,
        query.FAILURE: budgets.failure,
        events.SUBAGENT_START: budgets.subagent,
    }[moment]
    return units
