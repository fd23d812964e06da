"""The episodes of finished sessions: when their days are over, these are told by the extractive summarizer, as long as there is time.

What the person's own summarizer would tell better is a draft, due at the next `episodes update`. Nothing leaves this machine here, and nobody
is waited for.
"""

import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from memorybank.clock import DAY
from memorybank.config import settings as configuration
from memorybank.config.episodes import EpisodeSettings
from memorybank.cycle.base import CycleContext
from memorybank.cycle.finish.days import PREFIX, EventLogs
from memorybank.episodes import coverage, update
from memorybank.episodes.calendar import LocalCalendar
from memorybank.episodes.running import EpisodesLock
from memorybank.episodes.store import EpisodeStore, refuse_broken
from memorybank.episodes.update import EpisodeRunReport, EpisodeRunSettings
from memorybank.errors import ConfigInvalid, LockTimeout, MemorybankError, UsageError
from memorybank.log import events
from memorybank.log.organize import OrganizeStep
from memorybank.summarize import choosing
from memorybank.summarize.extractive import ExtractiveSummarizer
from memorybank.summarize.summarizer import EXTRACTIVE
from memorybank.text.redact import redact

LATELY = 14 * DAY
"""Sessions that ended longer ago are left to `episodes update`."""
BYTES_A_MILLISECOND = 15_000
"""Of a log, read twice: which days it has, and what is told of them."""
MARGIN = 1.5
_LEAST_DAY = 40.0
"""Milliseconds that telling a day needs at least."""


@dataclass(slots=True)
class Outcome:
    """done: (rounds that need this step no more, what is to be said of them); milliseconds: that the smallest piece of work took."""

    done: list[tuple[Sequence[OrganizeStep], dict[str, Any]]] = field(default_factory=list)
    milliseconds: int = 0

    def skip(self, rounds: Sequence[OrganizeStep], why: str) -> None:
        if rounds:
            self.done.append((rounds, {"skipped": why}))


def run(base: CycleContext, rounds: Sequence[OrganizeStep], left: Callable[[], float], is_imported: Callable[[OrganizeStep], bool]) -> Outcome:
    """Tell the days of these rounds' sessions that are over. A round of which something is left to do, for want of time or because another run
    goes on, is not among those done; one for which nothing can be done (a list or settings that cannot be read) is, with the reason."""
    outcome = Outcome()
    oldest = base.clock.now() - LATELY
    outcome.skip([round_ for round_ in rounds if round_.at < oldest], "long_ago")
    lately = [round_ for round_ in rounds if round_.at >= oldest]
    imported = [round_ for round_ in lately if is_imported(round_)]
    outcome.skip(imported, "imported")
    own = [round_ for round_ in lately if round_ not in imported]
    chosen = _readable(base, own, left, outcome)
    if not chosen:
        return outcome
    try:
        settings = configuration.load(base.layout).episodes
        with EpisodesLock(base.layout, "memorybank hook", base.clock, timeout=0.0) as running:
            _tell(base, settings, chosen, running, left, outcome)
    except LockTimeout:
        return outcome
    except MemorybankError as error:
        outcome.skip(chosen, error.code)
    return outcome


def _readable(base: CycleContext, rounds: Sequence[OrganizeStep], left: Callable[[], float], outcome: Outcome) -> list[OrganizeStep]:
    """Those whose logs can be read in half of the time that is left, the longest waiting first; one that would fit into no end of a session
    is left to commands."""
    sizes = events.sizes(base.layout)
    room = left() / 2 * BYTES_A_MILLISECOND
    ever = max(base.settings.deadlines_ms.session_end / 2 * BYTES_A_MILLISECOND, room)
    found = []
    for round_ in sorted(rounds, key=lambda round_: (round_.at, round_.session)):
        size = sizes.get(events.name_of(round_.session), 0)
        if size > ever:
            outcome.skip([round_], "too_long")
        elif size <= room:
            room -= size
            found.append(round_)
    return found


def _tell(
    base: CycleContext, settings: EpisodeSettings, rounds: Sequence[OrganizeStep], running: EpisodesLock, left: Callable[[], float], outcome: Outcome
) -> None:
    begun = base.clock.monotonic()
    store = EpisodeStore(base.layout)
    refuse_broken(base.layout, store.read())
    calendar = LocalCalendar(settings.timezone)
    today = calendar.day_of(base.clock.now())
    wanted = {PREFIX + events.name_of(round_.session).removesuffix(".jsonl"): round_ for round_ in rounds}
    sources = [source for source in EventLogs(base, calendar).sources() if source.name in wanted]
    inventory = update.inventory(sources)
    plan = coverage.plan(inventory, store.read().entries, today, by=EXTRACTIVE)
    key = base.existing_key()
    setting = EpisodeRunSettings(ExtractiveSummarizer(), calendar, base.clock, lambda text: redact(text, key), _configured(), settings.summary_characters)
    pace = _Pace(base, begun, left)
    update.run(store, sources, plan.due, setting, EpisodeRunReport(given_up=plan.given_up), running.at, pace.in_time)
    outcome.milliseconds = pace.milliseconds
    due = {source for item in coverage.plan(inventory, store.read().entries, today, by=EXTRACTIVE).due for source in item.sources}
    told = [round_ for source, round_ in wanted.items() if source not in due]
    if told:
        outcome.done.append((told, {"ms": pace.milliseconds}))


class _Pace:
    """Whether the next day fits, judged by the slowest so far. milliseconds: of everything up to the first day, and of the slowest one."""

    def __init__(self, base: CycleContext, begun: float, left: Callable[[], float]) -> None:
        self._clock = base.clock
        self._left = left
        self._begun = begun
        self._last: float | None = None
        self._before = 0.0
        self._slowest = 0.0

    def in_time(self) -> bool:
        now = self._clock.monotonic()
        if self._last is None:
            self._before = now - self._begun
        else:
            self._slowest = max(self._slowest, now - self._last)
        self._last = now
        return self._left() >= max(_LEAST_DAY, MARGIN * self._slowest * 1000)

    @property
    def milliseconds(self) -> int:
        now = self._clock.monotonic()
        slowest = self._slowest if self._last is None else max(self._slowest, now - self._last)
        return round(((self._before or now - self._begun) + slowest) * 1000)


def _configured() -> str:
    """The name of the person's own summarizer; the extractive one where nothing valid is set up."""
    try:
        return choosing.choose(choosing.read_own(os.environ), os.environ).name
    except (ConfigInvalid, UsageError):
        return EXTRACTIVE
