"""The episodes of a bank: connects its event log and chat logs, the person's summarizer, the list of episodes, and the lock."""

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

from memorybank.bank import arguments
from memorybank.bank.arguments import BankFacade, Instant
from memorybank.config import settings as configuration
from memorybank.config.episodes import LOOKBACKS, days_of
from memorybank.cycle import base as bases
from memorybank.cycle.finish.days import EventLogs
from memorybank.editing.write import update as update_file
from memorybank.episodes import archive, chat, compaction, coverage, dates, fitting, list_file, running, update, window
from memorybank.episodes import repair as repairing
from memorybank.episodes.chat import ChatLog
from memorybank.episodes.compaction import MergeableWeek
from memorybank.episodes.coverage import SummaryPlan
from memorybank.episodes.dates import LocalCalendar
from memorybank.episodes.entry import MEMORY, WEEK, Episode
from memorybank.episodes.fitting import EpisodeBlock
from memorybank.episodes.indexing import bring_up_to_date
from memorybank.episodes.list_file import StoredEpisodes
from memorybank.episodes.repair import RepairReport
from memorybank.episodes.running import EpisodeRunProgress, EpisodesLock
from memorybank.episodes.store import EpisodeStore
from memorybank.episodes.update import EpisodeRunReport, EpisodeRunSettings, LogSource, SummaryMaterial
from memorybank.episodes.window import RawLog
from memorybank.errors import MemorybankError, NotFound, UsageError
from memorybank.log import events, sessions
from memorybank.log import key as log_key
from memorybank.storage import disk
from memorybank.summarize.extractive import ExtractiveSummarizer
from memorybank.summarize.summarizer import EXTRACTIVE, ChatText, DayText, SessionItem, Summarizer
from memorybank.text.secrets.redact import redact

if TYPE_CHECKING:
    from memorybank.bank.topics import TopicsFacade

Scan = Callable[[int, int], None]
Step = Callable[[int, int, str], None]


INJECTED = 9_500
"""Budget in UTF-16 units: as much as a hook may pass to a host."""
PIECE_CHARACTERS = 400
"""Maximum number of characters for one session and day that no episode covers."""


class DayPlan(NamedTuple):
    """One due day with its size.

    kind: `day`, `supplement` or `draft`
    messages, characters: amount that no episode covers yet
    attempts: number of failed attempts
    """

    date: str
    kind: str
    sources: tuple[str, ...]
    messages: int
    characters: int
    attempts: int


class Episodes(BankFacade):
    """The operations of `memorybank episodes`. A parameter `since` is the first day to consider."""

    @cached_property
    def calendar(self) -> LocalCalendar:
        """The calendar of the bank's time zone."""
        return LocalCalendar(self._bank.settings.episodes.timezone)

    @cached_property
    def topics(self) -> "TopicsFacade":
        """The subjects of the episodes."""
        from memorybank.bank.topics import TopicsFacade

        return TopicsFacade(self._bank)

    @property
    def lookback(self) -> str:
        """How many past days of episodes are shown, as written in the settings: `1w`, or a number of days."""
        return self._bank.settings.episodes.lookback

    def set_lookback(self, text: str) -> str:
        """Store another lookback in `config/episodes_config.json` without changing anything else there, and return it.

        Raises `UsageError` for an invalid lookback.
        """
        self._lookback(text)
        layout, name = self._bank.layout, "config/episodes_config.json"
        shown = layout.relative(os.path.join(layout.root, name))
        update_file(layout, "memorybank episodes lookback", self._bank.clock, name, lambda data: configuration.with_key(data, shown, "lookback", text))
        return text

    @property
    def today(self) -> str:
        """Today's date in the bank's time zone."""
        return self.calendar.day_of(self._bank.clock.now())

    def stored(self) -> StoredEpisodes:
        """Return the list as it is on disk. `broken` says why it cannot be read."""
        return list_file.read(self._bank.layout)

    def readable(self) -> tuple[Episode, ...]:
        """Return the entries of the list, oldest first. Raises `ValidationFailed` when it cannot be read."""
        found = self.stored()
        list_file.refuse_broken(self._bank.layout, found)
        return found.entries

    def of_date(self, date: Instant) -> list[Episode]:
        """Return every entry of the list that covers a date."""
        on = arguments.day(self._bank, date, "date")
        return [entry for entry in self.readable() if entry.first and entry.first <= on <= entry.last]

    def document(self, memory: str) -> list[Episode]:
        """Return the entries with the id that search and recall use, `episode:2025-09-17` or the range of a merged week.

        For a date: every entry that covers it, and for a merged week also the entries it was made from. For a range: the entries of exactly this range.
        Raises `NotFound` for an invalid id, and when no episode covers it.
        """
        first, last = dates.parse(memory.removeprefix(MEMORY))
        if not first:
            raise NotFound(f"{memory} is not the id of an episode", next_step="write it as episode:2025-09-17; 'memorybank episodes list' lists the dates")
        if first != last:
            found = [entry for entry in self.readable() if (entry.first, entry.last) == (first, last)]
        else:
            found = self.of_date(first)
            if any(entry.kind == WEEK for entry in found):
                found += self.archived(first)
        if not found:
            raise NotFound(f"no episode covers {dates.written(first, last)}", next_step="'memorybank episodes list' lists the dates")
        return found

    def archived(self, date: Instant) -> list[Episode]:
        """Return the entries of a date that were merged into its week."""
        on = arguments.day(self._bank, date, "date")
        return [entry for entry in archive.read(self._bank.layout, dates.week_name(on)) if entry.first <= on <= entry.last]

    def ripe(self) -> list[MergeableWeek]:
        """Return the weeks that `compact` would merge."""
        return compaction.mergeable_weeks(update.inventory(self.sources()), self.readable(), self.today)

    def compact(self, *, summarizer: Summarizer | None = None, configured: str | None = None, step: Step = lambda done, total, date: None) -> list[Episode]:
        """Merge every ripe week and return the new entries. Raises as `update` does."""
        with self._running("memorybank episodes compact") as run:
            kept = EpisodeStore(self._bank.layout, self._bank.clock)
            list_file.refuse_unwritable(self._bank.layout, kept.read())
            weeks = compaction.mergeable_weeks(update.inventory(self.sources()), kept.read().entries, self.today)
            return compaction.merge_all(kept, weeks, self._setting(summarizer, configured), _both(run.at, step))

    def repair(self) -> RepairReport:
        """Make an unreadable list readable, and schedule abandoned days for another attempt."""
        with self._running("memorybank episodes repair"):
            return repairing.repair(EpisodeStore(self._bank.layout, self._bank.clock), self._bank.clock)

    def unfold(self, week: str) -> list[Episode]:
        """Put the days of a merged week back into the list.

        Raises `UsageError` for an invalid name, `NotFound` when the week has no archive.
        """
        if dates.week_of(week) is None:
            raise UsageError(f"{week!r} is not a week", next_step="write it as 2025-W38")
        with self._running("memorybank episodes repair"):
            found = compaction.unfold(EpisodeStore(self._bank.layout, self._bank.clock), week)
        if not found:
            raise NotFound(f"no merged week {week}", next_step=f"the merged weeks are: {', '.join(archive.names(self._bank.layout)) or 'none'}")
        return found

    def progress(self) -> EpisodeRunProgress | None:
        """Return the progress of the current run, or None."""
        return running.progress(self._bank.layout)

    def due(self, *, since: Instant | None = None, by: str = EXTRACTIVE, scan: Scan = lambda done, total: None) -> tuple[list[DayPlan], SummaryPlan]:
        """Return (what an update would do, the plan itself). Changes nothing."""
        sources = self.sources()
        entries = self.readable()
        plan = coverage.plan(update.inventory(sources, scan), entries, self.today, by=by, since=arguments.day(self._bank, since, "since"))
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
        since: Instant | None = None,
        summarizer: Summarizer | None = None,
        configured: str | None = None,
        scan: Scan = lambda done, total: None,
        step: Step = lambda done, total, date: None,
    ) -> EpisodeRunReport:
        """Summarize every due day. Each day is saved when it is done.

        configured: name of the person's own summarizer; default is that of this run
        Raises `LockTimeout` while another run is in progress, `ValidationFailed` for a list that cannot be read, and whatever the
        summarizer raises as `SummarizerUnusable`.
        """
        bank = self._bank
        by = summarizer.name if summarizer is not None else EXTRACTIVE
        with self._running("memorybank episodes update") as run:
            kept = EpisodeStore(bank.layout, bank.clock)
            list_file.refuse_unwritable(bank.layout, kept.read())
            sources = self.sources()
            plan = coverage.plan(update.inventory(sources, scan), kept.read().entries, self.today, by=by, since=arguments.day(bank, since, "since"))

            report = EpisodeRunReport(given_up=plan.given_up)
            return update.run(kept, sources, plan.due, self._setting(summarizer, configured), report, _both(run.at, step))

    @contextmanager
    def _running(self, command: str) -> Iterator[EpisodesLock]:
        """Hold the lock of one run. However it ends, recall and search then use the new list."""
        try:
            with EpisodesLock(self._bank.layout, command, self._bank.clock) as run:
                yield run
        finally:
            self._index()

    def _index(self) -> None:
        """Bring the index's episodes up to date. If it cannot be written now, the next search does this."""
        with suppress(MemorybankError), self._bank.opened() as index:
            bring_up_to_date(index)

    def _setting(self, summarizer: Summarizer | None, configured: str | None) -> EpisodeRunSettings:
        used = summarizer or ExtractiveSummarizer()
        bank = self._bank
        return EpisodeRunSettings(used, self.calendar, bank.clock, self._redact, configured or used.name, bank.settings.episodes.summary_characters)

    def inject(self, raw: RawLog, *, lookback: str | None = None, budget: int = INJECTED) -> EpisodeBlock | None:
        """Return the block to show next to a raw log, or None when the lookback is 0.

        lookback: default is that of the settings
        budget: UTF-16 units
        Raises `UsageError` for an invalid lookback, `ValidationFailed` for a list that cannot be read.
        """
        days = self._lookback(lookback)
        entries = self.readable()
        sources = {source.name: source for source in self.sources()}
        first = dates.plus(raw.date, -days)
        logs = (source.read(date) for source in sources.values() for date in sorted(source.digests(first)) if date >= first)
        selection = window.select(raw, days, entries, logs, lambda week: archive.unfolded(self._bank.layout, week))
        if selection is None:
            return None
        return fitting.compose(selection, lambda piece: [self._words(sources[piece.source].material(piece.messages))], budget)

    def raw_from(self, begin: Instant | None, session: str | None = None) -> RawLog:
        """Return the boundary of a raw log at an instant. Raises `UsageError` for an invalid one.

        begin: None or a future time means now
        session: whose raw log it is. Without it, the raw log contains everything from the boundary on, and nothing when `begin` is None.
        """
        now = self._bank.clock.now()
        given = arguments.instant(self._bank, begin, "begin")
        at = now if given is None else given
        sources: tuple[str, ...] | None = () if begin is None else None
        if session is not None:
            sources = (events.source_of(sessions.find(self._bank.layout, session)),)
        at = min(at, now)
        return RawLog(at, self.calendar.day_of(at), sources)

    def raw_log(self, path: str, turns: int | None = None) -> RawLog:
        """Return the boundary of a plain chat log that is about to be sent.

        turns: only this many of its last turns are sent; None for all
        """
        if turns is not None:
            arguments.at_least(turns, 0, "turns")
        now = self._bank.clock.now()
        spoken = chat.parse(chat.decode(disk.read(os.path.abspath(path), chat.MAX_BYTES)), self.calendar)
        at = chat.boundary(spoken, now, turns)
        holding = os.path.dirname(os.path.realpath(path))
        return RawLog(at, self.calendar.day_of(at), tuple(log.name for log in self._chats() if log.folder == holding))

    def _lookback(self, text: str | None) -> int:
        wanted = self._bank.settings.episodes.lookback if text is None else text
        days = days_of(wanted)
        if days is None:
            raise UsageError(f"{wanted!r} is not a lookback", next_step=f"use one of {', '.join(LOOKBACKS)}, or a number of days; 0 switches it off")
        return days

    def _words(self, told: SummaryMaterial) -> str:
        parts = tuple(what for _, what in told.items if isinstance(what, SessionItem))
        said = tuple(what for _, what in told.items if isinstance(what, ChatText))
        return self._redact(ExtractiveSummarizer(also=False).summarise(DayText("", told.language, PIECE_CHARACTERS, parts, said)).text)

    def sources(self) -> list[LogSource]:
        """Return every log of this bank that is divided into days."""
        return [*EventLogs(bases.describe(self._bank.layout, self._bank.clock), self.calendar).sources(), *self._chats()]

    def _chats(self) -> list[ChatLog]:
        return [ChatLog(self._chat_folder(name), name, self.calendar, self._redact) for name in self._bank.settings.episodes.chat_logs]

    def _chat_folder(self, name: str) -> str:
        """Return the folder of a chat log. It must be in the repository after symbolic links are resolved."""
        layout = self._bank.layout
        root = layout.work_tree
        folder = os.path.realpath(os.path.join(root, name))
        if not folder.startswith(os.path.realpath(root) + os.sep):
            raise UsageError(f"chat_logs: {name!r} leads out of the repository", next_step="remove the folder from chat_logs in config/episodes_config.json")
        return folder

    def _redact(self, text: str) -> str:
        return redact(text, self._key)

    @cached_property
    def _key(self) -> bytes | None:
        return log_key.load(self._bank.layout)


def _both(one: Step, other: Step) -> Step:
    """Combine two progress callbacks: one for the lock file, one for the person."""

    def step(done: int, total: int, date: str) -> None:
        one(done, total, date)
        other(done, total, date)

    return step
