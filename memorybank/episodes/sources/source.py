"""LogSource: where days come from. Each session of the bank's event log is a source, and so is a plain chat log.

A source returns only redacted text that everybody may see.
"""

from collections.abc import Sequence
from typing import NamedTuple, Protocol

from memorybank.episodes.daylog import DayLog, DayMessage
from memorybank.summarize.summarizer import ChatText, SessionItem


class SummaryMaterial(NamedTuple):
    """The material that a summarizer gets from some messages. language: `en` or `ja`; items: (instant in ms, part or message), in the order of time."""

    language: str
    items: tuple[tuple[int, SessionItem | ChatText], ...]


class LogSource(Protocol):
    """One log that is divided into days."""

    @property
    def name(self) -> str:
        """`events/<session>` or `chat/<folder>`, the same on every machine that has this log."""

    def digests(self) -> dict[str, str]:
        """Return {date: digest of all its messages} without keeping the messages in memory."""

    def read(self, date: str) -> DayLog:
        """Return the messages of a date that `digests` contains."""

    def tell(self, messages: Sequence[DayMessage]) -> SummaryMaterial:
        """Return the material for a summarizer from some messages of this source."""
