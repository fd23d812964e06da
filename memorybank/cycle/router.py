"""The HookRouter, the only entry point to the four phases. One row of its table says what each event triggers.

Complete cycle design, "Hook Event to Phase Mapping" and "HookRouter が唯一の入口"; the rows are those of the Self-improving memory cycle. Nothing else may
import `memorybank.cycle.phases` (a test checks this contract).
"""

from __future__ import annotations

__light__ = True

from memorybank.cycle import event as events
from memorybank.errors import LockTimeout, MemorybankError
from memorybank.storage import disk
from memorybank.values import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Container

    from memorybank.cycle.base import CycleContext
    from memorybank.cycle.event import Event
    from memorybank.cycle.phases.intake import TranscriptIntake
    from memorybank.cycle.recall.candidates import Sources
    from memorybank.injection import Injection

MICRO, OUTBOX, PERSONAL, NOTES, MACRO = "micro", "outbox", "personal", "notes", "macro"
FAILURE = "failure"


class RouteEntry(Value):
    """What one event triggers.

    record: whether the event is recorded
    before: jobs of ORGANIZE that the answer needs
    recall: the moment for which memory is recalled, None for none
    organize: jobs that run after the answer was sent
    """

    record: bool = True
    before: tuple[str, ...] = ()
    recall: str | None = None
    organize: tuple[str, ...] = ()


TABLE = {
    # a start shows the work of others: of sessions that were killed, and of other worktrees; and the rules of the personal bank
    events.SESSION_START: RouteEntry(before=(OUTBOX, PERSONAL), recall=events.SESSION_START, organize=(NOTES,)),
    events.PROMPT: RouteEntry(recall=events.PROMPT),
    events.TOOL_BEFORE: RouteEntry(recall=events.TOOL_BEFORE),
    events.TOOL_AFTER: RouteEntry(recall=FAILURE, organize=(MICRO,)),
    events.SUBAGENT_START: RouteEntry(record=False, recall=events.SUBAGENT_START),
    events.TURN_END: RouteEntry(organize=(OUTBOX, NOTES)),
    events.COMPACT_BEFORE: RouteEntry(),
    events.SESSION_END: RouteEntry(organize=(MACRO,)),
}


class HookRouter:
    """The handling of one event: `answer` records and recalls, `finish` does what can wait until the host has its answer.

    delivers: the canonical events at which this host accepts memory
    refused: why the event could not be recorded, None when it was
    """

    def __init__(self, base: CycleContext, delivers: frozenset[str]) -> None:
        self.base = base
        self.delivers = delivers
        self.refused: MemorybankError | None = None
        self._left_open: list[Sources] = []

    def answer(self, event: Event) -> Injection | None:
        """Record the event, then return the memory for it, None when there is nothing to show.

        A bank that cannot be written still answers. When one host starts several hooks for the same event, only the first one answers.
        """
        from memorybank.cycle.phases import record

        row = TABLE[event.name]
        record.prepare(self.base, event)
        moment = self.moment(event) if self.base.settings.phases.recall else None
        event.asked = moment == events.TOOL_BEFORE and event.name == events.TOOL_AFTER and events.TOOL_BEFORE in self.delivers
        try:
            if row.record and self.base.settings.phases.record and not record.record(self.base, event):
                return None
        except (MemorybankError, OSError) as error:
            self.refuse(error)
        try:
            self._organize(row.before, event)
        except MemorybankError as error:
            self._log(error)
        if moment is None:
            return None
        from memorybank.cycle.phases.recall import recall

        return recall(self.base, event, moment, self._left_open)

    def intake(self, session_id: str, *, root_of: Callable[[str], str], known: Callable[[], Container[str]]) -> TranscriptIntake:
        """Return RECORD for the transcript of one session: the only phase that runs for events of the past."""
        from memorybank.cycle.phases.intake import TranscriptIntake

        return TranscriptIntake(self.base, session_id, root_of, known)

    def finish(self, event: Event) -> None:
        """Run ORGANIZE, each step within its deadline. What does not fit, or is locked by another process, waits for the next event."""
        self._organize(TABLE[event.name].organize, event)

    def close_after(self, earlier: HookRouter | None) -> HookRouter | None:
        """Close the caches that an earlier router of this process left open, and return the router whose caches are open now: this one if recall opened any.

        For processes that live longer than one event and would run out of file descriptors. As between real hooks, the write-ahead log
        is not settled, which takes two syncs: the earlier caches are not the last ones to be closed.
        """
        if not self._left_open:
            return earlier
        if earlier is not None:
            earlier.close()
        return self

    def close(self) -> None:
        """Close the caches that recall left open."""
        while self._left_open:
            self._left_open.pop().close()

    def refuse(self, error: MemorybankError | OSError) -> None:
        """Log an error that keeps something from being written. `refused` holds the first one."""
        typed = error if isinstance(error, MemorybankError) else disk.from_os_error(error, str(error.filename or self.base.layout.log))
        self.refused = self.refused or typed
        self._log(typed)

    def announce(self, event: Event) -> str:
        """Return a line for the person, "" for none: that the first learned note was written. The host must show it, because it comes only once."""
        if not self.base.settings.phases.organize:
            return ""
        from memorybank.cycle.phases import organize

        return organize.announce(self.base, event)

    def _organize(self, jobs: tuple[str, ...], event: Event) -> None:
        if not jobs or not self.base.settings.phases.organize:
            return
        from memorybank.cycle.phases import organize

        deadlines = self.base.settings.deadlines_ms
        until = deadlines.outbox_session_start if event.name == events.SESSION_START else deadlines.outbox_turn_end
        try:
            for job in jobs:
                if job == MICRO:
                    organize.micro(self.base, event)
                elif job == MACRO:
                    organize.finish_sessions(self.base, event, deadlines.session_end, ends=True)
                elif job == OUTBOX:
                    organize.finish_sessions(self.base, event, until, ends=False)
                elif job == PERSONAL:
                    organize.prepare_personal_bank(self.base, until)
                else:
                    organize.take_in_notes(self.base, event, until)
        except LockTimeout:
            return

    def moment(self, event: Event) -> str | None:
        """Return the moment at which an event asks for memory, whatever the settings; None when it does not. RECORD must have prepared the event.

        A result asks only after a failure, after a read or a search of something that earlier sessions named, or
        if this host accepts no memory before the call. Nothing asks when the host itself wrote the prompt, or when the agent asks memory itself.
        """
        # `delivery` is narrower than `delivers`: a host may accept none in one form of an event, or after a failure.
        if event.asks_memory or not event.delivery or (event.name == events.PROMPT and not event.human):
            return None
        if event.name != events.TOOL_AFTER:
            return TABLE[event.name].recall
        if event.status == events.FAILURE:
            return FAILURE
        if events.TOOL_BEFORE not in self.delivers:
            return events.TOOL_BEFORE
        return events.TOOL_BEFORE if self._knows_of(event) else None

    def _knows_of(self, event: Event) -> bool:
        """Return whether there may be something to say about what an agent has read or searched for. Before it does that, no process is started."""
        if event.tool == events.READ or event.tool in events.SEARCHES:
            from memorybank.cycle.know import on_call
            from memorybank.cycle.recall import conventions

            return conventions.may_concern(self.base.layout, event, self.base.root) or on_call.may_be_known(self.base.layout, event, self.base.root)
        return False

    def _log(self, error: MemorybankError) -> None:
        from memorybank.log import hook_errors

        hook_errors.append(self.base.layout, error, self.base.clock)
