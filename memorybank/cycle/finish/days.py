"""The bank's event log as a source of episodes: the log of each session is one source, and the parts of a session summary describe its days.

Only lines that everybody may see and that no rule ever lowered are used, because an episode is committed. Recorded and imported
lines are treated alike.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from functools import lru_cache

from memorybank import clock as time_of
from memorybank.cycle.base import CycleContext
from memorybank.cycle.finish import fixes, sessions
from memorybank.cycle.finish.sessions import Item, SessionSummary
from memorybank.cycle.fold import wording
from memorybank.cycle.fold.phrases import ENGLISH, phrase
from memorybank.cycle.fold.recorded import LogEvent, cell_of_line, with_corrections
from memorybank.cycle.know.gist import without_kind
from memorybank.episodes import dates
from memorybank.episodes.dates import LocalCalendar
from memorybank.episodes.daylog import DayLog, DayMessage, chained
from memorybank.episodes.update import SummaryMaterial
from memorybank.log import events
from memorybank.summarize import findings, left_open, listed
from memorybank.summarize.summarizer import CHANGED, COMMITS, FIXES, GIST, GOALS, OPEN_ENDS, RESULTS, SessionItem
from memorybank.text.commands.paths import shown
from memorybank.text.prose.momentary import lasting, without_supposed

_COUNTED = ("prompt", "tool_after", "turn_end")
_KEPT_SESSIONS = 4
_BETWEEN_SITTINGS = "; "
_REQUEST, _EARLIER = 240, 100
"""Maximum characters of a request, and of one of an earlier day."""
_ORDER = 60
"""Maximum characters of the sentence before a pasted plan."""
_MOST_ANSWERS, _MOST_FILES = 4, 3
_MOST_FOLDERS = 3
_LONG_CALL = re.compile(r"`.{50,}`\s?\(([^()]{8,})\)(?= failed last| は最後まで失敗)")
_INFORMATIVE_SHARE = 1 / 3
"""An answer shorter than this share of the longest one is an acknowledgement ("pushed"), unless it contains a value or a cause."""


class EventLogs:
    """The sessions of one bank. The lines of the last few are kept in memory, so that a session over midnight is read once for both days."""

    def __init__(self, base: CycleContext, calendar: LocalCalendar) -> None:
        self.base = base
        self.calendar = calendar
        self.messages = lru_cache(_KEPT_SESSIONS)(self._read)

    def sources(self) -> list[SessionLog]:
        """Return the logs of all sessions."""
        return [SessionLog(self, name) for name in events.names(self.base.layout)]

    def _read(self, file: str) -> dict[str, list[DayMessage]]:
        """Return {date: messages} of one session's log."""
        lines = [LogEvent(line) for line in events.read(self.base.layout, file)]
        days = {line.id: self.calendar.day_of(line.at) for line in lines if line.event in _COUNTED and line.cell.is_public}
        found: dict[str, list[DayMessage]] = {}
        # Days come from the lines as recorded, because a correction must not move a line to another day; visibility is checked again after it.
        for line in with_corrections(lines):
            if line.id in days and line.event in _COUNTED:
                line.leave_out(self.base.places)
                role, text = _words(line)
                seen = line if line.cell.is_public else None
                found.setdefault(days[line.id], []).append(DayMessage(line.at, role, text, line.id, seen, _size(line)))
        return found


class SessionLog:
    """The log of one session."""

    def __init__(self, logs: EventLogs, file: str) -> None:
        self._logs = logs
        self._file = file
        self.name = events.source_of(file)

    def __repr__(self) -> str:
        return f"SessionLog({self.name!r})"

    def digests(self, since: str = "") -> dict[str, str]:
        """Return {date: digest of its lines}.

        since: a date; lines of earlier days are not decoded, which takes most of the time
        """
        found: dict[str, str] = {}
        calendar = self._logs.calendar
        # A local day and the day of the same name in the zone of a recorded instant are less than two days apart.
        for fields in events.fields_since(self._logs.base.layout, self._file, dates.plus(since, -2) if since else ""):
            if fields.get("event") in _COUNTED and cell_of_line(fields).is_public:
                date = calendar.day_of(time_of.parse(str(fields.get("timestamp"))) or 0)
                found[date] = chained(found.get(date, date), str(fields.get("id")))
        return found

    def read(self, date: str) -> DayLog:
        """Return the messages of one day."""
        return DayLog(date, self.name, self._logs.messages(self._file)[date])

    def material(self, messages: Sequence[DayMessage]) -> SummaryMaterial:
        """Return the sections of a session summary for these messages, as they describe a day."""
        lines: list[LogEvent] = [message.line for message in messages if message.line is not None]
        if not lines:
            return SummaryMaterial(ENGLISH, ())  # a correction lowered all of them
        summary = sessions.of_lines(lines)
        language = summary.language
        found = _with_task([(item.at, name, item.text) for name in summary.sections for item in _informative(name, summary, lines)], summary)
        if not summary.sections[GOALS]:
            found = [*self._begun_earlier(lines[0], language), *found]
        if summary.gist and summary.has_work:
            found.append((lines[0].at, GIST, _sittings(summary.gist)))
        if self._goes_on(lines[-1]):
            found.append((lines[-1].at, OPEN_ENDS, phrase("goes_on", language)))
        return SummaryMaterial(language, tuple((at, SessionItem(section, text, self.name)) for at, section, text in sorted(found, key=lambda item: item[0])))

    def _goes_on(self, last: LogEvent) -> bool:
        """Return whether the day ended in the middle of a turn."""
        later = (message for messages in self._logs.messages(self._file).values() for message in messages)
        return last.event != "turn_end" and any(message.line is not None and message.line.offset > last.offset for message in later)

    def _begun_earlier(self, first: LogEvent, language: str) -> list[tuple[int, str, str]]:
        """Return what the person had asked for before this day: the session's first and latest requests."""
        earlier = [message for messages in self._logs.messages(self._file).values() for message in messages if message.line is not None]
        asked = [message.line for message in earlier if message.role == "user" and message.line.offset < first.offset and message.text.strip()]
        said = dict.fromkeys(wording.one_line(line.text("text"), _EARLIER) for line in (*asked[:1], *asked[-1:]))
        return [(first.at, GOALS, phrase("since_earlier", language, text=text)) for text in said]


def _sittings(gists: Sequence[Item]) -> str:
    """Return the gists of a day's sittings in one line, and all results of the last one only."""
    *earlier, last = (item.text for item in gists)
    return _BETWEEN_SITTINGS.join([*(listed.with_one_result(sitting, is_over=True) for sitting in earlier), last])


def _with_task(found: list[tuple[int, str, str]], summary: SessionSummary) -> list[tuple[int, str, str]]:
    """Return the items of a session with the name of its last task before its first request, unless this contains it."""
    first = next((number for number, (_, section, _) in enumerate(found) if section == GOALS), None)
    if first is None or not summary.tasks:
        return found
    at, section, text = found[first]
    name = listed.name_of(summary.tasks[-1])
    return found if name in text else [*found[:first], (at, section, f"{listed.of_task(name)}{text}"), *found[first + 1 :]]


def _informative(name: str, summary: SessionSummary, lines: Sequence[LogEvent]) -> Sequence[Item]:
    """Return the items of a section that describe a day: many changed files become one line, and of several answers the last informative ones are kept."""
    items = summary.sections[name]
    if name == OPEN_ENDS:
        return [Item(item.at, _described(item.text)) for item in items if _is_open(item, lines)]
    if name == FIXES:
        return [Item(fix.success.at, fixes.told(fix, summary.language, is_day=True)) for fix in summary.fixed if fixes.is_of_day(fix)]
    if name == RESULTS and items:
        return _answers(items, lines)
    if name == COMMITS:
        return [Item(item.at, without_kind(item.text)) for item in items]
    if name == GOALS:
        return [Item(item.at, wording.one_line(_headed(item.text), _REQUEST)) for item in items]
    if name == CHANGED:
        said = " ".join(item.text for item in summary.sections[RESULTS])
        others = [item for item in items if item.text.partition(" (")[0].rpartition("/")[2] not in said]
        return [Item(items[-1].at, _folders(summary))] if len(others) > _MOST_FILES < len(summary.files) else others
    return items


def _headed(request: str) -> str:
    """Return the heading of a request that is a pasted plan (`Implement this plan: # Cache the index ## Context …`); any other request as it is."""
    order, mark, plan = request.partition(": # ")
    return plan.partition(" ## ")[0].removeprefix("Plan: ") if mark and len(order) <= _ORDER else request


def _answers(items: Sequence[Item], lines: Sequence[LogEvent]) -> list[Item]:
    """Return the last informative answers as written, but without plans, and all but the last answer of the day without the state of its moment. A plan has
    been carried out since, or is listed as an open end."""
    least = max(len(item.text) for item in items) * _INFORMATIVE_SHARE
    wanted = {item.at for item in items if len(item.text) >= least or findings.worth(item.text) > findings.PLAIN}
    last = max(line.at for line in lines if line.event == "turn_end")
    ends = [line for line in lines if line.event == "turn_end" and line.at in wanted][-_MOST_ANSWERS:]
    return [Item(line.at, text) for line in ends if (text := lasting(_whole(line)) if line.at < last else without_supposed(_whole(line)))]


def _whole(line: LogEvent) -> str:
    """Return everything that was recorded of an answer, without its plans."""
    return left_open.without_plans(line.whole).strip()


def _described(text: str) -> str:
    """Return a call that kept failing; a long command is replaced by the agent's description of it."""
    found = _LONG_CALL.match(text)
    return f"{found[1]}{text[found.end() :]}".rstrip(" :") if found else text.rstrip(" :")


def _folders(summary: SessionSummary) -> str:
    """Name the folders of many changed files, with the number of files in each, and the number of other files."""
    counts = Counter(file.rpartition("/")[0] or file for file in map(shown, summary.files))
    most = sorted(counts, key=lambda folder: (-counts[folder], folder))[:_MOST_FOLDERS]
    named = ", ".join(f"{folder} ({counts[folder]})" if counts[folder] > 1 else folder for folder in most)
    rest = len(summary.files) - sum(counts[folder] for folder in most)
    return f"{named} {phrase('more_files', summary.language, count=rest)}" if rest else named


def _is_open(item: Item, lines: Sequence[LogEvent]) -> bool:
    """Whether an open end is still open at the end of the day: the person did not continue with something else. A call that kept failing always stays."""
    said = any(line.at == item.at and line.event == "turn_end" for line in lines)
    return not said or all(line.at <= item.at for line in lines if line.is_human_prompt)


def _words(line: LogEvent) -> tuple[str, str]:
    """Return (role, text) of a line."""
    if line.event == "prompt":
        return ("user" if line.human else "system"), line.text("text")
    if line.event == "turn_end":
        return "agent", line.head if line.head == line.tail else f"{line.head}\n{line.tail}".strip()
    return "tool", wording.call(line)


def _size(line: LogEvent) -> int:
    """Return the number of characters that were recorded of a line."""
    return sum(len(value) for value in line.inputs.values() if isinstance(value, str)) + len(line.head) + len(line.tail) + len(line.error)
