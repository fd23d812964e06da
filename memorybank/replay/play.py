"""One run: every event goes through the real router, in order and at its own time, and produces what a log would contain.

Source: Self-improving memory cycle, phase 4 and its replay design ("Does it help?"). Nothing is simulated, so an improvement measured
here is one of the hooks themselves.

A run has a bank of its own: a temporary folder that is deleted when the run ends or is stopped. It is the same in every run: its key is
fixed, its project folder does not exist, and its clock shows the time of the events.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import NamedTuple

from memorybank.clock import FixedClock
from memorybank.config import settings as configuration
from memorybank.config.cycle import CycleSettings
from memorybank.cycle import event as events
from memorybank.cycle.base import CycleContext
from memorybank.cycle.event import Event
from memorybank.cycle.fold import cache
from memorybank.cycle.fold.recorded import LogEvent
from memorybank.cycle.recall.query import FAILURE
from memorybank.cycle.router import HookRouter
from memorybank.episodes import window
from memorybank.hosts.detect import dialect
from memorybank.index import working
from memorybank.index.fold import fold
from memorybank.injection import Injection, tokens_of
from memorybank.log import events as log
from memorybank.log import key, lines
from memorybank.replay.sources import PROJECT, ReplaySource
from memorybank.replay.text_targets import ShownText
from memorybank.storage import disk
from memorybank.storage.layout import BANK, Layout
from memorybank.storage.scratch import REPLAY, folder
from memorybank.trust.gate import OPEN

Progress = Callable[[int, int], None]
"""Called with (events played, total number of events)."""
_KEY = b"memorybank replay: no secret".ljust(32, b".")
_NOT_PUBLISHED = b'{"publish": {"after_update": false}}\n'
"""Nobody reads the published index of a scratch bank."""
_BULLET = re.compile(r"^(?=- )", re.MULTILINE)
_EPISODES = ("episode:", window.NOTED)
_NAMES = {events.SESSION_START: "start", events.SUBAGENT_START: "start", events.PROMPT: "prompt", FAILURE: "failure"}


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
    open_router: HookRouter | None = None
    for number, event in enumerate(source.events):
        event = Event(**event.fields())  # the router redacts it, and other runs play the same event
        clock.instant = event.at  # type: ignore[attr-defined]  # the clock of a scratch bank can be set
        # A new router, because every hook is a process of its own.
        router = HookRouter(CycleContext(base.layout, base.settings, clock, gate=OPEN), dialect(event.host).delivers)
        injection = router.answer(event)
        moment = router.moment(event)
        if moment is not None and not getattr(base.settings.recall.enabled, moment):
            moment = None
        if injection is not None:
            texts += [ShownText(event.session_id, event.agent_id, number, text, memory) for memory, text in texts_of(injection)]
        if answered is not None:
            answered(event, moment, injection)
        if moment is not None:
            offset = lines.size(log.path_of(base.layout, event.session_id))
            moments.append(RecallMoment(event.session_id, event.agent_id, moment, offset, number))
            if asked is not None:
                asked(event, moments[-1])
        router.finish(event)
        open_router = router.close_after(open_router)
        progress(number + 1, len(source.events))
    if open_router is not None:
        open_router.close()
    return ReplayRun(recorded(base), moments, texts)


def texts_of(injection: Injection) -> list[tuple[str, str]]:
    """Return (memory, its text) for what an agent was shown: each memory begins with a bullet. Without episodes and resident summary, which a replay does not
    show, they correspond; otherwise the complete text is from no single memory.
    """
    parts = _BULLET.split(injection.text)[1:]
    return list(zip(injection.sources, parts, strict=True)) if len(parts) == len(injection.sources) else [("", injection.text)]


def recorded(base: CycleContext) -> list[LogEvent]:
    """Return every line of the scratch bank's log, by time, session and offset."""
    found = [LogEvent(line) for name in log.names(base.layout) for line in log.read(base.layout, name)]
    found.sort(key=lambda line: (line.at, line.session, line.offset))
    return found


class PlayClock(FixedClock):
    """A clock set to the time of the current event. No time passes while an event is played, so no deadline depends on the machine's speed."""

    def monotonic(self) -> float:
        return 0.0

    def sleep(self, seconds: float) -> None:
        return


class _Layout(Layout):
    """A layout that shows its paths as if the bank were in the project folder."""

    def relative(self, path: str) -> str:
        return f"{BANK}/{os.path.relpath(path, self.root)}" if path.startswith(self.root + os.sep) else super().relative(path)


@contextmanager
def scratch(source: ReplaySource, settings: CycleSettings) -> Iterator[CycleContext]:
    """Create a bank with the notes and the configuration of the source, a folded index and an empty log."""
    with folder(REPLAY) as place:
        layout = _Layout(os.path.join(place, "memory"), repository=PROJECT)
        begin = source.events[0].at if source.events else 0
        base = CycleContext(layout, settings, PlayClock(begin or 0), gate=OPEN)
        for name, data in dict([*source.config, ("index_config.json", _NOT_PUBLISHED)]).items():
            _write(os.path.join(layout.config, name), data)
        for note in source.notes:
            _write(layout.note_path(note.key), note.text, note.modified)
        disk.make_directories(layout.active)
        _write(key.path(layout), _KEY.hex().encode() + b"\n")
        configured = configuration.load(layout)
        with working.open_index(configuration.placed_layout(layout, configured), configured, base.clock) as index:
            fold(index)
        try:
            yield base
        finally:
            cache.close()


def _write(path: str, data: bytes, modified: int | None = None) -> None:
    disk.make_directories(os.path.dirname(path))
    disk.create(path, data, mtime_ns=None if modified is None else modified * 1_000_000)


class ShownTexts:
    """Collects every text that a run put before an agent, for a scorer that reads what agents read.

    A text is one line of JSON. A line with an empty text means that nothing was shown: there is one such line per session, and one per
    prompt without an injection. Fields of a line: session, at (ms), moment (start, prompt, call or failure), agent, text, tokens (estimated), those of
    episodes among them, memories (ids).
    """

    def __init__(self) -> None:
        self.lines: list[dict[str, object]] = []
        self._sessions: set[str] = set()

    def answered(self, event: Event, moment: str | None, injection: Injection | None) -> None:
        if event.session_id not in self._sessions:
            self._sessions.add(event.session_id)
            self._add(event, "start", None)
        if injection is not None:
            self._add(event, _NAMES.get(moment or "", "call"), injection)
        elif event.name == events.PROMPT and event.human:
            self._add(event, "prompt", None)

    def _add(self, event: Event, moment: str, injection: Injection | None) -> None:
        sizes = injection.sizes if injection is not None else {}
        self.lines.append(
            {
                "session": event.session_id,
                "at": event.at,
                "moment": moment,
                "agent": event.agent_id,
                "text": injection.text if injection is not None else "",
                "tokens": tokens_of(injection.utf16) if injection is not None else 0,
                "episode_tokens": tokens_of(sum(units for memory, units in sizes.items() if memory.startswith(_EPISODES))),
                "memories": list(sizes),
            }
        )


def shown_texts(source: ReplaySource, settings: CycleSettings, progress: Progress) -> list[dict[str, object]]:
    """Play a source once and return one line for each text put before an agent."""
    texts = ShownTexts()
    with scratch(source, settings) as base:
        play(base, source, progress, answered=texts.answered)
    return texts.lines


def write(path: str, lines: list[dict[str, object]]) -> None:
    """Write the lines as JSONL and replace an existing file."""
    disk.replace(path, [json.dumps(line, ensure_ascii=False).encode("utf-8") + b"\n" for line in lines], mode=disk.USER_FILE, durable=False)
