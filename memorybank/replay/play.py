"""One run: every event goes through the real router, in order and at its own time, and produces what a log would contain.

Source: Self-improving memory cycle, phase 4 and its replay design ("Does it help?"). Nothing is simulated, so an improvement measured
here is one of the hooks themselves.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from memorybank.cycle import event as events
from memorybank.cycle.base import CycleContext
from memorybank.cycle.event import Event
from memorybank.cycle.fold.recorded import LogEvent
from memorybank.cycle.recall.query import FAILURE
from memorybank.cycle.router import TABLE, HookRouter
from memorybank.hosts.detect import dialect
from memorybank.injection import Injection
from memorybank.log import events as log
from memorybank.log import lines
from memorybank.replay.sources import ReplaySource
from memorybank.replay.standing import ShownText

Progress = Callable[[int, int], None]
"""Called with (events played, total number of events)."""


class RecallMoment(NamedTuple):
    """A moment at which recall is asked.

    moment: its kind, one of `recall.enabled`
    offset: size of its session's log at that time
    position: index of the event among the played ones
    """

    session: str
    agent: str
    moment: str
    offset: int
    position: int


class ReplayRun(NamedTuple):
    """lines: of all sessions, by time, session and offset; moments: in the order of play; texts: what the router put before agents."""

    lines: list[LogEvent]
    moments: list[RecallMoment]
    texts: list[ShownText]


def play(
    base: CycleContext,
    source: ReplaySource,
    progress: Progress,
    asked: Callable[[Event, RecallMoment], None] | None = None,
    answered: Callable[[Event, str | None, Injection | None], None] | None = None,
) -> ReplayRun:
    """Play a source in a scratch bank.

    asked: called at each moment, after the event was recorded and before the next event.
    answered: called after each event with its moment and the injection that the router returned; both may be None.
    """
    moments: list[RecallMoment] = []
    texts: list[ShownText] = []
    clock = base.clock
    for number, event in enumerate(source.events):
        event = Event(**event.fields())  # the router redacts it, and other runs play the same event
        clock.instant = event.at  # type: ignore[attr-defined]  # the clock of a scratch bank can be set
        delivers = dialect(event.host).delivers
        router = HookRouter(CycleContext(base.layout, base.settings, clock), delivers)  # a new router, because every hook is a process of its own
        injection = router.answer(event)
        moment = moment_of(base, event, delivers)
        if injection is not None:
            texts.append(ShownText(event.session_id, event.agent_id, number, injection.text))
        if answered is not None:
            answered(event, moment, injection)
        if moment is not None:
            offset = lines.size(log.path_of(base.layout, event.session_id))
            moments.append(RecallMoment(event.session_id, event.agent_id, moment, offset, number))
            if asked is not None:
                asked(event, moments[-1])
        router.finish(event)
        progress(number + 1, len(source.events))
    return ReplayRun(recorded(base), moments, texts)


def moment_of(base: CycleContext, event: Event, delivers: frozenset[str]) -> str | None:
    """Return the kind of moment at which an event asks for memory, or None. Unlike in `HookRouter`, recall itself may be off."""
    if not event.delivery or (event.name == events.PROMPT and not event.human):
        return None
    moment = TABLE[event.name].recall
    if event.name == events.TOOL_AFTER:
        moment = FAILURE if event.status == events.FAILURE else None if events.TOOL_BEFORE in delivers else events.TOOL_BEFORE
    return moment if moment is not None and getattr(base.settings.recall.enabled, moment) else None


def recorded(base: CycleContext) -> list[LogEvent]:
    """Return every line of the scratch bank's log, by time, session and offset."""
    found = [LogEvent(line) for name in log.names(base.layout) for line in log.read(base.layout, name)]
    found.sort(key=lambda line: (line.at, line.session, line.offset))
    return found
