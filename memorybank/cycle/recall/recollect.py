"""Recollects: turns an event into the text for the agent, with reasons. It only reads; afterwards, a hook records the exposure (`exposing.expose`).

Self-improving memory cycle, phase 3. Hooks and `memorybank recall` use the same code, so the command shows exactly what a hook injects.
"""

from __future__ import annotations

__light__ = True

from memorybank.cycle import event as events
from memorybank.cycle.fold.kinds import RULE, SAID
from memorybank.cycle.know.findings import FINDING
from memorybank.cycle.recall import candidates, moments, query, ranking
from memorybank.cycle.recall import context as contexts
from memorybank.cycle.recall.reading import Reading
from memorybank.index import readiness
from memorybank.injection import InjectionSection, build, shown_of
from memorybank.reasons.reason import Reason
from memorybank.storage import system as os
from memorybank.text.untrusted.against import is_against_people
from memorybank.text.words.everyday import is_name
from memorybank.text.words.terms import content_terms
from memorybank.values import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from memorybank.cycle.base import CycleContext
    from memorybank.cycle.event import Event
    from memorybank.cycle.recall.another import OtherReading
    from memorybank.cycle.recall.candidates import Sources
    from memorybank.cycle.recall.context import Allowance
    from memorybank.cycle.recall.opening import Opening
    from memorybank.cycle.recall.ranking import Memory, Recollection
    from memorybank.injection import InjectedMemory, Injection

REST = "'memorybank recall' shows what it finds"
_SAID, _RULE = f"{SAID}:", f"{RULE}:"
"""Beginnings of the ids of what a person typed, and of rules."""
_MOST_OF_IT = 0.7
"""Share of a person's sentence that a rule must quote for a context to have the sentence."""
_SKEW_MS = 60_000
"""A file that was changed later than this after the moment of a question was not written yet then."""


class Composed(Value, frozen=False):
    """What one context is shown.

    shown: the memories that are shown, in order.
    left_out: the other memories, each with its reason.
    resident: digest of the resident summary in the injection; '' when it is not included.
    """

    injection: Injection | None
    shown: Sequence[Recollection]
    left_out: Sequence[Recollection]
    resident: str = ""
    resident_tokens: int = 0


class Draft(Reading):
    """Everything that one event might show, ranked. `compose` leaves out what the context already has.

    notice: the sentence for the agent about an index that is not ready; "" when it is ready.
    """

    def __init__(self, base: CycleContext, event: Event, moment: str, now: int, sources: Sources | None = None) -> None:
        super().__init__(base, event, moment, now, candidates.open_sources(base) if sources is None else sources)
        self.opening: Opening | None = None
        self.earned: list[Recollection] = []
        self.near: list[Recollection] = []
        self._topics: list[Recollection] = []
        self.notice = ""
        self.others: Sequence[OtherReading] = ()
        self._of_others: list[Recollection] = []
        if self.sources.cycle is not None:
            self.sources.cycle.create_function("sees", 8, self.reader.sees)
        if self._left(self.tail).is_spent:
            return
        if moment == events.SESSION_START and event.agent_id == events.MAIN:
            from memorybank.cycle.recall import opening

            self.others = self._other_banks()
            self.opening = opening.of_session(base, event, self, self.others)
            return
        known = moments.find(self, event, self.sources.cycle)
        named = {memory.memory for memory in known}
        noted = {memory.memory: memory for memory in (*self._notes(), *self._conventions(event))}.values()
        found = [*(note for note in noted if note.memory not in named), *known]
        earned, self.near = self._ranked(found, event)
        about = candidates.topics_of(base, self.query)
        for one in (*earned, *about):
            one.why = self.suppressed(one.memory)
        self.earned = self._with_newer(earned)
        self._topics = [one for one in about if one.why is None]
        shown = {one.memory.memory for one in self.earned}
        self.near = [*(one for one in (*earned, *about) if one.why is not None), *(one for one in self.near if one.memory.memory not in shown)]
        has_places = len(self.earned) < base.settings.recall.top_k
        self.others = self._other_banks() if has_places and moment in candidates.WORDED else ()
        for other in self.others:
            earned, near = other.matching()
            self._of_others += earned
            self.near += near

    def _ranked(self, found: Sequence[Memory], event: Event) -> tuple[list[Recollection], list[Recollection]]:
        """Rank the memories, at a prompt with the paragraph of a note of people that it is about in other words. Notes of people that share
        only everyday words and words of that paragraph with the prompt give way to it."""
        ranked = ranking.rank(found, self.query, self.reader)
        of_people = [one.memory for one in ranked[0] if one.memory.kind == ranking.NOTE and one.memory.author == ranking.HUMAN]
        if self.query.moment != events.PROMPT or any(memory.shared or _names_subject(memory) for memory in of_people):
            return ranked
        from memorybank.cycle.recall import own_paragraphs  # late: most prompts find notes by their words, or ask nothing
        from memorybank.text.prompts.reporters import without_reporters
        from memorybank.text.prompts.typed import typed

        prompt = without_reporters(typed(event.prompt or ""))
        about = own_paragraphs.about(self, prompt)
        if about is None or (of_people and (len(about.matched) + bool(about.titled) == 1 or about.memory in [memory.memory for memory in of_people])):
            return ranked
        if of_people and (self.suppressed(about) is not None or self.was_shown(about)):
            return ranked
        earned, near = ranking.rank([about, *(one for one in found if one.memory != about.memory)], self.query, self.reader)
        earned.sort(key=lambda one: bool(of_people) and one.memory is not about)
        for one in earned:
            if one.memory in of_people and not any(is_name(word) and word not in about.matched for word in one.memory.matched):
                one.why = Reason("recall.far_better", match=one.memory.match, best=about.match)
        return [one for one in earned if one.why is None], [*(one for one in earned if one.why is not None), *near][: ranking.MOST_NEAR]

    def close_others(self) -> None:
        """Close the indexes of other banks, which this draft opened."""
        for other in self.others:
            other.sources.close()

    @property
    def has_something(self) -> bool:
        """Whether anything could be shown or came near; if not, the caller needs no lock."""
        return bool(self.earned or self.near or self._topics or self.opening or self._of_others)

    def compose(self, given: set[str], tail: bytes | None = None) -> Composed:
        """Return the text for a context, without the memories that it already has.

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
        log_end, epoch = self.tail if tail is None else tail, max(self.context.epoch, 1)
        # A prompt is answered even if the start of the session already showed the same sentence among the earlier days.
        said = contexts.sentences_in(log_end, self.context.agent, epoch, at_start=self.query.moment != events.PROMPT)
        answered = {f"session:{one.memory.session}" for one in self.earned if one.memory.kind == FINDING}
        chosen: list[Recollection] = []
        items: list[InjectedMemory] = []
        left_out = []
        for one in (*self.earned, *self._topics, *self._of_others):
            is_known = _is_known(one.memory, given, answered) or self._is_quoted(one.memory, given)
            is_known = is_known and not self.has_new_text(one.memory, log_end)
            item = None if is_known else self.item(one)
            if item is not None and said and self._is_said(item.text, said) and not self.was_changed(one.memory, log_end):
                item, is_known = None, True
            why = self._why_withheld(one, item, items) if item is not None else None
            if why is not None:
                one.why = why
                left_out.append(one)
                continue
            place = self._said_in_part(one, item, items) if item is not None else -1
            if item is not None and (place >= 0 or len(items) < limit) and left.spend_on(item):  # `spend_on` subtracts, so it must come last
                if place >= 0:  # it says more
                    chosen[place].why = ranking.SAID_ALREADY
                    left_out.append(chosen.pop(place))
                    items.pop(place)
                place = place if place >= 0 else len(items)
                chosen.insert(place, one)
                items.insert(place, item)
                continue
            one.why = ranking.ALREADY_SHOWN if is_known else self.why_nothing(one.memory) if item is None else beyond
            left_out.append(one)
        # `build` may drop items that exceed the budget in UTF-16 units; what it dropped is not an exposure.
        injection = build([InjectionSection("", budget, items=items, rest=REST, intro=self.notice)], budget, brief=True)
        inside = injection.sizes if injection is not None else ()
        for one in chosen:
            if one.memory.memory not in inside:
                one.why = beyond
                left_out.append(one)
        return Composed(injection, [one for one in chosen if one.memory.memory in inside], [*left_out, *self.near])

    def item(self, recollection: Recollection, characters: int | None = None) -> InjectedMemory | None:
        """Return what is printed of a memory of this bank or of another one."""
        other = self._other_of(recollection.memory)
        return super().item(recollection, characters) if other is None else other.item(recollection, characters)

    def why_nothing(self, memory: Memory) -> Reason:
        """Return why `item` returned None."""
        from memorybank.cycle.recall import shown  # late, as elsewhere: most events show nothing

        return shown.why_nothing(memory, (self._other_of(memory) or self).base)

    def anchors(self, memory: Memory) -> list[str]:
        """Return the anchors whose later occurrence would show that a memory of this bank or of another one was used."""
        other = self._other_of(memory)
        return super().anchors(memory) if other is None else other.anchors(memory)

    def _other_of(self, memory: Memory) -> OtherReading | None:
        """Return the view on the bank that a memory comes from; None for a memory of this one."""
        return next((other for other in self.others if memory.memory.startswith(other.bank.prefix)), None)

    def _other_banks(self) -> Sequence[OtherReading]:
        """Return the views on the personal bank and on the local copy of a team, where they are read."""
        from memorybank.config import personal_bank, team_folder  # late: calls and failures look into no other bank

        budgets = self.base.settings.budgets
        has_own = budgets.personal and personal_bank.is_there(os.environ)
        if not has_own and (not budgets.team or team_folder.copy_of(self.base.layout, os.environ) is None):
            return ()
        from memorybank.cycle.recall import another  # late: most people have neither

        return another.beside(self)

    def _why_withheld(self, one: Recollection, item: InjectedMemory, items: Sequence[InjectedMemory]) -> Reason | None:
        """Return why an item is not shown whatever space is left: what it says, or that one of the items before it says the same."""
        if is_against_people(item.text):
            return ranking.INSTRUCTS
        if not shown_of(item):
            return ranking.ALLOWS
        if not self._is_repeated(one, item, items):
            return None
        return ranking.SAID_ALREADY if self._other_of(one.memory) is None else ranking.SAID_HERE

    def _is_repeated(self, one: Recollection, item: InjectedMemory, items: Sequence[InjectedMemory]) -> bool:
        """Return whether a memory of another bank says what one of the items before it says, or a person's words are in one of these already."""
        from memorybank.cycle.recall import shown

        is_compared = one.memory.memory.startswith((_SAID, _RULE)) or self._other_of(one.memory) is not None
        return is_compared and any(shown.contains(before.text, item.text) for before in items)

    def _said_in_part(self, one: Recollection, item: InjectedMemory, items: Sequence[InjectedMemory]) -> int:
        """Return the place of a person's words that a memory of this bank repeats and continues, -1 without such words."""
        if self._other_of(one.memory) is not None or not one.memory.memory.startswith((_SAID, _RULE)):
            return -1
        from memorybank.cycle.recall import shown

        said = (place for place, before in enumerate(items) if before.memory.startswith((_SAID, _RULE)) and shown.contains(item.text, before.text))
        return next(said, -1)

    def _is_said(self, text: str, said: Collection[str]) -> bool:
        """Return whether a context that was shown sentences with these digests was shown every sentence of a text."""
        from memorybank.cycle.recall import repeated  # late: in the first injection of a session nothing was shown before

        return repeated.is_said(self.base.key(), text, said)

    def _is_quoted(self, memory: Memory, given: Collection[str]) -> bool:
        """Return whether a context already has a person's words from another source: a rule, its note, or the prompt in which they were said. What came of
        a request is more than its words."""
        if self.sources.cycle is None or memory.is_answered:
            return False
        from memorybank.cycle.know import standing

        if memory.memory.startswith(_SAID) and any(other.startswith(_RULE) for other in given):
            return not standing.rules_in(self.sources.cycle, memory.memory, _MOST_OF_IT).isdisjoint(given)
        if not memory.memory.startswith(_RULE):
            return False
        return any(memory.memory in standing.rules_in(self.sources.cycle, other) for other in given if other.startswith(_SAID))

    def _notes(self) -> Sequence[Memory]:
        """Return the notes and episodes that share something with the query, also notes that the index lacks or knows with an earlier text. Sets `notice`."""
        found = candidates.find(self.sources, self.query, self.reader)
        if self.query.moment not in candidates.WORDED or not self.query.words or not readiness.may_lack(self.sources.index):
            return found
        from memorybank.cycle.recall import incomplete  # late: most banks are not young, and their index is ready

        read = incomplete.search(self.base, self.sources, self.query, self.reader)
        self.notice = read.notice
        newer = {memory.memory: memory for memory in read.found if memory.at <= self.now + _SKEW_MS}
        return [*(memory for memory in found if memory.memory not in newer), *newer.values()]

    def _conventions(self, event: Event) -> Sequence[Memory]:
        if self.query.moment not in (events.TOOL_BEFORE, events.PROMPT):
            return ()
        from memorybank.cycle.recall import conventions  # late: failures ask for none

        return conventions.at_call(self, event) if self.query.moment == events.TOOL_BEFORE else conventions.at_request(self)

    def _with_newer(self, earned: Sequence[Recollection]) -> list[Recollection]:
        """Return the memories that may be shown, with the note that superseded another one in its place, however little it has in common with the question."""
        names = {one.memory.memory for one in earned}
        found = []
        for one in earned:
            if one.why is None:
                found.append(one)
                continue
            for newer in candidates.notes(self.sources, [one.memory.newer] if one.memory.newer else ()):
                if newer.memory not in names and self.suppressed(newer) is None:
                    names.add(newer.memory)
                    newer.matched, newer.match, newer.shared, newer.relevance = one.memory.matched, one.memory.match, one.memory.shared, one.memory.relevance
                    found.append(self.recollect(newer))
        return found

    def _left(self, tail: bytes) -> Allowance:
        """Return the tokens that the session may still be shown."""
        return contexts.allowance_of(self.base.settings.budgets.session_tokens, self.context.session, tail, self.sources.cycle)


def _names_subject(memory: Memory) -> bool:
    """Return whether a name that a note was found by is its subject, or stands in its title."""
    return any(is_name(word) for word in memory.matched if memory.named or word in content_terms(memory.text))


def _is_known(memory: Memory, given: Collection[str], answered: Collection[str]) -> bool:
    """Return whether a context already has what a memory says.

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
