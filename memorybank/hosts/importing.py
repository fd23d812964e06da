"""Imports transcripts: sessions from before memorybank was installed, or without its hooks, become lines of the event logs.

A transcript's events take the same path as a hook's (`HookRouter.take_in`) and get the same ids. Importing twice therefore adds nothing,
and importing after hooks adds only what the hooks could not see. Every batch is one locked append: an interrupted import keeps what it
wrote, and the next run continues. Transcripts are only read, never changed.
"""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields
from typing import Any, NamedTuple

from memorybank import clock as time_of
from memorybank.cycle import event as events
from memorybank.cycle.base import CycleContext
from memorybank.cycle.event import Event
from memorybank.cycle.router import HookRouter
from memorybank.hosts import registration
from memorybank.hosts.detect import CLAUDE_CODE, CODEX, dialect
from memorybank.hosts.transcripts import claude_code, codex, gemini
from memorybank.hosts.transcripts.found import Transcript, TranscriptLines, repository_of
from memorybank.hosts.transcripts.reading import DAMAGED, FRAME, LOOSE, TOO_LONG, TranscriptEvent, TranscriptReading
from memorybank.log import events as log
from memorybank.log import lines
from memorybank.storage.layout import Layout

_EARLY = 1_000
"""Maximum delay (ms) of a hook's line after the transcript's line of the same event."""
_MINUTE = 60_000


@dataclass(frozen=True, slots=True)
class TranscriptFault:
    """A line of a transcript that could not be used. kind: as listed in docs/format.md."""

    path: str
    line: int
    kind: str


@dataclass(slots=True)
class ImportCounts:
    """The result of importing a group of transcripts.

    found: {event: its number in the transcripts}
    added, known: number of events that were recorded now, and of those that the logs already contained
    hooked: number of events that were left to hooks, which were running at that time
    corrected: number of outcomes that a hook could not know
    too_old: number of sessions that ended before the requested time
    left_out: {kind: number of lines that contain no event}
    sessions, seen: sessions that gained a line, and all sessions
    lines: number of lines in the transcripts
    size: decompressed size of the transcripts in bytes
    """

    found: Counter[str] = field(default_factory=Counter)
    added: Counter[str] = field(default_factory=Counter)
    known: int = 0
    hooked: int = 0
    corrected: int = 0
    too_old: int = 0
    left_out: Counter[str] = field(default_factory=Counter)
    faults: list[TranscriptFault] = field(default_factory=list)
    sessions: set[str] = field(default_factory=set)
    seen: set[str] = field(default_factory=set)
    transcripts: int = 0
    lines: int = 0
    size: int = 0

    def add(self, other: "ImportCounts") -> None:
        for each in fields(self):
            mine, more = getattr(self, each.name), getattr(other, each.name)
            setattr(self, each.name, mine | more if isinstance(mine, set) else mine + more)


class TranscriptSession(NamedTuple):
    """One session as transcripts contain it.

    events: its events, in order of time
    launched: the folder in which it began
    """

    session: str
    events: list[TranscriptEvent]
    launched: str


def take_in(
    base: CycleContext,
    group: Sequence[Transcript],
    *,
    since: int | None = None,
    dry_run: bool = False,
    step: Callable[[float], None] = lambda share: None,
) -> ImportCounts:
    """Import one group of transcripts that belong together (`found.related`).

    since: leave out sessions that ended before this instant (ms).
    dry_run: whether to count only and record nothing.
    step: called with the share of the group that is done, often: at each line, while the share is 0, and at each event.
    """
    counts = ImportCounts()
    sessions = list(sessions_of(group, counts, lambda: step(0)))
    passing = _Passing(step, sum(len(found.events) for found in sessions))
    for found in sessions:
        if since is not None and max(each.event.at or 0 for each in found.events) < since:
            counts.too_old += 1
        else:
            _record(base, found._replace(events=[*found.events, *_ending(base, found.events)]), counts, dry_run, passing)
    return counts


class _Passing:
    """Reports the share of the events that were passed on. step: called with it at each event; events: their number in all sessions of the group."""

    def __init__(self, step: Callable[[float], None], events: int) -> None:
        self.step = step
        self.events = events
        self.passed = 0

    def of(self, happened: Iterable[Event]) -> Iterator[Event]:
        for event in happened:
            yield event
            self.passed += 1
            self.step(min(1.0, self.passed / self.events))


def sessions_of(group: Sequence[Transcript], counts: ImportCounts, reading: Callable[[], None] = lambda: None) -> Iterator[TranscriptSession]:
    """Yield the sessions in one group of transcripts. reading: called at each line that is read."""
    by_session: dict[str, list[TranscriptEvent]] = {}
    launched: dict[str, str] = {}
    seen: set[str] = set()
    roles: dict[str, str] = {}
    for transcript in group:
        found = _read(transcript, roles, counts, reading)
        uuids = {each.uuid for each in found.events if each.uuid}
        for each in _ordered(found.events):
            if each.uuid in seen:
                counts.left_out["copied"] += 1
                continue
            by_session.setdefault(each.event.session_id, []).append(each)
            launched.setdefault(each.event.session_id, each.event.cwd)
        seen |= uuids
    own = {transcript.session for transcript in group}
    for session, of_session in by_session.items():
        if session not in own:  # a stray line of another session, whose start and end are in its own transcript
            of_session = [each for each in of_session if each.kind != FRAME]
        if of_session:
            yield TranscriptSession(session, _in_time(of_session), launched[session])


def _read(transcript: Transcript, roles: dict[str, str], counts: ImportCounts, at_line: Callable[[], None]) -> TranscriptReading:
    """Read one transcript. roles: {id of a sub-agent: its type}. Main transcripts contain the types, and reading a sub-agent's own transcript requires them."""
    lines_ = TranscriptLines(transcript.path)
    counts.transcripts += 1
    if transcript.host == CLAUDE_CODE:
        if claude_code.is_internal(transcript.agent):
            counts.left_out["internal_agent"] += 1
            return TranscriptReading()
        reading = claude_code.read(_told(lines_, at_line), agent=transcript.agent, role=transcript.role, roles=roles)
    elif transcript.host == CODEX:
        reading = codex.read(_told(lines_, at_line))
    else:
        reading = gemini.read(_told(lines_, at_line), cwd=transcript.cwd)
    roles.update(reading.roles)
    for number in lines_.too_long:
        reading.broken(number, TOO_LONG)
    if lines_.damage:
        reading.broken(reading.lines + 1, DAMAGED)
    counts.lines += reading.lines
    counts.size += reading.size
    counts.left_out.update(reading.left_out)
    counts.faults += [TranscriptFault(transcript.path, fault.line, fault.kind) for fault in reading.faults]
    return reading


def _told(raw: Iterable[bytes], at_line: Callable[[], None]) -> Iterator[bytes]:
    for line in raw:
        at_line()
        yield line


def _ordered(found: Iterable[TranscriptEvent]) -> Iterator[TranscriptEvent]:
    """Yield events in the order of their lines, with times that never go back. An event that the host wrote late gets the time of the one
    before it; a prompt keeps its time, because it may have been typed while the agent worked."""
    latest = 0
    for each in found:
        at = each.event.at or 0
        if at < latest and each.event.name != events.PROMPT:
            each.event.at = latest
        latest = max(latest, at)
        yield each


def _in_time(found: Sequence[TranscriptEvent]) -> list[TranscriptEvent]:
    """Return a session's events in order of time, its start first, although a person may have typed something in an earlier line."""
    ordered = sorted(found, key=lambda each: (each.event.source != "startup", each.event.at or 0))
    if ordered[0].event.source == "startup":
        ordered[0].event.at = min(each.event.at or 0 for each in ordered)
    return ordered


def _ending(base: CycleContext, found: Sequence[TranscriptEvent]) -> Iterator[TranscriptEvent]:
    """Yield the end of a session that began in its transcript and has been idle long enough to be over."""
    last = found[-1].event
    idle = base.clock.now() - base.settings.organize.idle_minutes * _MINUTE
    if last.at is not None and last.at <= idle and any(each.event.name == events.SESSION_START for each in found):
        end = Event(host=last.host, name=events.SESSION_END, session_id=last.session_id, at=last.at, cwd=last.cwd, reason="other", branch=last.branch)
        end.strong_id = f"end {last.at}"
        yield TranscriptEvent(end, FRAME, 0)


def _record(base: CycleContext, found: TranscriptSession, counts: ImportCounts, dry_run: bool, passing: _Passing) -> None:
    """Record the events of one session that its log lacks."""
    session = found.session
    reported = [each for each in found.events if is_reported(each.event)]
    happened = [each.event for each in reported]
    counts.found.update(event.name for event in happened)
    counts.seen.add(session)
    ledger = _Ledger(base.layout, session, reported, counts)
    router = HookRouter(base, dialect(found.events[0].event.host).delivers)
    intake = router.intake(session, root_of=ProjectRoots(base.root, found.launched), known=ledger.refresh)
    if dry_run:
        counts.added.update(event.name for event, identifier in intake.identified(passing.of(happened)) if ledger.wants(event, identifier))
        counts.corrected += len(ledger.corrections)
        return
    for written in intake.take_in(passing.of(happened), ledger.wants):
        counts.added.update(line["event"] for line in written)
        if written:
            counts.sessions.add(session)
    corrected = intake.correct(ledger.corrections)
    counts.corrected += len(corrected)
    if corrected:
        counts.sessions.add(session)


def is_reported(event: Event) -> bool:
    """Return whether the host runs its hook for an event. Before calls, it does so only for the registered tools."""
    if event.name != events.TOOL_BEFORE:
        return True
    before = [registered for registered in registration.TABLE[event.host].events if registered.canonical == events.TOOL_BEFORE]
    return any(registered.matcher is None or re.search(registered.matcher, event.tool or "") is not None for registered in before)


class _Ledger:
    """What the log of a session already contains, and hence which of a transcript's events it lacks."""

    def __init__(self, layout: Layout, session: str, found: Sequence[TranscriptEvent], counts: ImportCounts) -> None:
        self.path = log.path_of(layout, session)
        self.offset = 0
        self.ids: set[str] = set()
        self.taken: set[str] = set()
        self.unknown: set[str] = set()
        self.first: int | None = None
        self.last = 0
        self.kinds = {id(each.event): each.kind for each in found}
        self.counts = counts
        self.corrections: list[tuple[Event, str]] = []
        self.refresh()

    def refresh(self) -> set[str]:
        """Read the lines appended to the log since the last call, and return the ids of all its lines."""
        for line in lines.read(self.path, self.offset):
            self.offset = line.end
            identifier = line.fields.get("id")
            if not isinstance(identifier, str):
                continue
            self.ids.add(identifier)
            if line.fields.get("origin") != "import":
                self._hook(identifier, line.fields)
        return self.ids

    def _hook(self, identifier: str, line: Mapping[str, Any]) -> None:
        at = time_of.parse(str(line.get("timestamp"))) or 0
        self.first = at if self.first is None else min(self.first, at)
        self.last = max(self.last, at)
        if line.get("event") == events.TOOL_AFTER and line.get("status") == events.UNKNOWN:
            self.unknown.add(identifier)

    def wants(self, event: Event, identifier: str) -> bool:
        """Return whether an event must be recorded. A known one whose outcome the hook could not know becomes a correction."""
        if identifier in self.ids or identifier in self.taken:
            self.counts.known += 1
            if identifier in self.unknown and event.status in (events.SUCCESS, events.FAILURE):
                self.unknown.discard(identifier)
                self.corrections.append((event, identifier))
            return False
        kind = self.kinds[id(event)]
        # Where hooks ran, they recorded the start, the end and everything in between, but under ids that a transcript cannot know.
        if self.first is not None and (kind == FRAME or (kind == LOOSE and self.first - _EARLY <= (event.at or 0) <= self.last)):
            self.counts.hooked += 1
            return False
        self.taken.add(identifier)
        return True


class ProjectRoots:
    """Maps the folder in which an event happened to the folder that its paths are relative to.

    own: folder of the bank's project
    launched: folder in which the session began
    """

    def __init__(self, own: str, launched: str) -> None:
        self.own = own
        self.launched = launched
        self.found: dict[str, str] = {}

    def __call__(self, cwd: str) -> str:
        root = self.found.get(cwd)
        if root is None:
            root = self.found[cwd] = self._root(cwd)
        return root

    def _root(self, cwd: str) -> str:
        """Return the bank's own project for a folder below it, else the local repository of the folder, else the folder in which the
        session began (for folders of another machine)."""
        if not cwd or _is_below(cwd, self.own):
            return self.own
        return repository_of(cwd) or (self.launched if _is_below(cwd, self.launched) else cwd)


def _is_below(folder: str, root: str) -> bool:
    return folder == root or (bool(root) and folder.startswith(root.rstrip("/") + "/"))
