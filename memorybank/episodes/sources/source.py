"""LogSource: where days come from. The bank's event log is one (each session's log is a source of its own), a plain chat log another.

What a source hands out is redacted, and what everybody may see.
"""

from collections.abc import Sequence
from typing import NamedTuple, Protocol

from memorybank.episodes.daylog import DayLog, Message
from memorybank.summarize.summarizer import Part, Said


class Told(NamedTuple):
    """What messages come to, for a summarizer. language: `en` or `ja`; items: (instant in ms, what), in the order of time."""

    language: str
    items: tuple[tuple[int, Part | Said], ...]


class LogSource(Protocol):
    """One log whose days can be told apart."""

    @property
    def name(self) -> str:
        """The same on every machine that has this log: `events/<session>`, `chat/<folder>`."""

    def digests(self) -> dict[str, str]:
        """{date: digest of all its messages}, without keeping them."""

    def read(self, date: str) -> DayLog:
        """The messages of a date that `digests` names."""

    def tell(self, messages: Sequence[Message]) -> Told:
        """What some messages of this source come to."""
