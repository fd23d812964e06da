"""The episodes of a bank, wired: its event log and chat logs as sources, the person's summarizer, the list, the lock."""

import os
from collections.abc import Callable
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

from memorybank.cycle import base as bases
from memorybank.cycle.finish.days import EventLogs
from memorybank.episodes import coverage, running, store, update
from memorybank.episodes.calendar import Calendar
from memorybank.episodes.coverage import Plan
from memorybank.episodes.entry import Episode
from memorybank.episodes.running import Progress, Running
from memorybank.episodes.sources.chat import ChatLog
from memorybank.episodes.sources.source import LogSource
from memorybank.episodes.store import Store, Stored
from memorybank.episodes.update import Report, Setting
from memorybank.errors import UsageError
from memorybank.log import key as log_key
from memorybank.summarize.extractive import Extractive
from memorybank.summarize.summarizer import EXTRACTIVE, Summarizer
from memorybank.text.redact import redact

if TYPE_CHECKING:
    from memorybank.bank.bank import Bank

Scan = Callable[[int, int], None]
Step = Callable[[int, int, str], None]


class DayPlan(NamedTuple):
    """One due day, measured. kind: `day`, `supplement` or `draft`; messages, characters: that no episode tells yet; attempts: in vain."""

    date: str
    kind: str
    sources: tuple[str, ...]
    messages: int
    characters: int
    attempts: int


class Episodes:
    """What `memorybank episodes` does. `since`: a date, `YYYY-MM-DD`."""

    def __init__(self, bank: "Bank") -> None:
        self._bank = bank

    @cached_property
    def calendar(self) -> Calendar:
        return Calendar(self._bank.settings.episodes.timezone)

    @property
    def today(self) -> str:
        return self.calendar.day_of(self._bank.clock.now())

    def stored(self) -> Stored:
        """The list as it lies there; `broken` says why it cannot be read."""
        return store.read(self._bank.layout)

    def readable(self) -> tuple[Episode, ...]:
        """The list, oldest first; `ValidationFailed` for one that cannot be read."""
        found = self.stored()
        store.refuse_broken(self._bank.layout, found)
        return found.entries

    def of_date(self, date: str) -> list[Episode]:
        """Every entry of the list that speaks of a date."""
        return [entry for entry in self.readable() if entry.first and entry.first <= date <= entry.last]

    def progress(self) -> Progress | None:
        """The run that goes on now."""
        return running.progress(self._bank.layout)

    def due(self, *, since: str = "", by: str = EXTRACTIVE, scan: Scan = lambda done, total: None) -> tuple[list[DayPlan], Plan]:
        """What an update would do, and the plan itself. Changes nothing."""
        sources = self.sources()
        entries = self.readable()
        plan = coverage.plan(update.inventory(sources, scan), entries, self.today, by=by, since=since)
        by_name = {source.name: source for source in sources}
        found = [(due, work) for due in plan.due if (work := update.gather(due, by_name, entries)) is not None]
        days = [
            DayPlan(
                due.date,
                "draft" if due.again is not None else due.kind,
                tuple(work.messages),
                sum(map(len, work.messages.values())),
                work.characters,
                due.attempts,
            )
            for due, work in found
        ]
        return days, plan

    def update(
        self,
        *,
        since: str = "",
        summarizer: Summarizer | None = None,
        configured: str | None = None,
        scan: Scan = lambda done, total: None,
        step: Step = lambda done, total, date: None,
    ) -> Report:
        """Summarise every due day, saved day by day. configured: name of the person's own summarizer, default that of this run.

        `LockTimeout` while another run goes on; `ValidationFailed` for a list that cannot be read; what the summarizer raises as `Fatal`.
        """
        bank = self._bank
        summarizer = summarizer or Extractive()
        with Running(bank.layout, "memorybank episodes update", bank.clock) as run:
            kept = Store(bank.layout)
            store.refuse_broken(bank.layout, kept.read())
            sources = self.sources()
            plan = coverage.plan(update.inventory(sources, scan), kept.read().entries, self.today, by=summarizer.name, since=since)

            def tell(done: int, total: int, date: str) -> None:
                run.at(done, total, date)
                step(done, total, date)

            setting = Setting(summarizer, self.calendar, bank.clock, self._redact, configured or summarizer.name, bank.settings.episodes.summary_characters)
            return update.run(kept, sources, plan.due, setting, Report(given_up=plan.given_up), tell)

    def sources(self) -> list[LogSource]:
        """Every log of this bank that has days."""
        return [*EventLogs(bases.describe(self._bank.layout, self._bank.clock), self.calendar).sources(), *self._chats()]

    def _chats(self) -> list[ChatLog]:
        return [ChatLog(self._chat_folder(name), name, self.calendar, self._redact) for name in self._bank.settings.episodes.chat_logs]

    def _chat_folder(self, name: str) -> str:
        """The folder of a chat log, which lies in the repository whatever links say."""
        layout = self._bank.layout
        root = layout.repository or os.path.dirname(os.path.dirname(layout.root))
        folder = os.path.realpath(os.path.join(root, name))
        if not folder.startswith(os.path.realpath(root) + os.sep):
            raise UsageError(f"chat_logs: {name!r} leads out of the repository", next_step="take the folder out of chat_logs in config/episodes_config.json")
        return folder

    def _redact(self, text: str) -> str:
        return redact(text, self._key)

    @cached_property
    def _key(self) -> bytes | None:
        return log_key.load(self._bank.layout)
