"""Plain chat logs with their archives: `log.txt` and `log_archives/*.txt` in one folder (episodic memory specification, section 4 A).

A message begins at a line `## USER:`, `## AGENT:` or `## SYSTEM:` (a name may follow) outside a code fence. Its last line is its time stamp: `2025-10-20
(Mon) 12:34:56`, which other text may follow. Files are UTF-8, else CP932. Thought blocks are left out. A message that is both in the log and in an
archive (same time, role and text) counts once.
"""

import os
import re
from collections.abc import Callable, Iterable, Sequence
from hashlib import sha256
from typing import NamedTuple

from memorybank.episodes.dates import LocalCalendar
from memorybank.episodes.daylog import DayLog, DayMessage
from memorybank.episodes.entry import CHAT
from memorybank.episodes.update import SummaryMaterial
from memorybank.storage import disk
from memorybank.summarize.summarizer import ChatText
from memorybank.text.words.language import identify

LOG, ARCHIVES = "log.txt", "log_archives"
MAX_BYTES = 1 << 28
USER, AGENT, SYSTEM = "user", "agent", "system"
_HEADER = re.compile(r"## (USER|AGENT|SYSTEM):(.*)")
_STAMP = re.compile(r"(\d{4}-\d{2}-\d{2}) \(\w{2,4}\) (\d{2}:\d{2}:\d{2})(?!\d)")
_FENCE = re.compile(r" {0,3}(`{3,}|~{3,})")
_THOUGHTS = re.compile(
    r"【Thoughts】.*?(?:【/Thoughts】|\Z)|\[THOUGHT\].*?(?:\[/THOUGHT\]|\Z)|<thinking>.*?(?:</thinking>|\Z)",
    re.DOTALL | re.IGNORECASE,
)


class ChatMessage(NamedTuple):
    """One message as it is in a file. at: ms of its own time stamp, None without one; name: what follows the role in the header."""

    role: str
    name: str
    text: str
    at: int | None


def parse(text: str, calendar: LocalCalendar) -> list[ChatMessage]:
    """Return the messages of one file in order. Lines before the first header belong to no message."""
    found: list[ChatMessage] = []
    head: re.Match[str] | None = None
    body: list[str] = []
    fence = ""
    for line in text.split("\n"):
        line = line.rstrip("\r")
        mark = _FENCE.match(line)
        if fence:
            # As in CommonMark: a fence ends at the same character, at least as often, with nothing after it.
            if mark and mark[1][0] == fence[0] and len(mark[1]) >= len(fence) and not line[mark.end() :].strip():
                fence = ""
        elif mark:
            fence = mark[1]
        header = None if fence else _HEADER.fullmatch(line.rstrip())
        if header is None:
            body.append(line)
            continue
        if head is not None:
            found.append(_spoken(head, body, calendar))
        head, body = header, []
    if head is not None:
        found.append(_spoken(head, body, calendar))
    return found


def decode(data: bytes) -> str:
    """Decode a file as UTF-8, else as CP932 with � for invalid bytes."""
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        return data.decode("cp932", "replace")


def boundary(messages: Sequence[ChatMessage], now: int, turns: int | None = None) -> int:
    """Return the oldest time stamp (ms) of a raw log that is about to be sent.

    turns: count only this many of the last turns; a turn begins with a message of the user

    Only a message's own stamp counts. Without any stamp, or when all are in the future, the boundary is now.
    """
    if turns is not None:
        begins = [number for number, message in enumerate(messages) if message.role == USER]
        messages = messages[begins[-turns] :] if 0 < turns <= len(begins) else messages if turns else ()
    stamps = [message.at for message in messages if message.at is not None]
    return min([*stamps, now])


class ChatLog:
    """The chat log of one folder as a source, named `chat/<name>`. redact: applied to the text of every message."""

    def __init__(self, folder: str, name: str, calendar: LocalCalendar, redact: Callable[[str], str]) -> None:
        self.folder = folder
        self.name = CHAT + name
        self._calendar = calendar
        self._redact = redact
        self._days: dict[str, list[DayMessage]] | None = None

    def __repr__(self) -> str:
        return f"ChatLog({self.name!r})"

    def digests(self, since: str = "") -> dict[str, str]:
        return {date: DayLog(date, self.name, messages).digest for date, messages in self._read().items()}

    def read(self, date: str) -> DayLog:
        return DayLog(date, self.name, self._read()[date])

    def material(self, messages: Sequence[DayMessage]) -> SummaryMaterial:
        said = [(message.at, ChatText(message.line or message.role, message.text)) for message in messages if message.role != SYSTEM]
        return SummaryMaterial("ja" if identify(" ".join(message.text for message in messages)) == "ja" else "en", tuple(said))

    def files(self) -> list[str]:
        """Return the archives, sorted by name, then the log. Symbolic links are skipped."""
        archives = os.path.join(self.folder, ARCHIVES)
        names = sorted(name for name in os.listdir(archives) if name.endswith(".txt")) if os.path.isdir(archives) and not os.path.islink(archives) else []
        paths = [*(os.path.join(archives, name) for name in names), os.path.join(self.folder, LOG)]
        return [path for path in paths if os.path.isfile(path) and not os.path.islink(path)]

    def _read(self) -> dict[str, list[DayMessage]]:
        if self._days is None:
            self._days = {}
            for message in _unique(spoken for path in self.files() for spoken in _dated(parse(decode(disk.read(path, MAX_BYTES)), self._calendar))):
                text = self._redact(message.text)
                at = message.at or 0
                key = f"{at}:{message.role}:{sha256(message.text.encode('utf-8', 'replace')).hexdigest()[:32]}"
                self._days.setdefault(self._calendar.day_of(at), []).append(DayMessage(at, message.role, text, key, message.name))
        return self._days


def _spoken(head: re.Match[str], body: list[str], calendar: LocalCalendar) -> ChatMessage:
    """Return the message of a header and the lines below it. The last line is its time stamp and not part of the text."""
    while body and not body[-1].strip():
        body.pop()
    stamp = _STAMP.match(body[-1].strip()) if body else None
    at = calendar.instant(f"{stamp[1]}T{stamp[2]}") if stamp else None
    text = "\n".join(body[:-1] if at is not None else body)
    return ChatMessage(head[1].lower(), head[2].strip(), _THOUGHTS.sub("", text).strip(), at)


def _dated(messages: list[ChatMessage]) -> list[ChatMessage]:
    """Give messages without a time stamp the time of the next one that has one (an answer follows its question), else that of the last one."""
    known = [message.at for message in messages if message.at is not None]
    if not known:
        return []
    following = known[-1]
    found = []
    for message in reversed(messages):
        following = message.at if message.at is not None else following
        found.append(message._replace(at=following))
    return found[::-1]


def _unique(messages: Iterable[ChatMessage]) -> list[ChatMessage]:
    """Return the messages sorted by time, each once. Messages of the same instant keep the order of the files."""
    seen: dict[tuple[int | None, str, str], ChatMessage] = {}
    for message in messages:
        seen.setdefault((message.at, message.role, message.text), message)
    return sorted(seen.values(), key=lambda message: message.at or 0)
