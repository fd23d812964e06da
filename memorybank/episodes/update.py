"""`episodes update`: one summary a due day, saved after every day, so that a run that is stopped is finished by the next one.

The caller holds the lock. Source: episodic memory specification, section 4 A.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from memorybank.clock import Clock
from memorybank.episodes import coverage
from memorybank.episodes.calendar import Calendar
from memorybank.episodes.coverage import Due
from memorybank.episodes.daylog import Message
from memorybank.episodes.entry import BRIEF, ERROR, ERROR_TEXT, Episode, made
from memorybank.episodes.sources.source import LogSource, Told
from memorybank.episodes.store import Store
from memorybank.summarize.summarizer import EXTRACTIVE, DayText, Part, Permanent, Said, Summarizer, Summary, Tokens, Transient, budget_of, weaker

BRIEF_CHARACTERS = 50
"""A day with fewer characters needs no summary."""
BRIEF_LIMIT = 200
MOST_SKIPPED = 3
"""So many days in a row that a summarizer could not do now end the run."""
Inventory = dict[str, dict[str, str]]


@dataclass(frozen=True, slots=True)
class Setting:
    """What one run works with. configured: name of the summarizer that the person set up, against which a weaker one's text is a draft;
    redact: applied to every summary; most: characters of a summary."""

    summarizer: Summarizer
    calendar: Calendar
    clock: Clock
    redact: Callable[[str], str]
    configured: str = EXTRACTIVE
    most: int = 1_200


@dataclass(slots=True)
class Work:
    """What one due day is made of. messages: {source: those to tell}; digests: {source: digest up to the last of them}."""

    due: Due
    messages: dict[str, list[Message]]
    digests: dict[str, str]
    told: Told

    @property
    def characters(self) -> int:
        """Of everything that was recorded."""
        return sum(message.size for messages in self.messages.values() for message in messages)

    @property
    def is_brief(self) -> bool:
        return sum(len(message.text) for messages in self.messages.values() for message in messages) < BRIEF_CHARACTERS


@dataclass(slots=True)
class Report:
    """written: entries in the order of work; skipped: dates whose summarizer was busy; failed: (date, kind, what it said); given_up:
    dates that are tried no more; tokens: None when no model was asked; left: days that a run that ended early did not come to."""

    written: list[Episode] = field(default_factory=list)
    skipped: list[str] = field(default_factory=list)
    failed: list[tuple[str, str, str]] = field(default_factory=list)
    given_up: tuple[str, ...] = ()
    tokens: Tokens | None = None
    left: int = 0


def inventory(sources: Iterable[LogSource], step: Callable[[int, int], None] = lambda done, total: None) -> Inventory:
    """{date: {source: digest}} of everything that the sources hold."""
    found: Inventory = {}
    known = list(sources)
    for number, source in enumerate(known, 1):
        for date, digest in source.digests().items():
            found.setdefault(date, {})[source.name] = digest
        step(number, len(known))
    return found


def gather(due: Due, sources: Mapping[str, LogSource], entries: Sequence[Episode]) -> Work | None:
    """The untold messages of a due day (of a draft: the very ones that it tells), or None when there is nothing any more."""
    messages: dict[str, list[Message]] = {}
    digests: dict[str, str] = {}
    told = []
    others = coverage.told(entry for entry in entries if due.again is None or entry.encoded != due.again.encoded)
    ends = {source: digest for _, source, digest in due.again.covers} if due.again is not None else {}
    for name in due.sources:
        log = sources[name].read(due.date)
        end = log.told((ends[name],)) if name in ends else len(log.messages)
        if name in ends and not end:
            return None  # the log is another one than the draft was made of
        begin = max((number for number, digest in enumerate(log.digests[:end], 1) if digest in others.get((due.date, name), ())), default=0)
        if begin < end:
            messages[name] = list(log.messages[begin:end])
            digests[name] = log.digests[end - 1]
            told.append(sources[name].tell(messages[name]))
    return Work(due, messages, digests, _together(told)) if messages else None


def run(
    store: Store,
    sources: Iterable[LogSource],
    due: Sequence[Due],
    setting: Setting,
    report: Report,
    step: Callable[[int, int, str], None],
    in_time: Callable[[], bool] = lambda: True,
) -> Report:
    """Do what is due, oldest first. step: (done, total, date), before each day and at the end; in_time: asked before each day.

    `Fatal` of the summarizer passes through, and nothing of that day is saved; days before it are.
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
        except Transient:
            report.skipped.append(item.date)
            in_a_row += 1
            if in_a_row == MOST_SKIPPED:
                report.left = len(due) - number - 1
                break
            continue
        except Permanent as error:
            report.failed.append((item.date, error.kind, error.message))
            entry = None if item.again is not None else _failed(work, setting, error.kind)
        in_a_row = 0
        if entry is not None and _save(store, work, entry) and not entry.is_error:
            report.written.append(entry)
    step(len(due), len(due), "")
    return report


def _summarised(work: Work, setting: Setting, report: Report) -> Episode:
    due = work.due
    if work.is_brief:
        return _brief(work, setting)
    budget = budget_of(work.characters, setting.most)
    parts = tuple(what for _, what in work.told.items if isinstance(what, Part))
    said = tuple(what for _, what in work.told.items if isinstance(what, Said))
    summary = setting.summarizer.summarise(DayText(due.date, work.told.language, budget, parts, said))
    if summary.tokens is not None:
        report.tokens = summary.tokens if report.tokens is None else report.tokens + summary.tokens
    text = setting.redact(summary.text).strip()
    return _entry(work, setting, due.kind, text, summary) if text else _brief(work, setting)


def _entry(work: Work, setting: Setting, kind: str, text: str, summary: Summary) -> Episode:
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


def _brief(work: Work, setting: Setting) -> Episode:
    """A day that says next to nothing, in its own words; no model is asked."""
    words = " / ".join(" ".join(message.text.split()) for messages in work.messages.values() for message in messages if message.text.strip())
    text = setting.redact(words)
    text = text if len(text) <= BRIEF_LIMIT else text[: BRIEF_LIMIT - 1] + "…"
    return made(work.due.date, text, setting.calendar.stamp(setting.clock.now()), kind=BRIEF, by=EXTRACTIVE, covers=_covers(work))


def _failed(work: Work, setting: Setting, kind: str) -> Episode:
    now = setting.calendar.stamp(setting.clock.now())
    error = {"kind": kind, "attempts": work.due.attempts + 1, "last_at": now}
    return made(work.due.date, ERROR_TEXT, now, kind=ERROR, by=setting.summarizer.name, covers=_covers(work), error=error)


def _covers(work: Work) -> list[tuple[str, str, str]]:
    return [(work.due.date, source, digest) for source, digest in work.digests.items()]


def _save(store: Store, work: Work, entry: Episode) -> bool:
    """Put the entry into the list as it is now; whether it was needed still: somebody may have edited the draft or pulled the same day."""
    saved = True

    def edit(entries: list[Episode]) -> list[Episode]:
        nonlocal saved
        draft = work.due.again
        if draft is not None and draft.encoded not in {other.encoded for other in entries}:
            saved = False
            return entries
        known = coverage.told(other for other in entries if draft is None or other.encoded != draft.encoded)
        if all(digest in known.get((date, source), ()) for date, source, digest in entry.covers):
            saved = False
            return entries
        replaced = {other.encoded for other in (*work.due.errors, *((draft,) if draft is not None else ()))}
        return [*(other for other in entries if other.encoded not in replaced), entry]

    store.change(edit)
    return saved


def _together(told: Sequence[Told]) -> Told:
    """What all sources came to, in the order of time, in the language in which most is told."""
    items = sorted((item for one in told for item in one.items), key=lambda item: item[0])
    sizes: dict[str, int] = {}
    for one in told:
        sizes[one.language] = sizes.get(one.language, 0) + sum(len(what.text) for _, what in one.items)
    return Told(max(sorted(sizes), key=lambda language: sizes[language]) if sizes else "en", tuple(items))
