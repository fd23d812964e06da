"""Recollecting: from an event to what would be put before the agent, and why. Reads only; a hook then exposes it, a person looks at it.

Self-improving memory cycle, phase 3. One path for both, so that `memorybank recall` shows exactly what a hook injects.
Light imports only: hooks load this file.
"""

from __future__ import annotations

from memorybank.cycle import event as events
from memorybank.cycle import importance, tiers
from memorybank.cycle.fold import schema
from memorybank.cycle.fold.phrases import language_of
from memorybank.cycle.improve import contribution
from memorybank.cycle.recall import allowance, asked, candidates, query, ranking, repeats, together, topics
from memorybank.cycle.recall.reading import Reading
from memorybank.injection import Section, build
from memorybank.storage.sqlite import sqlite3

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from memorybank.cycle.base import Base
    from memorybank.cycle.event import Event
    from memorybank.cycle.recall.candidates import Sources
    from memorybank.cycle.recall.opening import Opening
    from memorybank.cycle.recall.ranking import Memory, Recollection
    from memorybank.injection import Injection, Item

HEADING = "## Memories"
REST = "'memorybank recall' shows what it finds"
GUESSED = 0.25
"""Of what a session may be given, for what is told before anything is asked."""
_JOINED = 12
"""Memories of which it is asked who else shared and used them."""


class Composed:
    """What one context gets. shown: in order; shadows: what came near; resident: digest of the resident summary in it, else ''."""

    __slots__ = ("injection", "resident", "resident_tokens", "shadows", "shown")

    def __init__(
        self, injection: Injection | None, shown: Sequence[Recollection], shadows: Sequence[Recollection], resident: str = "", resident_tokens: int = 0
    ) -> None:
        self.injection = injection
        self.shown = shown
        self.shadows = shadows
        self.resident = resident
        self.resident_tokens = resident_tokens


class Draft(Reading):
    """Everything one event might show, ranked; what its context already got is left out when it is composed."""

    def __init__(self, base: Base, event: Event, moment: str, now: int, sources: Sources | None = None) -> None:
        super().__init__(base, event, moment, now, candidates.open_sources(base) if sources is None else sources)
        self.opening: Opening | None = None
        self.earned: list[Recollection] = []
        self.near: list[Recollection] = []
        self._topics: list[Recollection] = []
        self._hot_floor = 0.0
        self._early: set[int] = set()
        self._excluded: set[str] = set()
        if not (self.query.needs_evidence and self.query.is_empty) and not self._left(self.tail).is_spent:
            self._rank()
            self._topics = topics.find(base, self.query)
        if moment == events.SESSION_START and event.agent_id == events.MAIN:
            from memorybank.cycle.recall import opening

            self.opening = opening.of_session(base, event, self)

    @property
    def has_something(self) -> bool:
        """Whether anything could be shown or come near: else no lock is taken."""
        return bool(self.earned or self.near or self._topics or self.opening)

    def compose(self, given: set[str], tail: bytes | None = None) -> Composed:
        """What is shown to a context that already got these memories. tail: the end of its session's log, where it was read again."""
        moment = self.query.moment
        budget, limit = _budget(self.base, moment), self.base.settings.recall.top_k
        left = self._left(self.tail if tail is None else tail)
        if not self.query.needs_evidence:
            left = left.part(GUESSED)
        sections: list[Section] = []
        fixed: list[Recollection] = []
        if self.opening is not None:
            sections, fixed = self.opening.sections(given, left)
        known = given | {recollection.memory.memory for recollection in fixed}
        untold = repeats.untold(self.earned, self._summaries(fixed))
        wanted = [one for one in (*untold, *self._topics) if not repeats.is_known(one.memory, known) and not self._is_told(one.memory)]
        chosen: list[Recollection] = []
        items: list[Item] = []
        told = {anchor for recollection in fixed for anchor in self.anchors(recollection.memory)}
        for recollection in wanted:
            if len(items) == limit:
                break
            item = self.item(recollection) if self.is_news(recollection.memory, told) else None
            if item is not None and left.takes(item):
                chosen.append(recollection)
                items.append(item)
                told.update(self.anchors(recollection.memory))
        injection = build([*sections, Section(HEADING, budget, items=items, rest=REST)], budget)
        inside = injection.sizes if injection is not None else {}
        shown = [recollection for recollection in (*fixed, *chosen) if recollection.memory.memory in inside]
        left_out = self.opening.left_out if self.opening is not None else []
        composed = Composed(injection, shown, self._shadows([*fixed, *left_out, *wanted, *self.near], {*given, *inside}))
        if self.opening is not None and injection is not None:
            composed.resident, composed.resident_tokens = self.opening.resident_in(injection)
        return composed

    def _is_told(self, memory: Memory) -> bool:
        return self.opening is not None and self.opening.is_told(memory)

    def _left(self, tail: bytes) -> allowance.Allowance:
        """What the session may still be given. tail: the end of its log."""
        return allowance.of_session(self.base.settings.budgets.session_tokens, self.context.session, tail, self.sources.cycle)

    def _summaries(self, fixed: list[Recollection]) -> dict[str | None, str]:
        """{session: its summary that is told here}; the lessons of these sessions are read, to be compared with it."""
        found = {told.memory.session: item.text for told in fixed if told.memory.kind == schema.SESSION and (item := self.item(told)) is not None}
        for recollection in self.earned:
            if recollection.memory.kind == schema.LESSON and recollection.memory.session in found:
                self.item(recollection)
        return found

    def _shadows(self, recollections: list[Recollection], told: Collection[str]) -> list[Recollection]:
        """The first that are not told, of those that could be, each once."""
        found: list[Recollection] = []
        passed = set(told)
        for recollection in recollections:
            if len(found) == ranking.MOST_SHADOWS:
                break
            if recollection.memory.memory not in passed and self.item(recollection) is not None:
                found.append(recollection)
                passed.add(recollection.memory.memory)
        return found

    def _rank(self) -> None:
        settings = self.base.settings
        seen = candidates.find(self.sources, candidates.Question(self.query, self.context, self.viewer, settings, self.now))
        self._join([memory for memory in seen if memory.kind not in ranking.INDEXED])
        seen = [memory for memory in seen if memory.kind in ranking.INDEXED or self._is_showable(memory)]
        seen += self._together()
        self._contribute(seen)
        self.earned, self.near = ranking.rank(seen, self.query, self.viewer, settings, self.now)
        self._exclude()

    def _together(self) -> list[Memory]:
        """What goes together with what the event names."""
        if self.sources.cycle is None:
            return []
        own = (self.context.session, self.context.agent)
        language = language_of(self.query.text)
        least = self.base.settings.recall.min_match
        try:
            if self.query.moment == events.SESSION_START:
                return together.habits(self.sources.cycle, self.context.session, self.context.role, self.now, self.knows, language)
            found = together.find(self.sources.cycle, self.query.given, own, self.now, self.knows, language)
            if self.query.moment == events.PROMPT:
                found += asked.find(self.sources.cycle, self.query, own, self.now, self.knows, least, language)
            return found
        except sqlite3.DatabaseError:  # damaged, or written for longer than a hook waits
            return []

    def _contribute(self, memories: list[Memory]) -> None:
        """What the most promising ones were worth so far."""
        if self.sources.cycle is None or not self.base.settings.phases.improve:
            return
        promising = [memory for memory in memories if ranking.has_reason(memory, self.query, self.viewer, self.base.settings)]
        promising.sort(key=lambda memory: (-self.recollect(memory).sum, memory.memory))
        for memory in promising[:_JOINED]:
            try:
                memory.contribution = contribution.of_memory(self.sources.cycle, memory.memory)
            except sqlite3.DatabaseError:  # damaged, or written for longer than a hook waits: nothing is known of any
                return

    def _exclude(self) -> None:
        """What proved worthless is ranked and not shown, but in a session that probes it: single memories by their contribution, patterns
        and occasions by the policy."""
        out = [one for one in self.earned if self.is_left_out(one.memory)]
        if out:
            self._excluded = {one.memory.memory for one in out}
            self.earned = [one for one in self.earned if one.memory.memory not in self._excluded]
            self.near = [*out, *self.near][: ranking.MOST_SHADOWS]

    def is_excluded(self, memory: Memory) -> bool:
        """Whether the policy kept it from being shown."""
        return memory.memory in self._excluded or (self.opening is not None and any(memory is one.memory for one in self.opening.left_out))

    def _join(self, memories: list[Memory]) -> None:
        """Importance of what is no note: what its row says, and for the most promising ones also what joins sessions."""
        if self.sources.cycle is None or not memories:
            return
        weights = self.base.settings.event_importance
        if any(self._may_leave_early(memory) for memory in memories):
            self._hot_floor = tiers.hot_floor(self.sources.cycle, self.now, self.base.settings.organize, weights)
        for memory in memories:
            outcome, novelty, signal = memory.known
            factors = importance.Factors(outcome, 0.0, 0.0, novelty, importance.user_signal(signal), importance.NEUTRAL)
            memory.importance = importance.event_importance(factors, weights)
            if tiers.known_importance(factors, weights) < self._hot_floor:
                self._early.add(memory.number)
        promising = [memory for memory in memories if ranking.has_reason(memory, self.query, self.viewer, self.base.settings)]
        promising.sort(key=lambda memory: (-self.recollect(memory).sum, memory.memory))
        joined = importance.joined(self.sources.cycle, (memory.number for memory in promising[:_JOINED]))
        for memory in promising[:_JOINED]:
            if memory.number in joined:
                memory.factors = joined[memory.number]
                memory.importance = importance.event_importance(joined[memory.number], weights)

    def _may_leave_early(self, memory: Memory) -> bool:
        """Whether the hot capacity has a say in whether it is shown: so much has to be counted for nobody else."""
        if memory.protected or memory.kind not in (schema.GROUP, schema.DAY):
            return False
        return tiers.tier(memory.at, self.now, self.base.settings.organize) == tiers.HOT

    def _is_showable(self, memory: Memory) -> bool:
        level = tiers.tier(memory.at, self.now, self.base.settings.organize)
        early = memory.number in self._early if memory.kind == "group" else self._hot_floor > 0
        return tiers.showable(memory.kind, level, memory.importance, protected=memory.protected, early=early)


def is_on(base: Base, moment: str) -> bool:
    """Whether the settings ask for memory at this moment."""
    return base.settings.phases.recall and bool(getattr(base.settings.recall.enabled, moment))


def preview(base: Base, event: Event, moment: str, now: int, sources: Sources | None = None) -> tuple[Draft, Composed]:
    """What a hook would show at `now` (ms), without writing anything. sources: open caches, where they are not those on the disk."""
    draft = Draft(base, event, moment, now, sources)
    return draft, draft.compose(draft.context.shown)


def _budget(base: Base, moment: str) -> int:
    budgets = base.settings.budgets
    units: int = {
        events.SESSION_START: budgets.session_start,
        events.PROMPT: budgets.prompt,
        events.TOOL_BEFORE: budgets.tool,
        query.FAILURE: budgets.failure,
        events.SUBAGENT_START: budgets.subagent,
    }[moment]
    return units
