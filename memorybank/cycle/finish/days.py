"""The bank's event log as sources of episodes: each session's log is one, what is told of its days are the parts of a session summary.

Only lines that everybody may see count, those that no rule ever lowered: an episode is committed. What hooks recorded and what was
imported are the same here.
"""

from __future__ import annotations

from collections.abc import Sequence

from memorybank import clock as time_of
from memorybank.cycle.base import Base
from memorybank.cycle.finish import sessions
from memorybank.cycle.fold import corrected, wording
from memorybank.cycle.fold.cell import of_line
from memorybank.cycle.fold.phrases import language_of
from memorybank.cycle.fold.recorded import Recorded
from memorybank.episodes.calendar import Calendar
from memorybank.episodes.daylog import DayLog, Message, chained
from memorybank.episodes.sources.source import Told
from memorybank.log import events
from memorybank.summarize.summarizer import Part, Said

PREFIX = "events/"
_COUNTED = ("prompt", "tool_after", "turn_end")
_KEPT_SESSIONS = 4


class EventLogs:
    """The sessions of one bank. Of the last few the lines are kept: a session over midnight is read once for both days."""

    def __init__(self, base: Base, calendar: Calendar) -> None:
        self.base = base
        self.calendar = calendar
        self._kept: dict[str, dict[str, list[Message]]] = {}

    def sources(self) -> list[SessionLog]:
        return [SessionLog(self, name) for name in events.names(self.base.layout)]

    def messages(self, file: str) -> dict[str, list[Message]]:
        """{date: messages} of one session's log."""
        if file not in self._kept:
            while len(self._kept) >= _KEPT_SESSIONS:
                del self._kept[next(iter(self._kept))]
            self._kept[file] = self._read(file)
        return self._kept[file]

    def _read(self, file: str) -> dict[str, list[Message]]:
        lines = [Recorded(line) for line in events.read(self.base.layout, file)]
        days = {line.id: self.calendar.day_of(line.at) for line in lines if line.event in _COUNTED and line.cell.is_public}
        found: dict[str, list[Message]] = {}
        for line in corrected.overlay(lines):
            if line.id in days and line.event in _COUNTED:
                line.leave_out(self.base.places)
                role, text = _words(line)
                found.setdefault(days[line.id], []).append(Message(line.at, role, text, line.id, line if line.cell.is_public else None))
        return found


class SessionLog:
    """One session's log."""

    def __init__(self, logs: EventLogs, file: str) -> None:
        self._logs = logs
        self._file = file
        self.name = PREFIX + file.removesuffix(".jsonl")

    def digests(self) -> dict[str, str]:
        found: dict[str, str] = {}
        calendar = self._logs.calendar
        for line in events.read(self._logs.base.layout, self._file):
            fields = line.fields
            if fields.get("event") in _COUNTED and of_line(fields).is_public:
                date = calendar.day_of(time_of.parse(str(fields.get("timestamp"))) or 0)
                found[date] = chained(found.get(date, date), str(fields.get("id")))
        return found

    def read(self, date: str) -> DayLog:
        return DayLog(date, self.name, self._logs.messages(self._file)[date])

    def tell(self, messages: Sequence[Message]) -> Told:
        """The sections of a session summary; of a day on which nothing was done what was said."""
        lines: list[Recorded] = [message.line for message in messages if message.line is not None]
        summary = sessions.summarise(lines)
        if summary is not None:
            told = [(item.at, Part(name, item.text)) for name in sessions.SECTIONS for item in summary.section(name)]
            return Told(summary.language, tuple(sorted(told, key=lambda item: item[0])))
        said = [(message.at, Said(message.role, message.text)) for message in messages if message.role != "tool" and message.text and message.line is not None]
        return Told(language_of(" ".join(message.text for message in messages if message.role == "user")), tuple(said))


def _words(line: Recorded) -> tuple[str, str]:
    """(role, text) of a line."""
    if line.event == "prompt":
        return ("user" if line.human else "system"), line.text("text")
    if line.event == "turn_end":
        return "agent", line.head if line.head == line.tail else f"{line.head}\n{line.tail}".strip()
    return "tool", wording.call(line)
