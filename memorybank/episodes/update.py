"""`episodes update`: one summary for each due day, saved day by day, so that the next run completes one that was stopped.

The caller holds the lock.
Source: episodic memory specification, section 4 A.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple, Protocol

from memorybank.clock import Clock
from memorybank.episodes import coverage
from memorybank.episodes.coverage import DueSummary
from memorybank.episodes.dates import LocalCalendar
from memorybank.episodes.daylog import DayLog, DayMessage
from memorybank.episodes.entry import BRIEF, ERROR, ERROR_TEXT, Episode, made
from memorybank.episodes.store import EpisodeStore
from memorybank.summarize.summarizer import (
    EXTRACTIVE,
    ChatText,
    DaySummary,
    DayText,
    SessionItem,
    Summarizer,
    SummarizerBusy,
    SummaryRefused,
    Tokens,
    budget_of,
    weaker,
)

BRIEF_CHARACTERS = 50
"""Characters below which a day needs no summary."""
BRIEF_LIMIT = 200
MOST_SKIPPED = 3
"""Number of consecutive days with a busy summarizer that end the run."""
Inventory = dict[str, dict[str, str]]


class SummaryMaterial(NamedTuple):
    """The material that a summarizer gets from some messages. language: `en` or `ja`; items: (instant in ms, part or message), in the order of time."""

    language: str
    items: tuple[tuple[int, SessionItem | ChatText], ...]


class LogSource(Protocol):
    """A log that is divided into days: a session of the bank's event log, or a plain chat log.

    It returns only redacted text that everybody may see.
    """

    @property
    def name(self) -> str:
        """`events/<session>` or `chat/<folder>`, the same on every machine that has this log."""

    def digests(self, since: str = "") -> dict[str, str]:
        """Return {date: digest of all its messages} without keeping the messages in memory.

        since: a date; days before it may be missing
        """

    def read(self, date: str) -> DayLog:
        """Return the messages of a date that `digests` contains."""

    def material(self, messages: Sequence[DayMessage]) -> SummaryMaterial:
        """Return the material for a summarizer from some messages of this source."""


@dataclass(frozen=True, slots=True)
class EpisodeRunSettings:
    """The settings of one run.

    redact: applied to every summary
    configured: the summarizer that the person configured; a text by a weaker one is a draft
    most: maximum characters of a summary
    """

    summarizer: Summarizer
    calendar: LocalCalendar
    clock: Clock
    redact: Callable[[str], str]
    configured: str = EXTRACTIVE
    most: int = 1_200


@dataclass(slots=True)
class DayWork:
    """The messages of one due day.

    messages: {source: the messages to summarise}
    digests: {source: digest up to the last of them}
    """

    due: DueSummary
    messages: dict[str, list[DayMessage]]
    digests: dict[str, str]
    material: SummaryMaterial

    @property
    def characters(self) -> int:
        """Number of characters recorded on this day."""
        return sum(message.size for messages in self.messages.values() for message in messages)

    @property
    def is_brief(self) -> bool:
        """Whether the day has too few characters for a summary."""
        return sum(len(message.text) for messages in self.messages.values() for message in messages) < BRIEF_CHARACTERS


@dataclass(slots=True)
class EpisodeRunReport:
    """The result of a run.

    written: entries in the order of work
    skipped: dates for which the summarizer was busy
    failed: (date, kind, message)
    given_up: dates that are not tried again
    tokens: None when no model was asked
    left: number of days that were not reached
    """

    written: list[Episode] = field(default_factory=list)
    skipped: list[str] = field(default_factory=list)
    failed: list[tuple[str, str, str]] = field(default_factory=list)
    given_up: tuple[str, ...] = ()
    tokens: Tokens | None = None
    left: int = 0


def inventory(sources: Iterable[LogSource], step: Callable[[int, int], None] = lambda done, total: None) -> Inventory:
    """Return {date: {source: digest}} of everything that the sources hold. step: called with (sources done, total)."""
    found: Inventory = {}
    known = list(sources)
    for number, source in enumerate(known, 1):
        for date, digest in source.digests().items():
            found.setdefault(date, {})[source.name] = digest
        step(number, len(known))
    return found


def gather(due: DueSummary, sources: Mapping[str, LogSource], entries: Sequence[Episode]) -> DayWork | None:
    """Return the uncovered messages of a due day, or None when nothing is left to summarise.

    For a draft these are exactly the messages that the draft summarises.
    """
    messages: dict[str, list[DayMessage]] = {}
    digests: dict[str, str] = {}
    materials = []
    others = coverage.covered_digests(entry for entry in entries if due.again is None or entry.encoded != due.again.encoded)
    ends = {source: digest for _, source, digest in due.again.covers} if due.again is not None else {}
    for name in due.sources:
        log = sources[name].read(due.date)
        end = log.covered_count((ends[name],)) if name in ends else len(log.messages)
        if name in ends and not end:
            return None  # the log no longer contains the messages of the draft
        begin = max((number for number, digest in enumerate(log.digests[:end], 1) if digest in others.get((due.date, name), ())), default=0)
        if begin < end:
            messages[name] = list(log.messages[begin:end])
            digests[name] = log.digests[end - 1]
            materials.append(sources[name].material(messages[name]))
    return DayWork(due, messages, digests, _together(materials)) if messages else None


def run(
    store: EpisodeStore,
    sources: Iterable[LogSource],
    due: Sequence[DueSummary],
    setting: EpisodeRunSettings,
    report: EpisodeRunReport,
    step: Callable[[int, int, str], None],
    in_time: Callable[[], bool] = lambda: True,
) -> EpisodeRunReport:
    """Summarise the due days, oldest first.

    step: called with (done, total, date) before each day and at the end
    in_time: called before each day; False ends the run

    Raises Fatal from the summarizer: nothing of that day is saved, the days before it are.
    """
    by_name = {source.name: source for source in sources}
    in_a_row = 0
    for number, item in enumerate(due):
        if not in_time():
            report.left = len(due) - number
            return report
        step(number, len(due), item.date)
        work = gather(item, by_name, store.read().entries)
        if work is None:
            continue
        try:
            entry: Episode | None = _summarised(work, setting, report)
        except SummarizerBusy:
            report.skipped.append(item.date)
            in_a_row += 1
            if in_a_row == MOST_SKIPPED:
                report.left = len(due) - number - 1
                break
            continue
        except SummaryRefused as error:
            report.failed.append((item.date, error.kind, error.message))
            entry = None if item.again is not None else _failed(work, setting, error.kind)
        in_a_row = 0
        if entry is not None and _save(store, work, entry) and not entry.is_error:
            report.written.append(entry)
    step(len(due), len(due), "")
    return report


def _summarised(work: DayWork, setting: EpisodeRunSettings, report: EpisodeRunReport) -> Episode:
    due = work.due
    if work.is_brief:
        return _brief(work, setting)
    budget = budget_of(work.characters, setting.most)
    parts = tuple(what for _, what in work.material.items if isinstance(what, SessionItem))
    said = tuple(what for _, what in work.material.items if isinstance(what, ChatText))
    summary = setting.summarizer.summarise(DayText(due.date, work.material.language, budget, parts, said))
    if summary.tokens is not None:
        report.tokens = summary.tokens if report.tokens is None else report.tokens + summary.tokens
    text = setting.redact(summary.text).strip()
    return _entry(work, setting, due.kind, text, summary) if text else _brief(work, setting)


def _entry(work: DayWork, setting: EpisodeRunSettings, kind: str, text: str, summary: DaySummary) -> Episode:
    return made(
        work.due.date,
        text,
        setting.calendar.stamp(setting.clock.now()),
        kind=kind,
        by=summary.by,
        covers=_covers(work),
        draft=weaker(summary.by, setting.configured),
        truncated=summary.truncated,
    )


def _brief(work: DayWork, setting: EpisodeRunSettings) -> Episode:
    """Return the entry of a day with hardly any text: the text itself. No model is asked."""
    words = " / ".join(" ".join(message.text.split()) for messages in work.messages.values() for message in messages if message.text.strip())
    text = setting.redact(words)
    text = text if len(text) <= BRIEF_LIMIT else text[: BRIEF_LIMIT - 1] + "…"
    return made(work.due.date, text, setting.calendar.stamp(setting.clock.now()), kind=BRIEF, by=EXTRACTIVE, covers=_covers(work))


def _failed(work: DayWork, setting: EpisodeRunSettings, kind: str) -> Episode:
    now = setting.calendar.stamp(setting.clock.now())
    error = {"kind": kind, "attempts": work.due.attempts + 1, "last_at": now}
    return made(work.due.date, ERROR_TEXT, now, kind=ERROR, by=setting.summarizer.name, covers=_covers(work), error=error)


def _covers(work: DayWork) -> list[tuple[str, str, str]]:
    return [(work.due.date, source, digest) for source, digest in work.digests.items()]


def _save(store: EpisodeStore, work: DayWork, entry: Episode) -> bool:
    """Add the entry to the current list and return whether it was still needed: somebody may have edited the draft or pulled the same day."""
    saved = True

    def edit(entries: list[Episode]) -> list[Episode]:
        nonlocal saved
        draft = work.due.again
        if draft is not None and draft.encoded not in {other.encoded for other in entries}:
            saved = False
            return entries
        # The summarizer takes time, so the list is checked again: a pulled entry can cover this day by now.
        known = coverage.covered_digests(other for other in entries if draft is None or other.encoded != draft.encoded)
        if all(digest in known.get((date, source), ()) for date, source, digest in entry.covers):
            saved = False
            return entries
        replaced = {other.encoded for other in (*work.due.errors, *((draft,) if draft is not None else ()))}
        return [*(other for other in entries if other.encoded not in replaced), entry]

    store.change(edit)
    return saved


def _together(materials: Sequence[SummaryMaterial]) -> SummaryMaterial:
    """Return the material of all sources in the order of time, in the language of most of its text."""
    items = sorted((item for one in materials for item in one.items), key=lambda item: item[0])
    sizes: dict[str, int] = {}
    for one in materials:
        sizes[one.language] = sizes.get(one.language, 0) + sum(len(what.text) for _, what in one.items)
    return SummaryMaterial(max(sorted(sizes), key=lambda language: sizes[language]) if sizes else "en", tuple(items))
