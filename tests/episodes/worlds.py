"""Worlds for episodes: logs in memory, with summarizers that repeat every key they receive, so that a test can see from any text which events it covers."""

import json
from pathlib import Path

from memorybank.clock import FixedClock
from memorybank.episodes import compaction, coverage, list_file, update
from memorybank.episodes.dates import LocalCalendar
from memorybank.episodes.daylog import DayLog, DayMessage
from memorybank.episodes.entry import Episode, sort
from memorybank.episodes.store import EpisodeStore
from memorybank.episodes.update import EpisodeRunReport, EpisodeRunSettings, SummaryMaterial
from memorybank.summarize.summarizer import ChatText, DaySummary, SummarizerBusy, SummaryRefused

CLOCK = FixedClock(0)

DAY = 86_400_000
HOUR = 3_600_000


class Log:
    """A growing source. events: (at, text) in the order of writing; the key of the n-th is `<name>:n`."""

    def __init__(self, name, calendar):
        self.name = name
        self.calendar = calendar
        self.events = []

    def add(self, at, length=60):
        key = f"{self.name.replace('/', '-')}:{len(self.events)}"
        self.events.append(DayMessage(at, "user", key.ljust(length, "."), key))

    def digests(self, since=""):
        return {date: self.read(date).digest for date in {self.calendar.day_of(event.at) for event in self.events}}

    def read(self, date):
        return DayLog(date, self.name, [event for event in self.events if self.calendar.day_of(event.at) == date])

    def material(self, messages):
        return SummaryMaterial("en", tuple((message.at, ChatText("", message.key)) for message in messages))


class Repeats:
    """A summarizer that repeats every key. outcome: {date: "permanent" | "transient"}."""

    def __init__(self, name="extractive", outcome=()):
        self.name = name
        self.outcome = dict(outcome)
        self.asked = []

    def summarise(self, day):
        self.asked.append(day.date)
        how = self.outcome.get(day.date)
        if how == "transient":
            raise SummarizerBusy("busy", attempts=3)
        if how == "permanent":
            raise SummaryRefused("no", kind="refusal")
        return DaySummary(" ".join(message.text for message in day.said), self.name)


def keys_in(text):
    """Return the events that a text covers."""
    return [word for word in text.split() if ":" in word]


def replaced(layout):
    """Return every entry that was once in the list and was replaced, in the order of dates."""
    folder = Path(list_file.replaced_folder(layout))
    return sort([Episode(json.loads(path.read_text(encoding="utf-8"))) for path in folder.glob("*.json")])


class World:
    """A bank's episodes with logs in memory."""

    def __init__(self, layout, zone="UTC", now=0):
        self.layout = layout
        self.calendar = LocalCalendar(zone)
        self.clock = FixedClock(now)
        self.logs = {}

    @property
    def store(self):
        return EpisodeStore(self.layout, CLOCK)

    @property
    def entries(self):
        stored = self.store.read()
        assert not stored.broken
        return stored.entries

    @property
    def today(self):
        return self.calendar.day_of(self.clock.now())

    def log(self, name):
        return self.logs.setdefault(name, Log(name, self.calendar))

    def setting(self, summarizer, configured=None):
        return EpisodeRunSettings(summarizer, self.calendar, self.clock, lambda text: text, configured or summarizer.name)

    def update(self, summarizer=None, configured=None, **limits):
        summarizer = summarizer or Repeats()
        sources = list(self.logs.values())
        plan = coverage.plan(update.inventory(sources), self.entries, self.today, by=summarizer.name, **limits)
        return update.run(
            self.store, sources, plan.due, self.setting(summarizer, configured), EpisodeRunReport(given_up=plan.given_up), lambda done, total, date: None
        )

    def ripe(self):
        return compaction.mergeable_weeks(update.inventory(self.logs.values()), self.entries, self.today)

    def compact(self, summarizer=None):
        return compaction.merge_all(self.store, self.ripe(), self.setting(summarizer or Repeats()), lambda done, total, week: None)
