"""One run: every event through the real router, in order and at its own time. What comes out is what a log would hold.

Self-improving memory cycle, phase 4 and its replay design ("Does it help?"): nothing is imitated, so what wins here is what hooks do.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from memorybank.cycle import event as events
from memorybank.cycle.base import Base
from memorybank.cycle.event import Event
from memorybank.cycle.fold.recorded import Recorded
from memorybank.cycle.recall.query import FAILURE
from memorybank.cycle.router import TABLE, HookRouter
from memorybank.hosts.detect import dialect
from memorybank.injection import Injection
from memorybank.log import events as log
from memorybank.log import lines
from memorybank.replay.sources import Source
from memorybank.replay.standing import Text

Progress = Callable[[int, int], None]
"""(events played, events of all)."""


class Moment(NamedTuple):
    """Memory was asked for. moment: one of `recall.enabled`; offset: where its session's log ended then; position: of the event."""

    session: str
    agent: str
    moment: str
    offset: int
    position: int


class Run(NamedTuple):
    """lines: of all sessions, in order of time, session, place; moments: in the order of play; texts: that the router put before agents."""

    lines: list[Recorded]
    moments: list[Moment]
    texts: list[Text]


def play(
    base: Base,
    source: Source,
    progress: Progress,
    asked: Callable[[Event, Moment], None] | None = None,
    answered: Callable[[Event, str | None, Injection | None], None] | None = None,
) -> Run:
    """Play a source in a scratch bank.

    asked: called at each moment, after the event was recorded and before anything later happens.
    answered: called after each event with its moment and with what the router put before the agent, if anything.
    """
    moments: list[Moment] = []
    texts: list[Text] = []
    clock = base.clock
    for number, event in enumerate(source.events):
        event = Event(**event.fields())
        event.inputs = dict(event.inputs)  # the router redacts in place
        clock.instant = event.at  # type: ignore[attr-defined]  # a scratch bank's clock is set, no other is
        delivers = dialect(event.host).delivers
        router = HookRouter(Base(base.layout, base.settings, clock), delivers)  # every hook is a process of its own
        injection = router.answer(event)
        moment = moment_of(base, event, delivers)
        if injection is not None:
            texts.append(Text(event.session_id, event.agent_id, number, injection.text))
        if answered is not None:
            answered(event, moment, injection)
        if moment is not None:
            offset = lines.size(log.path_of(base.layout, event.session_id))
            moments.append(Moment(event.session_id, event.agent_id, moment, offset, number))
            if asked is not None:
                asked(event, moments[-1])
        router.finish(event)
        progress(number + 1, len(source.events))
    return Run(recorded(base), moments, texts)


def moment_of(base: Base, event: Event, delivers: frozenset[str]) -> str | None:
    """When memory is asked for at an event, whether or not recall is switched on (cf. `HookRouter`, which decides in life)."""
    if not event.delivery or (event.name == events.PROMPT and not event.human):
        return None
    moment = TABLE[event.name].recall
    if event.name == events.TOOL_AFTER:
        moment = FAILURE if event.status == events.FAILURE else None if events.TOOL_BEFORE in delivers else events.TOOL_BEFORE
    return moment if moment is not None and getattr(base.settings.recall.enabled, moment) else None


def recorded(base: Base) -> list[Recorded]:
    """Every line of the scratch bank's log."""
    found = [Recorded(line) for name in log.names(base.layout) for line in log.read(base.layout, name)]
    found.sort(key=lambda line: (line.at, line.session, line.offset))
    return found
