"""Shows what an agent would receive from this bank, and why, by the same code as a hook, without writing."""

from __future__ import annotations

from contextlib import closing
from typing import TYPE_CHECKING

from memorybank import clock as time_of
from memorybank import resident
from memorybank.bank import arguments, cycle_cache, drafted
from memorybank.bank.arguments import BankFacade, Instant
from memorybank.bank.opened import look_up_claims
from memorybank.config import cycle as cycle_settings
from memorybank.cycle import event as events
from memorybank.cycle.base import CycleContext
from memorybank.cycle.event import Event
from memorybank.cycle.fold import schema as cycle_schema
from memorybank.cycle.recall import outcomes, query, ranking, recollect, silence
from memorybank.cycle.recall.candidates import Sources, open_sources
from memorybank.cycle.recall.shown import reasons
from memorybank.episodes import entry, window
from memorybank.episodes.indexing import bring_up_to_date
from memorybank.errors import UsageError
from memorybank.index import fold, queries
from memorybank.index import schema as index_schema
from memorybank.injection import Injection, estimate_tokens
from memorybank.reasons.reason import Reason, text_of
from memorybank.resident import Resident
from memorybank.storage import database
from memorybank.text.untrusted.against import is_against_people
from memorybank.text.words.similarity import folded
from memorybank.values import Value

if TYPE_CHECKING:
    from memorybank.bank.summary import SummaryRefresh
    from memorybank.cycle.recall.outcomes import Stats
    from memorybank.cycle.recall.ranking import Recollection
    from memorybank.cycle.recall.recollect import Composed, Draft

MOMENTS = outcomes.MOMENTS
_NOTE = "note:"
_OUTDATED = "no line of it holds any more; 'memorybank summary refresh' drafts it again"
EARLIER_DAYS = Reason("shown.earlier_days")
_OF_MATCH = frozenset(
    f"recall.{name}"
    for name in ("little_in_common", "one_word", "by_chance", "far_better", "low_score", "rule_at_its_call", "rule_of_another_call", "not_about_it")
)
"""Codes of reasons that say how little a memory has in common with the question. The others withhold one that is about it."""


class JudgedMemory(Value):
    """One memory with the judgement of recall.

    rank: position among the shown ones, from 1; 0 when it was not shown
    why: for a shown memory, the words and anchors that it matched, or a reason; else the reason why it was not shown
    band: number of its band of relevance, 0 for the best; the score orders memories within a band
    at: its date (ms)
    origin: human, agent, tool or import
    kind: note, episode, topic, problem, rule, finding, files or session
    """

    rank: int
    memory: str
    score: float
    parts: dict[str, float]
    match: float
    why: tuple[str | Reason, ...]
    at: int
    origin: str = "agent"
    band: int = 0
    kind: str = ""


class RecallResult(Value):
    """The result of a recall at one moment.

    injection: None when nothing is shown
    near: memories that were left out, each with its reason
    words, anchors: the words and anchors of the question
    reason: why nothing is shown, or None
    notice: a sentence about an index that is not ready, or ''
    """

    moment: str
    injection: Injection | None
    shown: tuple[JudgedMemory, ...]
    near: tuple[JudgedMemory, ...]
    words: tuple[str, ...]
    anchors: tuple[str, ...]
    reason: Reason | None
    notice: str = ""


class MemoryVerdict(Value):
    """Why one memory is or is not shown for a question.

    judged: the judgement of recall; None when the memory was not even a candidate
    why: the words and anchors by which it is shown, or why it is not
    """

    memory: str
    judged: JudgedMemory | None
    why: tuple[str | Reason, ...]

    @property
    def is_shown(self) -> bool:
        """Whether recall shows it."""
        return self.judged is not None and self.judged.rank > 0


class SummaryStatus(Value):
    """The resident summary as sessions receive it.

    reason: why sessions do not receive it, or ''
    is_switched_off: whether that is because of the settings, not of the page
    block: the text that `summary render` prints
    tokens: number of tokens in the body
    drafted: `drafted` by `summary refresh`, `edited` by a person since then, '' when a person wrote it
    withdrawn: the lines of a drafted page that no longer hold, which sessions do not receive
    """

    path: str
    updated_at: int | None
    reason: str
    block: str
    tokens: int
    drafted: str = ""
    is_switched_off: bool = False
    withdrawn: tuple[str, ...] = ()

    @property
    def too_long(self) -> bool:
        return self.tokens > resident.TOKENS_WARNED_ABOUT


class MemoryFacade(BankFacade):
    """The operations of `memorybank recall` and `memorybank summary`."""

    def recall(
        self,
        text: str = "",
        *,
        moment: str | None = None,
        tool: str | None = None,
        file: str | None = None,
        role: str = events.MAIN,
        agent: str | None = None,
        session: str = "",
        as_of: Instant | None = None,
    ) -> RecallResult:
        """Return what a hook would show an agent, and why. Raises `UsageError` for an unknown moment.

        text: a prompt; with `tool`, its command or description; at a failure, the error
        moment: one of `MOMENTS`. Default: tool_before with `tool` or `file`, prompt with a text, else the start of a session (of a
            sub-agent when the role is not the main agent's).
        role: role of the agent that receives the memories
        session, agent: the context of the recall, which is not shown again what it already received; "" for a new context
        as_of: default now
        """
        at = arguments.instant(self._bank, as_of, "as_of")
        event = _event(moment, text, tool, file, role, agent, session, cycle_cache.base_of(self._bank).root)
        base = cycle_cache.base_of(self._bank, at)
        moment = query.FAILURE if event.name == events.TOOL_AFTER else event.name
        if off := silence.why_off(base, event, moment):
            return RecallResult(moment, None, (), (), (), (), off)
        if at is None:
            self._bring_up_to_date(base)
            with closing(self._sources_of_hooks(base)) as sources:
                return _previewed(base, event, moment, base.clock.now(), sources)
        with self._bank.folded(as_of=at) as index:
            bring_up_to_date(index)
            index.forget_after(at)
            with cycle_cache.folded(self._bank, base) as cycle:
                return _previewed(base, event, moment, at, Sources(index.connection, cycle))

    def why(self, memory: str, text: str) -> MemoryVerdict:
        """Return why a prompt shows a memory, or why not.

        memory: its id; for a note also its key
        Raises `NotFound` for an unknown note.
        """
        from memorybank.bank.notes import Notes

        result = self.recall(text, moment=events.PROMPT)
        key = "" if ":" in memory and not memory.startswith(_NOTE) else Notes(self._bank).locate(memory.removeprefix(_NOTE))
        memory = f"{_NOTE}{key}" if key else memory
        judged = next((one for one in (*result.shown, *result.near) if one.memory == memory), None)
        if judged is not None:
            return MemoryVerdict(memory, judged, judged.why)
        if result.reason is not None and not result.words:
            return MemoryVerdict(memory, None, (result.reason,))
        said = folded(Notes(self._bank).read(key, record_view=False).text) if key else ""
        shared = tuple(word for word in result.words if folded(word) in said)
        return MemoryVerdict(memory, None, (Reason("recall.others_fit_better", words=shared) if shared else Reason("recall.no_word_of_it"),))

    def _bring_up_to_date(self, base: CycleContext) -> None:
        """Bring index and cache up to date, as every command does. Where they cannot be written, they stay as they are, as for a hook."""
        with self._bank.opened() as index:
            if not index.frozen:
                self._bank.notify(*fold.refresh(index))
                bring_up_to_date(index)
                look_up_claims(index)
        cycle_cache.fold(self._bank, base)

    def _sources_of_hooks(self, base: CycleContext) -> Sources:
        """Open the caches that a hook would open now. No file is created next to those of a bank that is `read_only`."""
        if not self._bank.read_only:
            return open_sources(base)
        places = ((base.layout.database, index_schema), (cycle_schema.path(base.layout), cycle_schema))
        return Sources(*(database.open_frozen(path, schema.TABLES, schema.VERSION) for path, schema in places))

    def stats(self, *, as_of: Instant | None = None) -> Stats:
        """Return statistics of recall so far."""
        base = cycle_cache.base_of(self._bank, arguments.instant(self._bank, as_of, "as_of"))
        with cycle_cache.folded(self._bank, base) as cycle:
            return outcomes.collect_stats(cycle, base.clock.now(), base)

    def page(self) -> Resident:
        """Return the content of `summary.md` as sessions receive it, or the reason why it has none."""
        found = resident.collect(self._bank.layout)
        body, gone = drafted.standing(self._bank, found)
        return found.with_changes(body=body, reason=found.reason if body else _OUTDATED) if gone else found

    def summary(self, cap: int = resident.SOFT_CAP) -> SummaryStatus:
        """Return the resident summary, and the reason when it is not injected.

        cap: maximum number of characters of the block's body
        """
        layout = self._bank.layout
        path = layout.relative(resident.path_of(layout))
        found = resident.collect(layout)
        made_by = "drafted" if found.is_drafted else "edited" if found.is_edited else ""
        body, gone = drafted.standing(self._bank, found)
        found = found.with_changes(body=body, reason=found.reason if body or not gone else _OUTDATED)
        base = cycle_cache.base_of(self._bank)
        off = resident.why_off(base.settings, has_section=not cycle_settings.lacks_memory(layout))
        off = off or ("" if base.gate.admits(base.layout, resident.FILE) else base.gate.reason)
        off = off or (text_of(ranking.INSTRUCTS) if is_against_people(found.body) else "")
        is_off = bool(off) and not found.reason
        block, tokens = resident.block(found, path, cap), estimate_tokens(found.body)
        return SummaryStatus(path, found.updated_at, found.reason or off, block, tokens, made_by, is_off, tuple(gone))

    def refresh(self, *, force: bool = False, dry_run: bool = False) -> SummaryRefresh:
        """Draft the resident summary from the most important notes, open failures and recent episodes.

        The draft becomes `summary.md` unless a person wrote or edited that; then it is written to `summary.draft.md`.
        force: whether to replace `summary.md` in any case; the old one is saved in `backups/summary/` first
        dry_run: whether to write no summary (in a bank that is `read_only`, nothing at all)
        """
        from memorybank.bank import summary

        base = cycle_cache.base_of(self._bank)
        with cycle_cache.seen_by(self._bank) as cycle:
            return summary.refresh(self._bank, cycle, base.settings.budgets.resident, force=force, dry_run=dry_run)


def _previewed(base: CycleContext, event: Event, moment: str, now: int, sources: Sources) -> RecallResult:
    draft, composed = recollect.preview(base, event, moment, now, sources)
    try:
        if composed.injection is None and not composed.left_out and base.gate.is_open and moment != events.SESSION_START:
            from memorybank.cycle.recall import nearest  # late: most questions find something, and a hook never needs it

            composed.left_out = nearest.of(draft, event)
        return _told(base, draft, composed, sources)
    finally:
        draft.close_others()


def _event(moment: str | None, text: str, tool: str | None, file: str | None, role: str, agent: str | None, session: str, root: str) -> Event:
    """Return the event that a host would send."""
    if moment is None:
        moment = events.TOOL_BEFORE if tool or file else events.PROMPT if text.strip() else events.SESSION_START
        if moment == events.SESSION_START and role != events.MAIN:
            moment = events.SUBAGENT_START
    if moment not in MOMENTS:
        raise UsageError(f"{moment!r} is not a moment of recall", next_step=f"use one of {', '.join(MOMENTS)}")
    if (tool or file) and moment not in (events.TOOL_BEFORE, query.FAILURE):
        raise UsageError(f"a tool or a file belongs to a call, not to the moment {moment}", next_step=f"use {events.TOOL_BEFORE} or {query.FAILURE}")
    if agent is None:
        agent = events.MAIN if role == events.MAIN else f"preview-{role}"
    event = Event(host="claude-code", name=moment, session_id=session, agent_id=agent, agent_role=role, cwd=root)
    if moment in (events.TOOL_BEFORE, query.FAILURE):
        event.tool = tool or ("Edit" if file else "Bash")
        event.inputs = {"file_path": file} if file else {}
        if moment == query.FAILURE:
            event.name, event.status, event.error = events.TOOL_AFTER, events.FAILURE, text
        elif text:
            event.inputs = {**event.inputs, "command" if event.tool == "Bash" else "description": text}
    elif moment == events.SESSION_START:
        event.source = "startup"
    elif text:
        event.prompt = text
    return event


def _told(base: CycleContext, draft: Draft, composed: Composed, sources: Sources) -> RecallResult:
    query_ = draft.query
    shown = tuple(_recalled(rank, recollection, tuple(reasons(recollection, query_))) for rank, recollection in enumerate(composed.shown, 1))
    shown += tuple(
        JudgedMemory(rank, memory, 0.0, {}, 0.0, (EARLIER_DAYS,), at, kind=ranking.EPISODE)
        for rank, (memory, at) in enumerate(_earlier_days(composed), len(shown) + 1)
    )
    near = tuple(_recalled(0, one, () if one.why is None else (one.why,)) for one in composed.left_out)
    words = tuple(dict.fromkeys(query.as_written(word.label, query_.text) for word in query_.words))
    reason = None
    if composed.injection is None:
        reason = _silence(draft, composed, sources) if base.gate.is_open else Reason("recall.not_accepted")
    return RecallResult(query_.moment, composed.injection, shown, near, words, tuple(query_.anchors), reason, draft.notice)


def _earlier_days(composed: Composed) -> list[tuple[str, int]]:
    """Return (memory, its date in ms) of what the start of a session shows about earlier days."""
    ranked = {recollection.memory.memory for recollection in composed.shown}
    told = composed.injection.sizes if composed.injection is not None else ()
    found = []
    for memory in told:
        if memory not in ranked and memory.startswith(entry.MEMORY):
            found.append((memory, time_of.parse(memory.removeprefix(entry.MEMORY)[:10]) or 0))
        elif memory.startswith(window.NOTED):
            found.append((memory, int(memory.rpartition("@")[2])))
    return found


def _recalled(rank: int, recollection: Recollection, why: tuple[str | Reason, ...]) -> JudgedMemory:
    memory = recollection.memory
    parts, origin = dict(recollection.parts), memory.author or "agent"
    return JudgedMemory(rank, memory.memory, recollection.score, parts, memory.match, why, memory.at, origin, ranking.band(memory), memory.kind)


def _silence(draft: Draft, composed: Composed, sources: Sources) -> Reason:
    if any(one.why == ranking.ALREADY_SHOWN for one in composed.left_out):
        return Reason("silence.already_shown")
    withheld = next((one.why for one in composed.left_out if one.why is not None and one.why.code not in _OF_MATCH), None)
    if withheld is not None and draft.query.moment != events.SESSION_START:
        return Reason("silence.left_out", why=withheld)
    if draft.query.moment == events.SESSION_START:
        has_notes = sources.index is not None and queries.has_more_than(sources.index, 0)
        return Reason("silence.notes_wait_for_prompts") if has_notes else Reason("silence.nothing_known")
    return Reason("silence.few_words") if draft.query.is_empty else Reason("silence.no_match")
