"""Writes the episodes of finished sessions: once a day is over, the extractive summarizer describes it, as long as there is time.

If the person has configured a better summarizer, the result is a draft, and the next `episodes update` replaces it. This step sends nothing to
another machine and waits for nobody.
"""

import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from memorybank.clock import DAY
from memorybank.config import settings as configuration
from memorybank.config.episodes import EpisodeSettings
from memorybank.cycle.base import CycleContext
from memorybank.cycle.finish import session_note
from memorybank.cycle.finish.days import EventLogs
from memorybank.cycle.finish.durations import LEAST_FOR_A_DAY, MARGIN
from memorybank.episodes import coverage, update
from memorybank.episodes.dates import LocalCalendar
from memorybank.episodes.list_file import refuse_unwritable
from memorybank.episodes.running import EpisodesLock
from memorybank.episodes.store import EpisodeStore
from memorybank.episodes.update import EpisodeRunReport, EpisodeRunSettings
from memorybank.errors import ConfigInvalid, LockTimeout, MemorybankError, UsageError
from memorybank.log import events, lines
from memorybank.log.organize import OrganizeStep
from memorybank.summarize import choosing
from memorybank.summarize.extractive import ExtractiveSummarizer
from memorybank.summarize.summarizer import EXTRACTIVE
from memorybank.text.secrets.redact import redact

LATELY = 14 * DAY
"""Sessions that ended longer ago (ms) are left to `episodes update`."""
BYTES_A_MILLISECOND = 15_000
"""Bytes of a log read in a millisecond. A log is read twice: for the days in it, and for their messages."""


@dataclass(slots=True)
class Outcome:
    """What was done: (rounds that no longer need this step, details for their line in the log). milliseconds: duration of the smallest unit of work."""

    done: list[tuple[Sequence[OrganizeStep], dict[str, Any]]] = field(default_factory=list)
    milliseconds: int = 0

    def skip(self, rounds: Sequence[OrganizeStep], why: str) -> None:
        """Mark these rounds as done without work, for this reason."""
        if rounds:
            self.done.append((rounds, {"skipped": why}))


def run(base: CycleContext, rounds: Sequence[OrganizeStep], left: Callable[[], float], is_imported: Callable[[OrganizeStep], bool]) -> Outcome:
    """Write the episodes of the finished days in the sessions of these rounds.

    A round is not among those done when some of its work is left, because time ran out or another run is in progress. A round for which nothing
    can be done (the list or the settings cannot be read) is done, with the reason.
    """
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
            _write_episodes(base, settings, chosen, running, left, outcome)
    except LockTimeout:
        return outcome
    except MemorybankError as error:
        outcome.skip(chosen, error.code)
    return outcome


def _readable(base: CycleContext, rounds: Sequence[OrganizeStep], left: Callable[[], float], outcome: Outcome) -> list[OrganizeStep]:
    """Return the rounds whose logs can be read in half of the remaining time, the longest waiting first. A log that is too long for any end of
    a session is left to commands."""
    budget = left() / 2 * BYTES_A_MILLISECOND
    # What fits into a usual end of a session. A longer log would wait for ever, so it is given up at once.
    ever = max(base.settings.deadlines_ms.session_end / 2 * BYTES_A_MILLISECOND, budget)
    found = []
    for round_ in sorted(rounds, key=lambda round_: (round_.at, round_.session)):
        size = lines.size(events.path_of(base.layout, round_.session))
        if size > ever:
            outcome.skip([round_], "too_long")
        elif size <= budget:
            budget -= size
            found.append(round_)
    return found


def _write_episodes(
    base: CycleContext, settings: EpisodeSettings, rounds: Sequence[OrganizeStep], running: EpisodesLock, left: Callable[[], float], outcome: Outcome
) -> None:
    begun = base.clock.monotonic()
    store = EpisodeStore(base.layout, base.clock, session_note.HOOK_LOCK_SECONDS)
    refuse_unwritable(base.layout, store.read())
    calendar = LocalCalendar(settings.timezone)
    today = calendar.day_of(base.clock.now())
    wanted = {events.source_of(events.name_of(round_.session)): round_ for round_ in rounds}
    sources = [source for source in EventLogs(base, calendar).sources() if source.name in wanted]
    inventory = update.inventory(sources)
    plan = coverage.plan(inventory, store.read().entries, today, by=EXTRACTIVE)
    key = base.existing_key()
    setting = EpisodeRunSettings(ExtractiveSummarizer(), calendar, base.clock, lambda text: redact(text, key), _configured(), settings.summary_characters)
    pace = _Pace(base, begun, left)
    update.run(store, sources, plan.due, setting, EpisodeRunReport(given_up=plan.given_up), running.at, pace.in_time)
    outcome.milliseconds = pace.milliseconds
    due = {source for item in coverage.plan(inventory, store.read().entries, today, by=EXTRACTIVE).due for source in item.sources}
    finished = [round_ for source, round_ in wanted.items() if source not in due]
    if finished:
        outcome.done.append((finished, {"ms": pace.milliseconds}))


class _Pace:
    """Decides whether the next day fits into the remaining time, judged by the slowest day so far."""

    def __init__(self, base: CycleContext, begun: float, left: Callable[[], float]) -> None:
        self._clock = base.clock
        self._left = left
        self._begun = begun
        self._last: float | None = None
        self._before = 0.0
        self._slowest = 0.0

    def in_time(self) -> bool:
        """Return whether another day fits. Called before each day, which is how the duration of the last one is measured."""
        now = self._clock.monotonic()
        if self._last is None:
            self._before = now - self._begun
        else:
            self._slowest = max(self._slowest, now - self._last)
        self._last = now
        return self._left() >= max(LEAST_FOR_A_DAY, MARGIN * self._slowest * 1000)

    @property
    def milliseconds(self) -> int:
        """The duration of everything before the first day, and of the slowest day."""
        now = self._clock.monotonic()
        slowest = self._slowest if self._last is None else max(self._slowest, now - self._last)
        return round(((self._before or now - self._begun) + slowest) * 1000)


def _configured() -> str:
    """Return the name of the person's own summarizer; the extractive one when none is configured or its configuration is invalid."""
    try:
        return choosing.choose(choosing.read_own(os.environ), os.environ).name
    except (ConfigInvalid, UsageError):
        return EXTRACTIVE
