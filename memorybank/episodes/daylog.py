"""DayLog: the messages of one source on one day, in the order in which they were recorded.

A source only grows at its end, also by late imports. So the digest chain of a day (one digest after each message) shows, for any recorded digest, how
many messages it already covers.
"""

from __future__ import annotations

__light__ = True

from memorybank.storage.digest import sha256

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Sequence
    from typing import Any


class DayMessage:
    """One recorded message.

    at: instant in ms
    role: user, agent, tool or system
    text: redacted text
    key: unique within the source
    line: further data of the source, for `LogSource.material` only
    size: number of recorded characters, by default the length of the text
    """

    __slots__ = ("at", "key", "line", "role", "size", "text")

    def __init__(self, at: int, role: str, text: str, key: str, line: Any = None, size: int | None = None) -> None:
        self.at = at
        self.role = role
        self.text = text
        self.key = key
        self.line = line
        self.size = len(text) if size is None else size

    def __repr__(self) -> str:
        return f"DayMessage({self.at}, {self.role!r}, {self.key!r})"


class DayLog:
    """The messages of one source on one day.

    date: its date in the bank's calendar
    source: `events/<session>` or `chat/<folder>`
    messages: its messages, at least one
    """

    __slots__ = ("date", "digests", "messages", "source")

    def __init__(self, date: str, source: str, messages: Sequence[DayMessage]) -> None:
        self.date = date
        self.source = source
        self.messages = tuple(messages)
        self.digests = digests(date, [message.key for message in messages])

    @property
    def digest(self) -> str:
        """The digest of all messages."""
        return self.digests[-1]

    def covered_count(self, known: Collection[str]) -> int:
        """Return how many messages, counted from the first, the furthest of these digests covers; 0 when none of them belongs to this day."""
        return max((number for number, digest in enumerate(self.digests, 1) if digest in known), default=0)


def digests(date: str, keys: Sequence[str]) -> tuple[str, ...]:
    """Return the digest of a day after each message, 32 hexadecimal digits: a hash of the previous digest and the message's key."""
    found = []
    last = date
    for key in keys:
        last = chained(last, key)
        found.append(last)
    return tuple(found)


def chained(before: str, key: str) -> str:
    """Return the digest of a day with one more message. before: the digest without it, or the date for the first message."""
    return sha256(f"{before}\n{key}".encode("utf-8", "replace")).hex()[:32]
