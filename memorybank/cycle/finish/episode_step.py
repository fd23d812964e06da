"""Writes the episodes of finished sessions: once a day is over, the extractive summarizer describes it, as long as there is time.

If the person has configured a better summarizer, the result is a draft, and the next `episodes update` replaces it. This step sends nothing to
another machine and waits for nobody.
"""

import os
from collections.abc import Callable, Sequence
from itertools import pairwise
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


class EpisodeRun:
    """One run of this step, for sessions that have ended.

    left: returns the milliseconds until the deadline.
    done: (rounds that no longer need this step, details for their line in the log).
    milliseconds: duration of the smallest unit of work: everything before the first day, and the slowest day.
    """

    def __init__(self, base: CycleContext, left: Callable[[], float]) -> None:
        self.base = base
        self.left = left
        self.done: list[tuple[Sequence[OrganizeStep], dict[str, Any]]] = []
        self.milliseconds = 0
        self._marks: list[float] = []

    def write(self, rounds: Sequence[OrganizeStep], is_imported: Callable[[OrganizeStep], bool]) -> None:
        """Write the episodes of the finished days in the sessions of these rounds.

        A round is not among those done when some of its work is left, because time ran out or another run is in progress. A round for which nothing
        can be done (the list or the settings cannot be read) is done, with the reason.
        """
        oldest = self.base.clock.now() - LATELY
        self._skip([round_ for round_ in rounds if round_.at < oldest], "long_ago")
        lately = [round_ for round_ in rounds if round_.at >= oldest]
        imported = [round_ for round_ in lately if is_imported(round_)]
        self._skip(imported, "imported")
        chosen = self._readable([round_ for round_ in lately if round_ not in imported])
        if not chosen:
            return
        try:
            settings = configuration.load(self.base.layout).episodes
            with EpisodesLock(self.base.layout, "memorybank hook", self.base.clock, timeout=0.0) as running:
                self._write(settings, chosen, running)
        except LockTimeout:
            return
        except MemorybankError as error:
            self._skip(chosen, error.code)

    def _skip(self, rounds: Sequence[OrganizeStep], why: str) -> None:
        if rounds:
            self.done.append((rounds, {"skipped": why}))

    def _readable(self, rounds: Sequence[OrganizeStep]) -> list[OrganizeStep]:
        """Return the rounds whose logs can be read in half of the remaining time, the longest waiting first. A log that is too long for any end of
        a session is left to commands."""
        budget = self.left() / 2 * BYTES_A_MILLISECOND
        # What fits into a usual end of a session. A longer log would wait for ever, so it is given up at once.
        ever = max(self.base.settings.deadlines_ms.session_end / 2 * BYTES_A_MILLISECOND, budget)
        found = []
        for round_ in sorted(rounds, key=lambda round_: (round_.at, round_.session)):
            size = lines.size(events.path_of(self.base.layout, round_.session))
            if size > ever:
                self._skip([round_], "too_long")
            elif size <= budget:
                budget -= size
                found.append(round_)
        return found

    def _write(self, settings: EpisodeSettings, rounds: Sequence[OrganizeStep], running: EpisodesLock) -> None:
        base = self.base
        self._mark()
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
        update.run(store, sources, plan.due, setting, EpisodeRunReport(given_up=plan.given_up), running.at, self._in_time)
        self._mark()
        self.milliseconds = round((self._marks[1] - self._marks[0]) * 1000 + self._slowest())
        due = {source for item in coverage.plan(inventory, store.read().entries, today, by=EXTRACTIVE).due for source in item.sources}
        finished = [round_ for source, round_ in wanted.items() if source not in due]
        if finished:
            self.done.append((finished, {"ms": self.milliseconds}))

    def _in_time(self) -> bool:
        """Return whether the next day fits into the remaining time, judged by the slowest one so far. Called before each day, which measures the one before."""
        self._mark()
        return self.left() >= max(LEAST_FOR_A_DAY, MARGIN * self._slowest())

    def _mark(self) -> None:
        self._marks.append(self.base.clock.monotonic())

    def _slowest(self) -> float:
        """Return the milliseconds that the slowest day took so far."""
        return 1000 * max((end - begin for begin, end in pairwise(self._marks[1:])), default=0.0)


def _configured() -> str:
    """Return the name of the person's own summarizer; the extractive one when none is configured or its configuration is invalid."""
    try:
        return choosing.choose(choosing.read_own(os.environ), os.environ).name
    except (ConfigInvalid, UsageError):
        return EXTRACTIVE
