"""The episodes at the end of a session: days of the logs that were written to lately, by the extractive summarizer, as long as there is time.

What the person's own summarizer would tell better is a draft, due at the next `episodes update`; what does not fit waits for it too. Nothing
leaves this machine here, and nobody is waited for.
"""

import os
from collections.abc import Callable

from memorybank.clock import DAY
from memorybank.config import settings as configuration
from memorybank.cycle.base import Base
from memorybank.cycle.finish.days import EventLogs
from memorybank.episodes import coverage, update
from memorybank.episodes.calendar import Calendar
from memorybank.episodes.running import Running
from memorybank.episodes.store import Store
from memorybank.episodes.update import Report, Setting
from memorybank.errors import ConfigInvalid, LockTimeout, UsageError
from memorybank.summarize import choosing
from memorybank.summarize.extractive import Extractive
from memorybank.summarize.summarizer import EXTRACTIVE
from memorybank.text.redact import redact

LATELY = 3 * DAY


def run(base: Base, in_time: Callable[[], bool]) -> Report | None:
    """What was done; None when another run goes on, the settings are invalid, or the list cannot be read: a command says so, a hook does not."""
    try:
        settings = configuration.load(base.layout).episodes
        with Running(base.layout, "memorybank hook", base.clock, timeout=0.0) as running:
            return _update(base, settings.timezone, settings.summary_characters, running, in_time)
    except (ConfigInvalid, LockTimeout):
        return None


def _update(base: Base, zone: str, most: int, running: Running, in_time: Callable[[], bool]) -> Report | None:
    store = Store(base.layout)
    stored = store.read()
    if stored.broken:
        return None
    calendar = Calendar(zone)
    now = base.clock.now()
    sources = EventLogs(base, calendar).sources(since=now - LATELY)
    plan = coverage.plan(update.inventory(sources), stored.entries, calendar.day_of(now), by=EXTRACTIVE)
    key = base.existing_key()
    setting = Setting(Extractive(), calendar, base.clock, lambda text: redact(text, key), _configured(), most)
    return update.run(store, sources, plan.due, setting, Report(given_up=plan.given_up), running.at, in_time)


def _configured() -> str:
    """The name of the person's own summarizer; the extractive one where nothing valid is set up."""
    try:
        return choosing.choose(choosing.read_own(os.environ), os.environ).name
    except (ConfigInvalid, UsageError):
        return EXTRACTIVE
