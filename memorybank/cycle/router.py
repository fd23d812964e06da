"""HookRouter: the only entry to the four phases. What each event sets off is one row of a table.

Complete cycle design, "Hook Event to Phase Mapping" and "HookRouter が唯一の入口"; the rows are those of the Self-improving
memory cycle. Nothing else may import `memorybank.cycle.phases` (a contract in the tests).
"""

from __future__ import annotations

__light__ = True

from memorybank.cycle import event as events
from memorybank.errors import LockTimeout, MemorybankError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Container, Iterable, Iterator
    from typing import Any

    from memorybank.cycle.base import Base
    from memorybank.cycle.event import Event
    from memorybank.injection import Injection

    Fields = dict[str, Any]

MICRO, OUTBOX, NOTES, MACRO = "micro", "outbox", "notes", "macro"
FAILURE = "failure"
_ONLY_STORED = ("content", "old_string", "new_string", "patch")


class Row:
    """What one event sets off. before: jobs of ORGANIZE that the answer needs; recall: the moment that memory is asked for;
    organize: jobs that run after the answer is out."""

    __slots__ = ("before", "organize", "recall", "record")

    def __init__(self, *, record: bool = True, before: tuple[str, ...] = (), recall: str | None = None, organize: tuple[str, ...] = ()) -> None:
        self.record = record
        self.before = before
        self.recall = recall
        self.organize = organize


TABLE = {
    # what a start tells of was done by others: by sessions that were killed, and in other worktrees
    events.SESSION_START: Row(before=(OUTBOX,), recall=events.SESSION_START, organize=(NOTES,)),
    events.PROMPT: Row(recall=events.PROMPT),
    events.TOOL_BEFORE: Row(recall=events.TOOL_BEFORE),
    events.TOOL_AFTER: Row(recall=FAILURE, organize=(MICRO,)),
    events.SUBAGENT_START: Row(record=False, recall=events.SUBAGENT_START),
    events.TURN_END: Row(organize=(OUTBOX, NOTES)),
    events.COMPACT_BEFORE: Row(),
    events.SESSION_END: Row(organize=(MACRO,)),
}


class HookRouter:
    """One firing: `answer` records and recalls, `finish` does what may happen after the host has its answer.

    delivers: the canonical events at which this host takes memory.
    """

    def __init__(self, base: Base, delivers: frozenset[str]) -> None:
        self.base = base
        self.delivers = delivers

    def answer(self, event: Event) -> Injection | None:
        """Record the event, then what memory has to say to it. A bank that cannot be written still answers; of several hooks
        that one host starts for the same event, the first one does."""
        row = TABLE[event.name]
        _prepare(self.base, event)
        if row.record and self.base.settings.phases.record:
            from memorybank.cycle.phases.record import record

            try:
                if not record(self.base, event):
                    return None
            except MemorybankError as error:
                _remember(self.base, error)
        try:
            self._organize(row.before, event)
        except MemorybankError as error:
            _remember(self.base, error)
        moment = self._moment(row, event)
        if moment is None or not self.base.settings.phases.recall:
            return None
        from memorybank.cycle.phases.recall import recall

        return recall(self.base, event, moment)

    def take_in(
        self,
        session_id: str,
        happened: Iterable[Event],
        *,
        root_of: Callable[[str], str],
        wants: Callable[[Event, str], bool],
        known: Callable[[], Container[str]],
    ) -> Iterator[list[Fields]]:
        """RECORD alone, for the events of one session's transcript in their order; see `phases.intake.take_in`."""
        from memorybank.cycle.phases import intake

        return intake.take_in(self.base, session_id, map(self._prepared, happened), root_of, wants, known)

    def correct(
        self, session_id: str, corrections: Iterable[tuple[Event, str]], *, root_of: Callable[[str], str], known: Callable[[], Container[str]]
    ) -> Iterator[list[Fields]]:
        """RECORD what a transcript knows better than the hook did: the outcome of an event, by its id; see `phases.intake.correct`."""
        from memorybank.cycle.phases import intake

        return intake.correct(self.base, session_id, ((self._prepared(event), identifier) for event, identifier in corrections), root_of, known)

    def identified(self, happened: Iterable[Event]) -> Iterator[tuple[Event, str]]:
        """The events that RECORD would record, with the ids they would have."""
        from memorybank.cycle.phases import record

        return ((event, record.identifier(self.base, event)) for event in happened if record.is_recorded(self.base, event))

    def _prepared(self, event: Event) -> Event:
        _prepare(self.base, event)
        return event

    def finish(self, event: Event) -> None:
        """ORGANIZE, each step within its deadline; what does not fit, or finds another process at it, waits for the next event."""
        self._organize(TABLE[event.name].organize, event)

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
                    organize.macro(self.base, event, deadlines.session_end)
                elif job == OUTBOX:
                    organize.outbox(self.base, event, until)
                else:
                    organize.take_in_notes(self.base, event, until)
        except LockTimeout:
            return

    def _moment(self, row: Row, event: Event) -> str | None:
        """When memory is asked for: at a result only for failures, or when this host took none before the call; never at a question to memory."""
        if event.asks_memory:
            return None
        if not event.delivery:  # narrower than `delivers`: a host may take none in one spelling of an event, or with a failure
            return None
        if event.name != events.TOOL_AFTER:
            return row.recall
        if event.status == events.FAILURE:
            return FAILURE
        return None if events.TOOL_BEFORE in self.delivers else events.TOOL_BEFORE


def _prepare(base: Base, event: Event) -> None:
    """What every phase relies on: an event without secrets in what is read of it, and with the outcome that its output shows."""
    try:
        key = base.existing_key()
    except MemorybankError:  # a log that cannot be read keeps nobody from recalling
        key = None
    _redact(event, key)
    if event.name == events.TOOL_AFTER and event.tool == "Bash":
        from memorybank.cycle.phases.record import read_outcome

        read_outcome(event, key)


def _redact(event: Event, key: bytes | None) -> None:
    """Take the secrets out of what fingerprints, anchors, signals and questions are made from: a part of a text, cut out of its place,
    may no longer look like one. What is only stored is redacted by the log's door."""
    from memorybank.text.redact import redact

    if event.prompt:
        event.prompt = redact(event.prompt, key)
    if event.error:
        event.error = redact(event.error, key)
    event.remarks = [(call, redact(text, key)) for call, text in event.remarks]
    for name, value in event.inputs.items():
        if isinstance(value, str) and name not in _ONLY_STORED:
            event.inputs[name] = redact(value, key)


def _remember(base: Base, error: MemorybankError) -> None:
    from memorybank.log import hook_errors

    hook_errors.append(base.layout, error, base.clock)
