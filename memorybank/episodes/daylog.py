"""DayLog: what one source holds of one day, in the order in which it was written down.

A source only grows at its end, also by what is imported late: so the digest of a day after each of its messages tells, of any digest
that was recorded, how many of them are told already.
"""

from __future__ import annotations

__light__ = True

from memorybank.storage.digest import sha256

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Sequence
    from typing import Any


class Message:
    """One thing that happened. at: ms; role: user, agent, tool or system; text: in words, redacted; key: unlike every other of its source;
    line: what its source knows beyond that, for `LogSource.tell` alone; size: characters that were recorded of it, those of the text by default."""

    __slots__ = ("at", "key", "line", "role", "size", "text")

    def __init__(self, at: int, role: str, text: str, key: str, line: Any = None, size: int | None = None) -> None:
        self.at = at
        self.role = role
        self.text = text
        self.key = key
        self.line = line
        self.size = len(text) if size is None else size

    def __repr__(self) -> str:
        return f"Message({self.at}, {self.role!r}, {self.key!r})"


class DayLog:
    """date: of the bank's calendar; source: `events/<session>`, `chat/<folder>`; messages: not empty."""

    __slots__ = ("date", "digests", "messages", "source")

    def __init__(self, date: str, source: str, messages: Sequence[Message]) -> None:
        self.date = date
        self.source = source
        self.messages = tuple(messages)
        self.digests = digests(date, [message.key for message in messages])

    @property
    def digest(self) -> str:
        """Of all messages."""
        return self.digests[-1]

    def told(self, known: Collection[str]) -> int:
        """How many messages, from the first on, the greatest of these digests stands for; 0 when none of them is one of this day's."""
        return max((number for number, digest in enumerate(self.digests, 1) if digest in known), default=0)


def digests(date: str, keys: Sequence[str]) -> tuple[str, ...]:
    """The digest of a day after each message: 32 hexadecimal digits over the one before and the message's key."""
    found = []
    last = date
    for key in keys:
        last = chained(last, key)
        found.append(last)
    return tuple(found)


def chained(before: str, key: str) -> str:
    """The digest of a day with one more message; before: the one without it, the date for the first."""
    return sha256(f"{before}\n{key}".encode("utf-8", "replace")).hex()[:32]
